import type { Page } from '../contract/endpoint.ts'
import type { View } from '../output/view.ts'
import type { Globals, Result } from './command.ts'

/** Rows that are all there already, as the one page of a list. */
export async function* onePage(collection: unknown[]): AsyncGenerator<Page<unknown>> {
  const pagination = { count: collection.length, next_page: null, previous_page: null, next_page_token: null, previous_page_token: null }
  yield { collection, pagination }
}

/** A list of rows that are all there already: as many as --limit says, or --all, and how many there are. */
export const limitedList = (rows: unknown[], view: View, { all, limit }: Globals): Result => ({
  kind: 'list',
  pages: onePage(all ? rows : rows.slice(0, limit)),
  view,
  total: rows.length,
})
