import fc from 'fast-check'
import { Temporal } from 'temporal-polyfill'
import { expect, test } from 'vitest'
import { weekdays } from '../../../src/contract/staff.ts'
import { instantOf } from '../../../src/contract/time.ts'
import { availableTimes, type OfferRules, refusal, type StaffFacts } from '../../../src/service/domain/availability.ts'
import { obviousTimes, type Reading, readingsOf } from './availability-oracle.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** Days around which clocks do something: gaps and folds of half an hour, an hour and two, at night and at midnight, and a day that is skipped. */
const scenes = [
  ['Europe/Berlin', '2026-03-29'],
  ['Europe/Berlin', '2026-10-25'],
  ['America/New_York', '2026-03-08'],
  ['America/New_York', '2026-11-01'],
  ['Australia/Lord_Howe', '2026-04-05'],
  ['Australia/Lord_Howe', '2026-10-04'],
  ['America/St_Johns', '2026-03-08'],
  ['America/St_Johns', '2010-11-07'],
  ['Pacific/Apia', '2020-09-27'],
  ['Pacific/Apia', '2011-12-30'],
  ['Africa/Casablanca', '2026-02-15'],
  ['Africa/Casablanca', '2026-03-22'],
  ['America/Santiago', '2026-09-06'],
  ['America/Santiago', '2026-04-05'],
  ['Africa/Cairo', '2026-04-24'],
  ['America/Havana', '2026-11-01'],
  ['Antarctica/Troll', '2026-10-25'],
  ['Asia/Kolkata', '2026-07-01'],
] as const

const walked = new Map<string, Reading[]>()

/** Eight days of readings about noon UTC of the day, walked once. */
function readingsAround(zone: string, date: string): Reading[] {
  const middle = Date.parse(`${date}T12:00Z`)
  const known = walked.get(zone + date) ?? readingsOf(zone, { from: middle - 4 * DAY, to: middle + 4 * DAY })
  walked.set(zone + date, known)
  return known
}

const clocks = fc
  .tuple(
    fc.oneof(
      fc.constantFrom(0, 60, 120, 150, 540),
      fc.integer({ min: 0, max: 95 }).map((quarter) => quarter * 15),
    ),
    fc.oneof(
      fc.constantFrom(60, 150, 180, 1020, 1440, 1440),
      fc.integer({ min: 1, max: 96 }).map((quarter) => quarter * 15),
    ),
  )
  .filter(([start, end]) => start < end)
  .map(([start, end]) => ({ start: clockOf(start), end: clockOf(end) }))

const clockOf = (minute: number) => `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`

const rulesOfAll: fc.Arbitrary<OfferRules> = fc.record({
  duration: fc.constantFrom(15, 30, 45, 60, 90, 240, 1440),
  slot_interval: fc.constantFrom(5, 15, 20, 30, 45, 50, 60, 420),
  buffer_before: fc.constantFrom(0, 5, 15, 90),
  buffer_after: fc.constantFrom(0, 5, 15, 90),
  minimum_notice: fc.constantFrom(0, 0, 30, 1440),
  booking_window: fc.constantFrom(1, 2, 3, 60),
  daily_limit: fc.constantFrom(null, null, 1, 2),
})

const stretchNear = (middle: number, longest: number) =>
  fc
    .tuple(fc.integer({ min: -216, max: 216 }), fc.integer({ min: 1, max: longest }))
    .map(([start, length]) => ({ from: middle + start * 10 * MINUTE, to: middle + start * 10 * MINUTE + length * MINUTE }))

const staffIn = (zone: string, date: string, middle: number): fc.Arbitrary<StaffFacts> => {
  const dates = [-1, 0, 1].map((days) => Temporal.PlainDate.from(date).add({ days }).toString())
  return fc.record({
    id: fc.constant(1),
    time_zone: fc.constant(zone),
    working_hours: fc.array(
      fc.tuple(fc.constantFrom(...weekdays), clocks).map(([day, hours]) => ({ day, ...hours })),
      {
        minLength: 4,
        maxLength: 14,
      },
    ),
    extra_hours: fc.array(
      fc.tuple(fc.constantFrom(...dates), clocks).map(([day, hours]) => ({ date: day, ...hours })),
      { maxLength: 3 },
    ),
    time_off: fc.array(
      stretchNear(middle, 900).map(({ from, to }) => ({ start_time: instantOf(from), end_time: instantOf(to) })),
      { maxLength: 3 },
    ),
    busy: fc.array(stretchNear(middle, 120), { maxLength: 6 }),
    bookings: fc.array(
      stretchNear(middle, 1).map(({ from }) => from),
      { maxLength: 4 },
    ),
    upcoming: fc.constant(0),
  })
}

const situations = fc.constantFrom(...scenes).chain(([zone, date]) => {
  const middle = Date.parse(`${date}T12:00Z`)
  return fc.record({
    readings: fc.constant({ zone, date }),
    rules: rulesOfAll,
    staff: staffIn(zone, date, middle),
    window: stretchNear(middle, 2 * 1440).map(({ from, to }) => ({
      from: Math.max(from, middle - 2 * DAY),
      to: Math.min(to, middle + 2 * DAY),
    })),
    now: fc.oneof(
      fc.integer({ min: -12, max: 6 }).map((quarters) => middle + quarters * 6 * HOUR),
      fc.constant(middle - 3 * DAY),
    ),
  })
})

test('what is offered is what the slow and obvious walk through the same minutes offers', () => {
  let offered = 0
  fc.assert(
    fc.property(situations, ({ readings: { zone, date }, rules, staff, window, now }) => {
      const starts = availableTimes(rules, [staff], window, now).map(({ start }) => start)
      offered += starts.length
      expect(starts.map(instantOf)).toEqual(obviousTimes(rules, staff, readingsAround(zone, date), window, now).map(instantOf))
    }),
    { numRuns: 120 },
  )
  expect(offered).toBeGreaterThan(120)
})

test('a start is refused exactly when it is not offered', () => {
  fc.assert(
    fc.property(situations, ({ rules, staff, window, now }) => {
      const offered = new Set(availableTimes(rules, [staff], window, now).map(({ start }) => start))
      const near = [...offered].slice(0, 30).flatMap((start) => [start - MINUTE, start, start + 1])
      for (let ms = window.from; ms < window.to; ms += 15 * MINUTE) near.push(ms)
      for (const start of near.filter((ms) => window.from <= ms && ms < window.to)) {
        expect(refusal(rules, staff, start, now) === undefined, instantOf(start)).toBe(offered.has(start))
      }
    }),
    { numRuns: 120 },
  )
})

test('what is offered does not depend on where the window is cut', () => {
  fc.assert(
    fc.property(situations, fc.integer({ min: 0, max: 2000 }), ({ rules, staff, window, now }, minutes) => {
      const cut = Math.min(window.from + minutes * MINUTE, window.to)
      const parts = [
        { from: window.from, to: cut },
        { from: cut, to: window.to },
      ].flatMap((part) => availableTimes(rules, [staff], part, now))
      expect(parts).toEqual(availableTimes(rules, [staff], window, now))
    }),
    { numRuns: 300 },
  )
})
