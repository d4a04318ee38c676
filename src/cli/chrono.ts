/** HOME of chrono-node: dates in words. */
import { parse } from 'chrono-node'
import type { Wall } from '../contract/time.ts'

type Words = { at: number } | { at?: undefined; wall: Wall; hasClock: boolean }

/**
 * Reads `tomorrow`, `fri 17:00`, `in 2 hours`. Nothing but the words may be there.
 * @param offset of the reader's zone at `now`, in milliseconds
 */
export function parseWords(text: string, now: number, offset: number): Words | undefined {
  const [found, ...more] = parse(text, { instant: new Date(now), timezone: offset / 60_000 }, { forwardDate: true })
  if (!found || more.length > 0 || found.text.trim().toLowerCase() !== text.toLowerCase() || found.end) return undefined
  const { start } = found
  if (start.isCertain('timezoneOffset')) return { at: start.date().getTime() }
  const part = (name: 'year' | 'month' | 'day' | 'hour' | 'minute') => start.get(name) ?? 0
  const wall = { year: part('year'), month: part('month'), day: part('day'), hour: part('hour'), minute: part('minute'), second: 0 }
  return { wall, hasClock: start.isCertain('hour') }
}
