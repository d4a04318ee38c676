import type { Cancellation } from '../../contract/appointments.ts'
import { fail } from '../../contract/errors.ts'
import { instantOf } from '../../contract/time.ts'
import type { Context } from './handler.ts'

/** What a cancellation by the business writes into an appointment, a session or an attendee. */
export function canceledBy(
  { principal, now }: Pick<Context, 'principal' | 'now'>,
  reason?: string | undefined,
): { status: 'canceled'; cancellation: Cancellation; updated_at: string } {
  const at = instantOf(now)
  const cancellation = { canceled_by: principal.name, reason: reason ?? null, canceler_type: 'host' as const, created_at: at }
  return { status: 'canceled', cancellation, updated_at: at }
}

/**
 * Deals with what is ahead of somebody who is about to be removed, appointments and sessions: cancels it, or refuses.
 * A session that a staff member teaches is never canceled here: others have seats of it.
 * @throws AppError `conflict` that says how many there are
 */
export async function cancelUpcoming(
  context: Context,
  whose: { customer_id: number } | { staff_member_id: number },
  { instead, flag }: { instead: boolean; flag?: string },
): Promise<void> {
  const { store, principal, now } = context
  const { organization_id } = principal
  const appointments = await store.appointments.upcoming(organization_id, whose, instantOf(now))
  const taught = 'staff_member_id' in whose ? await store.sessions.upcoming(organization_id, whose, instantOf(now)) : []
  const seats = 'customer_id' in whose ? await store.attendees.upcoming(organization_id, whose.customer_id, instantOf(now)) : []
  const ahead = [
    ...numberOf(appointments.length, 'upcoming appointment'),
    ...numberOf(taught.length, 'upcoming session'),
    ...numberOf(seats.length, 'seat of an upcoming session', 'seats of upcoming sessions'),
  ]
  if (ahead.length > 0 && !(instead && taught.length === 0)) {
    const one = appointments.length + taught.length + seats.length === 1
    const those = `There ${one || ahead[0]?.startsWith('1 ') ? 'is' : 'are'} ${ahead.join(' and ')}.`
    fail('conflict', `${those} Cancel ${one ? 'it' : 'them'} first${flag ? `, or ask for it with ${flag}=true` : ''}.`)
  }
  if (appointments.length > 0) {
    const { cancelAppointment } = await import('./appointments.ts')
    for (const { id } of appointments) await cancelAppointment(context, id)
  }
  if (seats.length === 0) return
  const { withdraw } = await import('./seats.ts')
  for (const { session_id, id } of seats) await withdraw(context, session_id, id)
}

function numberOf(count: number, one: string, many = `${one}s`): string[] {
  return count === 0 ? [] : [`${count} ${count === 1 ? one : many}`]
}
