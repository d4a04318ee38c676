import { checkedRows, checkFields, columnsFor, leavesOf, picked } from './fields.ts'
import { jsonText, type Look, safe, shown, type View, valueAt } from './view.ts'

type Row = Record<string, unknown>

/**
 * Rows as text, in pieces to be written one after the other. `ndjson`, `csv`, `ids` and `json` hold one row at a time; a table
 * waits for all of them. Nothing comes of no rows, but for `json` and for the header of a CSV whose fields were named.
 */
export async function* renderRows(rows: AsyncIterable<Row>, view: View, look: Look): AsyncGenerator<string> {
  if (look.format === 'table') yield* tableOf(await collect(rows), view, look)
  else yield* streamed(checkedRows(rows, look.fields, view), look)
}

/** Rows that are still happening: a line each for a person, since a table would wait for the last one; else as `renderRows` has them. */
export async function* renderStream(rows: AsyncIterable<Row>, view: View, look: Look): AsyncGenerator<string> {
  if (look.format !== 'table') return yield* renderRows(rows, view, look)
  const columns = look.fields ? columnsFor(look.fields, view) : view.columns
  for await (const row of checkedRows(rows, look.fields, view)) {
    const cells = columns.map(({ field, show }) => {
      const value = valueAt(row, field)
      return show ? safe(show(value, row, look)) : shown(value, look)
    })
    yield `${cells.filter((cell) => cell !== '').join('  ')}\n`
  }
}

/** One page of a list. JSON is the page as on the wire; every other format shows its rows. */
export async function renderPage(page: { collection: Row[]; pagination?: unknown }, view: View, look: Look): Promise<string> {
  const { collection } = page
  checkFields(look.fields, collection, view)
  if (look.format === 'json') return `${jsonText({ ...page, collection: collection.map((row) => picked(row, look.fields)) }, 2)}\n`
  const pieces = look.format === 'table' ? tableOf(collection, view, look) : streamed(each(collection), look)
  return (await collect(pieces)).join('')
}

/** One record: JSON as on the wire; a card of everything it has for `table`; a header and a row for `csv`. */
export async function renderRecord(record: Row, view: View, look: Look): Promise<string> {
  checkFields(look.fields, [record], view)
  if (look.format === 'json') return `${jsonText(picked(record, look.fields), 2)}\n`
  if (look.format === 'table') return (await import('./table.ts')).renderCard(record, look.fields ?? tellingOf(record), view, look)
  return (await collect(streamed(each([record]), look))).join('')
}

/** For a person, what is not set goes without saying. */
const tellingOf = (record: Row): string[] =>
  leavesOf(record).filter((field) => {
    const value = valueAt(record, field)
    return value !== null && value !== '' && !(Array.isArray(value) && value.length === 0)
  })

async function* tableOf(rows: Row[], view: View, look: Look): AsyncGenerator<string> {
  checkFields(look.fields, rows, view)
  if (rows.length > 0) yield await (await import('./table.ts')).renderTable(rows, view, look)
}

function streamed(rows: AsyncIterable<Row>, look: Look): AsyncGenerator<string> {
  if (look.format === 'csv') return csvOf(rows, look)
  if (look.format === 'json') return jsonOf(rows, look)
  return linesOf(rows, look)
}

async function* linesOf(rows: AsyncIterable<Row>, look: Look): AsyncGenerator<string> {
  for await (const row of rows) yield `${look.format === 'ids' ? idOf(row, look) : jsonText(picked(row, look.fields))}\n`
}

async function* csvOf(rows: AsyncIterable<Row>, look: Look): AsyncGenerator<string> {
  const { csvLine } = await import('./csv.ts')
  let columns: string[] | undefined
  for await (const row of rows) {
    if (!columns) {
      columns = look.fields ?? leavesOf(row)
      yield csvLine(columns, look)
    }
    yield csvLine(
      columns.map((field) => valueAt(row, field)),
      look,
    )
  }
  if (!columns && look.fields) yield csvLine(look.fields, look)
}

/** The same bytes as `JSON.stringify({ collection }, null, 2)`, without the rows in memory. */
async function* jsonOf(rows: AsyncIterable<Row>, look: Look): AsyncGenerator<string> {
  let before = '{\n  "collection": ['
  let after = '{\n  "collection": []\n}\n'
  for await (const row of rows) {
    yield `${before}\n${jsonText(picked(row, look.fields), 2).replace(/^/gm, '    ')}`
    before = ','
    after = '\n  ]\n}\n'
  }
  yield after
}

/** The id, or the last segment of the uri, or else what the record begins with; with `--fields` those instead, parted by tabs. */
function idOf(row: Row, look: Look): string {
  if (look.fields) return look.fields.map((field) => plain(valueAt(row, field))).join('\t')
  const last = typeof row.uri === 'string' ? row.uri.split('/').filter(Boolean).at(-1) : undefined
  return plain(row.id ?? last ?? Object.values(row)[0])
}

const plain = (value: unknown) => safe(typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value ?? ''))

async function* each<T>(items: T[]): AsyncGenerator<T> {
  yield* items
}

async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = []
  for await (const item of items) all.push(item)
  return all
}
