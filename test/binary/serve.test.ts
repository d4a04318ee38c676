import { connect, type Socket } from 'node:net'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { type Business, createHomes, type Serving, until } from '../support/binary.ts'
import { fetchChecked } from '../support/document.ts'

const homes = createHomes()
let business: Business
let serving: Serving

beforeAll(async () => {
  business = await homes.business()
  serving = await business.serve()
})

const get = (path: string, init: RequestInit = {}) => fetchChecked(serving.url + path, init)
const key = () => ({ 'api-key': business.api_key })

/** A connection on which the test writes byte by byte. */
function dial({ url }: Serving): { socket: Socket; received(): string; closed: Promise<void> } {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  onTestFinished(() => void socket.destroy())
  let received = ''
  socket.setEncoding('utf8').on('data', (text) => (received += text))
  socket.on('error', () => undefined)
  const closed = new Promise<void>((resolve) => socket.on('close', () => resolve()))
  return { socket, received: () => received, closed }
}

describe('for those who run it', () => {
  test('/healthz and /readyz say that it is well, to GET and to HEAD', async () => {
    for (const path of ['/healthz', '/readyz']) {
      const reply = await get(path)
      expect([reply.status, await reply.text()]).toEqual([200, path === '/healthz' ? 'ok\n' : 'ready\n'])
      const head = await get(path, { method: 'HEAD' })
      expect([head.status, await head.text()]).toEqual([200, ''])
    }
  })

  test('it says on stdout that it is ready, once, in words or as JSON', async () => {
    const { says, child, ended } = business.start(['serve', '--port', '0'])
    await says('Listening on http://127.0.0.1:')
    child.kill('SIGTERM')
    expect((await ended).stdout).toMatch(/^Listening on http:\/\/127\.0\.0\.1:\d+\n$/)
    expect(serving).toMatchObject({ url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/), pid: expect.any(Number) })
  })

  test('each request is a line of its log', async () => {
    const reply = await get('/api/v3/customers?search=secret', { headers: key() })
    const id = reply.headers.get('x-request-id')
    await until(() => serving.log().includes(`"${id}"`))
    const line = serving
      .log()
      .trim()
      .split('\n')
      .find((entry) => entry.includes(`"${id}"`)) as string
    expect(JSON.parse(line)).toMatchObject({ event: 'request', method: 'GET', path: '/api/v3/customers', status: 200 })
  })
})

describe('what it refuses', () => {
  test.each<[string, number, string, () => Promise<Response>]>([
    ['a path that is not there', 404, 'not_found', () => get('/api/v3/nothing', { headers: key() })],
    ['a method that is not offered', 405, 'method_not_allowed', () => get('/api/v3/customers', { method: 'DELETE', headers: key() })],
    ['a method at an address for those who run it', 405, 'method_not_allowed', () => get('/healthz', { method: 'POST' })],
    ['no credential', 401, 'unauthenticated', () => get('/api/v3/customers')],
    ['a body of more than a megabyte', 413, 'payload_too_large', () => post('x'.repeat(1024 * 1024 + 1))],
    ['a body that is not said to be JSON', 415, 'unsupported_media_type', () => post('name=Ada', 'application/x-www-form-urlencoded')],
    ['a body that is no JSON', 400, 'invalid_argument', () => post('{"name":')],
  ])('%s, in the one shape of errors', async (_, status, code, send) => {
    const reply = await send()
    expect(reply.status).toBe(status)
    expect(await reply.json()).toMatchObject({ code, message: expect.any(String), request_id: reply.headers.get('x-request-id') })
  })

  const post = (body: string, type = 'application/json') =>
    get('/api/v3/customers', { method: 'POST', headers: { ...key(), 'content-type': type }, body })

  test('headers of more than sixteen kilobytes', async () => {
    const { socket, received, closed } = dial(serving)
    socket.write(`GET /healthz HTTP/1.1\r\nhost: x\r\nx-long: ${'x'.repeat(17 * 1024)}\r\n\r\n`)
    await closed
    expect(received()).toMatch(/^HTTP\/1\.1 431 /)
  })

  test('a request that is none', async () => {
    const { socket, received, closed } = dial(serving)
    socket.write('EHLO example.com\r\n\r\n')
    await closed
    expect(received()).toMatch(/^HTTP\/1\.1 400 /)
  })

  test.concurrent('headers that never end, and a body that never comes, are cut off, and others are served meanwhile', async () => {
    const slowHeaders = dial(serving)
    slowHeaders.socket.write('GET /healthz HTTP/1.1\r\nhost: x\r\n')
    const slowBody = dial(serving)
    slowBody.socket.write(
      `POST /api/v3/customers HTTP/1.1\r\nhost: x\r\napi-key: ${business.api_key}\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n{`,
    )
    expect((await get('/healthz')).status).toBe(200)
    await Promise.all([slowHeaders.closed, slowBody.closed])
    expect(slowHeaders.received()).toMatch(/^HTTP\/1\.1 408 /)
    expect((await get('/healthz')).status).toBe(200)
  })
})

describe('connections', () => {
  test('one connection carries several requests', async () => {
    const { socket, received } = dial(serving)
    const count = () => received().split('HTTP/1.1 200').length - 1
    for (const turn of [1, 2, 3]) {
      socket.write('GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n')
      await until(() => count() === turn && received().endsWith('ok\n'))
    }
  })

  test('HEAD has the headers of GET and no body', async () => {
    const asked = { headers: key() }
    const [whole, head] = [await get('/api/v3/customers/1', asked), await get('/api/v3/customers/1', { ...asked, method: 'HEAD' })]
    expect(head.status).toBe(200)
    expect(await head.text()).toBe('')
    expect(head.headers.get('content-length')).toBe(String((await whole.text()).length))
    expect(head.headers.get('etag')).toBe(whole.headers.get('etag'))
  })
})

describe('the end', () => {
  test('SIGTERM lets a request that is under way finish, and takes no new one', async () => {
    const own = await business.serve()
    const body = JSON.stringify({ name: 'The Last Customer' })
    const { socket, received, closed } = dial(own)
    const head = `POST /api/v3/customers HTTP/1.1\r\nhost: x\r\napi-key: ${business.api_key}\r\ncontent-type: application/json\r\n`
    socket.write(`${head}expect: 100-continue\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n`)
    // The service has taken the request up, and waits for its body.
    await until(() => received().startsWith('HTTP/1.1 100'))
    own.signal('SIGTERM')
    await until(() => own.log().includes('"stopping"'))
    await expect(fetch(`${own.url}/healthz`)).rejects.toThrow()
    socket.write(body)
    await closed
    expect(received()).toContain('HTTP/1.1 201')
    const { exit, stderr } = await own.ended
    expect(exit).toBe(143)
    expect(JSON.parse(stderr.trim().split('\n').at(-1) as string).event).toBe('stopped')
    expect((await business.json(['customers', 'list', '--search', 'The Last'])).collection).toHaveLength(1)
  })

  test('an idle connection does not hold it up', async () => {
    const own = await business.serve()
    const { socket, received, closed } = dial(own)
    socket.write('GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n')
    await until(() => received().endsWith('ok\n'))
    expect((await own.stop()).exit).toBe(143)
    await closed
  })
})

test('two of them serve one database file, and each sees what the other wrote', async () => {
  const other = await business.serve(['--quiet'])
  const create = (url: string, index: number) =>
    fetchChecked(`${url}/api/v3/customers`, {
      method: 'POST',
      headers: { ...key(), 'content-type': 'application/json' },
      body: JSON.stringify({ name: `Twin ${index}`, email: `twin-${index}@example.com` }),
    })
  const replies = await Promise.all(Array.from({ length: 40 }, (_, index) => create(index % 2 ? serving.url : other.url, index % 20)))
  expect(replies.filter(({ status }) => status === 201)).toHaveLength(20)
  expect(replies.filter(({ status }) => status === 409)).toHaveLength(20)
  expect((await business.json(['customers', 'list', '--search', 'twin-'])).collection).toHaveLength(20)
})

test('--host and --port say what is wrong with them', async () => {
  expect(await business.run(['serve', '--port', '70000'])).toMatchObject({ exit: 2, stderr: expect.stringContaining('--port must be') })
  const elsewhere = await business.run(['serve', '--port', '0', '--host', '192.0.2.1'])
  expect(elsewhere).toMatchObject({ exit: 9, stderr: expect.stringContaining('Cannot listen on 192.0.2.1') })
})
