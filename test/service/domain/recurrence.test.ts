import fc from 'fast-check'
import rrulePackage from 'rrule'
import { Temporal } from 'temporal-polyfill'
import { describe, expect, test } from 'vitest'
import { AppError } from '../../../src/contract/errors.ts'
import { checkRecurrence, occurrences } from '../../../src/service/domain/recurrence.ts'

const { rrulestr } = rrulePackage
const DAY = 86_400_000
const always = { from: 0, to: Date.parse('2040-01-01') }

/** As instants to the minute. */
const of = (start: string, rrule: string, zone: string, most = 5, window = always) =>
  occurrences({ start, rrule }, zone, window, most).map((at) => new Date(at).toISOString().slice(0, 16))

function refusalOf(start: string, rrule: string, zone = 'UTC') {
  try {
    checkRecurrence({ start, rrule }, zone)
  } catch (error) {
    if (error instanceof AppError) return [error.details[0]?.parameter, error.message]
    throw error
  }
  return undefined
}

describe('a recurrence', () => {
  test('keeps its wall-clock time when the clocks change', () => {
    expect(of('2026-03-22T18:00', 'FREQ=WEEKLY', 'Europe/Berlin', 3)).toEqual(['2026-03-22T17:00', '2026-03-29T16:00', '2026-04-05T16:00'])
    expect(of('2026-10-31T18:00', 'FREQ=DAILY', 'America/New_York', 3)).toEqual([
      '2026-10-31T22:00',
      '2026-11-01T23:00',
      '2026-11-02T23:00',
    ])
    // Half an hour, and a zone whose date is a day ahead of UTC's.
    expect(of('2026-04-04T08:00', 'FREQ=DAILY', 'Australia/Lord_Howe', 2)).toEqual(['2026-04-03T21:00', '2026-04-04T21:30'])
    expect(of('2026-12-01T08:00', 'FREQ=WEEKLY;BYDAY=TU', 'Pacific/Kiritimati', 2)).toEqual(['2026-11-30T18:00', '2026-12-07T18:00'])
  })

  test('leaves out a time that the clocks skip, and does not count it', () => {
    expect(of('2026-03-28T02:30', 'FREQ=DAILY;COUNT=3', 'Europe/Berlin')).toEqual([
      '2026-03-28T01:30',
      '2026-03-30T00:30',
      '2026-03-31T00:30',
    ])
    // Samoa had no 30 December 2011.
    expect(of('2011-12-29T12:00', 'FREQ=DAILY;COUNT=2', 'Pacific/Apia')).toEqual(['2011-12-29T22:00', '2011-12-30T22:00'])
  })

  test('is once at a time that happens twice', () => {
    expect(of('2026-10-24T02:30', 'FREQ=DAILY;COUNT=3', 'Europe/Berlin')).toEqual([
      '2026-10-24T00:30',
      '2026-10-25T00:30',
      '2026-10-26T01:30',
    ])
  })

  test('ends by its count, from its start on, whatever is asked for', () => {
    const window = { from: Date.parse('2026-12-10'), to: always.to }
    expect(of('2026-12-01T10:00', 'FREQ=WEEKLY;COUNT=3', 'UTC', 9, window)).toEqual(['2026-12-15T10:00'])
    expect(of('2026-12-01T10:00', 'FREQ=YEARLY;COUNT=3', 'UTC', 9)).toEqual(['2026-12-01T10:00', '2027-12-01T10:00', '2028-12-01T10:00'])
  })

  test('ends by UNTIL: an instant, a local time or a whole day, each included', () => {
    const until = (text: string) => of('2026-12-01T18:00', `FREQ=DAILY;UNTIL=${text}`, 'America/New_York', 9).length
    expect(until('20261203')).toBe(3)
    expect(until('20261203T180000')).toBe(3)
    expect(until('20261203T175900')).toBe(2)
    expect(until('20261203T230000Z')).toBe(3)
    expect(until('20261203T225959Z')).toBe(2)
  })

  test('begins with the first date that the rule names, and may name several times a day', () => {
    expect(of('2026-12-01T10:00', 'RRULE:FREQ=WEEKLY;BYDAY=FR', 'UTC', 1)).toEqual(['2026-12-04T10:00'])
    expect(of('2026-12-01T10:00', 'FREQ=DAILY;BYHOUR=9,18', 'UTC', 3)).toEqual(['2026-12-01T18:00', '2026-12-02T09:00', '2026-12-02T18:00'])
    expect(of('2026-01-31T10:00', 'FREQ=MONTHLY', 'UTC', 3)).toEqual(['2026-01-31T10:00', '2026-03-31T10:00', '2026-05-31T10:00'])
    expect(of('2026-01-31T10:00', 'FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1', 'UTC', 2)).toEqual([
      '2026-02-27T10:00',
      '2026-03-31T10:00',
    ])
  })

  test('that began long ago is found in no time', () => {
    const begun = performance.now()
    const window = { from: Date.parse('2026-12-01'), to: Date.parse('2028-12-01') }
    expect(of('1990-01-01T10:00', 'FREQ=DAILY', 'UTC', 501, window)).toHaveLength(501)
    expect(of('1990-01-01T10:00', 'FREQ=WEEKLY;COUNT=1000', 'UTC', 501, window)).toEqual([])
    expect(performance.now() - begun).toBeLessThan(2000)
  })

  test.each([
    ['FREQ=SOMETIMES', 'FREQ cannot be "SOMETIMES"'],
    ['FREQ=HOURLY', 'FREQ cannot be "HOURLY"'],
    ['BYDAY=TU', 'needs FREQ'],
    ['hello', '"HELLO" is no part of a rule'],
    ['FREQ=WEEKLY;BYDAY=XX', 'BYDAY cannot be "XX"'],
    ['FREQ=WEEKLY;BYDAY=', 'BYDAY cannot be ""'],
    ['FREQ=WEEKLY;INTERVAL=0', 'INTERVAL cannot be "0"'],
    ['FREQ=MONTHLY;BYMONTHDAY=32', 'BYMONTHDAY cannot be "32"'],
    ['FREQ=DAILY;FREQ=WEEKLY', 'FREQ is given twice'],
    ['FREQ=DAILY;COUNT=2;UNTIL=20270101', 'not by both'],
    ['FREQ=DAILY;UNTIL=20270230', 'UNTIL cannot be'],
    ['FREQ=DAILY;UNTIL=20270101T256199Z', 'UNTIL cannot be'],
    ['FREQ=DAILY;UNTIL=20270101T256199', 'UNTIL cannot be'],
    ['FREQ=WEEKLY;BYDAY=1MO', 'RFC 5545'],
    ['FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30', 'never comes true'],
    ['FREQ=DAILY;UNTIL=20200101', 'never comes true'],
  ])('%s is refused, with the reason', (rrule, reason) => {
    expect(refusalOf('2026-12-01T10:00', rrule)).toEqual(['recurrence.rrule', expect.stringContaining(reason)])
  })

  test('cannot start when the clocks skip that time', () => {
    expect(refusalOf('2026-03-29T02:30', 'FREQ=DAILY', 'Europe/Berlin')).toEqual(['recurrence.start', expect.stringContaining('03:30')])
    expect(refusalOf('2026-03-29T02:30', 'FREQ=DAILY', 'UTC')).toBeUndefined()
  })
})

const days = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU']
const some = <T>(from: readonly T[], most = 3) => fc.uniqueArray(fc.constantFrom(...from), { minLength: 1, maxLength: most })
const part = (name: string, values: fc.Arbitrary<unknown[]>) => values.map((list) => `${name}=${list.join(',')}`)
const none = fc.constant('')

const repeats = fc.oneof(
  fc.tuple(fc.constant('FREQ=DAILY'), fc.oneof(none, part('BYDAY', some(days)), part('BYMONTH', some([1, 2, 3, 11])))),
  fc.tuple(fc.constant('FREQ=WEEKLY'), fc.oneof(none, part('BYDAY', some(days))), fc.constantFrom('', 'WKST=SU', 'WKST=MO')),
  fc.tuple(
    fc.constant('FREQ=MONTHLY'),
    fc.oneof(
      none,
      part('BYDAY', some(days.flatMap((day) => [`1${day}`, `-1${day}`, `3${day}`]))),
      part('BYMONTHDAY', some([1, 13, 29, 31, -1, -2])),
    ),
  ),
  fc.tuple(fc.constant('FREQ=MONTHLY'), part('BYDAY', some(days, 5)), part('BYSETPOS', some([1, 2, -1], 2))),
  fc.tuple(fc.constant('FREQ=YEARLY'), fc.oneof(none, part('BYMONTH', some([1, 2, 3, 10])), part('BYYEARDAY', some([1, 60, 300, -1])))),
)
const rule = fc
  .tuple(repeats, fc.integer({ min: 1, max: 3 }), fc.option(fc.integer({ min: 1, max: 12 })))
  .map(([parts, interval, count]) =>
    [...parts, interval > 1 ? `INTERVAL=${interval}` : '', count === null ? '' : `COUNT=${count}`].filter(Boolean).join(';'),
  )

/** The obvious way: another library on the wall clock, and Temporal for what the wall clock means. */
function oracle(start: string, rrule: string, zone: string, window: { from: number; to: number }, most: number): number[] {
  const { COUNT, ...kept } = Object.fromEntries(rrule.split(';').map((one) => one.split('='))) as Record<string, string>
  const endless = Object.entries(kept)
    .map(([name, value]) => `${name}=${value}`)
    .join(';')
  const compact = `${start.replace(/[-:]/g, '')}00Z`
  const walls = rrulestr(`DTSTART:${compact}\nRRULE:${endless}`).between(new Date(`${start}Z`), new Date(window.to + 3 * DAY), true)
  const exact = walls.flatMap((wall) => {
    const plain = Temporal.PlainDateTime.from(wall.toISOString().slice(0, 16))
    const zoned = plain.toZonedDateTime(zone, { disambiguation: 'earlier' })
    return zoned.toPlainDateTime().equals(plain) ? [zoned.epochMilliseconds] : []
  })
  return exact
    .slice(0, COUNT === undefined ? undefined : Number(COUNT))
    .filter((at) => at >= window.from && at < window.to)
    .slice(0, most)
}

test('a recurrence is what another library makes of it, in the weeks in which clocks change too', () => {
  const scenes = [
    ['Europe/Berlin', '2026-03-27'],
    ['Europe/Berlin', '2026-10-23'],
    ['America/New_York', '2026-03-06'],
    ['Australia/Lord_Howe', '2026-10-02'],
    ['America/St_Johns', '2026-10-30'],
    ['Africa/Cairo', '2026-04-22'],
    ['Pacific/Apia', '2011-12-28'],
    ['Asia/Kolkata', '2026-01-29'],
  ] as const
  const clock = fc.constantFrom('00:00', '00:30', '01:30', '02:00', '02:30', '09:15', '18:00', '23:30')
  fc.assert(
    fc.property(
      fc.constantFrom(...scenes),
      clock,
      rule,
      fc.nat(400),
      fc.integer({ min: 1, max: 400 }),
      ([zone, date], time, rrule, skip, length) => {
        const start = `${date}T${time}`
        const from = Date.parse(`${start}Z`) + skip * DAY
        const window = { from, to: from + length * DAY }
        expect(occurrences({ start, rrule }, zone, window, 60)).toEqual(oracle(start, rrule, zone, window, 60))
      },
    ),
    { numRuns: 400 },
  )
})
