import type { AddressedRequest, Client } from '../client/client.ts'
import { type Credential, headerOf, placeholder } from '../client/credentials.ts'
import { errorOf, type Origin } from '../client/reply.ts'
import type { Base } from '../client/transport.ts'
import type { HttpReply } from '../contract/endpoint.ts'
import { type AppError, fail } from '../contract/errors.ts'

/** Which of the two addresses a path belongs to. */
export const baseOf = (path: string): Base =>
  /^\/(?:api\/v3(?:[/?]|$)|customers\/available_time(?:[?]|$))/.test(path) ? 'base_url' : 'api_url'

/** The request as it may be shown, with a placeholder where its credential goes. */
export function shownRequest(request: AddressedRequest): AddressedRequest {
  const kind: Credential = request.base === 'base_url' ? 'api_key' : 'access_token'
  const json: Record<string, string> = request.body === undefined ? {} : { 'content-type': 'application/json' }
  return { ...request, headers: { ...headerOf(kind, placeholder[kind]), ...json, ...request.headers } }
}

/** The error that a reply stands for; `undefined` where it is none. */
export function failureIn(reply: HttpReply, origin: Origin): AppError | undefined {
  return reply.status < 200 || reply.status > 299 ? errorOf(reply, origin) : undefined
}

/**
 * Every page of a list as one: the rows of all, and pagination that says so. Pages are followed by their token, never by the
 * address in `next_page`.
 * @throws AppError `usage` for a reply that is no list
 */
export async function everyPage(client: Client, request: AddressedRequest, now: () => number): Promise<string> {
  const rows: string[] = []
  const seen = new Set<string>()
  for (let url: string | undefined = request.url; url !== undefined; ) {
    const reply = await client.raw({ ...request, url })
    const failure = failureIn(reply, { address: client.address[request.base], now: now() })
    if (failure) throw failure
    const { collection, pagination } = listIn(reply)
    rows.push(...collection.map((row) => JSON.stringify(row)))
    const token: string | undefined = pagination?.next_page_token ?? undefined
    if (token !== undefined && seen.has(token))
      fail('bad_reply', 'The service gave the same page token twice, so its list would never end.')
    if (token !== undefined) seen.add(token)
    url = token === undefined ? undefined : withToken(request.url, token)
  }
  const pagination = { count: rows.length, next_page: null, previous_page: null, next_page_token: null, previous_page_token: null }
  return `{"collection":[${rows.join(',')}],"pagination":${JSON.stringify(pagination)}}\n`
}

interface List {
  collection: unknown[]
  pagination?: { next_page_token?: string | null }
}

function listIn({ body }: HttpReply): List {
  try {
    const list = JSON.parse(body)
    if (Array.isArray(list?.collection)) return list
  } catch {
    // Told below, as any other reply that is no list.
  }
  return fail('usage', '--all follows the pages of a list, and what came back is none.')
}

function withToken(path: string, token: string): string {
  const [place = '', query = ''] = path.split('?')
  const search = new URLSearchParams(query)
  search.set('page_token', token)
  return `${place}?${search}`
}
