import * as v from 'valibot'
import { expect } from 'vitest'
import type { Endpoint, HttpReply, Schema } from '../../src/contract/endpoint.ts'
import { errorTable, type WireErrorCode, wireErrorCodes } from '../../src/contract/errors.ts'
import { contract } from '../../src/contract/index.ts'

const endpoints: Endpoint[] = Object.values(contract).flatMap((area) => Object.values(area) as Endpoint[])

/** What any endpoint may answer, so it is not listed at each. */
const anywhere: WireErrorCode[] = [
  'invalid_argument',
  'unauthenticated',
  'permission_denied',
  'not_found',
  'method_not_allowed',
  'conflict',
  'payload_too_large',
  'unsupported_media_type',
  'rate_limited',
]

const ErrorBody = v.strictObject({
  title: v.string(),
  message: v.pipe(v.string(), v.nonEmpty()),
  details: v.array(v.strictObject({ parameter: v.optional(v.string()), message: v.string(), code: v.optional(v.string()) })),
  code: v.picklist(wireErrorCodes),
  request_id: v.string(),
})

const token = v.nullable(v.string())
const Pagination = v.strictObject({
  count: v.number(),
  next_page: token,
  previous_page: token,
  next_page_token: token,
  previous_page_token: token,
})

/** The endpoint of the contract that a request is for. */
export function endpointOf(method: string, url: string): Endpoint | undefined {
  if (!URL.canParse(url, 'http://service')) return undefined
  const { pathname } = new URL(url, 'http://service')
  const wanted = method === 'PUT' ? 'PATCH' : method
  return endpoints.find(
    (one) => one.method === wanted && new RegExp(`^${one.path.replace(/\{\w+\}/g, '[^/]+').replaceAll('.', '\\.')}$`).test(pathname),
  )
}

/** Every reply is what the contract says: the record of its endpoint and nothing beside it, or the one error shape. */
export function checkReply(method: string, url: string, reply: HttpReply): void {
  const endpoint = endpointOf(method, url)
  expect(reply.headers['x-request-id'], 'every reply carries x-request-id').toBeTruthy()
  if (reply.status >= 400) checkError(endpoint, reply)
  else checkSuccess(endpoint, reply, `${method} ${url}`)
}

function checkSuccess(endpoint: Endpoint | undefined, reply: HttpReply, request: string): void {
  expect(endpoint, `${request} is in the contract`).toBeDefined()
  const { success } = endpoint as Endpoint
  expect(reply.status).toBe(success.status)
  if (success.status === 204) {
    expect(reply.body).toBe('')
    return
  }
  expect(reply.headers['content-type']).toBe('application/json; charset=utf-8')
  if (success.record && endpoint?.auth !== 'none') expect(reply.headers.etag, 'a record has an etag').toMatch(/^"[\w-]+"$/)
  checkBody(bodySchema(success), JSON.parse(reply.body))
}

function bodySchema({ record, page, rows, bare }: Endpoint['success']): Schema {
  if (record) return v.strictObject({ resource: record })
  if (page) return v.strictObject({ collection: v.array(page), pagination: Pagination })
  if (rows) return v.strictObject({ collection: v.array(rows) })
  return bare as Schema
}

function checkError(endpoint: Endpoint | undefined, { status, headers, body }: HttpReply): void {
  const shown = checkBody(ErrorBody, JSON.parse(body)) as v.InferOutput<typeof ErrorBody>
  expect({ status, title: shown.title }).toEqual({ status: errorTable[shown.code].status, title: errorTable[shown.code].title })
  expect(shown.request_id).toBe(headers['x-request-id'])
  if (endpoint)
    expect([...anywhere, ...(endpoint.errors ?? [])], `${endpoint.method} ${endpoint.path} lists its errors`).toContain(shown.code)
}

/** Strict, and canonical too: reading the body changes nothing in it. */
function checkBody(schema: Schema, body: unknown): unknown {
  const result = v.safeParse(schema, body)
  const findings = result.issues?.map((issue) => `${v.getDotPath(issue)}: ${issue.message}`)
  expect(findings, `the reply fits the contract: ${JSON.stringify(body).slice(0, 500)}`).toBeUndefined()
  expect(result.output).toEqual(body)
  return result.output
}
