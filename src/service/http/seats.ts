import { invalid } from '../../contract/errors.ts'
import { at, instantOf } from '../../contract/time.ts'
import type { EventKind } from '../../contract/webhooks.ts'
import { type AttendeeMove, checkHeld, moveAttendee, promotions } from '../domain/enrollment.ts'
import type { AttendeeRow, SessionRow } from '../store/classes.ts'
import { canceledBy } from './cancel.ts'
import { found } from './find.ts'
import type { Context } from './handler.ts'
import { tellOfInvitee } from './tell.ts'

/*
 * Whatever changes the seats of a session goes through here, and takes the session's row first: what is counted
 * after that stays so until the transaction ends, and `taken + remaining = capacity` with it.
 */

/** The session, its row taken. @throws AppError `not_found` */
export async function lockSession({ store, principal }: Context, id: number): Promise<SessionRow> {
  await store.sessions.lock(principal.organization_id, id)
  return findSession({ store, principal }, id)
}

export async function findSession({ store, principal }: Pick<Context, 'store' | 'principal'>, id: number): Promise<SessionRow> {
  return found(await store.sessions.find(principal.organization_id, id), 'session', id)
}

/** The staff member's row, taken: it comes before the session's, here as with appointments. */
export async function lockTeacher({ store, principal }: Context, id: number | null | undefined): Promise<void> {
  if (id === null || id === undefined) return
  if (!(await store.staff.lock(principal.organization_id, id))) {
    invalid('staff_member_id', `There is no staff member ${id} who can be booked.`, 'not_available')
  }
}

/** Cancels an attendee, and gives the seat to the head of the waiting list. */
export async function withdraw(context: Context, session: number, id: number, reason?: string | undefined): Promise<AttendeeRow> {
  const held = await lockSession(context, session)
  const attendee = await findAttendee(context, session, id)
  moveAttendee(attendee.status, 'withdraw')
  const canceled = await context.store.attendees.update(attendee, canceledBy(context, reason))
  if (attendee.status !== 'waiting') await tellOfAttendee(context, 'invitee.canceled', canceled)
  await promote(context, held.id)
  return canceled
}

/** Marks that somebody did not come, or takes it back; the record of the no-show goes with it. */
export async function mark(context: Context, session: number, id: number, wanted: Exclude<AttendeeMove, 'withdraw'>): Promise<AttendeeRow> {
  const { store, principal, now, newId } = context
  const held = await lockSession(context, session)
  const attendee = await findAttendee(context, session, id)
  checkHeld(held.status, 'have no-shows')
  const status = moveAttendee(attendee.status, wanted)
  const moved = await store.attendees.update(attendee, { status, updated_at: instantOf(now) })
  const { organization_id } = principal
  if (status === 'no_show')
    await store.events.markNoShow(organization_id, { uuid: newId(), invitee_uuid: moved.uuid, created_at: instantOf(now) })
  else await store.events.unmarkNoShow(organization_id, moved.uuid)
  await tellOfAttendee(context, status === 'no_show' ? 'invitee_no_show.created' : 'invitee_no_show.deleted', moved)
  return moved
}

/** Cancels a session, its row taken, and all who have a seat of it or wait for one. */
export async function cancelSession(context: Context, session: SessionRow, reason?: string | undefined): Promise<void> {
  const { store, principal } = context
  checkHeld(session.status, 'become canceled')
  const canceled = canceledBy(context, reason)
  await store.sessions.update(principal.organization_id, session, canceled)
  for (const attendee of await store.attendees.live(session.id)) {
    const gone = await store.attendees.update(attendee, canceled)
    if (attendee.status !== 'waiting') await tellOfAttendee(context, 'invitee.canceled', gone)
  }
}

/** Gives free seats to those who wait, first come, first served. The session's row must be taken. */
export async function promote(context: Context, id: number): Promise<void> {
  const { store, now } = context
  const { status, capacity, start_time, counts } = await findSession(context, id)
  const most = promotions({ status, capacity, start: at(start_time), counts }, now)
  for (const called of await store.attendees.promote(id, most, instantOf(now))) await tellOfAttendee(context, 'invitee.created', called)
}

/** Tells of an attendee who has, or had, a seat: who waits for one is no invitee yet. */
export function tellOfAttendee(context: Context, kind: EventKind, { uuid, session_uuid, customer }: AttendeeRow): Promise<void> {
  return tellOfInvitee(context, kind, { event: session_uuid, invitee: uuid, customer_id: customer.id })
}

export async function findAttendee({ store, principal }: Context, session: number, id: number): Promise<AttendeeRow> {
  return found(await store.attendees.find(principal.organization_id, session, id), `attendee of session ${session} with the id`, id)
}
