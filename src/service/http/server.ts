import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { HttpReply, HttpRequest } from '../../contract/endpoint.ts'
import { AppError, fail } from '../../contract/errors.ts'
import { errorReply } from '../app.ts'

const MOST_BODY = 1024 * 1024
const MOST_HEADERS = 16 * 1024
const HEADERS_TIMEOUT = 5_000
const REQUEST_TIMEOUT = 10_000
const STOP_TIMEOUT = 10_000

export interface ServerOptions {
  app: (request: HttpRequest) => Promise<HttpReply>
  host: string
  /** 0 picks a free one. */
  port: number
  newRequestId: () => string
  /** Milliseconds since the epoch. */
  now: () => number
  onFault: (error: unknown, request_id: string) => void
  /** Told of every reply. */
  onReply?: (entry: {
    method: string
    path: string
    status: number
    ms: number
    request_id: string
    remote_address: string | undefined
  }) => void
}

export interface RunningServer {
  /** With the port that was picked: `http://127.0.0.1:4242`. */
  url: string
  /** Stops accepting, lets what is in flight finish for ten seconds, then closes. */
  stop(): Promise<void>
}

/**
 * The app on a port: sockets in, replies out, with the limits of the wire.
 * @throws AppError `unavailable` when the port cannot be had
 */
export async function startServer(options: ServerOptions): Promise<RunningServer> {
  const server = createServer(
    {
      maxHeaderSize: MOST_HEADERS,
      headersTimeout: HEADERS_TIMEOUT,
      requestTimeout: REQUEST_TIMEOUT,
      connectionsCheckingInterval: 1_000,
      keepAliveTimeout: 30_000,
    },
    (incoming, response) => void answer(incoming, response, options),
  )
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    if (error.code === 'ECONNRESET' || !socket.writable) return socket.destroy()
    const status =
      error.code === 'HPE_HEADER_OVERFLOW'
        ? '431 Request Header Fields Too Large'
        : error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
          ? '408 Request Timeout'
          : '400 Bad Request'
    socket.end(`HTTP/1.1 ${status}\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`)
  })
  await listen(server, options)
  const { address, port, family } = server.address() as AddressInfo
  return { url: `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`, stop: () => stop(server) }
}

function listen(server: Server, { host, port }: ServerOptions): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const why = error.code === 'EADDRINUSE' ? `port ${port} is taken; choose another with --port` : error.message
      reject(new AppError('unavailable', `Cannot listen on ${host}: ${why}.`, { cause: error }))
    })
    server.listen(port, host, resolve)
  })
}

async function stop(server: Server): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()))
  server.closeIdleConnections()
  const timer = setTimeout(() => server.closeAllConnections(), STOP_TIMEOUT)
  await closed
  clearTimeout(timer)
}

async function answer(incoming: IncomingMessage, response: ServerResponse, options: ServerOptions): Promise<void> {
  const began = options.now()
  const reply = await replyTo(incoming, options)
  const { method = 'GET', url = '/' } = incoming
  response.writeHead(reply.status, {
    ...reply.headers,
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'content-length': Buffer.byteLength(reply.body),
    ...(incoming.complete ? {} : { connection: 'close' }),
  })
  response.end(method === 'HEAD' ? undefined : reply.body)
  // The query is left out: it may hold an e-mail address.
  const path = url.split('?')[0] as string
  const request_id = reply.headers['x-request-id'] ?? ''
  options.onReply?.({
    method,
    path,
    status: reply.status,
    ms: options.now() - began,
    request_id,
    remote_address: incoming.socket.remoteAddress,
  })
}

async function replyTo(incoming: IncomingMessage, { app, newRequestId, onFault }: ServerOptions): Promise<HttpReply> {
  try {
    const method = incoming.method === 'HEAD' ? 'GET' : incoming.method
    const { remoteAddress } = incoming.socket
    return await app({
      method: method as HttpRequest['method'],
      url: incoming.url ?? '/',
      headers: flat(incoming.headers),
      body: await readBody(incoming),
      ...(remoteAddress === undefined ? {} : { remote_address: remoteAddress }),
    })
  } catch (error) {
    const request_id = newRequestId()
    const reply = errorReply(error, request_id, { onFault })
    return { ...reply, headers: { ...reply.headers, 'x-request-id': request_id } }
  }
}

function flat(headers: IncomingMessage['headers']): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') : (value ?? '')]))
}

/** @throws AppError `payload_too_large` as soon as it is known to be */
async function readBody(incoming: IncomingMessage): Promise<string> {
  if (Number(incoming.headers['content-length'] ?? 0) > MOST_BODY) tooLarge()
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of incoming) {
    size += (chunk as Buffer).length
    if (size > MOST_BODY) tooLarge()
    chunks.push(chunk as Buffer)
  }
  return Buffer.concat(chunks).toString('utf8')
}

const tooLarge = (): never => fail('payload_too_large', 'The body is larger than 1 MiB.')
