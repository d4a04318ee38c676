import type { Endpoint, HttpReply } from '../contract/endpoint.ts'
import { AppError, codeOfStatus, type ErrorDetail, type Hint, type WireErrorCode, wireErrorCodes } from '../contract/errors.ts'
import { isGateway, retryAfter } from './retry.ts'

/** Where a reply came from and when, for what is said about it. */
export interface Origin {
  address: string
  now: number
  /** How to find out what became of a write that only a gateway answered. */
  checks?: Hint[]
}

/**
 * What a reply carries. Only its frame is checked, since fields may be added to a record at any time.
 * @returns the record, the page, the rows, whatever a bare reply holds, or `undefined` for an endpoint that answers with nothing
 * @throws AppError with the code the service gave, or `bad_reply`
 */
export function readReply({ success }: Endpoint, reply: HttpReply, origin: Origin): unknown {
  refuseRedirect(reply, origin)
  if (reply.status < 200 || reply.status > 299) throw errorOf(reply, origin)
  if (success.status === 204) return undefined
  const body = parse(reply.body)
  if (success.bare && body !== undefined) return body
  if (success.record && isObject(body) && isObject(body.resource)) return body.resource
  if (success.page && isObject(body) && Array.isArray(body.collection) && isPagination(body.pagination)) return body
  if (success.rows && isObject(body) && Array.isArray(body.collection)) return body
  const what = body === undefined ? 'something that is not JSON' : 'JSON that is not what the interface promises'
  throw badReply(`${origin.address} answered with ${what}. Is that the address of a booking service?`, reply)
}

/** A redirect is never followed: it might lead credentials elsewhere. */
export function refuseRedirect(reply: HttpReply, { address }: Origin): void {
  if (reply.status < 300 || reply.status > 399) return
  const { location } = reply.headers
  throw badReply(
    `${address} points elsewhere${location ? `, to ${location}` : ''}, and redirects are not followed. Correct the address.`,
    reply,
  )
}

/** The error a reply stands for: the service's own words where it has any, else what the status says. */
export function errorOf(reply: HttpReply, { address, now, checks = [] }: Origin): AppError {
  const parsed = parse(reply.body)
  const body = isObject(parsed) ? parsed : {}
  const code = wireErrorCodes.find((known) => known === body.code) ?? codeOfStatus(reply.status)
  if (!code) return badReply(`${address} answered with the status ${reply.status}, which the interface does not know.`, reply)
  const message = text(body.message) ?? text(body.title) ?? `${address} answered with the status ${reply.status}.`
  return new AppError(code, message, {
    details: detailsOf(body.details),
    hints: isGateway(reply.status) ? checks : (hints[code] ?? []),
    request_id: text(body.request_id) ?? reply.headers['x-request-id'],
    retry_after: retryAfter(reply, now),
    status: reply.status,
  })
}

const hints: Partial<Record<WireErrorCode, Hint[]>> = {
  unauthenticated: [
    { command: 'bookctl auth status', why: 'shows which credential was used and where it came from' },
    { command: 'bookctl auth login', why: 'stores a new one' },
  ],
}

const badReply = (message: string, { status, headers }: HttpReply): AppError =>
  new AppError('bad_reply', message, { status, request_id: headers['x-request-id'] })

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value)

function isPagination(value: unknown): boolean {
  if (!isObject(value)) return false
  const token = value.next_page_token
  return token === undefined || token === null || typeof token === 'string'
}

const text = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined)

function detailsOf(given: unknown): ErrorDetail[] {
  if (!Array.isArray(given)) return []
  return given.filter(isObject).flatMap((detail) => {
    const [parameter, message, code] = [text(detail.parameter), text(detail.message), text(detail.code)]
    return message === undefined ? [] : [{ message, ...(parameter ? { parameter } : {}), ...(code ? { code } : {}) }]
  })
}

/** `undefined` for what is not JSON. */
function parse(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    return undefined
  }
}
