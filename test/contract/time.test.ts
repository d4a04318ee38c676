import fc from 'fast-check'
import { Temporal } from 'temporal-polyfill'
import { describe, expect, test } from 'vitest'
import {
  addDays,
  at,
  canonicalInstant,
  clockOf,
  dateAt,
  dateOf,
  instantOf,
  isCivilDate,
  isRepeated,
  isZone,
  offsetAt,
  offsetText,
  parseInstant,
  resolve,
  type Wall,
  wallAt,
  wallOf,
  weekdayOf,
} from '../../src/contract/time.ts'

const MINUTE = 60_000
const FIRST = Date.UTC(1970, 0, 2)
const LAST = Date.UTC(2037, 11, 31)

const zones = fc.constantFrom(...Intl.supportedValuesOf('timeZone'))
const moments = fc.integer({ min: FIRST, max: LAST })
const minutesNear = fc.integer({ min: -26 * 60, max: 26 * 60 })

const zoned = (zone: string, ms: number) => Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(zone)

/** A moment at which the zone's clocks change, the first after `ms`; that very second where there is none. */
const changeAfter = (zone: string, ms: number) =>
  zoned(zone, ms).getTimeZoneTransition('next')?.epochMilliseconds ?? Math.floor(ms / 1000) * 1000

const wallOfPlain = ({ year, month, day, hour, minute, second }: Temporal.PlainDateTime): Wall => ({
  year,
  month,
  day,
  hour,
  minute,
  second,
})

function resolvedByTemporal(zone: string, plain: Temporal.PlainDateTime) {
  const [chosen, earlier, later] = (['compatible', 'earlier', 'later'] as const).map((disambiguation) =>
    plain.toZonedDateTime(zone, { disambiguation }),
  )
  const once = earlier!.epochMilliseconds === later!.epochMilliseconds
  return { at: chosen!.epochMilliseconds, kind: once ? 'once' : earlier!.toPlainDateTime().equals(plain) ? 'fold' : 'gap' }
}

describe('zones, against Temporal', () => {
  test('the offset and the wall clock of any zone at any moment are those of Temporal', () => {
    fc.assert(
      fc.property(zones, moments, (zone, ms) => {
        const oracle = zoned(zone, ms)
        expect(offsetAt(zone, ms)).toBe(oracle.offsetNanoseconds / 1e6)
        expect(wallAt(zone, ms)).toEqual(wallOfPlain(oracle.toPlainDateTime()))
        expect(dateAt(zone, ms)).toBe(oracle.toPlainDate().toString())
      }),
      { numRuns: 600 },
    )
  })

  test('the offset changes at the very millisecond at which it does in Temporal', () => {
    fc.assert(
      fc.property(zones, moments, (zone, ms) => {
        const change = changeAfter(zone, ms)
        for (const moment of [change - 1, change, change + 1]) {
          expect(offsetAt(zone, moment)).toBe(zoned(zone, moment).offsetNanoseconds / 1e6)
        }
      }),
      { numRuns: 300 },
    )
  })

  test('a wall-clock time near a change of the clocks means what it means to Temporal', () => {
    fc.assert(
      fc.property(zones, moments, minutesNear, (zone, ms, minutes) => {
        const plain = zoned(zone, changeAfter(zone, ms)).toPlainDateTime().add({ minutes })
        expect(resolve(zone, wallOfPlain(plain))).toEqual(resolvedByTemporal(zone, plain))
      }),
      { numRuns: 1000 },
    )
  })

  test('a moment is repeated exactly when Temporal resolves its wall-clock time to an earlier one', () => {
    fc.assert(
      fc.property(zones, moments, minutesNear, (zone, ms, minutes) => {
        const moment = changeAfter(zone, ms) + minutes * MINUTE
        const plain = zoned(zone, moment).toPlainDateTime()
        expect(isRepeated(zone, moment)).toBe(plain.toZonedDateTime(zone).epochMilliseconds < moment)
      }),
      { numRuns: 600 },
    )
  })

  test('two changes within a week are both seen, wherever the week lies', () => {
    for (const [zone, first, second] of [
      ['America/Recife', '2000-10-08T03:00Z', '2000-10-15T02:00Z'],
      ['America/Boa_Vista', '2000-10-08T04:00Z', '2000-10-15T03:00Z'],
    ] as const) {
      for (let ms = at(first) - 86_400_000; ms < at(second) + 86_400_000; ms += 30 * MINUTE) {
        expect(offsetAt(zone, ms)).toBe(zoned(zone, ms).offsetNanoseconds / 1e6)
      }
    }
  })

  test.each([
    ['Europe/Berlin', '2026-03-29', '02:30', '2026-03-29T01:30:00.000000Z', 'gap'],
    ['Europe/Berlin', '2026-10-25', '02:30', '2026-10-25T00:30:00.000000Z', 'fold'],
    ['Europe/Berlin', '2026-06-01', '24:00', '2026-06-01T22:00:00.000000Z', 'once'],
    ['Pacific/Apia', '2011-12-30', '12:00', '2011-12-30T22:00:00.000000Z', 'gap'],
    ['Australia/Lord_Howe', '2026-10-04', '02:15', '2026-10-03T15:45:00.000000Z', 'gap'],
    ['Africa/Monrovia', '1971-06-01', '12:00', '1971-06-01T12:44:30.000000Z', 'once'],
  ])('%s shows %s %s at %s (%s)', (zone, date, clock, moment, kind) => {
    expect(resolve(zone, wallOf(date, clock))).toEqual({ at: at(moment), kind })
  })

  test('the first pass of a repeated hour is not repeated before 1970 either, nor within a second', () => {
    const second = at('1969-10-26T06:30:00Z')
    expect([isRepeated('America/New_York', second - 3_600_000 + 500), isRepeated('America/New_York', second + 500)]).toEqual([false, true])
  })

  test('names are zones, and offsets and nonsense are not', () => {
    expect(['Europe/Paris', 'UTC', 'Asia/Kolkata', 'America/Argentina/Ushuaia'].map(isZone)).toEqual([true, true, true, true])
    expect(['+02:00', '', 'Mars/Olympus', '../etc', ' UTC'].map(isZone)).toEqual([false, false, false, false, false])
  })

  test('offsets are written with a sign, hours and minutes', () => {
    expect([0, 330, -210, 845].map((minutes) => offsetText(minutes * MINUTE))).toEqual(['+00:00', '+05:30', '-03:30', '+14:05'])
  })
})

describe('instants', () => {
  test.each([
    ['2026-12-01T09:00:00Z', '2026-12-01T09:00:00.000000Z'],
    ['2026-12-01T09:00Z', '2026-12-01T09:00:00.000000Z'],
    ['2026-12-01 09:00:00z', '2026-12-01T09:00:00.000000Z'],
    ['2026-12-01t09:00:00.5Z', '2026-12-01T09:00:00.500000Z'],
    ['2026-12-01T09:00:00,123456789Z', '2026-12-01T09:00:00.123000Z'],
    ['2026-12-01T00:30:00+05:30', '2026-11-30T19:00:00.000000Z'],
    ['2026-12-31T23:00:00-0330', '2027-01-01T02:30:00.000000Z'],
    ['2026-12-01T09:00:00+14', '2026-11-30T19:00:00.000000Z'],
    ['2024-02-29T00:00:00Z', '2024-02-29T00:00:00.000000Z'],
    ['0000-01-01T00:00:00Z', '0000-01-01T00:00:00.000000Z'],
    ['0099-03-01T00:00:00Z', '0099-03-01T00:00:00.000000Z'],
    ['9999-12-31T23:59:59.999Z', '9999-12-31T23:59:59.999000Z'],
    ['+002026-12-01T09:00:00Z', '2026-12-01T09:00:00.000000Z'],
  ])('%s is %s', (given, canonical) => {
    expect(canonicalInstant(given)).toBe(canonical)
  })

  test.each([
    '',
    'tomorrow',
    '2026-12-01',
    '2026-12-01T09:00:00',
    '2026-12-01T09Z',
    '2026-13-01T09:00:00Z',
    '2026-00-01T09:00:00Z',
    '2026-02-29T09:00:00Z',
    '1900-02-29T09:00:00Z',
    '2026-04-31T09:00:00Z',
    '2026-12-00T09:00:00Z',
    '2026-12-01T24:00:00Z',
    '2026-12-01T09:60:00Z',
    '2026-12-31T23:59:60Z',
    '2026-12-01T09:00:00+24:00',
    '2026-12-01T09:00:00+02:60',
    '2026-12-01T09:00:00.Z',
    '2026-12-01T09:00:00.1234567890Z',
    '2026-12-01T09:00:00Z\n',
    ' 2026-12-01T09:00:00Z',
    '9999-12-31T23:59:59-01:00',
    '0000-01-01T00:00:00+01:00',
    '+010000-01-01T00:00:00Z',
    '२०२६-12-01T09:00:00Z',
  ])('%j is not an instant', (given) => {
    expect(canonicalInstant(given)).toBeUndefined()
  })

  test('every millisecond of the years 0 to 9999 is read back from what is written, and the written form stays', () => {
    fc.assert(
      fc.property(fc.integer({ min: -62_167_219_200_000, max: 253_402_300_799_999 }), (ms) => {
        expect(parseInstant(instantOf(ms))).toBe(ms)
        expect(canonicalInstant(instantOf(ms))).toBe(instantOf(ms))
      }),
    )
  })

  test('an instant with any offset is the one that Temporal reads', () => {
    fc.assert(
      fc.property(moments, fc.integer({ min: -23 * 60 - 59, max: 23 * 60 + 59 }), (ms, minutes) => {
        const text = zoned('UTC', ms).toPlainDateTime().toString() + offsetText(minutes * MINUTE)
        expect(parseInstant(text)).toBe(Temporal.Instant.from(text).epochMilliseconds)
      }),
    )
  })

  test('a record with a malformed instant is a fault of ours, not a silent NaN', () => {
    expect(() => at('soon')).toThrow(RangeError)
  })
})

describe('civil dates', () => {
  test('days are added, and weekdays counted from Monday, as Temporal does', () => {
    const dates = fc.integer({ min: -700_000, max: 2_900_000 }).map((days) => Temporal.PlainDate.from('1970-01-01').add({ days }))
    fc.assert(
      fc.property(dates, fc.integer({ min: -800, max: 800 }), (date, days) => {
        const text = date.toString()
        expect(isCivilDate(text)).toBe(true)
        expect(addDays(text, days)).toBe(date.add({ days }).toString())
        expect(weekdayOf(text)).toBe(date.dayOfWeek - 1)
        expect(dateOf(wallOf(text))).toBe(text)
      }),
    )
  })

  test.each(['2026-02-29', '2026-13-01', '2026-00-10', '2026-01-00', '2026-1-1', '2026-01-01T00:00Z', '12026-01-01', ''])(
    '%j is not a date',
    (given) => {
      expect(isCivilDate(given)).toBe(false)
    },
  )

  test('24:00 is midnight of the next day', () => {
    const wall = wallOf('2026-12-31', '24:00')
    expect([dateOf(wall), clockOf(wall)]).toEqual(['2027-01-01', '00:00'])
  })
})
