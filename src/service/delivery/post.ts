import type { LookupFunction } from 'node:net'
import { faultOf } from '../../client/network.ts'
import type { Signal } from '../../contract/endpoint.ts'
import { type GuardOptions, guardedLookup, refusalOf } from './guard.ts'
import { createLookup } from './lookup.ts'

/** How an attempt went: a reply, or what went wrong instead. */
export type Outcome =
  | { status: number; reply: string; retry_after: number | undefined; error?: undefined }
  | { status?: undefined; error: string }

/** Why an outcome is none that a delivery arrived by, in a sentence; undefined where it did. */
export function failureOf({ status, error }: Outcome): string | undefined {
  if (status === undefined) return error
  if (status >= 200 && status < 300) return undefined
  return `The receiver answered ${status}${status >= 300 && status < 400 ? '; redirects are not followed' : ''}.`
}

export interface Posting {
  url: string
  /** Whether the subscription was made where private addresses are welcome. */
  isPrivate?: boolean
  headers: Record<string, string>
  body: string | Uint8Array
}

export interface Post {
  /** Never throws. */
  send(posting: Posting): Promise<Outcome>
  /** Gives up what is under way. */
  close(): Promise<void>
}

export interface PostOptions extends GuardOptions {
  /** Milliseconds since the epoch. */
  now: () => number
  /** How names become addresses, before they are judged; by the name servers of the system when left out. */
  lookup?: LookupFunction
  /** Milliseconds until there must be a connection, and until there must be a whole reply: 10 s and 15 s when left out. */
  timeouts?: { connect: number; whole: number }
}

interface Place {
  origin: URL
  path: string
  refusal: string | undefined
}

const MOST_PLACES = 1000
const TIMEOUTS = { connect: 10_000, whole: 15_000 }
const MOST_OF_REPLY = 64 * 1024

/**
 * Opens the way to subscribers: kept connections, no redirects, replies cut at 64 kB, 10 s to connect and 15 s in all. An
 * address that must not be dialled is not.
 */
export async function openPost(options: PostOptions): Promise<Post> {
  const { allowPrivate, anyHttp = false, now, timeouts = TIMEOUTS } = options
  const names = createLookup({ asksSystem: allowPrivate })
  const { openPool } = await import('../../client/undici.ts')
  const pool = openPool({
    timeout: timeouts.connect,
    keep: MOST_OF_REPLY,
    lookup: guardedLookup(options.lookup ?? names.lookup, { allowPrivate }),
  })

  /** Subscribers' urls are few and come often: each is taken apart and judged once. What it leads to is judged as it is dialled. */
  const places = new Map<string, Place>()
  const placeOf = (url: string): Place => {
    const known = places.get(url)
    if (known) return known
    if (places.size >= MOST_PLACES) places.clear()
    const { origin, pathname, search } = new URL(url)
    const place = { origin: new URL(origin), path: pathname + search, refusal: refusalOf(url, { allowPrivate, anyHttp }) }
    places.set(url, place)
    return place
  }

  return {
    async send({ url, headers, body }) {
      const { refusal, origin, path } = placeOf(url)
      if (refusal) return { error: `The address ${refusal}.` }
      const within = deadline(timeouts.whole)
      try {
        const reply = await pool.send(origin, { method: 'POST', url: path, headers, body }, within)
        return { status: reply.status, reply: reply.body, retry_after: retryAfterOf(reply.headers['retry-after'], now()) }
      } catch (error) {
        return { error: within.aborted ? `No complete reply within ${timeouts.whole / 1000} s.` : sentenceOf(error, timeouts.connect) }
      }
    },
    async close() {
      names.close()
      await pool.close()
    },
  }
}

/**
 * Says that a request has had its time. An AbortSignal would do, but is dear beside the request itself.
 * @param milliseconds from now on
 */
function deadline(milliseconds: number): Signal {
  let timer: ReturnType<typeof setTimeout> | undefined
  const signal = {
    aborted: false,
    reason: undefined,
    addEventListener(_: 'abort', listener: () => void) {
      timer = setTimeout(() => {
        signal.aborted = true
        listener()
      }, milliseconds)
    },
    removeEventListener: () => clearTimeout(timer),
  }
  return signal
}

/** Milliseconds, of seconds or a date. */
function retryAfterOf(header: string | undefined, now: number): number | undefined {
  if (header === undefined) return undefined
  if (/^\s*\d+\s*$/.test(header)) return Number(header) * 1000
  const date = Date.parse(header)
  return Number.isNaN(date) ? undefined : Math.max(0, date - now)
}

function sentenceOf(error: unknown, connectTimeout: number): string {
  const fault = faultOf(error)
  const { code, message } = error as { code?: string; message?: string }
  if (code === 'EREFUSED_ADDRESS') return message as string
  if (!fault) return `The request could not be sent: ${message}.`
  if ((error as { syscall?: string }).syscall?.startsWith('query') && !/^E(?:NOTFOUND|NODATA)$/.test(fault.code)) {
    return `The name server does not answer (${fault.code}).`
  }
  if (fault.code === 'UND_ERR_CONNECT_TIMEOUT') return `No connection within ${connectTimeout / 1000} s.`
  return `${sentences[fault.kind]} (${fault.code}).`
}

const sentences = {
  address: 'The name has no address',
  refused: 'Nothing listens there',
  certificate: 'The certificate is not trusted',
  proxy: 'The proxy refused',
  lost: 'The connection was closed before a reply came',
  nonsense: 'What came back is not HTTP',
  stopped: 'The service stopped meanwhile',
}

/** The way of a service whose subscriptions were made in two places: those of a desk may lead to private addresses, those of `serve` not. */
export async function openPostBySubscription(options: Omit<PostOptions, 'allowPrivate'>): Promise<Post> {
  const [anywhere, publicOnly] = await Promise.all([
    openPost({ ...options, allowPrivate: true }),
    openPost({ ...options, allowPrivate: false }),
  ])
  return {
    send: (posting) => (posting.isPrivate ? anywhere : publicOnly).send(posting),
    async close() {
      await Promise.all([anywhere.close(), publicOnly.close()])
    },
  }
}
