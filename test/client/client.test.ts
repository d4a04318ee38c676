import { expect, test } from 'vitest'
import { openLocal } from '../../src/client/transport.ts'
import { type Endpoint, endpoint } from '../../src/contract/endpoint.ts'
import { contract } from '../../src/contract/index.ts'
import { ACCESS_TOKEN, API_KEY, clientFor, errorFrom, json, openDoor, serve } from './support.ts'

const { customers, account } = contract
const read = { params: { customer_id: 7 } }
const user = { resource: { uri: 'https://example.com/users/1', name: 'Ada' } }
const either = endpoint({
  method: 'GET',
  base: 'base_url',
  path: '/customers/available_time',
  auth: 'either',
  summary: 'The one path both addresses share',
  success: { status: 200, bare: customers.get.success.record },
  origin: 'given',
})

test('a call is a request as the contract says', async () => {
  const service = await serve((response) => json(response, 200, { collection: [], pagination: {} }))
  const client = clientFor(openDoor(`${service.url}/booking/`))
  await client.call(customers.list, { query: { search: 'a b&c', count: 5, deleted: undefined } })
  expect(service.seen[0]).toMatchObject({ method: 'GET', url: '/booking/api/v3/customers?search=a+b%26c&count=5', body: '' })
  expect(service.seen[0]!.headers).toMatchObject({ accept: 'application/json', 'user-agent': 'bookctl/test', 'api-key': API_KEY })
  expect(service.seen[0]!.headers).not.toHaveProperty('content-type')
})

test.each([false, true])('a body is JSON, in UTF-8 (pooled: %s)', async (many) => {
  const service = await serve((response) => json(response, 200, { resource: { name: 'Žofie 🎉', of_later_versions: true } }))
  const client = clientFor(openDoor(service.url, { many }))
  const answer = await client.call(customers.update, { ...read, body: { name: 'Žofie 🎉' } }, { headers: { 'If-Match': '"abc"' } })
  expect(answer).toEqual({ name: 'Žofie 🎉', of_later_versions: true })
  expect(JSON.parse(service.seen[0]!.body)).toEqual({ name: 'Žofie 🎉' })
  expect(service.seen[0]!.headers).toMatchObject({ 'content-type': 'application/json', 'if-match': '"abc"', 'content-length': '22' })
  expect(service.seen[0]!.headers).not.toHaveProperty('idempotency-key')
})

test('a call with a signal of its own is not ended by the client’s, and ends by its own', async () => {
  const service = await serve((response) => response.writeHead(204).end())
  const client = clientFor(openDoor(service.url), { signal: AbortSignal.abort() })
  const remove = (extra?: { signal: AbortSignal }) => client.call(customers.delete, { ...read, query: {} }, extra)
  expect(await errorFrom(remove())).toMatchObject({ code: 'interrupted' })
  expect(service.seen).toHaveLength(0)
  expect(await remove({ signal: new AbortController().signal })).toBeUndefined()
  expect(await errorFrom(remove({ signal: AbortSignal.abort() }))).toMatchObject({ code: 'interrupted' })
  expect(service.seen).toHaveLength(1)
})

test('a reply without content is undefined', async () => {
  const service = await serve((response) => response.writeHead(204).end())
  expect(await clientFor(openDoor(service.url)).call(customers.delete, { ...read, query: { soft_delete: true } })).toBeUndefined()
  expect(service.seen[0]!.url).toBe('/api/v3/customers/7?soft_delete=true')
})

test('an error keeps all that the service said', async () => {
  const details = [{ parameter: 'email', message: 'is taken', code: 'taken' }]
  const service = await serve((response) => json(response, 409, { title: 'x', message: 'It exists.', details, code: 'already_exists' }))
  const error = await errorFrom(clientFor(openDoor(service.url)).call(customers.get, read))
  expect(error).toMatchObject({ code: 'already_exists', exit: 5, message: 'It exists.', details, request_id: 'req_1', status: 409 })
})

test('a code that only the tool may have is not taken from a reply', async () => {
  const service = await serve((response) =>
    json(response, 404, { message: 'Gone.', code: 'partly_done', details: 'none', request_id: 'r' }),
  )
  const error = await errorFrom(clientFor(openDoor(service.url)).call(customers.get, read))
  expect(error).toMatchObject({ code: 'not_found', exit: 4, details: [], request_id: 'r' })
})

test('an error page of a gateway is told by its status', async () => {
  const service = await serve((response) => response.writeHead(502, { 'content-type': 'text/html' }).end('<html>Bad Gateway</html>'))
  const error = await errorFrom(clientFor(openDoor(service.url)).call(customers.get, read))
  expect(error).toMatchObject({ code: 'unavailable', exit: 9, status: 502, message: `${service.url} answered with the status 502.` })
})

test.each([
  ['<html>Welcome</html>', 'not JSON'],
  ['', 'not JSON'],
  ['null', 'not what the interface promises'],
  ['{"resource":[]}', 'not what the interface promises'],
  ['{"collection":[]}', 'not what the interface promises'],
])('a reply of %j is a bad reply', async (body, words) => {
  const service = await serve((response) => response.writeHead(200).end(body))
  const client = clientFor(openDoor(service.url))
  for (const call of [client.call(customers.get, read), client.call(customers.list, {})]) {
    const error = await errorFrom(call)
    expect(error).toMatchObject({ code: 'bad_reply', exit: 9 })
    expect(error.message).toContain(words)
  }
})

test('each credential goes to its own address, and is asked for once', async () => {
  const asked: string[] = []
  const ours = await serve((response) => json(response, 200, user))
  const theirs = await serve((response) => json(response, 200, user))
  const credentials = {
    api_key: async () => {
      asked.push('api_key')
      return ` ${API_KEY}\n`
    },
    access_token: async () => ACCESS_TOKEN,
  }
  const client = clientFor(openDoor('', { base_url: ours.url, api_url: theirs.url }), { credentials })
  await client.call(account.me, {})
  await client.call(account.me, {})
  expect(asked).toEqual(['api_key'])
  await client.call(account.currentUser, {})
  await client.raw({ base: 'api_url', method: 'GET', url: '/users/me', headers: {} })
  await client.call(account.authenticate, { body: { email: 'ada@example.com', password: 'secret' } })
  for (const { headers } of ours.seen.slice(0, 2)) expect(headers['api-key']).toBe(API_KEY)
  for (const { headers } of theirs.seen) expect(headers.authorization).toBe(`Bearer ${ACCESS_TOKEN}`)
  expect(ours.seen[2]!.headers).not.toHaveProperty('api-key')
  expect(JSON.stringify(ours.seen.map(({ headers }) => headers))).not.toContain(ACCESS_TOKEN)
  expect(JSON.stringify(theirs.seen.map(({ headers }) => headers))).not.toContain(API_KEY)
})

test('the path both addresses share goes to the address of the credential there is', async () => {
  const ours = await serve((response) => json(response, 200, {}))
  const theirs = await serve((response) => json(response, 200, {}))
  const door = openDoor('', { base_url: ours.url, api_url: theirs.url })
  await clientFor(door).call(either, {})
  await clientFor(door, { credentials: { access_token: async () => ACCESS_TOKEN } }).call(either, {})
  expect(ours.seen.map(({ headers }) => headers['api-key'])).toEqual([API_KEY])
  expect(theirs.seen.map(({ headers }) => [headers['api-key'], headers.authorization])).toEqual([[undefined, `Bearer ${ACCESS_TOKEN}`]])
})

test('in the contract, each credential is for its own address', () => {
  const homes = { api_key: ['base_url'], access_token: ['api_url'], either: ['base_url', 'api_url'], none: ['base_url', 'api_url'] }
  for (const endpoints of Object.values(contract)) {
    for (const { auth, base } of Object.values(endpoints) as Endpoint[]) expect(homes[auth]).toContain(base)
  }
})

test('without a credential nothing is sent', async () => {
  const service = await serve((response) => json(response, 200, user))
  const client = clientFor(openDoor(service.url), { credentials: { api_key: async () => undefined } })
  const error = await errorFrom(client.call(account.me, {}))
  expect(error).toMatchObject({
    code: 'no_credential',
    exit: 3,
    message: `There is no API key for ${service.url}. Sign in, or set BOOKCTL_API_KEY.`,
  })
  expect(error.hints[0]!.command).toBe('bookctl auth login')
  expect(await errorFrom(client.call(account.currentUser, {}))).toMatchObject({ code: 'no_credential' })
  expect(service.seen).toEqual([])
})

test('a credential that no header can carry is refused', async () => {
  const client = clientFor(openDoor('https://example.com'), { credentials: { api_key: async () => 'bk_1\nbk_2' } })
  expect(await errorFrom(client.call(account.me, {}))).toMatchObject({ code: 'no_credential' })
})

test('a header or path that cannot be sent is refused', async () => {
  const client = clientFor(openDoor('https://example.com'))
  expect(await errorFrom(client.call(account.me, {}, { headers: { 'if-match': 'a\r\nb: c' } }))).toMatchObject({ code: 'usage' })
  expect(await errorFrom(client.raw({ base: 'base_url', method: 'GET', url: 'api v3', headers: {} }))).toMatchObject({ code: 'usage' })
  const dots = { params: { customer_id: '..' as unknown as number } }
  expect(await errorFrom(client.call(customers.get, dots))).toMatchObject({ code: 'usage', message: 'customer_id must not be "..".' })
})

test('a trusted door needs no credential and gets none', async () => {
  const seen: object[] = []
  const door = openLocal(async ({ headers }) => {
    seen.push(headers)
    return { status: 200, headers: {}, body: JSON.stringify(user) }
  }, 'local')
  expect(await clientFor(door, { credentials: {} }).call(account.me, {})).toEqual(user.resource)
  await clientFor(door).call(account.me, {})
  for (const headers of seen) expect(headers).not.toHaveProperty('api-key')
})

test('request shows what call would send, without asking for credentials', () => {
  const door = openDoor('https://example.com')
  const client = clientFor(door, { credentials: { api_key: () => Promise.reject(new Error('asked')) } })
  expect(client.request(customers.create, { body: { name: 'Ada' } })).toEqual({
    base: 'base_url',
    method: 'POST',
    url: '/api/v3/customers',
    headers: {
      accept: 'application/json',
      'content-type': 'application/json',
      'user-agent': 'bookctl/test',
      'idempotency-key': '00000000-0000-4000-8000-000000000001',
      'api-key': 'bk_…',
    },
    body: '{"name":"Ada"}',
  })
})

test('raw gives back the reply whatever its status, and makes a POST repeatable', async () => {
  const service = await serve((response, _, nth) => json(response, nth === 1 ? 503 : 404, { message: 'No.' }))
  const client = clientFor(openDoor(service.url))
  const reply = await client.raw({ base: 'base_url', method: 'POST', url: '/api/v3/anything', headers: {}, body: '{}' })
  expect(reply).toMatchObject({ status: 404, body: '{"message":"No."}' })
  expect(service.seen.map(({ headers }) => headers['idempotency-key'])).toEqual(Array(2).fill('00000000-0000-4000-8000-000000000001'))
  expect(service.seen[0]!.headers).toMatchObject({ 'api-key': API_KEY, 'content-type': 'application/json' })
})
