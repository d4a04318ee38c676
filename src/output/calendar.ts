import { addDays, at, clockOf, offsetAt, offsetText, resolve, wallAt, wallOf, weekdayOf } from '../contract/time.ts'
import { type Look, safe } from './view.ts'

interface Span {
  from: string
  to: string
}

/** A week of a few staff members. All times are instants; `days` are civil dates of `zone`. */
export interface Calendar {
  zone: string
  /** `YYYY-MM-DD`, a week of them. */
  days: string[]
  lanes: {
    name: string
    open: Span[]
    off: Span[]
    items: { start_time: string; end_time: string; label: string; status: string }[]
  }[]
}

/** Milliseconds since the epoch: from the first to before the second. */
interface Stretch {
  from: number
  to: number
}
interface Item extends Stretch {
  label: string
  status: string
}
interface Lane {
  name: string
  open: Stretch[]
  off: Stretch[]
  items: Item[]
}
/** Hours of the clock that all bars of the week cover, so that they compare. */
interface Hours {
  first: number
  last: number
}

const HALF_HOUR = 1_800_000
const WEEKDAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun']
const LEGEND = '█ booked  ░ free  x time off  · closed'

/**
 * A week: for each day a bar for each lane (one cell is half an hour) and the appointments in their order. Without bars, below 60
 * columns or for a screen reader, the hours of each lane are said in words. Canceled appointments are left out.
 */
export function renderCalendar(data: Calendar, look: Look): string {
  const { zone } = data
  const lanes = data.lanes.map(laneOf)
  const days = data.days.map((date) => ({ date, ...dayOf(zone, date) }))
  const hours = look.accessible || look.width < 60 ? undefined : hoursOf(zone, days, lanes)
  const top = `Times in ${safe(zone)}${hours ? `\n${LEGEND}` : ''}\n`
  return top + days.map((day) => `\n${heading(day)}\n${dayText(zone, day, lanes, hours)}`).join('')
}

function dayText(zone: string, day: Stretch & { date: string }, lanes: Lane[], hours: Hours | undefined): string {
  const lines = hours ? bars(zone, day.date, lanes, hours) : []
  for (const lane of lanes) {
    const items = within(day, lane.items).sort((a, b) => a.from - b.from || a.to - b.to)
    if (!hours) lines.push(...hoursInWords(zone, day, lane))
    lines.push(...items.map((item) => `${period(zone, item)}  ${lane.name}: ${item.label}${remark(item.status)}`))
  }
  if (lanes.every((lane) => within(day, lane.items).length === 0)) lines.push('Nothing booked')
  return lines.map((line) => `  ${line}\n`).join('')
}

/** The bar stands before the name: nothing has to be aligned after it, whatever script the name is in. */
function bars(zone: string, date: string, lanes: Lane[], hours: Hours): string[] {
  const from = momentOf(zone, date, hours.first)
  const cells = Math.ceil((momentOf(zone, date, hours.last) - from) / HALF_HOUR)
  const times = Array.from({ length: cells }, (_, index) => from + index * HALF_HOUR)
  return [scale(zone, times), ...lanes.map((lane) => `${times.map((time) => mark(lane, time)).join('')}  ${lane.name}`)]
}

/** Every other hour above its cells; one the clocks skip is not counted, one they repeat is counted twice. */
function scale(zone: string, times: number[]): string {
  const marks = times.map(() => ' ')
  const clocks = times.map((time) => clockOf(wallAt(zone, time)))
  const hours = clocks.flatMap((clock, index) => (clock.endsWith(':00') ? [index] : []))
  for (const index of hours.filter((_, count) => count % 2 === 0)) marks.splice(index, 2, ...clocks[index]!.slice(0, 2))
  return marks.join('').trimEnd()
}

function mark(lane: Lane, from: number): string {
  const cell = { from, to: from + HALF_HOUR }
  if (within(cell, lane.items).length > 0) return '█'
  if (within(cell, lane.off).length > 0) return 'x'
  return within(cell, lane.open).length > 0 ? '░' : '·'
}

function hoursInWords(zone: string, day: Stretch, lane: Lane): string[] {
  const said = (spans: Stretch[]) => within(day, spans).map((span) => period(zone, clip(span, day)).replace(/–00:00$/, '–24:00'))
  const [open, off] = [said(lane.open), said(lane.off)]
  if (open.length + off.length === 0) return []
  return [`${lane.name}: ${open.length > 0 ? `open ${open.join(', ')}` : 'closed'}${off.length > 0 ? `; off ${off.join(', ')}` : ''}`]
}

function heading(day: Stretch & { date: string }): string {
  const hours = (day.to - day.from) / 3_600_000
  const note = hours === 24 ? '' : `  (${hours} hours: the clocks go ${hours < 24 ? 'forward' : 'back'})`
  return `${WEEKDAYS[weekdayOf(day.date)]} ${day.date}${note}`
}

const laneOf = ({ name, open, off, items }: Calendar['lanes'][number]): Lane => ({
  name: safe(name),
  open: open.map(stretchOf),
  off: off.map(stretchOf),
  items: items
    .filter((item) => item.status !== 'canceled')
    .map((item) => ({ from: at(item.start_time), to: at(item.end_time), label: safe(item.label), status: safe(item.status) })),
})

/** The hours of the clock in which anything is open or booked on any day; `undefined` when there is nothing to draw. */
function hoursOf(zone: string, days: Stretch[], lanes: Lane[]): Hours | undefined {
  const spans = lanes.flatMap((lane) => [...lane.open, ...lane.items])
  const shown = days.flatMap((day) => within(day, spans).map((span) => clip(span, day)))
  if (shown.length === 0) return undefined
  const first = Math.min(...shown.map((span) => wallAt(zone, span.from).hour))
  return { first, last: Math.max(...shown.map((span) => wallAt(zone, span.to - 1).hour + 1)) }
}

/** `09:00–09:30`; a clock time that happens twice on its day is told apart by its offset. */
const period = (zone: string, span: Stretch) => `${clock(zone, span.from)}–${clock(zone, span.to)}`

function clock(zone: string, ms: number): string {
  const wall = wallAt(zone, ms)
  return clockOf(wall) + (resolve(zone, wall).kind === 'fold' ? offsetText(offsetAt(zone, ms)) : '')
}

const momentOf = (zone: string, date: string, hour: number) => resolve(zone, wallOf(date, `${String(hour).padStart(2, '0')}:00`)).at
const dayOf = (zone: string, date: string): Stretch => ({ from: momentOf(zone, date, 0), to: momentOf(zone, addDays(date, 1), 0) })
const stretchOf = ({ from, to }: Span): Stretch => ({ from: at(from), to: at(to) })
const within = <T extends Stretch>(whole: Stretch, parts: T[]) => parts.filter((part) => part.from < whole.to && part.to > whole.from)
const clip = (span: Stretch, day: Stretch): Stretch => ({ from: Math.max(span.from, day.from), to: Math.min(span.to, day.to) })
const remark = (status: string) => (status === 'scheduled' ? '' : ` (${status.replaceAll('_', ' ')})`)
