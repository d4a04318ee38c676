import type { Attendee, Session } from '../../contract/classes.ts'
import { fail } from '../../contract/errors.ts'

export type Seats = Session['seats']
export type AttendeeStatus = Attendee['status']

/** How many attendees of a session are in each state; one that nobody is in may be left out. */
export type Counts = Partial<Record<AttendeeStatus, number>>

/** What of a session decides who gets in. `start` in milliseconds. */
export interface SessionFacts {
  status: Session['status']
  capacity: number
  start: number
  counts: Counts
  /** Whether people may wait for a seat. */
  waitlist: boolean
}

/** The seats of a session: who is active has one, and so has who did not come. */
export function seatsOf(capacity: number, { active = 0, no_show = 0, waiting = 0 }: Counts): Seats {
  const taken = active + no_show
  return { total: capacity, taken, remaining: capacity - taken, waiting }
}

/**
 * Where somebody new gets: a seat, or a place on the waiting list.
 * @throws `illegal_transition` for a session that is canceled or has begun, `session_full` where nobody may wait
 */
export function enroll(session: SessionFacts, now: number): 'active' | 'waiting' {
  if (session.status === 'canceled') fail('illegal_transition', 'This session is canceled, so nobody can get a seat.')
  if (session.start <= now) fail('illegal_transition', 'This session has begun, so nobody can get a seat any more.')
  const { remaining, waiting } = seatsOf(session.capacity, session.counts)
  if (remaining > 0 && waiting === 0) return 'active'
  return session.waitlist ? 'waiting' : fail('session_full', 'This session is full, and its class has no waiting list.')
}

/** How many of those who wait get a seat now. Nobody is called up into a session that has begun, or that is not held. */
export function promotions({ status, capacity, start, counts }: Omit<SessionFacts, 'waitlist'>, now: number): number {
  if (status === 'canceled' || start <= now) return 0
  const { remaining, waiting } = seatsOf(capacity, counts)
  return Math.max(0, Math.min(remaining, waiting))
}

/** @throws `conflict` where a capacity is smaller than the seats that are taken */
export function checkCapacity(capacity: number, counts: Counts): void {
  const { taken } = seatsOf(capacity, counts)
  if (capacity < taken) fail('conflict', `${taken} seats are taken already, so the capacity cannot be ${capacity}. Cancel attendees first.`)
}

export type AttendeeMove = 'withdraw' | 'no_show' | 'undo_no_show'

/** The life of an attendee. What is not in the table cannot be done; nothing leaves `canceled`. */
const table: Record<AttendeeStatus, Partial<Record<AttendeeMove, AttendeeStatus>>> = {
  active: { withdraw: 'canceled', no_show: 'no_show' },
  waiting: { withdraw: 'canceled' },
  no_show: { undo_no_show: 'active' },
  canceled: {},
}

const aims: Record<AttendeeMove, string> = {
  withdraw: 'become canceled',
  no_show: 'become no_show',
  undo_no_show: 'go back from no_show to active',
}

/**
 * The status an attendee has after a move; being called up from the waiting list is `promotions`' affair.
 * @throws `illegal_transition`, naming both states
 */
export function moveAttendee(status: AttendeeStatus, move: AttendeeMove): AttendeeStatus {
  return table[status][move] ?? fail('illegal_transition', `This attendee is ${status}, so they cannot ${aims[move]}.`)
}

/** @throws `illegal_transition` for a session that is canceled already */
export function checkHeld(status: Session['status'], aim: string): void {
  if (status === 'canceled') fail('illegal_transition', `This session is canceled, so it cannot ${aim}.`)
}
