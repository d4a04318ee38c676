import type { AppointmentType } from '../../contract/services.ts'
import type { StaffMember } from '../../contract/staff.ts'
import { addDays, at, dateAt, isRepeated } from '../../contract/time.ts'
import { holds, type Interval, lastBegun, merge, subtract, touches } from './interval.ts'
import { momentOf, type Run, runsOf } from './working-time.ts'

export type { Interval } from './interval.ts'

const MINUTE = 60_000

/** What of an appointment type decides when it is offered. All in minutes, but `booking_window` (days) and `daily_limit` (a number). */
export type OfferRules = Pick<
  AppointmentType,
  'duration' | 'slot_interval' | 'buffer_before' | 'buffer_after' | 'minimum_notice' | 'booking_window' | 'daily_limit'
>

/** What of a staff member decides when they can be booked. */
export interface StaffFacts extends Pick<StaffMember, 'id' | 'time_zone' | 'working_hours' | 'extra_hours' | 'time_off'> {
  /** When they are occupied, in any order, each with the buffers of what occupies them. */
  busy: Interval[]
  /** Start instants (ms) of the live appointments of the very appointment type, for the daily limit. */
  bookings: number[]
  /** How many live appointments they have that week, for fairness. */
  upcoming: number
}

/** Why a start time is not offered. Of several reasons the first in this order is told. */
export type Refusal = 'past' | 'notice' | 'window' | 'hours' | 'grid' | 'taken' | 'daily_limit'

/** The start times within a window (ms), ascending; the ids in the order in which "any staff member" is chosen. */
export function availableTimes(
  rules: OfferRules,
  staff: StaffFacts[],
  window: Interval,
  now: number,
): { start: number; staff_member_ids: number[] }[] {
  const found = new Map<number, number[]>()
  for (const one of staff.toSorted((a, b) => a.upcoming - b.upcoming || a.id - b.id)) {
    for (const start of offeredBy(rules, one, window, now)) {
      const ids = found.get(start)
      if (ids) ids.push(one.id)
      else found.set(start, [one.id])
    }
  }
  const starts = Float64Array.from(found.keys()).sort()
  return Array.from(starts, (start) => ({ start, staff_member_ids: found.get(start)! }))
}

/** Why a staff member cannot be booked at a moment (ms); `undefined` where it is offered. */
export function refusal(rules: OfferRules, staff: StaffFacts, start: number, now: number): Refusal | undefined {
  return verdict(planOf(rules, staff, { from: start, to: start + 1 }, now), start)
}

const sentences: Record<Refusal, string> = {
  past: 'This time is in the past.',
  notice: 'This time is too soon: the appointment type asks for more notice.',
  window: 'This time is too far ahead: the appointment type cannot be booked so early.',
  hours: 'The staff member does not work, or not long enough, at this time.',
  grid: 'No appointment starts at this time; ask for the available times around it.',
  taken: 'This time is taken; ask for the available times around it.',
  daily_limit: 'The staff member takes no more appointments of this type on that day.',
}

/** A refusal, in a sentence for people. */
export function refusalSentence(refusal: Refusal): string {
  return sentences[refusal]
}

/** What `verdict` needs to know, worked out once for a window. Instants in milliseconds. */
interface Plan {
  rules: OfferRules
  zone: string
  now: number
  /** The first start that keeps the notice. */
  opens: number
  /** The end of the last local day that can be booked. */
  closes: number
  runs: Run[]
  /** Working time without time off. */
  free: Interval[]
  busy: Interval[]
  /** The local days on which the daily limit is reached. */
  full: Set<string>
}

function planOf(rules: OfferRules, staff: StaffFacts, window: Interval, now: number): Plan {
  const zone = staff.time_zone
  const reach = { from: window.from - rules.buffer_before * MINUTE, to: window.to + (rules.duration + rules.buffer_after) * MINUTE }
  const runs = runsOf(staff, window.from, window.to + rules.duration * MINUTE)
  return {
    rules,
    zone,
    now,
    opens: now + rules.minimum_notice * MINUTE,
    closes: momentOf(zone, addDays(dateAt(zone, now), rules.booking_window + 1), '00:00'),
    runs,
    free: subtract(merge(runs), merge(staff.time_off.map((one) => ({ from: at(one.start_time), to: at(one.end_time) })))),
    busy: merge(staff.busy.filter((one) => one.from < reach.to && reach.from < one.to)),
    full: fullDays(rules, staff),
  }
}

function fullDays({ daily_limit }: OfferRules, { bookings, time_zone }: StaffFacts): Set<string> {
  if (daily_limit === null) return new Set()
  const counts = new Map<string, number>()
  for (const start of bookings) {
    const date = dateAt(time_zone, start)
    counts.set(date, (counts.get(date) ?? 0) + 1)
  }
  return new Set([...counts].filter(([, count]) => count >= daily_limit).map(([date]) => date))
}

/** Every start on the grid that has no verdict against it. */
function offeredBy(rules: OfferRules, staff: StaffFacts, window: Interval, now: number): number[] {
  const from = Math.max(window.from, now + rules.minimum_notice * MINUTE)
  if (from >= window.to) return []
  const plan = planOf(rules, staff, { from, to: window.to }, now)
  const to = Math.min(window.to, plan.closes)
  const step = rules.slot_interval * MINUTE
  const starts: number[] = []
  for (const run of plan.runs) {
    const first = run.anchor + Math.ceil((Math.max(run.from, from) - run.anchor) / step) * step
    for (let start = first; start < Math.min(run.to, to); start += step) {
      if (verdict(plan, start, run) === undefined) starts.push(start)
    }
  }
  return starts
}

/** The one place that says what can be booked; both the list of available times and a single start ask it. */
function verdict(plan: Plan, start: number, run = lastBegun(plan.runs, start)): Refusal | undefined {
  if (start < plan.now) return 'past'
  if (start < plan.opens) return 'notice'
  if (start >= plan.closes) return 'window'
  const { duration, slot_interval, buffer_before, buffer_after } = plan.rules
  const end = start + duration * MINUTE
  if (!run || !holds(plan.free, { from: start, to: end })) return 'hours'
  if ((start - run.anchor) % (slot_interval * MINUTE) !== 0 || (run.folds && isRepeated(plan.zone, start))) return 'grid'
  if (touches(plan.busy, { from: start - buffer_before * MINUTE, to: end + buffer_after * MINUTE })) return 'taken'
  return plan.full.has(run.date) ? 'daily_limit' : undefined
}
