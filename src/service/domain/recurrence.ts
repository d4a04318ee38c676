/**
 * HOME of rrule-temporal: RFC 5545 rules → the start times of a class's sessions. A rule is read on the wall clock of the
 * class's zone, and each reading becomes an instant by the zone's own table. A time that the clocks skip is no occurrence
 * and is not counted (RFC 5545, 3.3.10); of one that happens twice the first is meant.
 */
import { RRuleTemporal } from 'rrule-temporal'
import { Temporal } from 'temporal-polyfill'
import type { Recurrence } from '../../contract/classes.ts'
import { invalid } from '../../contract/errors.ts'
import { at, clockOf, dateOf, parseInstant, resolve, type Wall, wallAt, wallOf } from '../../contract/time.ts'
import type { Interval } from './interval.ts'

const DAY = 86_400_000
/** A rule that says nothing within this time of its start says nothing at all. */
const LONGEST_SILENCE = 10 * 366 * DAY

const day = /^(?:[+-]?\d{1,2})?(?:MO|TU|WE|TH|FR|SA|SU)$/
const within =
  (least: number, most: number, negative = false) =>
  (text: string) =>
    (negative ? /^[+-]?\d{1,3}$/ : /^\d{1,4}$/).test(text) && Math.abs(Number(text)) >= least && Math.abs(Number(text)) <= most

/** What a rule may say, and how one value of it looks. Several sessions a day are said with BYHOUR. */
const parts: Record<string, (value: string) => boolean> = {
  FREQ: (value) => ['DAILY', 'WEEKLY', 'MONTHLY', 'YEARLY'].includes(value),
  INTERVAL: within(1, 1000),
  COUNT: within(1, 1000),
  UNTIL: (value) => /^\d{8}(?:T\d{6}Z?)?$/.test(value) && parseInstant(`${dashed(value)}T${clockIn(value)}Z`) !== undefined,
  WKST: (value) => /^(?:MO|TU|WE|TH|FR|SA|SU)$/.test(value),
  BYDAY: (value) => day.test(value) && !/^[+-]?0/.test(value),
  BYMONTH: within(1, 12),
  BYMONTHDAY: within(1, 31, true),
  BYYEARDAY: within(1, 366, true),
  BYWEEKNO: within(1, 53, true),
  BYSETPOS: within(1, 366, true),
  BYHOUR: within(0, 23),
  BYMINUTE: within(0, 59),
}
const single = ['FREQ', 'INTERVAL', 'COUNT', 'UNTIL', 'WKST']

/** A rule, read: its end is kept apart, so that what the clocks skip is not counted. */
interface Rule {
  repeats: RRuleTemporal
  start: number
  count: number
  /** The last moment (ms) at which an occurrence may start. */
  until: number
}

/** @throws AppError `invalid_argument` about `recurrence.start` or `recurrence.rrule`, saying what is wrong with it */
export function checkRecurrence(recurrence: Recurrence, zone: string): void {
  const rule = read(recurrence, zone)
  if (walk(rule, zone, { from: rule.start, to: rule.start + LONGEST_SILENCE }, 1).length === 0) {
    invalid('recurrence.rrule', 'The rule never comes true; look at its days and at its end.', 'never')
  }
}

/**
 * The starts (ms) within a window, ascending, at most `most` of them. COUNT is counted from the start of the rule.
 * @throws AppError as `checkRecurrence`
 */
export function occurrences(recurrence: Recurrence, zone: string, window: Interval, most: number): number[] {
  return walk(read(recurrence, zone), zone, window, most)
}

function walk(rule: Rule, zone: string, { from, to }: Interval, most: number): number[] {
  // A count is counted from the first; without one the past need not be walked through.
  const counted = rule.count < Number.POSITIVE_INFINITY
  const end = Math.min(to, rule.until + 1)
  const found: number[] = []
  let total = 0
  let begin = counted ? rule.start : Math.max(from, rule.start)
  // A year at a time, so that a long window costs no more than what is taken out of it.
  for (; begin < end && found.length < most && total < rule.count; begin += 366 * DAY) {
    for (const at of startsIn(rule, zone, begin, Math.min(begin + 366 * DAY, end))) {
      total += 1
      if (total > rule.count || found.length === most) break
      if (at >= from) found.push(at)
    }
  }
  return found
}

/** The instants of the rule in a window, without its own end. */
function startsIn({ repeats, start }: Rule, zone: string, from: number, to: number): number[] {
  // The library walks as if the clocks were those of UTC; a wall-clock time is within a day of its instant.
  const walls = repeats.between(new Date(from - 2 * DAY), new Date(to + 2 * DAY), true)
  const starts = new Set<number>()
  for (const { year, month, day, hour, minute } of walls) {
    const { at, kind } = resolve(zone, { year, month, day, hour, minute, second: 0 })
    if (kind !== 'gap' && at >= from && at >= start && at < to) starts.add(at)
  }
  return [...starts].sort((a, b) => a - b)
}

function read({ start, rrule }: Recurrence, zone: string): Rule {
  const first = wallOf(start.slice(0, 10), start.slice(11))
  const resolved = resolve(zone, first)
  if (resolved.kind === 'gap') {
    const next = wallAt(zone, resolved.at)
    invalid('recurrence.start', `${start} does not exist in ${zone}: the clocks skip it, to ${clockOf(next)}.`, 'gap')
  }
  const said = partsOf(rrule)
  const { COUNT, UNTIL, ...kept } = said
  const text = Object.entries(kept).map(([name, value]) => `${name}=${value}`)
  return {
    repeats: parse(`DTSTART:${compact(first)}Z\nRRULE:${text.join(';')}`),
    start: resolved.at,
    count: COUNT === undefined ? Number.POSITIVE_INFINITY : Number(COUNT),
    until: UNTIL === undefined ? Number.POSITIVE_INFINITY : lastOf(UNTIL, zone),
  }
}

/** `FREQ=WEEKLY;BYDAY=TU` as a record, each part checked. */
function partsOf(rrule: string): Record<string, string> {
  const refuse = (sentence: string): never => invalid('recurrence.rrule', sentence, 'invalid_rrule')
  const said: Record<string, string> = {}
  for (const part of rrule
    .replace(/^RRULE:/i, '')
    .toUpperCase()
    .split(';')) {
    const [name = '', value = '', ...more] = part.trim().split('=')
    const check = parts[name]
    if (!check || more.length > 0) return refuse(`"${part.trim()}" is no part of a rule; it may have ${Object.keys(parts).join(', ')}.`)
    if (name in said) refuse(`${name} is given twice.`)
    const values = value.split(',')
    if (values.length > 1 && single.includes(name)) refuse(`${name} takes one value.`)
    const wrong = values.find((one) => !check(one))
    if (wrong !== undefined) refuse(`${name} cannot be "${wrong}".`)
    said[name] = value
  }
  if (!said.FREQ) refuse('A rule needs FREQ: DAILY, WEEKLY, MONTHLY or YEARLY.')
  if (said.COUNT && said.UNTIL) refuse('A rule ends by COUNT or by UNTIL, not by both.')
  return said
}

function parse(rruleString: string): RRuleTemporal {
  try {
    return new RRuleTemporal({ rruleString, temporal: Temporal, strict: true, cache: false })
  } catch (error) {
    return invalid('recurrence.rrule', `The rule does not fit RFC 5545: ${(error as Error).message}.`, 'invalid_rrule')
  }
}

/** The last moment that an UNTIL allows: an instant, a local time, or a date with all of its day. */
function lastOf(until: string, zone: string): number {
  const date = dashed(until)
  if (until.length === 8) return resolve(zone, wallOf(date, '24:00')).at - 1
  return until.endsWith('Z') ? at(`${date}T${clockIn(until)}Z`) : resolve(zone, wallOf(date, clockIn(until).slice(0, 5))).at
}

/** `HH:MM:SS` of an UNTIL; midnight where it is a date. */
const clockIn = (until: string): string => `${until.slice(9, 11) || '00'}:${until.slice(11, 13) || '00'}:${until.slice(13, 15) || '00'}`

const dashed = (compacted: string): string => `${compacted.slice(0, 4)}-${compacted.slice(4, 6)}-${compacted.slice(6, 8)}`

function compact(wall: Wall): string {
  return `${dateOf(wall).replaceAll('-', '')}T${clockOf(wall).replace(':', '')}00`
}
