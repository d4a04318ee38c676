import { createConfig, lintFromString } from '@redocly/openapi-core'
import { expect, test } from 'vitest'
import type { Endpoint } from '../../src/contract/endpoint.ts'
import { contract } from '../../src/contract/index.ts'
import { openapi } from '../../src/contract/openapi.ts'

// biome-ignore lint/suspicious/noExplicitAny: a document is read as JSON
type Any = any

const document: Any = JSON.parse(JSON.stringify(openapi(contract)))
const operations: [string, string, Any][] = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods as Any).map(([method, operation]): [string, string, Any] => [path, method, operation]),
)

/** Every value of the document that stands behind a key of that name. */
function behind(key: string, node: Any): Any[] {
  if (typeof node !== 'object' || node === null) return []
  return Object.entries(node).flatMap(([name, value]) => [...(name === key ? [value] : []), ...behind(key, value)])
}

const at = (ref: string): Any =>
  ref
    .slice(2)
    .split('/')
    .reduce((node: Any, name) => node?.[name], document)

/** What the linter warns of and is right as it is. */
const rightSo = [
  // No licence has been given.
  'info-license #/info',
  // The reply to a method that is no operation's cannot stand at an operation.
  'no-unused-components #/components/responses/method_not_allowed',
]

test('the document passes the linter, with its recommended rules', async () => {
  const config = await createConfig({ extends: ['recommended'] })
  const problems = await lintFromString({ source: JSON.stringify(document), config })
  expect(problems.map(({ ruleId, location }) => `${ruleId} ${location[0]?.pointer}`)).toEqual(rightSo)
})

test('every area says what it is about', () => {
  expect(document.tags.filter(({ description }: Any) => !description)).toEqual([])
})

test('every endpoint of the contract is one operation, with an id of its own', () => {
  const endpoints = Object.values(contract).flatMap((area) => Object.values(area) as Endpoint[])
  expect(operations.map(([path, method]) => `${method} ${path}`).sort()).toEqual(
    endpoints.map(({ method, path }) => `${method.toLowerCase()} ${path}`).sort(),
  )
  const ids = operations.map(([, , { operationId }]) => operationId)
  expect(new Set(ids).size).toBe(ids.length)
  expect(ids).toEqual(expect.arrayContaining(['customers_list', 'appointments_no_show', 'appointment_types_create']))
})

test('every reference leads somewhere', () => {
  const refs = behind('$ref', document)
  expect(refs.length).toBeGreaterThan(100)
  expect(refs.filter((ref) => !ref.startsWith('#/') || at(ref) === undefined)).toEqual([])
})

test('every parameter of a path is declared and required, and every input of a request is described', () => {
  for (const [path, method, { parameters = [] }] of operations) {
    const own = parameters.filter((one: Any) => !one.$ref)
    const inPath = own.filter((one: Any) => one.in === 'path')
    expect(
      inPath.map((one: Any) => `{${one.name}}`),
      path,
    ).toEqual(path.match(/\{\w+\}/g) ?? [])
    expect(inPath.every((one: Any) => one.required)).toBe(true)
    for (const one of own.filter((other: Any) => other.in === 'query'))
      expect(one.description, `${method} ${path} ${one.name}`).toBeTruthy()
  }
})

test('success comes in its envelope, and every error in the one shape', () => {
  const { get, post } = document.paths['/api/v3/customers']
  const schemaOf = (reply: Any) => reply.content['application/json'].schema
  expect(schemaOf(get.responses[200]).properties).toEqual({
    collection: { type: 'array', items: { $ref: '#/components/schemas/Customer' } },
    pagination: { $ref: '#/components/schemas/Pagination' },
  })
  expect(schemaOf(post.responses[201]).properties).toEqual({ resource: { $ref: '#/components/schemas/Customer' } })
  for (const [path, , { responses }] of operations) {
    const replies = Object.entries(responses as Any).map(([status, reply]: [string, Any]) => [
      Number(status),
      reply.$ref ? at(reply.$ref) : reply,
    ])
    for (const [status, reply] of replies) {
      expect(reply.headers['x-request-id'], path).toBeDefined()
      if (status >= 400) expect(schemaOf(reply)).toEqual({ $ref: '#/components/schemas/Error' })
    }
    expect(Object.keys(responses)).toEqual(expect.arrayContaining(['429', '500', '503']))
  }
})

test('errors follow from what an endpoint is', () => {
  const statuses = (path: string, method: string) => Object.keys(document.paths[path][method].responses)
  expect(statuses('/api/v3/customers/{customer_id}', 'get')).toEqual(['200', '400', '401', '404', '429', '500', '503'])
  expect(statuses('/api/v3/me', 'get')).toEqual(['200', '400', '401', '429', '500', '503'])
  expect(statuses('/api/v3/staff_members', 'post')).toEqual(['201', '400', '401', '403', '409', '413', '415', '429', '500', '503'])
})

test('formats are said in the words of JSON Schema, on the way in and on the way out', () => {
  const body = document.paths['/api/v3/appointments'].post.requestBody.content['application/json'].schema
  expect(body.properties.start_time).toEqual({ type: 'string', format: 'date-time', description: 'When it starts' })
  expect(body.required).toEqual(['appointment_type_id', 'start_time'])
  expect(document.components.schemas.Customer.properties.deleted_at).toMatchObject({ type: ['string', 'null'], format: 'date-time' })
  expect(document.components.schemas.Customer.properties.time_zone).toEqual({ type: ['string', 'null'], 'x-format': 'zone' })
})

test('each operation says which address and which credential it takes, and whether it is given', () => {
  const available = document.paths['/customers/available_time'].get
  expect(available.security).toEqual([{ apiKey: [] }, { bearer: [] }])
  expect(document.paths['/users/me'].get).toMatchObject({
    security: [{ bearer: [] }],
    servers: [{ url: '{api_url}' }],
    'x-origin': 'facts',
  })
  expect(document.paths['/api/v3/authenticate'].post.security).toEqual([])
})
