import type { Page } from '../contract/endpoint.ts'
import { fail } from '../contract/errors.ts'

type Query = Record<string, unknown>

/** The most rows the service puts on a page. */
const MOST_ROWS = 100

/**
 * Follows a list by its page tokens (never by the address in `next_page`, which might lead elsewhere).
 * @throws AppError `bad_reply` when a token comes a second time: following it would never end
 */
export async function* pagesOf(
  get: (query: Query) => Promise<Page<unknown>>,
  query: Query,
  limit = Number.POSITIVE_INFINITY,
): AsyncGenerator<Page<unknown>> {
  const seen = new Set([query.page_token])
  const size = typeof query.count === 'number' ? query.count : MOST_ROWS
  let page_token = query.page_token
  for (let wanted = limit; wanted > 0; ) {
    const page = await get({ ...query, count: Math.min(size, MOST_ROWS, wanted), page_token })
    const collection = page.collection.slice(0, wanted)
    yield collection.length === page.collection.length ? page : { ...page, collection }
    wanted -= collection.length
    page_token = page.pagination.next_page_token ?? undefined
    if (page_token === undefined) return
    if (seen.has(page_token)) fail('bad_reply', 'The service gave the same page token twice, so its list would never end.')
    seen.add(page_token)
  }
}
