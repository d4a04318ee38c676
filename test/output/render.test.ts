import { build } from 'esbuild'
import { expect, test } from 'vitest'
import { AppError } from '../../src/contract/errors.ts'
import { renderPage, renderRecord, renderRows, renderStream } from '../../src/output/render.ts'
import { type Look, valueAt } from '../../src/output/view.ts'
import { from, look, people, person, textOf } from './looks.ts'

const rows = [
  person(1, 'Ada', { customer: { id: 5, email: 'a@b.c' } }),
  person(2, 'Bo, "B"', { customer: { id: 6, email: null }, phone: '+49301234' }),
]
const page = { collection: rows, pagination: { count: 2, next_page_token: null } }
const stream = (given: Partial<Look>, items: Record<string, unknown>[] = rows) => textOf(renderRows(from(items), people, look(given)))

test('a page in JSON is the page as on the wire', async () => {
  expect(await renderPage(page, people, look({ format: 'json' }))).toBe(`${JSON.stringify(page, null, 2)}\n`)
  expect(await renderRecord(rows[0]!, people, look({ format: 'json' }))).toBe(`${JSON.stringify(rows[0], null, 2)}\n`)
})

test('rows in JSON are the same bytes, written one by one', async () => {
  expect(await stream({ format: 'json' })).toBe(`${JSON.stringify({ collection: rows }, null, 2)}\n`)
  expect(await stream({ format: 'json' }, [])).toBe(`${JSON.stringify({ collection: [] }, null, 2)}\n`)
})

test('rows that are still happening are a line each for a person, harmless, and each as soon as it is there', async () => {
  let goOn = () => {}
  const later = new Promise<void>((resolve) => {
    goOn = resolve
  })
  async function* happening() {
    yield person(1, 'Ada\x1b[2J\nLovelace', { email: null })
    await later
    yield person(2, 'Bo')
  }
  const pieces = renderStream(happening(), people, look())
  expect(await pieces.next()).toEqual({ value: '1  Ada\\x1b[2J\\nLovelace  2026-12-01 09:00 +01:00\n', done: false })
  goOn()
  expect((await pieces.next()).value).toBe('2  Bo  p2@example.com  2026-12-01 09:00 +01:00\n')
  const named = renderStream(from(rows), people, look({ fields: ['customer.id', 'name'] }))
  expect(await textOf(named)).toBe('5  Ada\n6  Bo, "B"\n')
  expect(await textOf(renderStream(from(rows), people, look({ format: 'ndjson' })))).toBe(await stream({ format: 'ndjson' }))
})

test('JSON keeps its meaning and sends no control or bidi character', async () => {
  const record = { name: 'a\x9bb\u202ec\x1b' }
  const text = await renderRecord(record, people, look({ format: 'json' }))
  expect(text).toBe('{\n  "name": "a\\u009bb\\u202ec\\u001b"\n}\n')
  expect(JSON.parse(text)).toEqual(record)
})

test('named fields become flat keys in the order asked, in every format', async () => {
  const fields = ['customer.email', 'id']
  const json = JSON.parse(await renderPage(page, people, look({ format: 'json', fields })))
  expect(json).toEqual({
    ...page,
    collection: [
      { 'customer.email': 'a@b.c', id: 1 },
      { 'customer.email': null, id: 2 },
    ],
  })
  expect(await stream({ format: 'ndjson', fields })).toBe('{"customer.email":"a@b.c","id":1}\n{"customer.email":null,"id":2}\n')
  expect(await stream({ format: 'csv', fields })).toBe('customer.email,id\na@b.c,1\n,2\n')
  expect(await stream({ format: 'table', fields })).toBe('Customer email  ID\na@b.c           1\n                2\n')
  expect(await renderRecord(rows[0]!, people, look({ format: 'json', fields }))).toBe('{\n  "customer.email": "a@b.c",\n  "id": 1\n}\n')
})

test.each(['table', 'json', 'ndjson', 'csv', 'ids'] as const)(
  'an unknown field in %s is a usage error that names it and lists the known',
  async (format) => {
    const fields = ['id', 'emial']
    const attempts = [
      () => renderPage(page, people, look({ format, fields })),
      () => renderRecord(rows[0]!, people, look({ format, fields })),
      () => stream({ format, fields }),
    ]
    for (const attempt of attempts) {
      const error = await attempt().catch((thrown: unknown) => thrown)
      expect(error).toBeInstanceOf(AppError)
      expect(error).toMatchObject({
        code: 'usage',
        message:
          'There is no field "emial". The fields are: id, name, email, phone, custom_fields, created_at, customer.id, customer.email.',
      })
    }
  },
)

test('an unknown field writes nothing of a stream', async () => {
  const pieces = renderRows(from(rows), people, look({ format: 'csv', fields: ['nope'] }))
  await expect(pieces.next()).rejects.toMatchObject({ code: 'usage' })
})

test('a field that only later rows have, or that null might have, is known', async () => {
  const mixed = [person(1, 'Ada', { custom_fields: { a: 'x' }, cancellation: null }), person(2, 'Bo', { custom_fields: { vip: 'y' } })]
  expect(await stream({ format: 'csv', fields: ['id', 'custom_fields.vip'] }, mixed)).toBe('id,custom_fields.vip\n1,\n2,y\n')
  expect(await stream({ format: 'csv', fields: ['id', 'cancellation.reason'] }, mixed)).toBe('id,cancellation.reason\n1,\n2,\n')
  expect(await renderPage({ collection: mixed }, people, look({ format: 'ids', fields: ['custom_fields.vip'] }))).toBe('\ny\n')
  await expect(stream({ format: 'csv', fields: ['customer.nope'] })).rejects.toMatchObject({ code: 'usage' })
  await expect(stream({ format: 'csv', fields: ['nope'] }, [])).resolves.toBe('nope\n')
})

test('CSV has the leaves of the first row as its columns, and every later row fits them', async () => {
  const items = [
    { id: 1, customer: { name: 'Ada' }, tags: ['a'], none: null },
    { id: 2, customer: { name: 'B "o", C\nD' }, tags: [], none: { x: 1 }, more: 1 },
  ]
  expect(await stream({ format: 'csv' }, items)).toMatchInlineSnapshot(`
    "id,customer.name,tags,none
    1,Ada,"[""a""]",
    2,"B ""o"", C
    D",[],"{""x"":1}"
    "
  `)
  expect(await renderRecord(items[0]!, people, look({ format: 'csv' }))).toBe('id,customer.name,tags,none\n1,Ada,"[""a""]",\n')
})

test('CSV guards what a spreadsheet would run and leaves numbers alone', async () => {
  const cells = ['=1+1', '+4930123', '+49 30', '-5', '+3.2', '-1-1', '@SUM(A1)', '\tx', '\rx', '＝1', 'a=b', -5, true, '']
  const text = await stream(
    { format: 'csv', fields: ['id', 'v'] },
    cells.map((v, id) => ({ id, v })),
  )
  expect(text).toMatchInlineSnapshot(`
    "id,v
    0,'=1+1
    1,+4930123
    2,'+49 30
    3,-5
    4,+3.2
    5,'-1-1
    6,'@SUM(A1)
    7,'	x
    8,'
    x
    9,'＝1
    10,a=b
    11,-5
    12,true
    13,
    "
  `)
  expect(await stream({ format: 'csv' }, [{ '=cmd': 1 }])).toBe("'=cmd\n1\n")
})

test('ids are one a line: the id, else the end of the uri, else what the record begins with', async () => {
  expect(await stream({ format: 'ids' })).toBe('1\n2\n')
  const uri = 'https://x.test/users/U1'
  expect(await renderRecord({ uri }, people, look({ format: 'ids' }))).toBe('U1\n')
  expect(await stream({ format: 'ids', fields: ['id', 'name'] })).toBe('1\tAda\n2\tBo, "B"\n')
  expect(await stream({ format: 'ids' }, [{ name: 'x', id_of: 1 }])).toBe('x\n')
})

test.each(['ndjson', 'csv', 'ids', 'json'] as const)('%s of 100,000 rows has one row in flight', async (format) => {
  let made = 0
  async function* many() {
    for (let id = 0; id < 100_000; id++) {
      made++
      yield { id, name: 'x' }
    }
  }
  let pieces = 0
  let ahead = 0
  for await (const _ of renderRows(many(), people, look({ format }))) {
    pieces++
    ahead = Math.max(ahead, made - pieces)
  }
  expect(made).toBe(100_000)
  expect(pieces).toBeGreaterThanOrEqual(100_000)
  expect(ahead).toBeLessThanOrEqual(1)
})

test('a reader that stops early stops the rows', async () => {
  let ended = false
  async function* endless() {
    try {
      for (let id = 0; ; id++) yield { id }
    } finally {
      ended = true
    }
  }
  for await (const _ of renderRows(endless(), people, look({ format: 'ndjson' }))) break
  expect(ended).toBe(true)
})

test('a dotted path goes through arrays and dotted keys, and never to what objects inherit', () => {
  const record = { a: [{ b: 1 }], 'x.y': 2, m: { 'k.l': 3 } }
  expect([valueAt(record, 'a.0.b'), valueAt(record, 'x.y'), valueAt(record, 'm.k.l')]).toEqual([1, 2, 3])
  expect([valueAt(record, 'a.length'), valueAt(record, 'constructor'), valueAt(record, 'a.1.b'), valueAt(null, 'a')]).toEqual([
    undefined,
    undefined,
    undefined,
    undefined,
  ])
})

test('JSON, NDJSON, CSV and ids load no package but that of CSV: every other one is behind a door', async () => {
  const options = { bundle: true, splitting: true, format: 'esm', platform: 'node', write: false, metafile: true, outdir: 'out' } as const
  const { metafile } = await build({ ...options, entryPoints: ['src/output/render.ts', 'src/output/errors.ts', 'src/output/calendar.ts'] })
  const packagesOf = (output: string): string[] => {
    const { inputs, imports } = metafile.outputs[output]!
    const eager = imports.filter((imported) => imported.kind === 'import-statement' && !imported.external)
    return [...Object.keys(inputs).filter((file) => file.includes('node_modules')), ...eager.flatMap(({ path }) => packagesOf(path))]
  }
  for (const entry of ['render', 'errors', 'calendar']) expect(packagesOf(`out/${entry}.js`)).toEqual([])
  const chunk = (start: string) => Object.keys(metafile.outputs).find((output) => output.startsWith(`out/${start}-`))!
  expect(packagesOf(chunk('csv')).every((file) => file.includes('csv-stringify'))).toBe(true)
  expect(packagesOf(chunk('table')).some((file) => /^node_modules\/(chalk|string-width)\//.test(file))).toBe(false)
})
