import { execFile } from 'node:child_process'
import { createServer as createTcpServer, type Socket } from 'node:net'
import { createServer as createTlsServer } from 'node:tls'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import { proxyFor } from '../../src/client/proxy.ts'
import { contract } from '../../src/contract/index.ts'
import { API_KEY, clientFor, errorFrom, json, listen, openDoor, serve, serveProxy, untrusted } from './support.ts'

const { customers } = contract
const read = { params: { customer_id: 7 } }
const change = { ...read, body: { name: 'Ada' } }
const ada = { resource: { id: 7 } }

describe.each([false, true])('pooled: %s', (many) => {
  test.each([301, 302, 307, 308])('a redirect (%i) is not followed', async (status) => {
    const other = await serve((response) => json(response, 200, ada))
    const service = await serve((response) => response.writeHead(status, { location: `${other.url}/there` }).end())
    const client = clientFor(openDoor(service.url, { many }))
    const error = await errorFrom(client.call(customers.get, read))
    expect(error).toMatchObject({ code: 'bad_reply', exit: 9, status })
    expect(error.message).toContain(`points elsewhere, to ${other.url}/there`)
    expect(await errorFrom(client.raw({ base: 'base_url', method: 'GET', url: '/', headers: {} }))).toMatchObject({ code: 'bad_reply' })
    expect(other.seen).toEqual([])
    expect(service.seen.length).toBe(2)
  })

  test('a reply that does not end is cut off', async () => {
    const chunk = Buffer.alloc(1024 * 1024, 0x20)
    const service = await serve((response) => {
      const more = () => {
        while (!response.destroyed && response.write(chunk));
      }
      response.on('drain', more)
      more()
    })
    const error = await errorFrom(clientFor(openDoor(service.url, { many })).call(customers.get, read))
    expect(error).toMatchObject({ code: 'bad_reply', message: 'The reply is larger than 64 MiB.' })
  })

  test.each([
    ['http://example.com', '--insecure-http'],
    ['http://10.0.0.1:8080', '--insecure-http'],
    ['http://127.0.0.1.example.com', '--insecure-http'],
    ['ftp://example.com', 'not the address of a service'],
    ['example.com', 'not the address of a service'],
    ['', 'not the address of a service'],
    ['https://ada:secret@example.com', 'must not hold a name or password'],
    ['https://example.com/?a=1', 'must not hold a query'],
  ])('the address %j is refused', async (address, words) => {
    const error = await errorFrom(clientFor(openDoor(address, { many })).call(customers.get, read))
    expect(error).toMatchObject({ code: 'usage', exit: 2 })
    expect(error.message).toContain(words)
  })
})

test.each(['http://localhost:1', 'http://[::1]:1', 'http://127.1.2.3', 'https://example.com'])('the address %s is allowed', (address) => {
  expect(() => openDoor(address).to('base_url')).not.toThrow()
})

test('the address that is not used may be unusable', async () => {
  const service = await serve((response) => json(response, 200, ada))
  expect(await clientFor(openDoor(service.url, { api_url: 'nonsense' })).call(customers.get, read)).toEqual(ada.resource)
})

test('a pool keeps its connections', async () => {
  const ports = new Set<number>()
  const service = await serve((response) => {
    ports.add(response.socket!.remotePort!)
    json(response, 200, ada)
  })
  const client = clientFor(openDoor(service.url, { many: true }))
  for (let times = 0; times < 5; times++) await client.call(customers.get, read)
  // Two, for undici may take a second one while the first is just done.
  expect(ports.size).toBeLessThanOrEqual(2)
})

describe('proxies', () => {
  // No name server knows service.test: whoever reaches it came through the proxy.
  const through = (port: number, proxies: Record<string, string>) =>
    openDoor(`http://service.test:${port}`, { proxies, insecureHttp: true })

  test('a call goes through the proxy, which never sees the credential', async () => {
    const service = await serve((response) => json(response, 200, ada))
    const proxy = await serveProxy()
    const client = clientFor(through(service.port, { http_proxy: proxy.url.replace('//', '//us%40er:pass@') }))
    expect(await client.call(customers.get, read)).toEqual(ada.resource)
    expect(service.seen[0]!.headers).toMatchObject({ host: `service.test:${service.port}`, 'api-key': API_KEY })
    expect(proxy.tunnels.map(({ to }) => to)).toEqual([`service.test:${service.port}`])
    expect(proxy.tunnels[0]!.headers['proxy-authorization']).toBe(`Basic ${Buffer.from('us@er:pass').toString('base64')}`)
    expect(JSON.stringify(proxy.tunnels)).not.toContain(API_KEY)
  })

  test('NO_PROXY goes straight there', async () => {
    const proxy = await serveProxy()
    const client = clientFor(through(1, { HTTP_PROXY: proxy.url, NO_PROXY: 'example.com, .test' }))
    expect(await errorFrom(client.call(customers.get, read))).toMatchObject({ code: 'unreachable' })
    expect(proxy.tunnels).toEqual([])
  })

  test('a proxy that refuses is told, and nothing was written', async () => {
    const proxy = await serveProxy(false)
    const error = await errorFrom(clientFor(through(1, { HTTP_PROXY: proxy.url })).call(customers.update, change))
    expect(error).toMatchObject({ code: 'unreachable', exit: 8 })
    expect(error.message).toMatch(/through the proxy 127\.0\.0\.1:\d+: the proxy refused \(403\)\.$/)
    expect(proxy.tunnels.length).toBe(1)
  })

  test('a proxy that hangs up is told, and nothing was written', async () => {
    let calls = 0
    const hangUp = (socket: Socket) => {
      calls++
      socket.destroy()
    }
    const { url } = await listen(createTcpServer((socket) => socket.once('data', () => hangUp(socket))))
    const client = clientFor(through(1, { HTTP_PROXY: url }), { timeout: 5000 })
    const error = await errorFrom(client.call(customers.update, change))
    expect(error).toMatchObject({ code: 'unreachable', exit: 8 })
    expect(error.message).toContain('the connection was lost')
    expect(calls).toBe(5)
  })

  test('behind a proxy too, a certificate must be trusted', async () => {
    const { port } = await listen(createTlsServer(untrusted))
    const proxy = await serveProxy()
    const client = clientFor(openDoor(`https://service.test:${port}`, { proxies: { HTTPS_PROXY: proxy.url } }))
    const error = await errorFrom(client.call(customers.update, change))
    expect(error).toMatchObject({ code: 'unreachable', exit: 8 })
    expect(error.message).toContain('no trusted connection could be made')
  })

  test.each([
    ['https://api.example.com', { HTTPS_PROXY: 'http://p:1' }, 'http://p:1/'],
    ['https://api.example.com', { HTTPS_PROXY: 'http://p:1', https_proxy: 'http://q:2' }, 'http://q:2/'],
    ['https://api.example.com', { HTTPS_PROXY: 'p:1' }, 'http://p:1/'],
    ['https://api.example.com', { HTTP_PROXY: 'http://p:1' }, undefined],
    ['https://api.example.com', { HTTPS_PROXY: 'http://p:1', NO_PROXY: '*' }, undefined],
    ['https://api.example.com', { HTTPS_PROXY: 'http://p:1', NO_PROXY: 'example.com' }, undefined],
    ['https://api.example.com', { HTTPS_PROXY: 'http://p:1', no_proxy: '*.example.com' }, undefined],
    ['https://api.example.com', { HTTPS_PROXY: 'http://p:1', NO_PROXY: 'ample.com' }, 'http://p:1/'],
    ['https://api.example.com', { HTTPS_PROXY: 'http://p:1', NO_PROXY: 'example.com:8443' }, 'http://p:1/'],
    ['https://api.example.com:8443', { HTTPS_PROXY: 'http://p:1', NO_PROXY: 'other.test,example.com:8443' }, undefined],
    ['https://[2001:db8::1]', { HTTPS_PROXY: 'http://p:1', NO_PROXY: '2001:db8::1' }, undefined],
    ['https://[2001:db8::1]', { HTTPS_PROXY: 'http://p:1', NO_PROXY: '[2001:db8::1]:443' }, undefined],
    ['http://localhost:8080', { HTTP_PROXY: 'http://p:1' }, undefined],
    ['http://example.com', { HTTP_PROXY: '' }, undefined],
  ])('%s with %j goes by %s', (address, variables, proxy) => {
    expect(proxyFor(new URL(address), variables)?.href).toBe(proxy)
  })

  test.each(['socks5://p:1', 'http://', '::'])('the proxy %j is refused', (given) => {
    expect(() => proxyFor(new URL('https://example.com'), { HTTPS_PROXY: given })).toThrow('HTTPS_PROXY does not hold')
  })
})

test.each([
  [false, false],
  [true, true],
])('with many: %s, undici is loaded: %s', async (many, loaded) => {
  const service = await serve((response) => json(response, 200, ada))
  const script = `
    const { openTransport } = require('./src/client/transport.ts')
    const door = openTransport({ base_url: '${service.url}', api_url: '${service.url}', many: ${many}, timeout: 5000 })
    door.to('base_url')({ method: 'GET', url: '/', headers: {} }).then(async ({ status }) => {
      await door.close()
      console.log(status, Object.keys(require.cache).some((path) => path.includes('node_modules/undici/')))
    })`
  const { stdout } = await promisify(execFile)(process.execPath, ['--import', 'tsx', '--eval', script])
  expect(stdout).toBe(`200 ${loaded}\n`)
})
