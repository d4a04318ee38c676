import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import type { AddressInfo } from 'node:net'

/** A request as it came, before anybody parsed it. */
export interface Received {
  url: string
  headers: Record<string, string>
  body: string
}

export interface Receiver {
  /** Where payloads are to be sent. */
  url: string
  /** What came so far, in the order in which it came. */
  received: Received[]
  /** The bodies, parsed. */
  // biome-ignore lint/suspicious/noExplicitAny: a test says what it expects of a payload
  payloads(): any[]
  /** Resolves once so many requests came. */
  until(count: number): Promise<void>
  close(): Promise<void>
}

export interface ReceiverOptions {
  /** What it does with a request that was read; 200 when left out. */
  answer?: (request: Received, response: ServerResponse, incoming: IncomingMessage) => void
  /** A key and certificate, for https. */
  tls?: { key: string; cert: string }
  port?: number
}

/** Somebody who subscribed: a real server on this machine that keeps what it is sent. */
export async function openReceiver({ answer = ok, tls, port = 0 }: ReceiverOptions = {}): Promise<Receiver> {
  const received: Received[] = []
  const waiting: { count: number; resolve: () => void }[] = []
  const listener: RequestListener = async (incoming, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of incoming) chunks.push(chunk as Buffer)
    const request = { url: incoming.url ?? '', headers: incoming.headers as Record<string, string>, body: Buffer.concat(chunks).toString() }
    received.push(request)
    answer(request, response, incoming)
    for (const one of waiting) if (received.length >= one.count) one.resolve()
  }
  const server: Server = tls ? createSecureServer(tls, listener) : createServer(listener)
  server.on('clientError', (_, socket) => socket.destroy())
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  return {
    url: `${tls ? 'https' : 'http'}://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    received,
    payloads: () => received.map(({ body }) => JSON.parse(body)),
    until: (count) =>
      new Promise((resolve) => {
        if (received.length >= count) resolve()
        else waiting.push({ count, resolve })
      }),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

const ok = (_: Received, response: ServerResponse) => void response.writeHead(200).end('thanks')
