import { fail } from '../contract/errors.ts'
import { type Column, safe, type View, valueAt } from './view.ts'

type Row = Record<string, unknown>

/** The dotted paths of a record's leaves, in its order. Arrays, empty objects and null are leaves. */
export function leavesOf(record: Row, prefix = ''): string[] {
  return Object.entries(record).flatMap(([key, value]) => (isBranch(value) ? leavesOf(value, `${prefix}${key}.`) : [`${prefix}${key}`]))
}

/** A record cut down to some fields: their dotted names as flat keys, in the order asked; null where there is nothing. */
export function picked(record: Row, fields: string[] | undefined): Row {
  if (!fields) return record
  return Object.fromEntries(fields.map((field) => [field, valueAt(record, field) ?? null]))
}

/**
 * The columns for a list of fields: the view's own where it has one, else titled after the path. Nobody may drop what was asked for,
 * so ids weigh 0 and the rest 1, all of which are kept.
 */
export function columnsFor(fields: string[], view: View): Column[] {
  return fields.map((field) => {
    const known = view.columns.find((column) => column.field === field)
    return { ...(known ?? { field, title: titleOf(field) }), weight: known?.weight === 0 || isKey(field) ? 0 : 1 }
  })
}

/** `customer.time_zone` is `Customer time zone`. */
export function titleOf(field: string): string {
  const words = safe(field.replace(/[._]+/g, ' ').trim()).replace(/\b(?:id|uri|url)\b/g, (word) => word.toUpperCase())
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** Throws a usage error that names every field which no row has and the view does not know. Nothing can be said without rows. */
export function checkFields(fields: string[] | undefined, rows: Row[], view: View): void {
  const first = rows[0]
  if (!fields || !first) return
  refuse(
    unseen(fields, view).filter((field) => !rows.some((row) => mayHave(row, field))),
    first,
  )
}

/**
 * The same for rows that pass by once. A field whose first name the first row lacks is refused before anything is written; one
 * that is missing deeper down (a key of a map, which other rows may have) only after the last row.
 */
export async function* checkedRows(rows: AsyncIterable<Row>, fields: string[] | undefined, view: View): AsyncGenerator<Row> {
  let missing = fields ? unseen(fields, view) : []
  let first: Row | undefined
  for await (const row of rows) {
    if (!first)
      refuse(
        missing.filter((field) => !mayHave(row, field) && !mayHave(row, field.split('.')[0]!)),
        row,
      )
    first ??= row
    if (missing.length > 0) missing = missing.filter((field) => !mayHave(row, field))
    yield row
  }
  if (first) refuse(missing, first)
}

const unseen = (fields: string[], view: View) => fields.filter((field) => !view.columns.some((column) => column.field === field))

/** False only where a record shows that it has no such field: under null, an empty object or an array there might be one. */
function mayHave(value: unknown, path: string): boolean {
  if (value === null) return true
  if (typeof value !== 'object') return false
  if (valueAt(value, path) !== undefined) return true
  const dot = path.indexOf('.')
  const [head, rest] = dot < 0 ? [path, ''] : [path.slice(0, dot), path.slice(dot + 1)]
  if (Array.isArray(value)) return /^\d+$/.test(head) && (value.length === 0 || (rest !== '' && value.some((item) => mayHave(item, rest))))
  if (rest === '') return false
  const below = valueAt(value, head)
  return below !== undefined && (isEmptyObject(below) || mayHave(below, rest))
}

function refuse(unknown: string[], first: Row): void {
  if (unknown.length === 0) return
  const names = unknown.map((field) => `"${field}"`).join(', ')
  fail('usage', `There is no field ${names}. The fields are: ${leavesOf(first).join(', ')}.`)
}

const isKey = (field: string) => /(^|[._])(id|uri)$/.test(field)
const isEmptyObject = (value: unknown) => typeof value === 'object' && value !== null && Object.keys(value).length === 0
const isBranch = (value: unknown): value is Row =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !isEmptyObject(value)
