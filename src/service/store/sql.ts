/** HOME of sql-template-tag: SQL as values, one text for both engines (`?` for SQLite, `$1` for PostgreSQL). */
import sqlTag, { empty, join, raw, Sql } from 'sql-template-tag'

export { empty, join, raw, Sql }

/** Booleans are 0 and 1 in the database, on both engines. */
const bound = (value: unknown): unknown => (typeof value === 'boolean' ? Number(value) : value)

export const sql = (strings: readonly string[], ...values: unknown[]): Sql => sqlTag(strings, ...values.map(bound))

/** `a and b and c`; true when there is nothing to hold. */
export const every = (conditions: Sql[]): Sql => (conditions.length === 0 ? sql`1 = 1` : join(conditions, ' and '))

/** `(1, 2, 3)` for an `in`; a list that holds nothing for an empty one. */
export const among = (values: readonly unknown[]): Sql => (values.length === 0 ? sql`(null)` : sql`(${join(values)})`)

/** `limit 20`. SQLite compiles a statement anew for each run whose limit is a bare parameter, so that its plan may suit it. */
export const limitedTo = (most: number): Sql => sql`limit cast(${most} as integer)`

/** Column names, spelled once. */
export const columns = (names: readonly string[], table?: string): Sql =>
  raw(names.map((name) => (table ? `${table}.${name}` : name)).join(', '))

/** `a = 1, b = 2` for an update, of the fields that are there. */
export const assignments = (changes: Record<string, unknown>): Sql =>
  join(
    Object.entries(changes).map(([column, value]) => sql`${raw(column)} = ${value}`),
    ', ',
  )

/** `(a, b) values (1, 2)` for an insert. */
export const row = (values: Record<string, unknown>): Sql =>
  sql`(${raw(Object.keys(values).join(', '))}) values (${join(Object.values(values).map(bound))})`
