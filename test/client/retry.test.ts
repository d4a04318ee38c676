import { createServer as createTcpServer } from 'node:net'
import { createServer as createTlsServer } from 'node:tls'
import { describe, expect, test } from 'vitest'
import type { AttemptEvent } from '../../src/client/retry.ts'
import { openLocal } from '../../src/client/transport.ts'
import { contract } from '../../src/contract/index.ts'
import { API_KEY, type Behaviour, clientFor, closedPort, errorFrom, json, listen, openDoor, serve, untrusted } from './support.ts'

const { customers, account } = contract
const ada = { resource: { id: 7, name: 'Ada Lovelace' } }
const read = { params: { customer_id: 7 } }
const change = { ...read, body: { name: 'Ada' } }
const create = { body: { name: 'Ada Lovelace' } }

/** The first requests end badly, the later ones well. */
const badly = (times: number, how: Behaviour, status = 200): Behaviour => {
  return (response, seen, nth) => void (nth > times ? json(response, status, ada) : how(response, seen, nth))
}
const drop: Behaviour = (response) => void response.socket!.destroy()
const say =
  (status: number, headers: Record<string, string> = {}): Behaviour =>
  (response) =>
    void json(response, status, { message: `It is ${status}.` }, headers)

describe.each([
  ['once', false],
  ['undici', true],
])('by %s', (_, many) => {
  const start = async (behave: Behaviour, options = {}) => {
    const service = await serve(behave)
    return { ...service, client: clientFor(openDoor(service.url, { many }), options) }
  }

  test.each([502, 503, 504])('a read is repeated after %i', async (status) => {
    const { client, seen } = await start(badly(2, say(status)))
    expect(await client.call(customers.get, read)).toEqual(ada.resource)
    expect(seen.length).toBe(3)
    expect(client.world.slept).toEqual([187.5, 375])
  })

  test('a read is repeated after a lost connection', async () => {
    const { client, seen } = await start(badly(1, drop))
    expect(await client.call(customers.get, read)).toEqual(ada.resource)
    expect(seen.length).toBe(2)
  })

  test('a read whose connection is lost every time could not reach the service', async () => {
    const { client, seen } = await start(drop)
    const error = await errorFrom(client.call(customers.get, read))
    expect(error).toMatchObject({ code: 'unreachable', exit: 8 })
    expect(error.message).toMatch(/^Could not reach http:\/\/127\.0\.0\.1:\d+: the connection was lost \(\w+\)\.$/)
    expect((error.cause as NodeJS.ErrnoException).code).toMatch(/^(ECONNRESET|UND_ERR_SOCKET)$/)
    expect(seen.length).toBe(5)
  })

  test('500 is not repeated', async () => {
    const { client, seen } = await start(say(500))
    expect(await errorFrom(client.call(customers.get, read))).toMatchObject({ code: 'internal', exit: 9, message: 'It is 500.' })
    expect(seen.length).toBe(1)
  })

  test('429 is waited out as long as the service asks, whatever the method', async () => {
    const { client, seen } = await start(badly(1, say(429, { 'retry-after': '3' })))
    expect(await client.call(customers.update, change)).toEqual(ada.resource)
    expect(seen.length).toBe(2)
    expect(client.world.slept).toEqual([3187.5])
  })

  test('429 that asks for more time than there is ends at once', async () => {
    const { client, seen } = await start(say(429, { 'retry-after': '31' }))
    const error = await errorFrom(client.call(customers.get, read))
    expect(error).toMatchObject({ code: 'rate_limited', exit: 7, retry_after: 31, message: 'It is 429.', request_id: 'req_1' })
    expect(seen.length).toBe(1)
  })

  test('429 every time is rate_limited', async () => {
    const { client, seen } = await start(say(429))
    expect(await errorFrom(client.call(customers.create, create))).toMatchObject({ code: 'rate_limited', exit: 7 })
    expect(seen.length).toBe(5)
  })

  test('a create is repeated with the same idempotency-key', async () => {
    const { client, seen } = await start((response, sent, nth) => badly(2, nth === 1 ? drop : say(503), 201)(response, sent, nth))
    expect(await client.call(customers.create, create)).toEqual(ada.resource)
    const keys = seen.map(({ headers }) => headers['idempotency-key'])
    expect(keys).toEqual(Array(3).fill('00000000-0000-4000-8000-000000000001'))
    expect(new Set(seen.map(({ body }) => body))).toEqual(new Set(['{"name":"Ada Lovelace"}']))
  })

  test('a create has a key of the next call, or of its caller', async () => {
    const { client, seen } = await start((response) => json(response, 201, ada))
    await client.call(customers.create, create)
    await client.call(customers.create, create)
    await client.call(customers.create, create, { headers: { 'Idempotency-Key': 'row-17' } })
    const keys = seen.map(({ headers }) => headers['idempotency-key'])
    expect(keys).toEqual(['00000000-0000-4000-8000-000000000001', '00000000-0000-4000-8000-000000000002', 'row-17'])
  })

  test('a create that loses every reply has an unknown outcome, and says how to find out', async () => {
    const { client, seen } = await start(drop)
    const error = await errorFrom(client.call(customers.create, create))
    expect(error).toMatchObject({ code: 'outcome_unknown', exit: 10 })
    expect(error.hints[0]!.command).toBe('bookctl api GET /api/v3/customers')
    expect(error.hints[1]!.command).toContain("-H 'idempotency-key: 00000000-0000-4000-8000-000000000001'")
    expect(error.cause).toBeInstanceOf(Error)
    expect(seen.length).toBe(5)
  })

  test('a create that lost a reply and is refused later has an unknown outcome too', async () => {
    const { client } = await start((response, sent, nth) => (nth === 1 ? drop : say(503))(response, sent, nth))
    expect(await errorFrom(client.call(customers.create, create))).toMatchObject({ code: 'outcome_unknown', exit: 10 })
  })

  test('a create that 503 answers every time was not made', async () => {
    const { client } = await start(say(503))
    expect(await errorFrom(client.call(customers.create, create))).toMatchObject({ code: 'unavailable', exit: 9, status: 503 })
  })

  test('an update or delete is never repeated once it was sent', async () => {
    const { client, seen } = await start(drop)
    const error = await errorFrom(client.call(customers.update, change))
    expect(error).toMatchObject({ code: 'outcome_unknown', exit: 10 })
    expect(error.hints).toEqual([{ command: 'bookctl api GET /api/v3/customers/7', why: 'shows whether the change was made' }])
    expect(await errorFrom(client.call(customers.delete, read))).toMatchObject({ code: 'outcome_unknown' })
    expect(seen.map(({ method }) => method)).toEqual(['PATCH', 'DELETE'])
  })

  test.each([502, 503, 504])('an update is not repeated after %i', async (status) => {
    const { client, seen } = await start(say(status))
    const error = await errorFrom(client.call(customers.update, change))
    expect(error).toMatchObject({ code: 'unavailable', exit: 9, status })
    expect(error.hints.length).toBe(status === 503 ? 0 : 1)
    expect(seen.length).toBe(1)
  })

  test('signing in is not repeated once it was sent: the service remembers no keys for strangers', async () => {
    const { client, seen } = await start(drop)
    const error = await errorFrom(client.call(account.authenticate, { body: { email: 'ada@example.com', password: 'secret' } }))
    expect(error.code).toBe('outcome_unknown')
    expect(seen.length).toBe(1)
    expect(seen[0]!.headers['idempotency-key']).toBeUndefined()
  })

  test('at a closed port even an update is tried again, and nothing was written', async () => {
    const events: AttemptEvent[] = []
    const url = `http://127.0.0.1:${await closedPort()}`
    const client = clientFor(openDoor(url, { many }), { onAttempt: (event) => events.push(event) })
    const error = await errorFrom(client.call(customers.update, change))
    expect(error).toMatchObject({ code: 'unreachable', exit: 8, message: `Could not reach ${url}: nothing listens there.` })
    expect((error.cause as NodeJS.ErrnoException).code).toBe('ECONNREFUSED')
    expect(events.filter(({ kind }) => kind === 'fault').length).toBe(5)
  })

  test('a name that does not exist is told at once', async () => {
    const client = clientFor(openDoor('https://no-such-host.invalid', { many }))
    const error = await errorFrom(client.call(customers.update, change))
    expect(error).toMatchObject({ code: 'unreachable', exit: 8 })
    expect(error.message).toMatch(
      /^Could not reach https:\/\/no-such-host\.invalid: (there is no such name|the name server does not answer)\.$/,
    )
  })

  test('a certificate that is not trusted is told at once, and nothing was written', async () => {
    const { port } = await listen(createTlsServer(untrusted))
    const client = clientFor(openDoor(`https://127.0.0.1:${port}`, { many }))
    const error = await errorFrom(client.call(customers.update, change))
    expect(error).toMatchObject({ code: 'unreachable', exit: 8 })
    expect(error.message).toContain('no trusted connection could be made (DEPTH_ZERO_SELF_SIGNED_CERT)')
    expect(client.world.slept).toEqual([])
  })

  test('a service that hangs is left when the time is over', async () => {
    const { client, seen } = await start(() => {}, { timeout: 1000 })
    const [lookup, update, creation] = await Promise.all([
      errorFrom(client.call(customers.get, read)),
      errorFrom(client.call(customers.update, change)),
      errorFrom(client.call(customers.create, create)),
    ])
    expect(lookup).toMatchObject({ code: 'unreachable', exit: 8 })
    expect(lookup.message).toContain('did not answer within 1 second.')
    expect(update).toMatchObject({ code: 'outcome_unknown', exit: 10 })
    expect(creation).toMatchObject({ code: 'outcome_unknown', exit: 10 })
    expect(seen.length).toBe(3)
  })

  test('a reply that stops half-way is no reply', async () => {
    const half: Behaviour = (response) => {
      response.writeHead(200, { 'content-length': '1000' }).write('{"resource"', () => response.socket!.destroy())
    }
    const { client } = await start(badly(1, half))
    expect(await client.call(customers.get, read)).toEqual(ada.resource)
  })

  test('the caller ends a call that is under way', async () => {
    const controller = new AbortController()
    const { client } = await start(() => controller.abort(), { signal: controller.signal })
    expect(await errorFrom(client.call(customers.get, read))).toMatchObject({ code: 'interrupted', message: 'Interrupted.' })
    expect(await errorFrom(client.call(customers.update, change))).toMatchObject({ code: 'interrupted', message: 'Interrupted.' })
  })

  test('the caller ends a write that is under way: its outcome is not known', async () => {
    const controller = new AbortController()
    const { client } = await start(() => controller.abort(), { signal: controller.signal })
    const error = await errorFrom(client.call(customers.update, change))
    expect(error).toMatchObject({ code: 'interrupted', exit: 130 })
    expect(error.message).toContain('may or may not have been made')
    expect(error.hints.length).toBe(1)
  })

  test('what is not HTTP is a bad reply to a read, and an unknown outcome of a write', async () => {
    const { url } = await listen(createTcpServer((socket) => socket.once('data', () => socket.end('SSH-2.0-OpenSSH_9.6\r\n'))))
    const client = clientFor(openDoor(url, { many }))
    expect(await errorFrom(client.call(customers.get, read))).toMatchObject({ code: 'bad_reply', exit: 9 })
    expect(await errorFrom(client.call(customers.update, change))).toMatchObject({ code: 'outcome_unknown', exit: 10 })
  })

  test('every attempt is told, and no secret', async () => {
    const events: AttemptEvent[] = []
    const { client } = await start(badly(1, say(503)), { onAttempt: (event: AttemptEvent) => events.push(event) })
    await client.call(customers.get, read)
    expect(events.map(({ kind, attempt }) => `${attempt} ${kind}`)).toEqual(['1 send', '1 reply', '1 wait', '2 send', '2 reply'])
    expect(events[2]).toMatchObject({ why: '503', ms: 187.5 })
    expect(events[0]!.request.headers['api-key']).toBe('bk_…')
    expect(JSON.stringify(events)).not.toContain(API_KEY)
  })
})

test('a fault of the program is not told as one of the network', async () => {
  const fault = new TypeError('a bug')
  const client = clientFor(openLocal(() => Promise.reject(fault), 'local'))
  await expect(client.call(customers.get, read)).rejects.toBe(fault)
})
