import type { Page } from '../contract/endpoint.ts'

/** Rows that are all there already, as the one page of a list. */
export async function* onePage(collection: unknown[]): AsyncGenerator<Page<unknown>> {
  const pagination = { count: collection.length, next_page: null, previous_page: null, next_page_token: null, previous_page_token: null }
  yield { collection, pagination }
}
