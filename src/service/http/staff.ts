import { fail, invalid } from '../../contract/errors.ts'
import type { contract } from '../../contract/index.ts'
import type { StaffMember } from '../../contract/staff.ts'
import { at, instantOf } from '../../contract/time.ts'
import { availableTimes } from '../domain/availability.ts'
import type { StaffRow } from '../store/staff.ts'
import { cancelUpcoming } from './cancel.ts'
import { staffFacts } from './facts.ts'
import { found, given } from './find.ts'
import type { Context, Handlers } from './handler.ts'
import { userUri } from './uris.ts'

const LONGEST_WINDOW = 31 * 86_400_000

export const staff: Handlers<typeof contract.staff> = {
  async list({ query }, { store, principal, address }) {
    const page = await store.staff.list(principal.organization_id, query)
    return { ...page, rows: page.rows.map((member) => shown(member, address)) }
  },

  async get({ params }, context) {
    return shown(await find(context, params.staff_member_id), context.address)
  },

  async create({ body }, context) {
    const { store, principal, now, address } = context
    await refuseTakenEmail(context, body.email)
    const { user, ...rest } = given(body)
    const stamp = instantOf(now)
    const blank = { time_zone: principal.organization_zone, working_hours: [], extra_hours: [], time_off: [], active: true }
    const linked = user ? await linkOf(context, user) : { user_id: null, user_uuid: null }
    const member = { ...blank, ...rest, ...linked, created_at: stamp, updated_at: stamp }
    return shown(await store.staff.insert(principal.organization_id, member), address)
  },

  async update({ params, body }, context) {
    const { store, principal, now, address } = context
    const member = await find(context, params.staff_member_id)
    if (body.email) await refuseTakenEmail(context, body.email, member.id)
    const { user, ...rest } = given(body)
    const linked = user === undefined ? {} : user === null ? { user_id: null, user_uuid: null } : await linkOf(context, user)
    return shown(
      await store.staff.update(principal.organization_id, { ...member, ...rest, ...linked, updated_at: instantOf(now) }),
      address,
    )
  },

  async delete({ params }, context) {
    const { store, principal, now } = context
    const { id } = await find(context, params.staff_member_id)
    // Taken first, so that nobody books this person while the upcoming appointments are counted.
    await store.staff.lock(principal.organization_id, id)
    await cancelUpcoming(context, { staff_member_id: id }, { instead: false })
    await store.staff.remove(principal.organization_id, id, instantOf(now))
    return undefined
  },

  async available({ query }, { store, principal, now }) {
    const window = { from: at(query.start_time), to: at(query.end_time) }
    if (window.to <= window.from) invalid('end_time', 'end_time must be after start_time.')
    if (window.to - window.from > LONGEST_WINDOW) invalid('end_time', 'end_time must be at most 31 days after start_time.')
    const { organization_id } = principal
    const type = found(
      await store.appointmentTypes.find(organization_id, query.appointment_type_id),
      'appointment type',
      query.appointment_type_id,
    )
    const asked = query.staff_member_id
    if (asked !== undefined) found(await store.staff.find(organization_id, asked), 'staff member', asked)
    const ids = type.active ? type.staff_member_ids.filter((id) => asked === undefined || id === asked) : []
    const facts = await staffFacts(store, organization_id, type.id, ids, window)
    return availableTimes(type, facts, window, now).map(({ start, staff_member_ids }) => ({
      start_time: instantOf(start),
      end_time: instantOf(start + type.duration * 60_000),
      staff_member_ids,
    }))
  },
}

function shown({ user_id: _, user_uuid, active, created_at, updated_at, ...member }: StaffRow, address: string): StaffMember {
  return { ...member, user: user_uuid === null ? null : userUri(address, user_uuid), active, created_at, updated_at }
}

async function find({ store, principal }: Context, id: number): Promise<StaffRow> {
  return found(await store.staff.find(principal.organization_id, id), 'staff member', id)
}

async function linkOf({ store, principal }: Context, uri: string): Promise<{ user_id: number; user_uuid: string }> {
  const user = await store.account.findUserByUuid(principal.organization_id, uri.split('/').at(-1) ?? '')
  return user ? { user_id: user.id, user_uuid: user.uuid } : invalid('user', `There is no user ${uri}.`, 'not_found')
}

async function refuseTakenEmail({ store, principal }: Context, email: string, except?: number): Promise<void> {
  if (!(await store.staff.isEmailTaken(principal.organization_id, email, except))) return
  const message = `Another staff member has the e-mail address ${email} already.`
  fail('already_exists', message, { details: [{ parameter: 'email', message, code: 'already_exists' }] })
}
