import * as v from 'valibot'
import { expect } from 'vitest'
import type { Endpoint, HttpReply, Schema } from '../../src/contract/endpoint.ts'
import { errorTable, type WireErrorCode } from '../../src/contract/errors.ts'
import { contract } from '../../src/contract/index.ts'
import { errorsOf } from '../../src/contract/openapi.ts'
import { checkDocumented } from './document.ts'

const endpoints: Endpoint[] = Object.values(contract).flatMap((area) => Object.values(area) as Endpoint[])

/** The endpoint of the contract that a request is for. */
function endpointOf(method: string, url: string): Endpoint | undefined {
  if (!URL.canParse(url, 'http://service')) return undefined
  const { pathname } = new URL(url, 'http://service')
  const wanted = method === 'PUT' ? 'PATCH' : method
  return endpoints.find(
    (one) => one.method === wanted && new RegExp(`^${one.path.replace(/\{\w+\}/g, '[^/]+').replaceAll('.', '\\.')}$`).test(pathname),
  )
}

/**
 * A reply of the service is what is documented; and beyond what JSON Schema can say, it is what the contract says: a record in its
 * canonical form, an error with the status and title of its code.
 */
export function checkReply(method: string, url: string, reply: HttpReply): void {
  checkDocumented(method, url, reply)
  const endpoint = endpointOf(method, url)
  if (reply.status >= 400) checkError(endpoint, reply)
  else if (reply.body !== '') checkRecords(endpoint as Endpoint, JSON.parse(reply.body))
}

function checkError(endpoint: Endpoint | undefined, { status, headers, body }: HttpReply): void {
  const { code, title, request_id } = JSON.parse(body) as { code: WireErrorCode; title: string; request_id: string }
  expect({ status, title }).toEqual({ status: errorTable[code].status, title: errorTable[code].title })
  expect(request_id).toBe(headers['x-request-id'])
  const codes = endpoint && errorsOf(endpoint).flatMap(([, listed]) => listed)
  if (codes) expect(codes, `${endpoint?.method} ${endpoint?.path} lists its errors`).toContain(code)
}

function checkRecords({ success: { record, page, rows, bare } }: Endpoint, body: Record<string, unknown>): void {
  if (record) checkCanonical(record, body.resource)
  else if (bare) checkCanonical(bare, body)
  else checkCanonical(v.array((page ?? rows) as Schema), body.collection)
}

/** Reading it changes nothing in it. */
function checkCanonical(schema: Schema, given: unknown): void {
  const result = v.safeParse(schema, given)
  const findings = result.issues?.map((issue) => `${v.getDotPath(issue)}: ${issue.message}`)
  expect(findings, `the reply fits the contract: ${JSON.stringify(given).slice(0, 500)}`).toBeUndefined()
  expect(result.output).toEqual(given)
}
