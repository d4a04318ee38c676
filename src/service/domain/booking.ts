import type { Appointment } from '../../contract/appointments.ts'
import { fail, invalid } from '../../contract/errors.ts'
import { type Interval, type OfferRules, refusal, refusalSentence, type StaffFacts } from './availability.ts'

const MINUTE = 60_000

export type AppointmentStatus = Appointment['status']

/**
 * Passes where the staff member can be booked at `start` (ms), and always when forced.
 * @throws `slot_taken` where something else occupies the time or its buffers; otherwise `invalid_argument`
 * about `start_time` with the code `not_available`, and the reason as its sentence.
 */
export function checkStart(rules: OfferRules, staff: StaffFacts, start: number, now: number, force: boolean): void {
  const reason = force ? undefined : refusal(rules, staff, start, now)
  if (reason === 'taken') fail('slot_taken', refusalSentence(reason))
  if (reason) invalid('start_time', refusalSentence(reason), 'not_available')
}

/** When an appointment ends, in milliseconds since the epoch. */
export function endOf(rules: Pick<OfferRules, 'duration'>, start: number): number {
  return start + rules.duration * MINUTE
}

/** The time an appointment occupies a staff member: itself and both buffers. */
export function busyInterval(rules: Pick<OfferRules, 'duration' | 'buffer_before' | 'buffer_after'>, start: number): Interval {
  return { from: start - rules.buffer_before * MINUTE, to: endOf(rules, start) + rules.buffer_after * MINUTE }
}

export type Move = 'cancel' | 'reschedule' | 'complete' | 'no_show' | 'undo_no_show'

/** The life of an appointment. What is not in the table cannot be done; nothing leaves `canceled`. */
const table: Record<AppointmentStatus, Partial<Record<Move, AppointmentStatus>>> = {
  scheduled: { cancel: 'canceled', reschedule: 'canceled', complete: 'completed', no_show: 'no_show' },
  completed: { no_show: 'no_show' },
  no_show: { complete: 'completed', undo_no_show: 'completed' },
  canceled: {},
}

const aims: Record<Move, string> = {
  cancel: 'become canceled',
  reschedule: 'become canceled in favour of a new one',
  complete: 'become completed',
  no_show: 'become no_show',
  undo_no_show: 'go back from no_show to completed',
}

/**
 * The status an appointment has after a move. A reschedule cancels this one; the new one begins as `scheduled`.
 * @throws `illegal_transition`, naming both states.
 */
export function move(status: AppointmentStatus, move: Move): AppointmentStatus {
  return table[status][move] ?? fail('illegal_transition', `This appointment is ${status}, so it cannot ${aims[move]}.`)
}
