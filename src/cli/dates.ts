import { AppError, fail } from '../contract/errors.ts'
import {
  addDays,
  clockOf,
  dateOf,
  isCivilDate,
  offsetAt,
  offsetText,
  parseInstant,
  resolve,
  type Wall,
  wallAt,
  wallOf,
} from '../contract/time.ts'

/** A moment somebody typed. `note` says what the reader should know: that the time happens twice, say. */
export interface Moment {
  at: number
  note?: string
}

/** Of a date without a time, the first moment is meant, or the last. */
export type Edge = 'start' | 'end'

const LOCAL = /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{1,2}:\d{2}))?$/

/**
 * Reads what people type: ISO 8601 with an offset, a local date or time in `zone`, or words such as `tomorrow 9:00`.
 * @throws AppError `usage` for what it cannot read, for an impossible date, and for a time that the clocks skip
 */
export async function readMoment(
  text: string,
  flag: string,
  { now, zone, edge = 'start' }: { now: number; zone: string; edge?: Edge },
): Promise<Moment> {
  const given = text.trim()
  const exact = parseInstant(given)
  if (exact !== undefined) return { at: exact }
  const local = LOCAL.exec(given)
  if (local) {
    const [, date, clock] = local as unknown as [string, string, string | undefined]
    if (!isCivilDate(date)) fail('usage', `--${flag}: ${date} is not a date that exists.`)
    return inZone(date, clock?.padStart(5, '0'), flag, zone, edge)
  }
  const words = await readWords(given, flag, { now, zone })
  return 'at' in words ? words : inZone(words.date, words.clock, flag, zone, edge)
}

async function readWords(
  given: string,
  flag: string,
  { now, zone }: { now: number; zone: string },
): Promise<Moment | { date: string; clock?: string }> {
  const { parseWords } = await import('./chrono.ts')
  // Slashes mean one day here and another there.
  const words = given.includes('/') ? undefined : parseWords(given, now, offsetAt(zone, now))
  if (!words) {
    fail(
      'usage',
      `--${flag}: "${given}" is not a time bookctl can read. Write 2026-12-01, "2026-12-01 09:00", "tomorrow 9:00" or 2026-12-01T09:00:00Z.`,
    )
  }
  if (words.at !== undefined) return { at: words.at }
  const date = dateOf(words.wall)
  return words.hasClock ? { date, clock: clockOf(words.wall) } : { date }
}

function inZone(date: string, clock: string | undefined, flag: string, zone: string, edge: Edge): Moment {
  if (clock === undefined) return { at: resolve(zone, wallOf(edge === 'end' ? addDays(date, 1) : date)).at }
  if (!/^(?:[01]\d|2[0-3]):[0-5]\d$/.test(clock)) fail('usage', `--${flag}: ${clock} is not a time of day.`)
  const { at, kind } = resolve(zone, wallOf(date, clock))
  if (kind === 'gap') {
    throw new AppError(
      'usage',
      `--${flag}: ${date} ${clock} does not exist in ${zone}: the clocks skip it. The next time that does is ${show(at, zone)}.`,
    )
  }
  if (kind === 'fold') return { at, note: `${date} ${clock} happens twice in ${zone}; the first is meant, ${show(at, zone)}.` }
  return { at }
}

/** `2026-12-01 09:00 +01:00` */
export function show(at: number, zone: string): string {
  const wall: Wall = wallAt(zone, at)
  return `${dateOf(wall)} ${clockOf(wall)} ${offsetText(offsetAt(zone, at))}`
}

/** The window that some dates came to, in a sentence for stderr. */
export function windowSentence(from: number | undefined, to: number | undefined, zone: string): string {
  const parts = [from === undefined ? '' : `from ${show(from, zone)}`, to === undefined ? '' : `to ${show(to, zone)}`]
  return `Times ${parts.filter(Boolean).join(' ')} (${zone}).`
}
