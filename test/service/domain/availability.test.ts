import { Temporal } from 'temporal-polyfill'
import { describe, expect, test } from 'vitest'
import { weekdays } from '../../../src/contract/staff.ts'
import { at, clockOf, instantOf, wallAt } from '../../../src/contract/time.ts'
import { availableTimes, type OfferRules, refusal, refusalSentence, type StaffFacts } from '../../../src/service/domain/availability.ts'

const MINUTE = 60_000
const DAY = 1440 * MINUTE

const hourly: OfferRules = {
  duration: 60,
  slot_interval: 60,
  buffer_before: 0,
  buffer_after: 0,
  minimum_notice: 0,
  booking_window: 60,
  daily_limit: null,
}

const daily = (start: string, end: string) => weekdays.map((day) => ({ day, start, end }))

function someone(facts: Partial<StaffFacts> = {}): StaffFacts {
  const nothing = { extra_hours: [], time_off: [], busy: [], bookings: [], upcoming: 0 }
  return { id: 1, time_zone: 'Europe/Berlin', working_hours: daily('09:00', '12:00'), ...nothing, ...facts }
}

const busy = (from: string, to: string) => ({ from: at(from), to: at(to) })
const now = at('2026-06-01T00:00Z')

/** The clock readings offered on a local day. */
function clocksOn(date: string, facts: Partial<StaffFacts>, rules: Partial<OfferRules> = {}, moment = at(`${date}T00:00Z`) - 2 * DAY) {
  const staff = someone(facts)
  const from = at(`${date}T00:00Z`) - DAY
  return availableTimes({ ...hourly, ...rules }, [staff], { from, to: from + 3 * DAY }, moment)
    .map(({ start }) => new Date(start).toLocaleString('sv-SE', { timeZone: staff.time_zone }))
    .filter((shown) => shown.startsWith(date))
    .map((shown) => shown.slice(11, 16))
}

describe('hours', () => {
  test.each<[string, Partial<StaffFacts>, Partial<OfferRules>, string[]]>([
    ['starts are offered while the whole duration fits', {}, {}, ['09:00', '10:00', '11:00']],
    ['a break is kept', { working_hours: [...daily('09:00', '11:00'), ...daily('11:30', '13:00')] }, {}, ['09:00', '10:00', '11:30']],
    [
      'hours that adjoin are one run with one grid',
      { working_hours: [...daily('10:30', '12:00'), ...daily('09:00', '10:30')] },
      {},
      ['09:00', '10:00', '11:00'],
    ],
    [
      'extra hours add to those of the weekday',
      { extra_hours: [{ date: '2026-06-10', start: '12:00', end: '13:00' }] },
      {},
      ['09:00', '10:00', '11:00', '12:00'],
    ],
    [
      'time off is cut out and leaves the grid where it was',
      { time_off: [{ start_time: '2026-06-10T07:30:00Z', end_time: '2026-06-10T07:45:00Z' }] },
      {},
      ['10:00', '11:00'],
    ],
    ['the buffers may lie outside the hours', {}, { buffer_before: 30, buffer_after: 30 }, ['09:00', '10:00', '11:00']],
    ['an appointment may end when another begins', { busy: [busy('2026-06-10T08:00Z', '2026-06-10T09:00Z')] }, {}, ['09:00', '11:00']],
    [
      'its buffers may not overlap another',
      { busy: [busy('2026-06-10T08:00Z', '2026-06-10T09:00Z')] },
      { buffer_before: 5, slot_interval: 30, duration: 30 },
      ['09:00', '09:30', '11:30'],
    ],
    ['a full day is not offered', { bookings: [at('2026-06-10T20:00Z'), at('2026-06-10T21:59Z')] }, { daily_limit: 2 }, []],
    [
      'bookings of the next local day do not count',
      { bookings: [at('2026-06-10T22:00Z')] },
      { daily_limit: 1 },
      ['09:00', '10:00', '11:00'],
    ],
    [
      'a night shift goes on past midnight on its own grid',
      { working_hours: [...daily('22:00', '24:00'), ...daily('00:00', '02:00')] },
      { duration: 45, slot_interval: 45 },
      ['00:15', '01:00', '22:00', '22:45', '23:30'],
    ],
    [
      'round-the-clock hours begin their grid anew at midnight',
      { working_hours: daily('00:00', '24:00') },
      { duration: 600, slot_interval: 600 },
      ['00:00', '10:00', '20:00'],
    ],
  ])('%s', (_, facts, rules, expected) => {
    expect(clocksOn('2026-06-10', facts, rules)).toEqual(expected)
  })
})

describe('days on which the clocks change', () => {
  test('an hour that does not exist is not offered, and hours within it are no hours', () => {
    expect(clocksOn('2026-03-29', { working_hours: daily('01:00', '04:00') })).toEqual(['01:00', '03:00'])
    expect(clocksOn('2026-03-29', { working_hours: daily('02:30', '05:00') })).toEqual(['03:00', '04:00'])
    expect(clocksOn('2026-03-29', { working_hours: daily('01:30', '02:45') }, { duration: 30, slot_interval: 30 })).toEqual(['01:30'])
    expect(clocksOn('2026-03-29', { working_hours: daily('02:15', '02:45') }, { duration: 15, slot_interval: 15 })).toEqual([])
  })

  test('an hour that exists twice is offered once', () => {
    expect(clocksOn('2026-10-25', { working_hours: daily('01:00', '04:00') })).toEqual(['01:00', '02:00', '03:00'])
  })

  test('a date that a zone skips is offered on no other date', () => {
    const fridays = { time_zone: 'Pacific/Apia', working_hours: [{ day: 'friday' as const, start: '09:00', end: '12:00' }] }
    const window = { from: at('2011-12-29T00:00Z'), to: at('2012-01-03T00:00Z') }
    expect(availableTimes(hourly, [someone(fridays)], window, window.from)).toEqual([])
  })

  test('in every zone, about every change of its clocks, a day that begins at 09:00 is first offered at 09:00', () => {
    for (const time_zone of Intl.supportedValuesOf('timeZone')) {
      const staff = someone({ time_zone, working_hours: daily('09:00', '17:00') })
      for (const change of changesOf(time_zone)) {
        const noon = change.toPlainDate()
        for (const date of [noon.subtract({ days: 1 }), noon, noon.add({ days: 1 })]) {
          const [from, to] = [date, date.add({ days: 1 })].map((day) => day.toZonedDateTime(time_zone).epochMilliseconds) as [
            number,
            number,
          ]
          const times = availableTimes({ ...hourly, booking_window: 3 }, [staff], { from, to }, from - DAY)
          expect([time_zone, `${date}`, clockOf(wallAt(time_zone, times[0]!.start)), times.length]).toEqual([
            time_zone,
            `${date}`,
            '09:00',
            8,
          ])
        }
      }
    }
  })
})

/** 2024 to 2030. */
function changesOf(zone: string): Temporal.ZonedDateTime[] {
  const changes: Temporal.ZonedDateTime[] = []
  let next = Temporal.ZonedDateTime.from(`2024-01-01T00:00[${zone}]`).getTimeZoneTransition('next')
  for (; next && next.year <= 2030; next = next.getTimeZoneTransition('next')) changes.push(next)
  return changes
}

describe('who', () => {
  const window = { from: at('2026-06-10T00:00Z'), to: at('2026-06-11T00:00Z') }

  test('the fairest choice comes first: the fewest upcoming appointments, then the lowest id', () => {
    const staff = [someone({ id: 3 }), someone({ id: 1, upcoming: 2 }), someone({ id: 2 })]
    expect(availableTimes(hourly, staff, window, now)[0]).toEqual({ start: at('2026-06-10T07:00Z'), staff_member_ids: [2, 3, 1] })
  })

  test('times of several zones are ascending, and each names who is free', () => {
    const staff = [someone({ id: 1, time_zone: 'Europe/London' }), someone({ id: 2 })]
    const shown = availableTimes(hourly, staff, window, now).map(({ start, staff_member_ids }) => [
      instantOf(start).slice(11, 16),
      ...staff_member_ids,
    ])
    expect(shown).toEqual([
      ['07:00', 2],
      ['08:00', 1, 2],
      ['09:00', 1, 2],
      ['10:00', 1],
    ])
  })

  test('nothing is offered in a window that is empty or over', () => {
    expect(availableTimes(hourly, [someone()], { from: window.from, to: window.from }, now)).toEqual([])
    expect(availableTimes(hourly, [someone()], window, window.to)).toEqual([])
    expect(availableTimes(hourly, [], window, now)).toEqual([])
  })
})

describe('refusals', () => {
  const facts = someone({ busy: [busy('2026-06-10T08:00Z', '2026-06-10T09:00Z')], bookings: [at('2026-06-11T07:00Z')] })
  const rules = { ...hourly, minimum_notice: 120, booking_window: 3, daily_limit: 1 }
  const moment = at('2026-06-09T06:30Z')

  test.each([
    ['2026-06-09T06:00Z', 'past'],
    ['2026-06-09T07:00Z', 'notice'],
    ['2026-06-09T09:00Z', undefined],
    ['2026-06-13T07:00Z', 'window'],
    ['2026-06-12T07:00Z', undefined],
    ['2026-06-10T06:00Z', 'hours'],
    ['2026-06-10T09:30Z', 'hours'],
    ['2026-06-12T07:30Z', 'grid'],
    ['2026-06-10T08:00Z', 'taken'],
    ['2026-06-11T08:00Z', 'daily_limit'],
  ])('%s: %s', (start, expected) => {
    expect(refusal(rules, facts, at(start), moment)).toBe(expected)
  })

  test('the second pass of a repeated hour is off the grid', () => {
    const night = someone({ working_hours: daily('01:00', '04:00') })
    const asked = at('2026-10-24T00:00Z')
    expect(['2026-10-25T00:00Z', '2026-10-25T01:00Z'].map((start) => refusal(hourly, night, at(start), asked))).toEqual([undefined, 'grid'])
  })

  test('a time that was taken is told so, although the day is full with it', () => {
    const raced = { ...facts, bookings: [at('2026-06-10T08:00Z')] }
    expect(refusal(rules, raced, at('2026-06-10T08:00Z'), moment)).toBe('taken')
  })

  test('each is a sentence', () => {
    for (const one of ['past', 'notice', 'window', 'hours', 'grid', 'taken', 'daily_limit'] as const) {
      expect(refusalSentence(one)).toMatch(/^[A-Z].+\.$/)
    }
  })
})
