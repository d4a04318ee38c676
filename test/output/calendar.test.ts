import { expect, test } from 'vitest'
import { addDays, instantOf, resolve, wallOf } from '../../src/contract/time.ts'
import { type Calendar, renderCalendar } from '../../src/output/calendar.ts'
import { look } from './looks.ts'

const zone = 'Europe/Paris'
const when = (date: string, clock: string) => instantOf(resolve(zone, wallOf(date, clock)).at)
const span = (date: string, start: string, end: string) => ({ from: when(date, start), to: when(date, end) })
const item = (date: string, start: string, end: string, label: string, status = 'scheduled') => ({
  start_time: when(date, start),
  end_time: when(date, end),
  label,
  status,
})
const week = (lanes: Calendar['lanes'], days = ['2026-11-23', '2026-11-24']): Calendar => ({ zone, days, lanes })

const lanes: Calendar['lanes'] = [
  {
    name: 'Ana Ruiz',
    open: [span('2026-11-23', '09:00', '12:00'), span('2026-11-23', '13:00', '17:00')],
    off: [span('2026-11-23', '16:00', '17:00')],
    items: [
      item('2026-11-23', '13:00', '13:45', 'Follow-up — Bo', 'no_show'),
      item('2026-11-23', '09:00', '09:30', 'First visit — Kenji 田中'),
      item('2026-11-23', '10:00', '11:00', 'Gone', 'canceled'),
    ],
  },
  { name: '佐藤\x1b[31m', open: [span('2026-11-23', '10:00', '12:00')], off: [], items: [item('2026-11-23', '11:30', '12:00', 'x\ny')] },
]

test('a week shows a bar for each lane and the appointments in their order', () => {
  expect(renderCalendar(week(lanes), look())).toMatchInlineSnapshot(`
    "Times in Europe/Paris
    █ booked  ░ free  x time off  · closed

    Mon 2026-11-23
      09  11  13  15
      █░░░░░··██░░░░xx  Ana Ruiz
      ··░░░█··········  佐藤\\x1b[31m
      09:00–09:30  Ana Ruiz: First visit — Kenji 田中
      13:00–13:45  Ana Ruiz: Follow-up — Bo (no show)
      11:30–12:00  佐藤\\x1b[31m: x\\ny

    Tue 2026-11-24
      09  11  13  15
      ················  Ana Ruiz
      ················  佐藤\\x1b[31m
      Nothing booked
    "
  `)
})

test('below 60 columns, and for a screen reader, there are only lines', () => {
  const text = renderCalendar(week(lanes), look({ width: 59 }))
  expect(text).toMatchInlineSnapshot(`
    "Times in Europe/Paris

    Mon 2026-11-23
      Ana Ruiz: open 09:00–12:00, 13:00–17:00; off 16:00–17:00
      09:00–09:30  Ana Ruiz: First visit — Kenji 田中
      13:00–13:45  Ana Ruiz: Follow-up — Bo (no show)
      佐藤\\x1b[31m: open 10:00–12:00
      11:30–12:00  佐藤\\x1b[31m: x\\ny

    Tue 2026-11-24
      Nothing booked
    "
  `)
  expect(renderCalendar(week(lanes), look({ accessible: true }))).toBe(text)
})

const allDay = (date: string): Calendar['lanes'] => [
  { name: 'A', open: [{ from: when(date, '00:00'), to: when(addDays(date, 1), '00:00') }], off: [], items: [] },
]
const firstBar = (text: string) => text.split('\n').slice(4, 6)

test('a day of 23 hours skips the hour that does not exist', () => {
  const text = renderCalendar(week(allDay('2026-03-29'), ['2026-03-29']), look())
  expect(text).toContain('Sun 2026-03-29  (23 hours: the clocks go forward)')
  expect(firstBar(text)).toEqual([expect.stringContaining('  00  03  05'), `  ${'░'.repeat(46)}  A`])
})

test('a day of 25 hours has the repeated hour twice, and tells its times apart', () => {
  const [lane] = allDay('2026-10-25')
  const items = [
    { start_time: '2026-10-25T00:30:00.000000Z', end_time: '2026-10-25T01:30:00.000000Z', label: 'Night', status: 'scheduled' },
  ]
  const text = renderCalendar(week([{ ...lane!, items }], ['2026-10-25']), look())
  expect(text).toContain('(25 hours: the clocks go back)')
  expect(firstBar(text)).toEqual([expect.stringContaining('  00  02  03  05'), `  ░░░░░██${'░'.repeat(43)}  A`])
  expect(text).toContain('02:30+02:00–02:30+01:00  A: Night')
})

test('an appointment over midnight is on both days', () => {
  const late = { start_time: when('2026-11-23', '23:30'), end_time: when('2026-11-24', '00:30'), label: 'Late', status: 'scheduled' }
  const text = renderCalendar(week([{ name: 'A', open: [], off: [], items: [late] }]), look())
  expect(text.split('23:30–00:30  A: Late')).toHaveLength(3)
})

test('a week without anything says so for each day', () => {
  expect(renderCalendar(week([{ name: 'A', open: [], off: [], items: [] }]), look())).toBe(
    'Times in Europe/Paris\n\nMon 2026-11-23\n  Nothing booked\n\nTue 2026-11-24\n  Nothing booked\n',
  )
})

test('hours that last until midnight end at 24:00', () => {
  expect(renderCalendar(week(allDay('2026-11-23'), ['2026-11-23']), look({ width: 40 }))).toContain('  A: open 00:00–24:00\n')
})
