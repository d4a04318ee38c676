import type { HttpReply, HttpRequest } from '../../contract/endpoint.ts'
import { faultIn, type Received, verify } from './sign.ts'

export interface ReceiverOptions {
  /** How the path of a delivery ends: nobody else knows it. */
  path: string
  /** What deliveries are signed with. */
  key: string
  /** Milliseconds since the epoch. */
  now: () => number
  /** What becomes of a delivery whose signature holds. */
  take(delivery: Received): Promise<HttpReply>
  /** Told why a request was not believed. */
  onRefused(fault: string): void
}

/** Somebody who subscribed: checks who sent a request before it goes any further. */
export function createReceiver({ path, key, now, take, onRefused }: ReceiverOptions): (request: HttpRequest) => Promise<HttpReply> {
  return async ({ method, url, headers, body = '' }) => {
    if (!url.replace(/\?.*$/, '').endsWith(path)) return textReply(404, 'There is nothing here.')
    if (method !== 'POST') return textReply(405, 'Deliveries are posted.', { allow: 'POST' })
    const fault = faultIn(verify({ headers, body }, key, Math.floor(now() / 1000)))
    if (fault === undefined) return take({ headers, body })
    onRefused(fault)
    return textReply(401, fault)
  }
}

export const textReply = (status: number, body: string, headers: Record<string, string> = {}): HttpReply => ({
  status,
  headers: { 'content-type': 'text/plain; charset=utf-8', ...headers },
  body,
})
