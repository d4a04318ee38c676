import { connect } from 'node:net'
import type { HttpReply } from '../contract/endpoint.ts'
import { instantOf } from '../contract/time.ts'
import { failureOf, type Outcome } from './delivery/post.ts'
import { createReceiver, textReply } from './delivery/receive.ts'
import type { Received } from './delivery/sign.ts'
import { openDeskPost } from './desk.ts'
import { startServer } from './http/server.ts'

/** A delivery that was forwarded. */
export interface Arrival {
  received_at: string
  /** Those of a delivery, without those of the connection it came by. */
  headers: Record<string, string>
  /** As it came, before anybody parsed it. */
  body: string
  /** What it was answered behind us; null where nothing was. */
  status: number | null
  /** Why the receiver did not take it; null where it did. */
  error: string | null
  milliseconds: number
}

export interface ListeningOptions {
  /** 0 picks a free one. */
  port: number
  /** How the path of a delivery ends. */
  path: string
  key: string
  /** Where deliveries go on to. */
  forward: string
  /** Forward by http to other machines, too. */
  anyHttp: boolean
  /** Milliseconds since the epoch. */
  now: () => number
  newRequestId: () => string
  /** Whether a delivery is for us, and goes no further. */
  isOwn(body: string): boolean
  onArrival(arrival: Arrival): void
  onRefused(fault: string): void
  onFault(error: unknown): void
}

export interface Listening {
  /** With the port that was picked: `http://127.0.0.1:4242`. */
  url: string
  /** Gives up what is under way. */
  close(): Promise<void>
}

/**
 * Receives deliveries on loopback, and forwards those whose signature holds: body and headers as they came, and back the status.
 * @throws AppError `unavailable` when the port cannot be had
 */
export async function openListening(options: ListeningOptions): Promise<Listening> {
  const { now, newRequestId, onFault, onArrival } = options
  const post = await openDeskPost(options)
  const take = async (delivery: Received): Promise<HttpReply> => {
    if (options.isOwn(delivery.body)) return textReply(200, 'It arrived.')
    const headers = ofDelivery(delivery.headers)
    const begin = now()
    const outcome = await post.send({ url: options.forward, headers, body: delivery.body })
    const milliseconds = Math.round(now() - begin)
    onArrival({ received_at: instantOf(begin), headers, body: delivery.body, milliseconds, ...resultOf(outcome) })
    return replyOf(outcome)
  }
  const app = createReceiver({ ...options, take })
  try {
    const server = await startServer({ app, host: '127.0.0.1', port: options.port, newRequestId, now, onFault })
    const close = async () => {
      await post.close()
      await server.stop()
    }
    return { url: server.url, close }
  } catch (error) {
    await post.close()
    throw error
  }
}

const ofDelivery = (headers: Received['headers']): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => isOfDelivery(name))) as Record<string, string>

const isOfDelivery = (name: string): boolean =>
  ['content-type', 'user-agent', 'calendly-webhook-signature'].includes(name) || name.startsWith('webhook-')

const resultOf = (outcome: Outcome): Pick<Arrival, 'status' | 'error'> => ({
  status: outcome.status ?? null,
  error: failureOf(outcome) ?? null,
})

/** What the service is answered: what the receiver behind us answered, or that there is none, so that it tries again. */
function replyOf(outcome: Outcome): HttpReply {
  if (outcome.status === undefined) return textReply(502, outcome.error)
  const { status, reply, retry_after } = outcome
  return textReply(status, reply, retry_after === undefined ? {} : { 'retry-after': String(Math.ceil(retry_after / 1000)) })
}

/** Whether anybody listens on a port of this machine. */
export function isListening(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', port })
    const settle = (found: boolean) => {
      socket.destroy()
      resolve(found)
    }
    socket.once('connect', () => settle(true)).once('error', () => settle(false))
  })
}
