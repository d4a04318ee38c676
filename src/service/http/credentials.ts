import { roles } from '../../contract/account.ts'
import type { Credential } from '../../contract/credentials.ts'
import { fail, invalid } from '../../contract/errors.ts'
import type { contract } from '../../contract/index.ts'
import { at, instantOf } from '../../contract/time.ts'
import type { CredentialRow } from '../store/credentials.ts'
import { isAdmin } from './auth.ts'
import { found } from './find.ts'
import type { Context, Handlers } from './handler.ts'
import { userUri } from './uris.ts'

export const credentials: Handlers<typeof contract.credentials> = {
  async list({ query }, { store, principal, address }) {
    const { user_id = isAdmin(principal) ? undefined : principal.user_id, ...filter } = query
    if (user_id !== principal.user_id && !isAdmin(principal)) notYours()
    const page = await store.credentials.list(principal.organization_id, { user_id, ...filter })
    return { ...page, rows: page.rows.map((row) => shown(row, address)) }
  },

  get: async ({ params }, context) => shown(await find(context, params.credential_id), context.address),

  async create({ body }, context) {
    const { store, principal, now, secrets, address } = context
    const { kind, name, expires_at = null, user_id = principal.user_id } = body
    await checkHolder(context, user_id)
    if (expires_at !== null && at(expires_at) <= now) invalid('expires_at', 'expires_at must lie ahead.')
    const { secret, prefix, hash } = (await secrets()).newCredential(kind)
    const { organization_id } = principal
    await store.account.insertCredential({ organization_id, user_id, kind, name, prefix, hash, expires_at, created_at: instantOf(now) })
    return { ...shown((await store.credentials.findByHash(hash)) as CredentialRow, address), secret }
  },

  async delete({ params }, context) {
    const { id } = await find(context, params.credential_id)
    await context.store.credentials.revoke(context.principal.organization_id, id, instantOf(context.now))
    return undefined
  },
}

const notYours = (): never => fail('permission_denied', 'Only admins and owners manage the credentials of others.')

/** Members know of their own only. */
async function find({ store, principal }: Context, id: number): Promise<CredentialRow> {
  const row = found(await store.credentials.find(principal.organization_id, id), 'credential', id)
  return found(isAdmin(principal) || row.user_id === principal.user_id ? row : undefined, 'credential', id)
}

/** A credential acts as its user, so nobody makes one for somebody above them. */
async function checkHolder({ store, principal }: Context, user_id: number): Promise<void> {
  if (user_id === principal.user_id) return
  if (!isAdmin(principal)) notYours()
  const user = await store.account.findUser(user_id)
  if (!user || user.organization_id !== principal.organization_id) return invalid('user_id', `There is no user ${user_id}.`, 'not_found')
  if (roles.indexOf(user.role) > roles.indexOf(principal.role)) {
    fail('permission_denied', `${user.name} is ${user.role}; an ${principal.role} makes no credentials for them.`)
  }
}

function shown({ user_id, user_uuid, user_name, user_email, ...row }: CredentialRow, address: string): Credential {
  const { id, kind, name, prefix, expires_at, last_used_at, revoked_at, created_at } = row
  const user = { id: user_id, uri: userUri(address, user_uuid), name: user_name, email: user_email }
  return { id, kind, name, prefix, user, expires_at, last_used_at, revoked_at, created_at }
}
