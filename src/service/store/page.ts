import { invalid } from '../../contract/errors.ts'
import type { Queries } from './engine.ts'
import { every, limitedTo, raw, type Sql, sql } from './sql.ts'

/** Where a page goes on: behind (or before) the row with this key and id, in this order. */
interface Cursor {
  sort: string
  key: string | number
  id: number
  backwards: boolean
}

/** The paging part of a list's query, as the contract has it. */
export interface PageRequest {
  count?: number | undefined
  page_token?: string | undefined
  sort?: string | undefined
}

/** Rows with the tokens that lead on and back; null at the ends. */
export interface PageOf<T> {
  rows: T[]
  next_page_token: string | null
  previous_page_token: string | null
}

export interface Listing<Row> {
  /** `select … from …`, up to the conditions. */
  select: Sql
  where: Sql[]
  /** Each field that can be sorted by, and its column: never null, and indexed together with the id. */
  sortable: Record<string, string>
  /** The id's column. */
  id: string
  /** The value of a sort column in a row. */
  keyOf: (row: Row, field: string) => string | number
}

const DEFAULT_COUNT = 20

/**
 * One page by keyset: its cost does not grow with depth, and rows that come or go elsewhere move nothing.
 * @throws AppError `invalid_argument` for a token that is not ours, or of another order
 */
export function pageOf<Row extends { id: number }>(db: Queries, listing: Listing<Row>, request: PageRequest): Promise<PageOf<Row>> {
  return pageOfAll(db, [listing], request)
}

/** One page of several kinds of rows as of one list; their ids must differ. Each kind is read no further than the page needs. */
export async function pageOfAll<Row extends { id: number }>(
  db: Queries,
  listings: [Listing<Row>, ...Listing<Row>[]],
  request: PageRequest,
): Promise<PageOf<Row>> {
  const [{ sortable, keyOf }] = listings
  const sort = request.sort ?? `${Object.keys(sortable)[0]}:asc`
  const [field, direction] = sort.split(':') as [string, string]
  const count = request.count ?? DEFAULT_COUNT
  const cursor = request.page_token === undefined ? undefined : readToken(request.page_token, sort)
  const backwards = cursor?.backwards ?? false
  const descending = (direction === 'desc') !== backwards
  const found: Row[] = []
  for (const listing of listings) found.push(...(await db.all<Row>(queryOf(listing, { field, descending, cursor, limit: count + 1 }))))
  if (listings.length > 1) found.sort((one, other) => (isBefore(one, other) === descending ? 1 : -1))
  const more = found.length > count
  const rows = found.slice(0, count)
  if (backwards) rows.reverse()

  function isBefore(one: Row, other: Row): boolean {
    const [a, b] = [keyOf(one, field), keyOf(other, field)]
    return a === b ? one.id < other.id : a < b
  }
  const token = (row: Row | undefined, back: boolean) =>
    row ? writeToken({ sort, key: keyOf(row, field), id: row.id, backwards: back }) : null
  return {
    rows,
    next_page_token: backwards || more ? token(rows.at(-1), false) : null,
    previous_page_token: (backwards ? more : cursor !== undefined) ? token(rows[0], true) : null,
  }
}

interface Part {
  field: string
  descending: boolean
  cursor: Cursor | undefined
  limit: number
}

function queryOf<Row>(listing: Listing<Row>, { field, descending, cursor, limit }: Part): Sql {
  const order = raw(descending ? 'desc' : 'asc')
  const column = listing.sortable[field] as string
  const key = raw(column)
  const id = raw(listing.id)
  const beyond = raw(descending ? '<' : '>')
  const where = [...listing.where]
  if (cursor)
    where.push(column === listing.id ? sql`${id} ${beyond} ${cursor.id}` : sql`(${key}, ${id}) ${beyond} (${cursor.key}, ${cursor.id})`)
  const ordered = column === listing.id ? sql`${id} ${order}` : sql`${key} ${order}, ${id} ${order}`
  return sql`${listing.select} where ${every(where)} order by ${ordered} ${limitedTo(limit)}`
}

/** PostgreSQL holds no NUL in a text, and no row has one. */
const isKey = (key: unknown): boolean => (typeof key === 'string' ? !key.includes('\0') : Number.isSafeInteger(key))

function writeToken({ sort, key, id, backwards }: Cursor): string {
  return Buffer.from(JSON.stringify([sort, key, id, backwards ? 1 : 0])).toString('base64url')
}

function readToken(token: string, sort: string): Cursor {
  let parts: unknown
  try {
    parts = JSON.parse(Buffer.from(token, 'base64url').toString())
  } catch {
    parts = undefined
  }
  if (!Array.isArray(parts) || parts.length !== 4) return invalid('page_token', 'page_token is not one of ours; start again without it')
  const [ofSort, key, id, backwards] = parts
  if (!Number.isSafeInteger(id) || !isKey(key) || (backwards !== 0 && backwards !== 1)) {
    return invalid('page_token', 'page_token is not one of ours; start again without it')
  }
  if (ofSort !== sort)
    return invalid('page_token', `page_token belongs to the order ${ofSort}; keep sort as it was, or start again without the token`)
  return { sort, key, id, backwards: backwards === 1 }
}
