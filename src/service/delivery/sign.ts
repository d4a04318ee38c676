/** Signs what is delivered, by two conventions, over the bytes as they are sent; and checks what was received. */
import { createHmac, timingSafeEqual } from 'node:crypto'

export interface Signable {
  /** The webhook-id. */
  id: string
  /** Whole seconds since the epoch. */
  timestamp: number
  /** Bytes as they are sent, or their text. */
  body: string | Uint8Array
}

export interface Sendable extends Signable {
  /** 1 for the first. */
  attempt: number
  user_agent: string
}

/** All headers of a delivery. */
export function headersOf({ attempt, user_agent, ...signable }: Sendable, keys: readonly string[]): Record<string, string> {
  return {
    'content-type': 'application/json',
    'user-agent': user_agent,
    'webhook-attempt': String(attempt),
    ...signedHeaders(signable, keys),
  }
}

/** The headers that prove who sent a body: one signature for each key that is in force, the newest first. */
export function signedHeaders({ id, timestamp, body }: Signable, keys: readonly string[]): Record<string, string> {
  const stated = keys.map((key) => statedSignature(timestamp, body, key))
  return {
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': keys.map((key) => `v1,${standardSignature({ id, timestamp, body }, key)}`).join(' '),
    'calendly-webhook-signature': [`t=${timestamp}`, ...stated.map((hex) => `v1=${hex}`)].join(','),
  }
}

/** Standard Webhooks: base64 of HMAC-SHA256 over `id.timestamp.body`. A key that begins with `whsec_` is base64, another is text. */
function standardSignature({ id, timestamp, body }: Signable, key: string): string {
  const bytes = key.startsWith('whsec_') ? Buffer.from(key.slice('whsec_'.length), 'base64') : key
  return createHmac('sha256', bytes).update(`${id}.${timestamp}.`).update(body).digest('base64')
}

/** The `t=…,v1=…` convention: hex of HMAC-SHA256 over `timestamp.body`; the key is text, whatever it begins with. */
function statedSignature(timestamp: number, body: string | Uint8Array, key: string): string {
  return createHmac('sha256', key).update(`${timestamp}.`).update(body).digest('hex')
}

export interface Received {
  /** Names in lower case. */
  headers: Record<string, string | undefined>
  /** As it came, before anybody parsed it. */
  body: string
}

export interface Convention {
  name: 'Standard Webhooks' | 't=…,v1=…'
  /** Whether its headers came with the request. */
  present: boolean
  /** Why the signature does not hold, in a sentence; undefined where it holds. */
  fault?: string | undefined
}

/** Seconds by which a request may be older or newer than the clock of whoever checks it. */
export const TOLERANCE = 300

/**
 * Checks a request by both conventions.
 * @param now seconds since the epoch; undefined where its age does not matter
 */
export function verify({ headers, body }: Received, key: string, now: number | undefined): Convention[] {
  const { 'webhook-id': id, 'webhook-timestamp': at, 'webhook-signature': standard, 'calendly-webhook-signature': stated } = headers
  return [
    {
      name: 'Standard Webhooks',
      present: standard !== undefined,
      ...(standard !== undefined && { fault: faultOfStandard({ id, at, signatures: standard }, body, key, now) }),
    },
    {
      name: 't=…,v1=…',
      present: stated !== undefined,
      ...(stated !== undefined && { fault: faultOfStated(stated, body, key, now) }),
    },
  ]
}

/**
 * Why a request is not to be believed, in a sentence: it must be signed by at least one convention, and by all of which there
 * are headers. Undefined where it can be.
 */
export function faultIn(conventions: Convention[]): string | undefined {
  const present = conventions.filter((one) => one.present)
  if (present.length === 0) return 'It is not signed: there is neither webhook-signature nor calendly-webhook-signature.'
  return present.find(({ fault }) => fault !== undefined)?.fault
}

function faultOfStandard(
  { id, at, signatures }: { id: string | undefined; at: string | undefined; signatures: string },
  body: string,
  key: string,
  now: number | undefined,
): string | undefined {
  if (!id) return 'The header webhook-id is missing.'
  const timestamp = secondsIn(at)
  if (timestamp === undefined) return 'The header webhook-timestamp must hold seconds since 1970.'
  const given = signatures.split(' ').flatMap((one) => (one.startsWith('v1,') ? [one.slice(3)] : []))
  if (given.length === 0) return 'The header webhook-signature holds no signature that begins with "v1,".'
  const expected = standardSignature({ id, timestamp, body }, key)
  return given.some((one) => isSame(one, expected)) ? faultOfAge(timestamp, now) : otherKeyOrBody
}

function faultOfStated(header: string, body: string, key: string, now: number | undefined): string | undefined {
  const parts = header.split(',').map((part) => part.trim().split('=') as [string, string | undefined])
  const timestamp = secondsIn(parts.find(([name]) => name === 't')?.[1])
  if (timestamp === undefined) return 'The header calendly-webhook-signature must hold t= with seconds since 1970.'
  const given = parts.flatMap(([name, value]) => (name === 'v1' && value ? [value] : []))
  if (given.length === 0) return 'The header calendly-webhook-signature holds no v1=.'
  const expected = statedSignature(timestamp, body, key)
  return given.some((one) => isSame(one, expected)) ? faultOfAge(timestamp, now) : otherKeyOrBody
}

const otherKeyOrBody =
  'The signature does not match: the key is another one, or the body is not byte for byte what was sent (parsed and written again, say).'

function faultOfAge(timestamp: number, now: number | undefined): string | undefined {
  if (now === undefined) return undefined
  const age = now - timestamp
  if (age > TOLERANCE) return `The signature holds, but is ${age} s old; more than ${TOLERANCE} s may be a replay.`
  if (age < -TOLERANCE) return `The signature holds, but is ${-age} s ahead of this clock; more than ${TOLERANCE} s may be a replay.`
  return undefined
}

const secondsIn = (text: string | undefined): number | undefined => (text && /^\d{1,12}$/.test(text) ? Number(text) : undefined)

function isSame(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)]
  return a.length === b.length && timingSafeEqual(a, b)
}
