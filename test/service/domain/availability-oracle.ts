import { Temporal } from 'temporal-polyfill'
import { weekdays } from '../../../src/contract/staff.ts'
import type { Interval, OfferRules, StaffFacts } from '../../../src/service/domain/availability.ts'

/**
 * Availability, slow and obvious: walks through real time minute by minute and reads the clocks of the zone by
 * Temporal. Hours last from when the clocks first show their start, or later, until they first show their end, or later.
 * All instants it is given lie on whole minutes.
 */
export function obviousTimes(rules: OfferRules, staff: StaffFacts, readings: Reading[], window: Interval, now: number): number[] {
  const anchors = anchorsOf(staff, readings)
  const today = shownAt(staff.time_zone, now).slice(0, 10)
  const lastDay = Temporal.PlainDate.from(today).add({ days: rules.booking_window }).toString()
  const bookings = staff.bookings.map((start) => shownAt(staff.time_zone, start).slice(0, 10))
  const isFree = (ms: number) =>
    anchors.has(ms) && !staff.time_off.some((off) => Date.parse(off.start_time) <= ms && ms < Date.parse(off.end_time))
  const fits = (start: number) => Array.from({ length: rules.duration }, (_, minute) => start + minute * MINUTE).every(isFree)
  const isOnGrid = (start: number) => (start - anchors.get(start)!) % (rules.slot_interval * MINUTE) === 0
  const isTaken = (start: number) => {
    const from = start - rules.buffer_before * MINUTE
    const to = start + (rules.duration + rules.buffer_after) * MINUTE
    return staff.busy.some((busy) => busy.from < to && from < busy.to)
  }
  return readings
    .filter(({ ms }) => window.from <= ms && ms < window.to && ms >= now + rules.minimum_notice * MINUTE)
    .filter(({ date, isRepeated }) => date <= lastDay && !isRepeated)
    .filter(({ date }) => rules.daily_limit === null || bookings.filter((day) => day === date).length < rules.daily_limit)
    .filter(({ ms }) => anchors.has(ms) && isOnGrid(ms) && !isTaken(ms) && fits(ms))
    .map(({ ms }) => ms)
}

/** What the clocks show in one minute. */
export interface Reading {
  ms: number
  /** `YYYY-MM-DD`. */
  date: string
  /** `YYYY-MM-DDTHH:MM`. */
  shown: string
  isRepeated: boolean
}

const MINUTE = 60_000

/** Every minute from one moment to another. */
export function readingsOf(zone: string, { from, to }: Interval): Reading[] {
  const readings: Reading[] = []
  const seen = new Set<string>()
  for (let ms = from; ms < to; ms += MINUTE) {
    const shown = shownAt(zone, ms)
    readings.push({ ms, date: shown.slice(0, 10), shown, isRepeated: seen.has(shown) })
    seen.add(shown)
  }
  return readings
}

const shownAt = (zone: string, ms: number) =>
  Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(zone).toPlainDateTime().toString().slice(0, 16)

/** For every minute that is worked, where its grid begins. */
function anchorsOf(staff: StaffFacts, readings: Reading[]): Map<number, number> {
  const anchors = new Map<number, number>()
  for (const date of new Set(readings.map((one) => one.date))) {
    const before = Temporal.PlainDate.from(date).subtract({ days: 1 }).toString()
    const evening = workedRuns(staff, before).find((one) => one.end === 1440)
    for (const run of workedRuns(staff, date)) {
      const from = firstShown(readings, date, run.start)
      const to = firstShown(readings, date, run.end)
      const goesOn = evening !== undefined && run.start === 0 && run.end < 1440
      const anchor = goesOn ? firstShown(readings, before, evening.start) : from
      for (let ms = from; ms < to; ms += MINUTE) anchors.set(ms, anchor)
    }
  }
  return anchors
}

/** Unbroken stretches of worked minutes of a day (0 to 1440), found by ticking them off one by one. */
function workedRuns(staff: StaffFacts, date: string): { start: number; end: number }[] {
  const weekday = weekdays[Temporal.PlainDate.from(date).dayOfWeek - 1]
  const hours = [...staff.working_hours.filter((one) => one.day === weekday), ...staff.extra_hours.filter((one) => one.date === date)]
  const bounds = hours.map((one) => ({ start: minuteOf(one.start), end: minuteOf(one.end) }))
  const isWorked = (minute: number) => bounds.some((one) => one.start <= minute && minute < one.end)
  const runs: { start: number; end: number }[] = []
  for (let minute = 0; minute < 1440; minute++) {
    if (!isWorked(minute)) continue
    const last = runs.at(-1)
    if (last?.end === minute) last.end++
    else runs.push({ start: minute, end: minute + 1 })
  }
  return runs
}

const minuteOf = (clock: string) => +clock.slice(0, 2) * 60 + +clock.slice(3)

/** The first minute whose reading is this or later; minute 1440 is the next day's first. */
function firstShown(readings: Reading[], date: string, minute: number): number {
  const wanted = Temporal.PlainDate.from(date).toPlainDateTime().add({ minutes: minute }).toString().slice(0, 16)
  return readings.find(({ shown }) => shown >= wanted)?.ms ?? readings.at(-1)!.ms
}
