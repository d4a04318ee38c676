import type { IncomingMessage, RequestOptions } from 'node:http'
import type { Socket } from 'node:net'
import type { HttpReply } from '../contract/endpoint.ts'
import { type Carrier, createBody, flat, pathAt, stopped, tagged } from './network.ts'

/**
 * One request over a connection of its own, closed behind it: for a process that makes one or two calls, where loading a
 * pool would cost more than it saves. Redirects are not followed.
 */
export const sendOnce: Carrier = async (address, request, signal) => {
  const secure = address.protocol === 'https:'
  const { request: open } = secure ? await import('node:https') : await import('node:http')
  const { method, headers, body } = request
  const options: RequestOptions = { method, path: pathAt(address, request), headers: { ...headers }, agent: false }
  if (body !== undefined) options.headers = { ...headers, 'content-length': Buffer.byteLength(body) }

  return new Promise<HttpReply>((resolve, reject) => {
    let sent = false
    if (signal?.aborted) return reject(stopped(signal, false))
    const outgoing = open(address, options)
    const stop = () => settle(() => reject(stopped(signal, sent)))
    const settle = (how: () => void) => {
      signal?.removeEventListener('abort', stop)
      how()
      outgoing.destroy()
    }
    const failed = (error: unknown) => settle(() => reject(tagged(error, { sent })))
    signal?.addEventListener('abort', stop, { once: true })
    outgoing.on('socket', (socket: Socket) => socket.once(secure ? 'secureConnect' : 'connect', () => (sent = true)))
    outgoing.on('error', failed)
    outgoing.on('response', (incoming) => read(incoming).then((reply) => settle(() => resolve(reply)), failed))
    outgoing.end(body)
  })
}

/** By events: the first loop over a stream has node compile twice as much of its own as the request itself does. */
function read(incoming: IncomingMessage): Promise<HttpReply> {
  return new Promise((resolve, reject) => {
    const body = createBody()
    incoming.on('data', (chunk: Uint8Array) => {
      try {
        body.add(chunk)
      } catch (error) {
        reject(error)
      }
    })
    incoming.on('error', reject)
    incoming.on('end', () => resolve({ status: incoming.statusCode ?? 0, headers: flat(incoming.headers), body: body.text() }))
  })
}
