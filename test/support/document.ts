import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { expect } from 'vitest'

/** A reply from anywhere: this process, or a socket. Names of headers in lower case. */
export interface AnyReply {
  status: number
  headers: Record<string, string>
  body: string
}

interface Documented {
  headers: Record<string, { $ref: string }>
  content?: Record<string, { schema: object }>
}

// biome-ignore lint/suspicious/noExplicitAny: a document is read as JSON
const document: any = JSON.parse(readFileSync(join(__dirname, '../../docs/openapi.json'), 'utf8'))
const paths = Object.keys(document.paths).map((path) => ({ path, pattern: new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}$`) }))

// Strict: a word of a schema that means nothing is a mistake, but for those of the document around it and our own.
const ajv = new Ajv2020({ allErrors: true, allowUnionTypes: true, keywords: [...Object.keys(document), 'x-format'] })
addFormats.default(ajv)
ajv.addSchema(document, 'document')

/** What the socket puts there beside the service. */
const ofTheSocket = ['cache-control', 'connection', 'content-length', 'content-type', 'date', 'keep-alive', 'x-content-type-options']

/**
 * Holds a reply against `docs/openapi.json`: its status is documented, it has every header that is promised there and no other, its
 * type is the documented one, and its body fits the schema. The reply to HEAD has no body to look at.
 */
export function checkDocumented(method: string, url: string, { status, headers, body }: AnyReply): void {
  const request = `${method} ${url.slice(0, 200)} → ${status}`
  const pointer = pointerOf(method, url, status)
  if (pointer === undefined) throw new Error(`${request} is not in docs/openapi.json`)
  const response: Documented = at(pointer)
  const promised = Object.entries(response.headers).filter(([, { $ref }]) => at($ref.slice(1)).required)
  expect(Object.keys(headers), `${request} has the headers that are promised`).toEqual(
    expect.arrayContaining(promised.map(([name]) => name)),
  )
  const unknown = Object.keys(headers).filter((name) => !(name in response.headers) && !ofTheSocket.includes(name))
  expect(unknown, `${request} has headers that are not documented`).toEqual([])
  const [type] = Object.keys(response.content ?? {})
  expect(headers['content-type']?.split(';')[0], `${request} has the documented type`).toBe(type)
  if (method === 'HEAD') return
  if (type === undefined) expect(body, `${request} has no body`).toBe('')
  else expect(findings(`${pointer}/content/${escaped(type)}/schema`, JSON.parse(body)), `${request}: ${body.slice(0, 500)}`).toEqual([])
}

/** What the service answers beside the document: for those who run it. */
const beside = ['/healthz', '/readyz', '/openapi.json']

/** `fetch`, the reply held against the document. */
export async function fetchChecked(url: string, init: RequestInit = {}): Promise<Response> {
  const response = await fetch(url, init)
  if (beside.includes(new URL(url).pathname)) return response
  const { status, headers } = response
  const body = await response.clone().text()
  checkDocumented(init.method ?? 'GET', url, { status, headers: Object.fromEntries(headers), body })
  return response
}

/** Where the document says what a request may get with this status. */
function pointerOf(method: string, url: string, status: number): string | undefined {
  const known = URL.canParse(url, 'http://service') ? pathOf(new URL(url, 'http://service').pathname) : undefined
  if (known === undefined)
    return status === 404 || status === 400 ? `/components/responses/${status === 404 ? 'not_found' : 'invalid_argument'}` : undefined
  const operation = { PUT: 'patch', HEAD: 'get' }[method] ?? method.toLowerCase()
  const responses = document.paths[known][operation]?.responses
  if (responses === undefined) return status === 405 ? '/components/responses/method_not_allowed' : undefined
  if (responses[status] === undefined) return undefined
  return responses[status].$ref?.slice(1) ?? `/paths/${escaped(known)}/${operation}/responses/${status}`
}

/** A path without parameters wins: `/users/me` is no user's. */
function pathOf(pathname: string): string | undefined {
  const fitting = paths.filter(({ pattern }) => pattern.test(pathname)).map(({ path }) => path)
  return fitting.find((path) => path === pathname) ?? fitting[0]
}

const escaped = (name: string): string => name.replaceAll('~', '~0').replaceAll('/', '~1')
const unescaped = (name: string): string => name.replaceAll('~1', '/').replaceAll('~0', '~')

// biome-ignore lint/suspicious/noExplicitAny: a document is read as JSON
function at(pointer: string): any {
  return pointer
    .slice(1)
    .split('/')
    .reduce((node, name) => node?.[unescaped(name)], document)
}

function findings(pointer: string, body: unknown): string[] {
  const validate = ajv.getSchema(`document#${encodeURI(pointer)}`)
  if (!validate) throw new Error(`There is no schema at ${pointer}`)
  validate(body)
  return (validate.errors ?? []).map(({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`)
}
