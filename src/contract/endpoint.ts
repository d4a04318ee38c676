import type * as v from 'valibot'
import type { WireErrorCode } from './errors.ts'

/** A request as both sides of the wire see it. `url` is the path with its query; the origin is the transport's. */
export interface HttpRequest {
  method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE'
  url: string
  /** Names in lower case. */
  headers: Record<string, string>
  body?: string
  /** The peer's address, where there is a socket. */
  remote_address?: string
}

export interface HttpReply {
  status: number
  /** Names in lower case. */
  headers: Record<string, string>
  body: string
}

/** Says that something is to stop, and why: the part of AbortSignal that is used here. `once` goes without saying. */
export interface Signal {
  readonly aborted: boolean
  readonly reason: unknown
  addEventListener(type: 'abort', listener: () => void, options: { once: true }): void
  removeEventListener(type: 'abort', listener: () => void): void
}

/** Whatever answers requests: a socket, or the service itself in this process. */
export type Transport = (request: HttpRequest, signal?: Signal) => Promise<HttpReply>

export type Schema = v.GenericSchema
/** A schema of an object, with or without checks behind it. */
export type ObjectSchema = v.GenericSchema<Record<string, unknown>, Record<string, unknown>>

/** Which of the two credentials an endpoint takes; `either` is for the one path that both addresses share. */
export type Auth = 'api_key' | 'access_token' | 'either' | 'none'

/** Where an endpoint's description comes from: the given interface, the public facts about its wire, or us. */
export type Origin = 'given' | 'facts' | 'ours'

export interface Endpoint {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  base: 'base_url' | 'api_url'
  /** With parameters in braces, as in `/api/v3/customers/{customer_id}`. */
  path: string
  auth: Auth
  /** The least role that may call it; everybody of the organization when left out. */
  role?: 'admin' | 'owner'
  summary: string
  params?: ObjectSchema
  query?: ObjectSchema
  body?: ObjectSchema
  success: { status: 200 | 201 | 204; record?: Schema; page?: Schema; rows?: Schema; bare?: Schema }
  errors?: WireErrorCode[]
  origin: Origin
  /** What `origin` leaves open: which part is given and which is decided. */
  note?: string
  /** False for a change or removal that takes the locks it needs itself, before it reads. */
  repeatable?: false
  /** `once` for a create whose reply holds a secret that is kept nowhere: it is not remembered for an idempotency-key either. */
  told?: 'once'
  /** False for a write that opens its own transaction, because it has slow work to do outside of one. */
  atomic?: false
}

type In<S> = S extends Schema ? v.InferInput<S> : undefined
type Out<S> = S extends Schema ? v.InferOutput<S> : undefined

/** What a caller hands in. */
export type Input<E extends Endpoint> = (E extends { params: ObjectSchema } ? { params: In<E['params']> } : { params?: undefined }) &
  (E extends { query: ObjectSchema } ? { query?: In<E['query']> } : { query?: undefined }) &
  (E extends { body: ObjectSchema } ? { body: In<E['body']> } : { body?: undefined })

/** What a handler is given, checked and with instants in their canonical form. */
export interface Checked<E extends Endpoint> {
  params: E extends { params: ObjectSchema } ? Out<E['params']> : Record<string, never>
  query: E extends { query: ObjectSchema } ? Out<E['query']> : Record<string, never>
  body: E extends { body: ObjectSchema } ? Out<E['body']> : undefined
}

/** Where a list may be continued: the token of the row after the last, or null at the end. */
export interface Page<T> {
  collection: T[]
  pagination: {
    count: number
    next_page: string | null
    previous_page: string | null
    next_page_token: string | null
    previous_page_token: string | null
  }
}

/** What a call gives back: the record, the page, the rows of an unpaged list, or nothing for a 204. */
export type Output<E extends Endpoint> = E['success'] extends { record: infer R }
  ? Out<R>
  : E['success'] extends { page: infer R }
    ? Page<Out<R>>
    : E['success'] extends { rows: infer R }
      ? { collection: Out<R>[] }
      : E['success'] extends { bare: infer R }
        ? Out<R>
        : undefined

/** Declares an endpoint, keeping the exact types of its schemas. */
export const endpoint = <const E extends Endpoint>(definition: E): E => definition

/** Fills a path's braces: `/customers/{id}` and `{ id: 7 }` give `/customers/7`. */
export function fillPath(path: string, params: Record<string, unknown> = {}): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(params[name])))
}
