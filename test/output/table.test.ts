import fc from 'fast-check'
import stringWidth from 'string-width'
import { expect, test } from 'vitest'
import { renderPage, renderRecord, renderRows } from '../../src/output/render.ts'
import { safe, showInstant, type View } from '../../src/output/view.ts'
import { from, look, people, person, textOf } from './looks.ts'

const page = (...collection: Record<string, unknown>[]) => ({ collection })
const lines = (text: string) => text.split('\n').slice(0, -1)

test('a table has a header, two spaces between columns and nothing else', async () => {
  const rows = page(person(1, 'Ada Lovelace', { phone: '+44 1' }), person(20, 'Bo'))
  expect(await renderPage(rows, people, look())).toMatchInlineSnapshot(`
    "ID  Name          E-mail           Phone  Created
    1   Ada Lovelace  p1@example.com   +44 1  2026-12-01 09:00 +01:00
    20  Bo            p20@example.com         2026-12-01 09:00 +01:00
    "
  `)
})

test('characters that take two cells or none align like all others', async () => {
  const rows = page(
    person(1, '予約 担当'),
    person(2, '👩‍👩‍👧 Family'),
    person(3, 'Zoë e\u0301a\u0308'),
    person(4, 'שלום'),
    person(5, 'Plain'),
  )
  const text = await renderPage(rows, people, look())
  expect(text).toMatchInlineSnapshot(`
    "ID  Name       E-mail          Created
    1   予約 担当  p1@example.com  2026-12-01 09:00 +01:00
    2   👩‍👩‍👧 Family  p2@example.com  2026-12-01 09:00 +01:00
    3   Zoë éä     p3@example.com  2026-12-01 09:00 +01:00
    4   שלום       p4@example.com  2026-12-01 09:00 +01:00
    5   Plain      p5@example.com  2026-12-01 09:00 +01:00
    "
  `)
  const starts = lines(text)
    .slice(1)
    .map((line) => stringWidth(line.slice(0, line.search(/p\d@/))))
  expect(new Set(starts)).toEqual(new Set([15]))
})

test('every column starts at the same cell in every line, whatever the text', async () => {
  const view: View = {
    columns: ['a', 'm', 'b', 'n'].map((field) => ({ field, title: field === 'm' || field === 'n' ? '|' : field, weight: 1 })),
  }
  // The scripts and sequences on which libraries agree; string-width, an independent one, is the judge.
  const letters = [
    ...'abcXYZ 09-ñüßøžđ',
    ...'ДмитрийΕλένη',
    ...'ليلىנועה',
    ...'王小明陳さくらマリア김민준',
    'e\u0301',
    'ｶ',
    '👩‍👩‍👧‍👦',
    '🇫🇷',
    '🎉',
    '❤️',
    '#️⃣',
  ]
  const text = fc.string({ unit: fc.constantFrom(...letters), maxLength: 30 })
  const cell = text.map((value) => value.replaceAll('|', ''))
  const rows = fc.array(fc.record({ a: cell, b: cell, m: fc.constant('|'), n: fc.constant('|') }), { minLength: 1, maxLength: 8 })
  await fc.assert(
    fc.asyncProperty(rows, fc.integer({ min: 40, max: 90 }), fc.boolean(), async (given, width, color) => {
      const drawn = lines(await renderPage(page(...given), view, look({ width, fields: ['a', 'm', 'b', 'n'], color })))
      expect(drawn).toHaveLength(given.length + 1)
      for (const bar of [1, 2]) {
        const offsets = drawn.map((line) => stringWidth(line.split('|').slice(0, bar).join('|')))
        expect(new Set(offsets).size).toBe(1)
      }
      for (const line of drawn) expect(stringWidth(line)).toBeLessThanOrEqual(width)
    }),
    { numRuns: 300 },
  )
})

test('at 60 columns the least important columns are gone and ids are whole', async () => {
  const rows = page(person(1, 'Ada Lovelace of London'), person(1234567890, 'Bo'))
  const text = await renderPage(rows, people, look({ width: 60 }))
  expect(text).toMatchInlineSnapshot(`
    "ID          Name                    E-mail
    1           Ada Lovelace of London  p1@example.com
    1234567890  Bo                      p1234567890@example.com
    "
  `)
})

test('at 40 columns long cells are cut between graphemes, never the id', async () => {
  const rows = page(person(1234567890, '予約担当者の長い名前です'), person(2, '👩‍👩‍👧👩‍👩‍👧👩‍👩‍👧👩‍👩‍👧👩‍👩‍👧👩‍👩‍👧👩‍👩‍👧👩‍👩‍👧'))
  const text = await renderPage(rows, people, look({ width: 40 }))
  expect(text).toMatchInlineSnapshot(`
    "ID          Name           E-mail
    1234567890  予約担当者の…  p1234567890@…
    2           👩‍👩‍👧👩‍👩‍👧👩‍👩‍👧👩‍👩‍👧👩‍👩‍👧👩‍👩‍👧…  p2@example.c…
    "
  `)
  for (const line of lines(text)) expect(stringWidth(line)).toBeLessThanOrEqual(40)
})

test('where the id and two columns do not fit, rows become cards', async () => {
  const view: View = { columns: [{ field: 'uri', title: 'URI', weight: 0 }, ...people.columns.slice(1)] }
  const uri = 'https://api.example.com/scheduled_events/0a1b2c3d'
  const rows = page(person(1, 'Ada', { uri }), person(2, 'Bo', { uri }))
  expect(await renderPage(rows, view, look({ width: 40 }))).toMatchInlineSnapshot(`
    "URI: https://api.example.com/scheduled_events/0a1b2c3d
    Name: Ada
    E-mail: p1@example.com
    Created: 2026-12-01 09:00 +01:00

    URI: https://api.example.com/scheduled_events/0a1b2c3d
    Name: Bo
    E-mail: p2@example.com
    Created: 2026-12-01 09:00 +01:00
    "
  `)
})

test('named fields are never dropped: too many of them make cards', async () => {
  const fields = ['id', 'name', 'email', 'created_at', 'custom_fields']
  expect(await renderPage(page(person(1, 'Ada')), people, look({ width: 30, fields }))).toContain('E-mail: p1@example.com\n')
  expect(await renderPage(page(person(1, 'Ada')), people, look({ fields: ['custom_fields.vip', 'id'] }))).toBe(
    'Custom fields vip  ID\n                   1\n',
  )
})

test('escape sequences, line breaks and bidi controls in data are shown, not obeyed', async () => {
  const rows = page(person(1, '\x1b[31mred\x1b]0;title\x07'), person(2, 'a\u202eb\u2066c\r\nd\te\x9bf\x7f\ud800'))
  const text = await renderPage(rows, people, look({ color: true, fields: ['id', 'name'] }))
  expect(text.replaceAll('\x1b[1m', '').replaceAll('\x1b[22m', '')).toMatchInlineSnapshot(`
    "ID  Name
    1   \\x1b[31mred\\x1b]0;title\\x07
    2   a\\u202eb\\u2066c\\r\\nd\\te\\x9bf\\x7f�
    "
  `)
  expect(safe(safe('\x1b\n'))).toBe(safe('\x1b\n'))
})

test('what a column shows itself is made safe too, and a column that is empty in every row is left out', async () => {
  const view: View = {
    columns: [
      { field: 'id', title: 'ID' },
      { field: 'x', title: 'X', show: () => '\x1b[2J' },
      { field: 'phone', title: 'Phone' },
    ],
  }
  expect(await renderPage(page(person(1, 'Ada')), view, look())).toBe('ID  X\n1   \\x1b[2J\n')
})

test('colour is written only where it is wanted', async () => {
  const view: View = {
    columns: [
      { field: 'id', title: 'ID' },
      { field: 'status', title: 'Status', tint: (value) => (value === 'ok' ? 'green' : undefined) },
    ],
  }
  const rows = page({ id: 1, status: 'ok' })
  expect(await renderPage(rows, view, look())).not.toContain('\x1b')
  expect(await renderPage(rows, view, look({ color: true }))).toBe('\x1b[1mID\x1b[22m  \x1b[1mStatus\x1b[22m\n1   \x1b[32mok\x1b[39m\n')
})

test('an empty list draws nothing, the sentence is for stderr', async () => {
  expect(await renderPage(page(), people, look())).toBe('')
  expect(await textOf(renderRows(from([]), people, look()))).toBe('')
})

test('one record is a card of all it has', async () => {
  const record = person(7, 'Ada', {
    customer: { id: 3, name: 'Kenji 田中' },
    tags: ['vip', 'early'],
    answers: [{ question: 'Why?', answer: 'a\nb' }],
    rescheduled: false,
  })
  expect(await renderRecord(record, people, look())).toMatchInlineSnapshot(`
    "ID             7
    Name           Ada
    E-mail         p7@example.com
    Custom fields  -
    Created        2026-12-01 09:00 +01:00
    Customer ID    3
    Customer name  Kenji 田中
    Tags           vip, early
    Answers        [{"question":"Why?","answer":"a\\nb"}]
    Rescheduled    no
    "
  `)
})

test('a card at 20 columns is lines of title and value', async () => {
  expect(await renderRecord({ id: 7, appointment_type_name: 'First visit' }, people, look({ width: 20 }))).toBe(
    'ID: 7\nAppointment type name: First visit\n',
  )
})

test('instants are shown in the zone of the look, on both sides of a change of clocks', () => {
  const show = (value: unknown, zone = 'Europe/Paris') => showInstant(value, {}, look({ zone }))
  expect(show('2026-12-01T08:00:00.000000Z')).toBe('2026-12-01 09:00 +01:00')
  expect(show('2026-10-25T00:30:00.000000Z')).toBe('2026-10-25 02:30 +02:00')
  expect(show('2026-10-25T01:30:00.000000Z')).toBe('2026-10-25 02:30 +01:00')
  expect(show('2026-12-01T23:00:00.000000Z', 'Asia/Kathmandu')).toBe('2026-12-02 04:45 +05:45')
  expect([show(null), show('soon'), show(undefined)]).toEqual(['', 'soon', ''])
})

test('a table of 2000 rows is drawn without effort', async () => {
  const rows = page(...Array.from({ length: 2000 }, (_, index) => person(index, `Person ${index}`)))
  await renderPage(rows, people, look())
  const start = performance.now()
  await renderPage(rows, people, look())
  expect(performance.now() - start).toBeLessThan(2000)
})
