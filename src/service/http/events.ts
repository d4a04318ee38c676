import type { Cancellation } from '../../contract/appointments.ts'
import { fail, invalid } from '../../contract/errors.ts'
import type { Invitee, NoShow, ScheduledEvent } from '../../contract/events.ts'
import type { contract } from '../../contract/index.ts'
import { at } from '../../contract/time.ts'
import type { EventRow, InviteeRow } from '../store/events.ts'
import { cancelAppointment, transition } from './appointments.ts'
import { isAdmin } from './auth.ts'
import { found } from './find.ts'
import type { Context, Handlers } from './handler.ts'
import { cancelSession, lockSession, mark } from './seats.ts'
import { eventTypeUri, eventUri, inviteeUri, noShowUri, submissionUri, userUri, uuidIn, uuidsOfInvitee } from './uris.ts'

export const events: Handlers<typeof contract.events> = {
  async list({ query }, context) {
    const { user, organization, ...filter } = query
    const user_id = await whose(context, user, organization)
    const page = await context.store.events.list(context.principal.organization_id, { user_id, ...filter })
    return { ...page, rows: page.rows.map((row) => shownEvent(row, context.address)) }
  },

  async get({ params }, context) {
    return shownEvent(await visible(context, params.event_uuid, 'You are not allowed to view this event'), context.address)
  },

  async cancel({ params, body }, context) {
    const event = await visible(context, params.event_uuid, 'You are not allowed to cancel this event')
    if (event.status === 'canceled') canceledAlready()
    if (at(event.start_time) <= context.now) fail('permission_denied', 'Event in the past')
    await (event.kind === 'session'
      ? cancelHeld(context, event.source_id, body.reason)
      : cancelBooked(context, event.source_id, body.reason))
    const canceled = await context.store.events.find(context.principal.organization_id, event.uuid)
    return canceled?.cancellation as Cancellation
  },
}

const canceledAlready = (): never => fail('permission_denied', 'Event is already canceled')

async function cancelBooked(context: Context, id: number, reason?: string | undefined): Promise<void> {
  await cancelAppointment(context, id, reason)
}

async function cancelHeld(context: Context, id: number, reason?: string | undefined): Promise<void> {
  const session = await lockSession(context, id)
  // Somebody else may have been faster, before the row was ours.
  if (session.status === 'canceled') canceledAlready()
  await cancelSession(context, session, reason)
}

export const invitees: Handlers<typeof contract.invitees> = {
  async list({ params, query }, context) {
    const { uuid } = await visible(context, params.event_uuid, 'You are not allowed to view this event')
    const page = await context.store.events.invitees(context.principal.organization_id, uuid, query)
    return { ...page, rows: page.rows.map((row) => shownInvitee(row, context.address)) }
  },

  async get({ params }, context) {
    const { store, principal, address } = context
    const { uuid } = await visible(context, params.event_uuid, 'You do not have permission to view this event')
    const invitee = await store.events.findInvitee(principal.organization_id, uuid, params.invitee_uuid)
    return shownInvitee(found(invitee, `invitee of event ${uuid} with the UUID`, params.invitee_uuid), address)
  },
}

const notYours = 'You do not have permission'

export const noShows: Handlers<typeof contract.noShows> = {
  async create({ body }, context) {
    const { store, principal, address } = context
    const { event, invitee } = uuidsOfInvitee(body.invitee)
    const known = await store.events.findInvitee(principal.organization_id, event, invitee)
    if (!known) return invalid('invitee', `There is no invitee ${body.invitee}.`, 'not_found')
    await visible(context, event, notYours)
    await markInvitee(context, known, 'no_show')
    return shownNoShow(found(await store.events.findInvitee(principal.organization_id, event, invitee), 'invitee', invitee), address)
  },

  async get({ params }, context) {
    return shownNoShow(await findNoShow(context, params.no_show_uuid), context.address)
  },

  async delete({ params }, context) {
    await markInvitee(context, await findNoShow(context, params.no_show_uuid), 'undo_no_show')
    return undefined
  },
}

async function markInvitee(context: Context, { kind, held_id, source_id }: InviteeRow, wanted: 'no_show' | 'undo_no_show'): Promise<void> {
  if (kind === 'session') await mark(context, held_id, source_id, wanted)
  else await transition(context, source_id, wanted)
}

/**
 * Whose events are asked for: a user's id, or undefined for those of the whole organization.
 * @throws AppError `permission_denied`: the organization is for admins and owners, and members see what they host
 */
async function whose({ store, principal }: Context, user?: string, organization?: string): Promise<number | undefined> {
  if (user === undefined && organization === undefined) return invalid('user', 'user or organization is required.', 'missing')
  if (organization !== undefined && uuidIn(organization, 'organizations', 'organization') !== principal.organization_uuid) {
    fail('permission_denied', 'You do not have permission to access this resource.')
  }
  if (user === undefined) return isAdmin(principal) ? undefined : adminsOnly()
  const uuid = uuidIn(user, 'users', 'user')
  if (uuid === principal.user_uuid) return principal.user_id
  if (!isAdmin(principal)) fail('permission_denied', notYours)
  if (organization === undefined) {
    fail('permission_denied', 'Please also specify organization when requesting events for a user within your organization.')
  }
  const other = await store.account.findUserByUuid(principal.organization_id, uuid)
  return other ? other.id : fail('permission_denied', 'This user is not in your organization')
}

const adminsOnly = (): never => fail('permission_denied', 'You do not have permission to access this resource.')

/** An event that the caller may see: admins and owners every one, members those they host. */
async function visible({ store, principal }: Context, uuid: string, refusal: string): Promise<EventRow> {
  const event = found(await store.events.find(principal.organization_id, uuid), 'event', uuid)
  return isAdmin(principal) || event.host_id === principal.user_id ? event : fail('permission_denied', refusal)
}

async function findNoShow(context: Context, uuid: string): Promise<InviteeRow> {
  const { store, principal } = context
  const invitee = found(await store.events.inviteeOfNoShow(principal.organization_id, uuid), 'no-show', uuid)
  await visible(context, invitee.event_uuid, notYours)
  return invitee
}

/** The event as a reader of webhooks gets it, here and in a payload. */
export function shownEvent(row: EventRow, address: string): ScheduledEvent {
  const { uuid, name, status, start_time, end_time, location, total, active, seats, cancellation, created_at, updated_at } = row
  const { host_uuid, host_email, host_name, busy_from, busy_to } = row
  const buffered = busy_from && busy_to ? { buffered_start_time: busy_from, buffered_end_time: busy_to } : {}
  const user = host_uuid === null ? null : userUri(address, host_uuid)
  const hosts = host_name === null ? [] : [{ user, user_email: host_email ?? '', user_name: host_name, ...buffered }]
  return {
    uri: eventUri(address, uuid),
    name,
    status,
    start_time,
    end_time,
    event_type: eventTypeUri(address, row.type_uuid),
    location: location === null ? null : { type: 'custom', location },
    invitees_counter: { total: Number(total), active: Number(active), limit: seats },
    event_memberships: hosts,
    event_guests: [],
    calendar_event: null,
    meeting_notes_plain: null,
    meeting_notes_html: null,
    ...(cancellation && { cancellation }),
    created_at,
    updated_at,
  }
}

/** The invitee as a reader of webhooks gets it, here and in a payload. */
export function shownInvitee(row: InviteeRow, address: string): Invitee {
  const { uuid, event_uuid, name, email, status, questions_and_answers, time_zone, tracking, rescheduled, cancellation } = row
  const linked = (event: string | null, invitee: string | null) => (event && invitee ? inviteeUri(address, event, invitee) : null)
  return {
    uri: inviteeUri(address, event_uuid, uuid),
    event: eventUri(address, event_uuid),
    email: email ?? '',
    name,
    first_name: null,
    last_name: null,
    status,
    questions_and_answers,
    timezone: time_zone,
    tracking,
    text_reminder_number: null,
    rescheduled,
    old_invitee: linked(row.old_event, row.old_invitee),
    new_invitee: linked(row.new_event, row.new_invitee),
    cancel_url: `${address}/cancellations/${uuid}`,
    reschedule_url: `${address}/reschedulings/${uuid}`,
    routing_form_submission: row.submission_uuid && submissionUri(address, row.submission_uuid),
    ...(cancellation && { cancellation }),
    payment: null,
    no_show: row.no_show_uuid && row.no_show_at ? { uri: noShowUri(address, row.no_show_uuid), created_at: row.no_show_at } : null,
    reconfirmation: null,
    scheduling_method: null,
    invitee_scheduled_by: null,
    created_at: row.created_at,
    updated_at: row.updated_at,
  }
}

function shownNoShow({ uuid, event_uuid, no_show_uuid, no_show_at }: InviteeRow, address: string): NoShow {
  return {
    uri: noShowUri(address, no_show_uuid as string),
    invitee: inviteeUri(address, event_uuid, uuid),
    created_at: no_show_at as string,
  }
}
