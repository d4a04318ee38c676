/**
 * Instants, civil dates and time zones. Everything stored and sent is UTC; a zone only ever turns an instant
 * into wall-clock time, or back. Pure: the present moment is always an argument.
 *
 * A zone's offsets are read from `Intl` once, as a table of the moments at which they change; after that a
 * conversion is a binary search (about a hundred times faster than asking `Intl`, and available times
 * need thousands). Gaps and folds follow the `compatible` rule of Temporal, which the tests use as oracle.
 */

const MINUTE = 60_000
const DAY = 86_400_000

/** Wall-clock time. `month` and `day` count from 1, `weekday` from 0 = Monday. */
export interface Wall {
  year: number
  month: number
  day: number
  hour: number
  minute: number
  second: number
}

/** What a wall-clock time means in a zone. */
export interface Resolved {
  /** Milliseconds since the epoch; in a gap the time is moved on by the gap's length, in a fold the earlier one. */
  at: number
  /** `gap`: the clocks skip it. `fold`: it happens twice. */
  kind: 'once' | 'gap' | 'fold'
}

const INSTANT = /^([+-]\d{6}|\d{4})-(\d{2})-(\d{2})[Tt ](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?(?:([Zz])|([+-])(\d{2}):?(\d{2})?)$/

/**
 * Reads ISO 8601 with `Z` or an offset.
 * @returns milliseconds since the epoch, or `undefined` for anything else (a date that does not exist, too).
 */
export function parseInstant(given: string): number | undefined {
  const match = INSTANT.exec(given)
  if (!match) return undefined
  const [, year, month, day, hour, minute, second = '0', fraction = '', , sign, offsetHours = '0', offsetMinutes = '0'] = match
  const wall = { year: +year!, month: +month!, day: +day!, hour: +hour!, minute: +minute!, second: +second }
  if (!isWall(wall) || +offsetHours > 23 || +offsetMinutes > 59) return undefined
  const offset = (sign === '-' ? -1 : 1) * (+offsetHours * 60 + +offsetMinutes) * MINUTE
  return utc(wall) + Math.floor(+`0.${fraction || 0}` * 1000) - offset
}

/** Milliseconds since the epoch, of an instant known to be well formed (a record's, say). */
export function at(given: string): number {
  const ms = parseInstant(given)
  if (ms === undefined) throw new RangeError(`not an instant: ${given}`)
  return ms
}

/** UTC with six fractional digits, as on the wire: `2026-12-01T09:00:00.000000Z`. */
export function instantOf(ms: number): string {
  return new Date(ms).toISOString().replace('Z', '000Z')
}

/** The same moment in the form of the wire, or `undefined` where it is not an instant of the years 0 to 9999. */
export function canonicalInstant(given: string): string | undefined {
  const ms = parseInstant(given)
  if (ms === undefined || ms < -62_167_219_200_000 || ms > 253_402_300_799_999) return undefined
  return instantOf(ms)
}

/** True for `YYYY-MM-DD` of a day that exists. */
export function isCivilDate(given: string): boolean {
  const match = /^(\d{4})-(\d{2})-(\d{2})$/.exec(given)
  return match !== null && isWall({ year: +match[1]!, month: +match[2]!, day: +match[3]!, hour: 0, minute: 0, second: 0 })
}

/** `addDays('2026-01-31', 1)` is `2026-02-01`. */
export function addDays(date: string, days: number): string {
  return dateOf(wallAtUtc(utc(wallOf(date)) + days * DAY))
}

/** 0 = Monday to 6 = Sunday. */
export function weekdayOf(date: string): number {
  return (new Date(utc(wallOf(date))).getUTCDay() + 6) % 7
}

/** `YYYY-MM-DD` of a wall-clock time. */
export function dateOf(wall: Wall): string {
  return `${String(wall.year).padStart(4, '0')}-${two(wall.month)}-${two(wall.day)}`
}

/** `HH:MM` of a wall-clock time. */
export function clockOf(wall: Wall): string {
  return `${two(wall.hour)}:${two(wall.minute)}`
}

/** The wall-clock time of a civil date and a time of day (`HH:MM`); `24:00` is the next day's midnight. */
export function wallOf(date: string, clock = '00:00'): Wall {
  const [year, month, day] = [+date.slice(0, -6), +date.slice(-5, -3), +date.slice(-2)]
  const wall = { year, month, day, hour: +clock.slice(0, 2), minute: +clock.slice(3), second: 0 }
  return wall.hour < 24 ? wall : wallAtUtc(utc(wall))
}

/** True for a name `Intl` knows, offsets such as `+02:00` excluded: they are no zones. */
export function isZone(given: string): boolean {
  if (!/^[A-Za-z]/.test(given)) return false
  if (tables.has(given)) return true
  try {
    formatter(given)
    return true
  } catch {
    return false
  }
}

/** Minutes and seconds east of UTC at a moment, in milliseconds. */
export function offsetAt(zone: string, ms: number): number {
  if (zone === 'UTC') return 0
  const { changes, offsets } = tableFor(zone, ms)
  let low = 0
  let high = changes.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (changes[middle]! <= ms) low = middle + 1
    else high = middle
  }
  return offsets[low]!
}

/** What the clocks of a zone show at a moment. */
export function wallAt(zone: string, ms: number): Wall {
  return wallAtUtc(ms + offsetAt(zone, ms))
}

/** The civil date of a zone at a moment. */
export function dateAt(zone: string, ms: number): string {
  return dateOf(wallAt(zone, ms))
}

/** The moment at which a zone's clocks show a wall-clock time. */
export function resolve(zone: string, wall: Wall): Resolved {
  const naive = utc(wall)
  const before = offsetAt(zone, naive - DAY)
  const after = offsetAt(zone, naive + DAY)
  const early = naive - before
  const late = naive - after
  const earlyHolds = offsetAt(zone, early) === before
  const lateHolds = offsetAt(zone, late) === after
  if (earlyHolds && lateHolds && early !== late) return { at: Math.min(early, late), kind: 'fold' }
  if (earlyHolds) return { at: early, kind: 'once' }
  if (lateHolds) return { at: late, kind: 'once' }
  return { at: early, kind: 'gap' }
}

/** True where the clocks have shown this very wall-clock time before: the second pass through a repeated hour. */
export function isRepeated(zone: string, ms: number): boolean {
  const resolved = resolve(zone, wallAt(zone, ms))
  return resolved.kind === 'fold' && resolved.at !== Math.floor(ms / 1000) * 1000
}

/** An offset as people write it: `+02:00`. */
export function offsetText(offset: number): string {
  const minutes = Math.abs(Math.round(offset / MINUTE))
  return `${offset < 0 ? '-' : '+'}${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`
}

interface Table {
  from: number
  to: number
  changes: number[]
  /** One more than `changes`: the offset before the first, and after each. */
  offsets: number[]
}

/** A zone's table covers decades on demand: `from` and `to` grow towards what is asked for. */
const tables = new Map<string, Table[]>()
const SPAN = 4 * 365.25 * DAY
/** Shorter than the shortest period between two changes of any zone since 1970: a week less an hour (Recife in 2000, Gaza in 2040). */
const STEP = 6 * DAY

function tableFor(zone: string, ms: number): Table {
  const known = tables.get(zone) ?? []
  const found = known.find((table) => table.from <= ms && ms < table.to)
  if (found) return found
  const from = Math.floor(ms / SPAN) * SPAN
  const table = buildTable(zone, from, from + SPAN)
  tables.set(zone, [table, ...known])
  return table
}

function buildTable(zone: string, from: number, to: number): Table {
  const read = formatter(zone)
  const changes: number[] = []
  const offsets = [readOffset(read, from)]
  for (let left = from; left < to; left += STEP) {
    const right = Math.min(left + STEP, to)
    const [before, after] = [offsets.at(-1)!, readOffset(read, right)]
    if (before === after) continue
    changes.push(bisect(left, right, (middle) => readOffset(read, middle) === before))
    offsets.push(after)
  }
  return { from, to, changes, offsets }
}

/** The first whole second at which `holds` no longer holds. */
function bisect(left: number, right: number, holds: (ms: number) => boolean): number {
  let low = Math.floor(left / 1000)
  let high = Math.ceil(right / 1000)
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2)
    if (holds(middle * 1000)) low = middle
    else high = middle
  }
  return high * 1000
}

const formatters = new Map<string, Intl.DateTimeFormat>()

function formatter(zone: string): Intl.DateTimeFormat {
  let known = formatters.get(zone)
  if (!known) {
    known = new Intl.DateTimeFormat('en-US', {
      timeZone: zone,
      hourCycle: 'h23',
      era: 'short',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    })
    formatters.set(zone, known)
  }
  return known
}

function readOffset(read: Intl.DateTimeFormat, ms: number): number {
  const parts: Record<string, string> = {}
  for (const { type, value } of read.formatToParts(ms)) parts[type] = value
  const year = parts.era === 'BC' ? 1 - +parts.year! : +parts.year!
  const shown = utc({ year, month: +parts.month!, day: +parts.day!, hour: +parts.hour!, minute: +parts.minute!, second: +parts.second! })
  return shown - Math.floor(ms / 1000) * 1000
}

function utc(wall: Wall): number {
  if (wall.year > 99) return Date.UTC(wall.year, wall.month - 1, wall.day, wall.hour, wall.minute, wall.second)
  const date = new Date(0)
  date.setUTCFullYear(wall.year, wall.month - 1, wall.day)
  date.setUTCHours(wall.hour, wall.minute, wall.second, 0)
  return date.getTime()
}

function wallAtUtc(ms: number): Wall {
  const date = new Date(ms)
  return {
    year: date.getUTCFullYear(),
    month: date.getUTCMonth() + 1,
    day: date.getUTCDate(),
    hour: date.getUTCHours(),
    minute: date.getUTCMinutes(),
    second: date.getUTCSeconds(),
  }
}

function isWall(wall: Wall): boolean {
  if (wall.hour > 23 || wall.minute > 59 || wall.second > 59) return false
  const date = new Date(utc({ ...wall, hour: 0, minute: 0, second: 0 }))
  return date.getUTCMonth() + 1 === wall.month && date.getUTCDate() === wall.day
}

const two = (value: number) => String(value).padStart(2, '0')
