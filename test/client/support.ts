import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { type AddressInfo, connect, createServer as createTcpServer, type Server, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'
import { type Client, type ClientOptions, createClient } from '../../src/client/client.ts'
import { type Door, type DoorOptions, openTransport } from '../../src/client/transport.ts'
import { AppError } from '../../src/contract/errors.ts'

export interface Seen {
  method: string
  url: string
  headers: Record<string, string | undefined>
  body: string
}

/** What a test's service does with the nth request, counted from 1. */
export type Behaviour = (response: ServerResponse, seen: Seen, nth: number) => void

export interface Service {
  url: string
  port: number
  seen: Seen[]
}

/** A real service on a port of its own, gone after the test. */
export async function serve(behave: Behaviour): Promise<Service> {
  const seen: Seen[] = []
  const server = createServer(async (request, response) => {
    const body = await bodyOf(request)
    seen.push({ ...head(request), body })
    behave(response, seen.at(-1)!, seen.length)
  })
  return { ...(await listen(server)), seen }
}

const head = ({ method, url, headers }: IncomingMessage) => ({ method: method!, url: url!, headers: headers as Seen['headers'] })

async function bodyOf(request: IncomingMessage): Promise<string> {
  let body = ''
  for await (const chunk of request) body += chunk
  return body
}

/** Listens on a free port of 127.0.0.1 until the test is over. */
export async function listen(server: Server): Promise<{ url: string; port: number }> {
  const sockets = new Set<Socket>()
  server.on('connection', (socket: Socket) => sockets.add(socket.on('error', () => {})))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    return new Promise<void>((resolve) => server.close(() => resolve()))
  })
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}`, port }
}

/** A port at which nobody listens. */
export async function closedPort(): Promise<number> {
  const server = createTcpServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}

/** A proxy that opens every tunnel to 127.0.0.1, at whatever port was asked for. */
export async function serveProxy(allow = true): Promise<{ url: string; tunnels: { to: string; headers: Seen['headers'] }[] }> {
  const tunnels: { to: string; headers: Seen['headers'] }[] = []
  const server = createServer((_, response) => response.writeHead(500).end())
  server.on('connect', (request: IncomingMessage, socket: Socket) => {
    tunnels.push({ to: request.url!, headers: request.headers as Seen['headers'] })
    if (!allow) return socket.end('HTTP/1.1 403 Forbidden\r\n\r\n')
    const target = connect(Number(request.url!.split(':').at(-1)), '127.0.0.1', () => socket.write('HTTP/1.1 200 OK\r\n\r\n'))
    target.on('error', () => socket.destroy())
    socket.on('close', () => target.destroy())
    socket.pipe(target).pipe(socket)
    return undefined
  })
  return { ...(await listen(server)), tunnels }
}

export const json = (response: ServerResponse, status: number, body: unknown, headers: Record<string, string> = {}): unknown =>
  response.writeHead(status, { 'content-type': 'application/json', 'x-request-id': 'req_1', ...headers }).end(JSON.stringify(body))

/** Time that flies: sleeps end at once and are counted as slept. */
export function createWorld() {
  const slept: number[] = []
  let ids = 0
  return {
    slept,
    now: () => Date.now() + slept.reduce((sum, ms) => sum + ms, 0),
    newId: () => `00000000-0000-4000-8000-${String(++ids).padStart(12, '0')}`,
    random: () => 0.5,
    sleep: async (ms: number) => {
      slept.push(ms)
    },
  }
}

export type TestWorld = ReturnType<typeof createWorld>

export function openDoor(url: string, options: Partial<DoorOptions> = {}): Door {
  const door = openTransport({ base_url: url, api_url: url, timeout: 5000, ...options })
  onTestFinished(() => door.close())
  return door
}

export const API_KEY = 'bk_0123456789abcdef'
export const ACCESS_TOKEN = 'pat_0123456789abcdef'

/** A client for a service, with both credentials. */
export function clientFor(door: Door, options: Partial<ClientOptions> = {}): Client & { world: TestWorld } {
  const world = createWorld()
  const credentials = { api_key: async () => API_KEY, access_token: async () => ACCESS_TOKEN }
  const client = createClient({ door, credentials, world, timeout: 30_000, user_agent: 'bookctl/test', ...options })
  return { ...client, world }
}

/** The AppError that a promise ends in. */
export async function errorFrom(promise: Promise<unknown>): Promise<AppError> {
  const error = await promise.then(
    (value) => new Error(`no error but ${JSON.stringify(value)}`),
    (reason: unknown) => reason,
  )
  if (error instanceof AppError) return error
  throw error
}

/** A certificate that nobody trusts, for service.test. */
export const untrusted = {
  key: `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgTfM8XJTMtlQ6Qnws
4jCdFecfRHAGMM8QglmpnDbKE2OhRANCAAQbLocf8YMOuRKkPbGkNu6YvaFl+MOx
4NmEJQQUntx0KaE+KN3Bwp3WdKnwTwgaBqBkwfh3ioZQMRIpnJ0e7rux
-----END PRIVATE KEY-----`,
  cert: `-----BEGIN CERTIFICATE-----
MIIBhjCCASugAwIBAgIURh9pbsg8IoTWFdZCrZPgaMggftswCgYIKoZIzj0EAwIw
FzEVMBMGA1UEAwwMc2VydmljZS50ZXN0MCAXDTI2MTEyMTA0NTUzMFoYDzIxMjYx
MDI4MDQ1NTMwWjAXMRUwEwYDVQQDDAxzZXJ2aWNlLnRlc3QwWTATBgcqhkjOPQIB
BggqhkjOPQMBBwNCAAQbLocf8YMOuRKkPbGkNu6YvaFl+MOx4NmEJQQUntx0KaE+
KN3Bwp3WdKnwTwgaBqBkwfh3ioZQMRIpnJ0e7ruxo1MwUTAdBgNVHQ4EFgQU+r+a
teaYRfqbps6eH6gnUhOILLswHwYDVR0jBBgwFoAU+r+ateaYRfqbps6eH6gnUhOI
LLswDwYDVR0TAQH/BAUwAwEB/zAKBggqhkjOPQQDAgNJADBGAiEA7jIEg5XcNHhJ
dHKZDc8C5Ld595Xb0rzdeUUkk1bRmjkCIQD5YBOxIAGRDrHJWp7Xpdo09Zumm+Wz
66ZxWS3GnAnvQQ==
-----END CERTIFICATE-----`,
}
