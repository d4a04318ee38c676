import { type Endpoint, fillPath, type HttpRequest } from '../contract/endpoint.ts'
import { fail } from '../contract/errors.ts'

/** Any endpoint's input, as the maker of requests sees it. */
export interface AnyInput {
  params?: Record<string, unknown> | undefined
  query?: Record<string, unknown> | undefined
  body?: unknown
}

export interface Frame {
  user_agent: string
  /** For a POST. */
  idempotency_key?: string | undefined
  /** Beside ours, and over them. */
  headers?: Record<string, string> | undefined
}

/**
 * The request for an endpoint and its input, but for the credential.
 * @throws AppError `usage` for a path parameter or a header that cannot be sent
 */
export function requestOf(endpoint: Endpoint, { params, query, body }: AnyInput, frame: Frame): HttpRequest {
  const request: HttpRequest = { method: endpoint.method, url: pathOf(endpoint, params) + queryOf(query), headers: headersOf(frame) }
  if (!endpoint.body || body === undefined) return sendable(request)
  const headers = { 'content-type': 'application/json', ...request.headers }
  return sendable({ ...request, headers, body: JSON.stringify(body) })
}

/** The headers every request has, with its own over them. */
export function headersOf({ user_agent, idempotency_key, headers = {} }: Frame): Record<string, string> {
  const own = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
  const key: Record<string, string> = idempotency_key === undefined ? {} : { 'idempotency-key': idempotency_key }
  return { accept: 'application/json', 'user-agent': user_agent, ...key, ...own }
}

/** A request that every transport will take. @throws AppError `usage` */
export function sendable<R extends HttpRequest>(request: R): R {
  if (!/^\/[\x21-\x7e]*$/.test(request.url)) fail('usage', 'The path must begin with / and be percent-encoded.')
  for (const [name, value] of Object.entries(request.headers)) {
    if (!/^[\w!#$%&'*+.^`|~-]+$/.test(name)) fail('usage', `"${name}" cannot be the name of a header.`)
    if (!/^[\t\x20-\x7e\x80-\xff]*$/.test(value)) fail('usage', `The header ${name} holds characters that a header cannot carry.`)
  }
  return request
}

function pathOf({ path }: Endpoint, params: Record<string, unknown> = {}): string {
  for (const [, name = ''] of path.matchAll(/\{(\w+)\}/g)) {
    const value = params[name]
    const text = String(value ?? '')
    // A dot segment would be folded away, and the path be another's.
    if (text === '' || text === '.' || text === '..') fail('usage', `${name} must not be "${text}".`)
  }
  return fillPath(path, params)
}

function queryOf(query: Record<string, unknown> = {}): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== null)
  // URLSearchParams would do, if its first use did not take as long as the whole of this call.
  const pairs = given.map(([name, value]) => `${encoded(name)}=${encoded(String(value))}`)
  return pairs.length > 0 ? `?${pairs.join('&')}` : ''
}

const encoded = (text: string): string => encodeURIComponent(text.replace(/[\ud800-\udfff]/gu, '\ufffd')).replaceAll('%20', '+')

/** The path to read to learn what became of a write: the record, or the list it would be in. */
export function checkPathOf({ path }: Endpoint, params?: Record<string, unknown>): string {
  const record = path.includes('}') ? path.slice(0, path.lastIndexOf('}') + 1) : path
  return fillPath(record, params)
}
