import type { LookupFunction } from 'node:net'
import { Agent, Pool as Connections, type Dispatcher, ProxyAgent } from 'undici'
import type { HttpReply, Signal } from '../contract/endpoint.ts'
import { type Carrier, createBody, flat, pathAt, stopped, tagged } from './network.ts'

/** HOME of undici: connections that are kept and shared, and the way through a proxy. Redirects are not followed. */
export interface Pool {
  send: Carrier
  /** Drops every connection, and whatever is still under way. */
  close(): Promise<void>
}

export interface PoolOptions {
  proxy?: URL | undefined
  /** Milliseconds until an attempt to connect is given up. */
  timeout: number
  /** How names become addresses; the system's way when left out. */
  lookup?: LookupFunction
  /** How many bytes of a reply are wanted; the connection is dropped there. Left out, a reply is taken whole. */
  keep?: number
}

export function openPool({ proxy, timeout, lookup, keep }: PoolOptions): Pool {
  const connect = { timeout, ...(lookup && { lookup }) }
  const dispatcher = proxy ? throughProxy(proxy, timeout) : new Agent({ connect, ...unhurried })
  return {
    send: (address, request, signal) =>
      new Promise<HttpReply>((resolve, reject) => {
        if (signal?.aborted) return reject(stopped(signal, false))
        const { method, headers, body } = request
        const options = { origin: address.origin, path: pathAt(address, request), method, headers, body: body ?? null }
        const handler = exchange({ resolve, reject, signal, via: proxy?.host, keep })
        dispatcher.dispatch(options, handler)
      }),
    close: () => dispatcher.destroy(),
  }
}

/** How long a reply may take is the signal's business. */
const unhurried = { headersTimeout: 0, bodyTimeout: 0 }

function throughProxy(proxy: URL, timeout: number): Dispatcher {
  const { username, password } = proxy
  const login = Buffer.from(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`).toString('base64')
  return new ProxyAgent({
    uri: proxy.origin,
    ...(username ? { token: `Basic ${login}` } : {}),
    proxyTls: { timeout },
    requestTls: { timeout },
    clientFactory: tunnels,
    ...unhurried,
  })
}

/**
 * The connections to the proxy itself. When a proxy hangs up on the request for a tunnel, undici would ask again at once, and
 * without end, because of the error's code; under another it is told like any lost connection.
 */
function tunnels(origin: URL, options: object): Dispatcher {
  const connections = new Connections(origin, options)
  const connect = connections.connect.bind(connections) as (options: Dispatcher.ConnectOptions) => Promise<Dispatcher.ConnectData>
  const renamed = (cause: { code?: unknown; message?: string }) => {
    throw cause.code === 'UND_ERR_SOCKET' ? Object.assign(new Error(cause.message, { cause }), { code: 'ECONNRESET' }) : cause
  }
  return Object.assign(connections, { connect: (options: Dispatcher.ConnectOptions) => connect(options).catch(renamed) })
}

interface Exchange {
  resolve(reply: HttpReply): void
  reject(error: unknown): void
  signal: Signal | undefined
  via: string | undefined
  keep: number | undefined
}

/** One request's way through undici. `sent` is exact: undici says when it begins to write. */
function exchange({ resolve, reject, signal, via, keep }: Exchange): Dispatcher.DispatchHandler {
  const body = createBody(keep)
  let started: Dispatcher.DispatchController | undefined
  let settled = false
  const reply: HttpReply = { status: 0, headers: {}, body: '' }

  const settle = (how: () => void) => {
    if (settled) return
    settled = true
    signal?.removeEventListener('abort', stop)
    how()
  }
  const stop = () => {
    const error = stopped(signal, started !== undefined)
    settle(() => reject(error))
    started?.abort(error)
  }
  signal?.addEventListener('abort', stop, { once: true })

  return {
    onRequestStart(controller) {
      if (settled) return controller.abort(new Error('No longer wanted.'))
      started = controller
    },
    onResponseStart(_, status, headers) {
      reply.status = status
      reply.headers = flat(headers)
    },
    onResponseData(controller, chunk) {
      try {
        if (!body.add(chunk)) return
        settle(() => resolve({ ...reply, body: body.text() }))
        controller.abort(new Error('The rest of the reply is not wanted.'))
      } catch (error) {
        settle(() => reject(error))
        controller.abort(error as Error)
      }
    },
    onResponseEnd: () => settle(() => resolve({ ...reply, body: body.text() })),
    onResponseError: (_, error) => settle(() => reject(tagged(error, { sent: started !== undefined, via }))),
  }
}
