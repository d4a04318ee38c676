import { fail } from '../../contract/errors.ts'
import { instantOf } from '../../contract/time.ts'
import type { NewAppointment } from '../store/appointments.ts'
import type { Context } from './handler.ts'

/** What a cancellation by the business writes into an appointment. */
export function canceledBy({ principal, now }: Context, reason?: string | undefined): Partial<NewAppointment> {
  const at = instantOf(now)
  const cancellation = { canceled_by: principal.name, reason: reason ?? null, canceler_type: 'host' as const, created_at: at }
  return { status: 'canceled', cancellation, updated_at: at }
}

/**
 * Deals with the upcoming appointments of somebody who is about to be removed: cancels them, or refuses.
 * @throws AppError `conflict` that says how many there are
 */
export async function cancelUpcoming(
  context: Context,
  whose: { customer_id: number } | { staff_member_id: number },
  { instead, flag }: { instead: boolean; flag?: string },
): Promise<void> {
  const { store, principal, now } = context
  const upcoming = await store.appointments.upcoming(principal.organization_id, whose, instantOf(now))
  if (upcoming.length > 0 && !instead) {
    const those = upcoming.length === 1 ? 'is 1 upcoming appointment' : `are ${upcoming.length} upcoming appointments`
    fail(
      'conflict',
      `There ${those}. Cancel ${upcoming.length === 1 ? 'it' : 'them'} first${flag ? `, or ask for it with ${flag}=true` : ''}.`,
    )
  }
  for (const appointment of upcoming) await store.appointments.update(principal.organization_id, appointment, canceledBy(context))
}
