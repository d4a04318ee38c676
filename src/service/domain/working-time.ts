import { type StaffMember, weekdays } from '../../contract/staff.ts'
import { addDays, dateAt, offsetAt, resolve, wallOf, weekdayOf } from '../../contract/time.ts'
import type { Interval } from './interval.ts'

const DAY = 86_400_000

export type Hours = Pick<StaffMember, 'time_zone' | 'working_hours' | 'extra_hours'>

/** One unbroken stretch of working time within one local day. */
export interface Run extends Interval {
  /** The local day, `YYYY-MM-DD`. */
  date: string
  /** Where its grid of start times begins: its own start, or that of the night before when it goes on past midnight. */
  anchor: number
  /** Whether the clocks may have been put back in it, so that some of its moments are a second pass. */
  folds: boolean
}

interface Clocks {
  /** `HH:MM`; as texts they sort like times. */
  start: string
  end: string
}

/**
 * The working and extra hours of every local day that touches `[from, to]`, and of a day on either side, ascending.
 * Hours that overlap or adjoin are one run. A run that adjoins the evening before shares its grid; a day
 * that is worked from 00:00 to 24:00 begins its own, so that round-the-clock hours have a grid that depends on nothing else.
 */
export function runsOf(hours: Hours, from: number, to: number): Run[] {
  const zone = hours.time_zone
  const first = addDays(dateAt(zone, from), -1)
  const last = addDays(dateAt(zone, to), 1)
  const weekly = weekdays.map((day) => unite(hours.working_hours.filter((one) => one.day === day)))
  const extra = hours.extra_hours.filter((one) => first <= one.date && one.date <= last)
  const runs: Run[] = []
  for (let date = first; date <= last; date = addDays(date, 1)) {
    const usual = weekly[weekdayOf(date)]!
    const added = extra.filter((one) => one.date === date)
    for (const clocks of added.length > 0 ? unite([...usual, ...added]) : usual) {
      const run = runOf(zone, date, clocks, runs.at(-1))
      if (run) runs.push(run)
    }
  }
  return runs
}

/** `undefined` where the clocks skip all of it. */
function runOf(zone: string, date: string, clocks: Clocks, previous: Run | undefined): Run | undefined {
  const from = momentOf(zone, date, clocks.start)
  const to = momentOf(zone, date, clocks.end)
  if (from >= to) return undefined
  const goesOn = clocks.start === '00:00' && clocks.end !== '24:00' && previous?.to === from && previous.date === addDays(date, -1)
  const folds = offsetAt(zone, from - DAY) > offsetAt(zone, to)
  return { from, to, date, anchor: goesOn ? previous.anchor : from, folds }
}

/**
 * When a zone's clocks show a time of day (`HH:MM`, up to `24:00`): the first time, if they do so twice; the
 * moment they jump, if they skip it, so that no moment counts as worked whose clock reading is not.
 */
export function momentOf(zone: string, date: string, clock: string): number {
  const { at, kind } = resolve(zone, wallOf(date, clock))
  return kind === 'gap' ? jumpBefore(zone, at) : at
}

function jumpBefore(zone: string, after: number): number {
  const offset = offsetAt(zone, after)
  let low = after - DAY
  let high = after
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2)
    if (offsetAt(zone, middle) === offset) high = middle
    else low = middle
  }
  return high
}

function unite(given: readonly Clocks[]): Clocks[] {
  const united: Clocks[] = []
  for (const { start, end } of given.toSorted((a, b) => (a.start < b.start ? -1 : 1))) {
    const last = united.at(-1)
    if (!last || last.end < start) united.push({ start, end })
    else if (last.end < end) last.end = end
  }
  return united
}
