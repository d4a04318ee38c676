import type { Role } from '../../contract/account.ts'
import { fail } from '../../contract/errors.ts'
import type { contract } from '../../contract/index.ts'
import { instantOf } from '../../contract/time.ts'
import type { AccountUser, Membership } from '../../contract/users.ts'
import { slugOf } from '../domain/slug.ts'
import type { UserRow } from '../store/account.ts'
import { shownUser } from './account.ts'
import { found } from './find.ts'
import type { Context, Handlers } from './handler.ts'
import { membershipUri, uuidIn } from './uris.ts'

export const users: Handlers<typeof contract.users> = {
  async get({ params }, { store, principal, address }) {
    return shownUser(
      found(await store.account.findUserByUuid(principal.organization_id, params.user_uuid), 'user', params.user_uuid),
      address,
    )
  },
}

/** A user belongs to one organization, so a membership goes by the UUID of its user. */
export const memberships: Handlers<typeof contract.memberships> = {
  async list({ query }, { store, principal, address }) {
    const { organization, user, email, role, ...paging } = query
    if (organization !== undefined && uuidIn(organization, 'organizations', 'organization') !== principal.organization_uuid) outside()
    const user_uuid = user === undefined ? undefined : uuidIn(user, 'users', 'user')
    if (user_uuid !== undefined && !(await store.account.findUserByUuid(principal.organization_id, user_uuid))) outside()
    const wanted = role === 'user' ? 'member' : role
    const page = await store.account.listUsers(principal.organization_id, { user_uuid, email, role: wanted, ...paging })
    return { ...page, rows: page.rows.map((row) => shown(row, address)) }
  },

  async get({ params }, { store, principal, address }) {
    const { membership_uuid } = params
    return shown(
      found(await store.account.findUserByUuid(principal.organization_id, membership_uuid), 'membership', membership_uuid),
      address,
    )
  },
}

const outside = (): never => fail('permission_denied', 'This user is not in your organization')

function shown(row: UserRow, address: string): Membership {
  const { current_organization, role, resource_type: _, ...user } = shownUser(row, address)
  return {
    uri: membershipUri(address, row.uuid),
    role: role === 'member' ? 'user' : role,
    user,
    organization: current_organization,
    created_at: row.created_at,
    updated_at: row.updated_at,
  }
}

/** The same users under the API key, for those who manage them. */
export const apiUsers: Handlers<typeof contract.apiUsers> = {
  async list({ query }, { store, principal, address }) {
    const page = await store.account.listUsers(principal.organization_id, query)
    return { ...page, rows: page.rows.map((row) => shownAccount(row, address)) }
  },

  get: async ({ params }, context) => shownAccount(await findUser(context, params.user_id), context.address),

  async create({ body }, context) {
    const { store, principal, now, newId, secrets, address } = context
    const { name, email, role, time_zone = principal.organization_zone, password } = body
    if (role === 'owner') refuseUnlessOwner(principal.role)
    if (await store.account.findLogin(email)) {
      const message = `Another user has the e-mail address ${email} already.`
      fail('already_exists', message, { details: [{ parameter: 'email', message, code: 'already_exists' }] })
    }
    const { organization_id } = principal
    const password_hash = password === undefined ? null : await (await secrets()).hashPassword(password)
    const stamps = { created_at: instantOf(now), updated_at: instantOf(now) }
    const slug = slugOf(name) || 'user'
    const user = { uuid: newId(), organization_id, name, slug, email, time_zone, role, password_hash, ...stamps }
    return shownAccount((await store.account.findUser(await store.account.insertUser(user))) as UserRow, address)
  },

  async update({ params, body }, context) {
    const { store, principal, now, address } = context
    // Taken first, so that two owners cannot each make the other the last one.
    await store.account.lockOrganization(principal.organization_id)
    const user = await findUser(context, params.user_id)
    const { name = user.name, role = user.role } = body
    if (role !== user.role && (role === 'owner' || user.role === 'owner')) refuseUnlessOwner(principal.role)
    if (user.role === 'owner' && role !== 'owner' && (await store.account.countOwners(principal.organization_id)) === 1) {
      fail('conflict', `${user.name} is the only owner. Make somebody else an owner first.`)
    }
    await store.account.updateUser(principal.organization_id, { id: user.id, name, role, updated_at: instantOf(now) })
    return shownAccount((await store.account.findUser(user.id)) as UserRow, address)
  },
}

function refuseUnlessOwner(role: Role): void {
  if (role !== 'owner') fail('permission_denied', `Only an owner makes or unmakes owners; you are ${role}.`)
}

async function findUser({ store, principal }: Context, id: number): Promise<UserRow> {
  const user = await store.account.findUser(id)
  return found(user?.organization_id === principal.organization_id ? user : undefined, 'user', id)
}

const shownAccount = (row: UserRow, address: string): AccountUser => ({ id: row.id, ...shownUser(row, address) })
