import type { HttpReply, HttpRequest, Signal } from '../contract/endpoint.ts'
import { fail } from '../contract/errors.ts'

/** A request as it is carried: its body may be bytes already. */
export type Carried = Omit<HttpRequest, 'body'> & { body?: string | Uint8Array }

/** Carries one request to an address and brings the reply back: what `once.ts` and `undici.ts` both are. */
export type Carrier = (address: URL, request: Carried, signal?: Signal) => Promise<HttpReply>

/**
 * What went wrong on the network: the name has no address, nobody listens, the certificate is not trusted, the proxy
 * refused, the connection went away, what came back is not HTTP, or we stopped waiting.
 */
export type FaultKind = 'address' | 'refused' | 'certificate' | 'proxy' | 'lost' | 'nonsense' | 'stopped'

export interface Fault {
  kind: FaultKind
  /** Whether the service may have seen any of the request. False is a promise: nothing was written. */
  sent: boolean
  /** Whether another try may fare better. */
  again: boolean
  /** The system's own word for it: `ECONNREFUSED`. */
  code: string
  /** The proxy it happened on the way through. */
  via?: string | undefined
}

const faults = new WeakMap<object, Fault>()

/** The network fault that an error stands for; `undefined` for every other error, which must not be told as "could not reach". */
export function faultOf(error: unknown): Fault | undefined {
  return typeof error === 'object' && error !== null ? faults.get(error) : undefined
}

/** Notes on an error of a carrier which network fault it is, if it is one, and gives the error back. */
export function tagged(error: unknown, { sent, via }: { sent: boolean; via?: string | undefined }): unknown {
  const { code: given, name } = (error ?? {}) as { code?: unknown; name?: unknown }
  // undici's parser has a code of its own for some of its errors only.
  const code = String(given ?? name ?? '')
  const kind = kindOf(code, sent)
  if (kind && !faults.has(error as object)) {
    const again = kind === 'refused' || kind === 'lost' || code === 'EAI_AGAIN'
    faults.set(error as object, { kind, sent, again, code, via })
  }
  return error
}

/** The error for a request that was given up because its signal said so. */
export function stopped(signal: Signal | undefined, sent: boolean): Error {
  const error = new Error('The request was stopped before its reply came.', { cause: signal?.reason })
  faults.set(error, { kind: 'stopped', sent, again: false, code: '' })
  return error
}

const kinds: [RegExp, FaultKind][] = [
  [/^(?:ENOTFOUND|EAI_\w+|ENODATA|ESERVFAIL|ETIMEOUT)$/, 'address'],
  [/^(?:ECONNREFUSED|EHOSTUNREACH|EHOSTDOWN|ENETUNREACH|ENETDOWN|EADDRNOTAVAIL)$/, 'refused'],
  [/^(?:HPE_\w+|HTTPParserError|UND_ERR_(?:HEADERS_OVERFLOW|RES_CONTENT_LENGTH_MISMATCH))$/, 'nonsense'],
  [/^(?:ECONNRESET|ECONNABORTED|EPIPE|ETIMEDOUT|ENOTCONN|UND_ERR_(?:SOCKET|CONNECT_TIMEOUT|CLOSED|DESTROYED)|ERR_STREAM_\w+)$/, 'lost'],
]
const untrusted = /CERT|^ERR_(?:TLS|SSL)_|^UNABLE_TO_|^EPROTO$|^HOSTNAME_MISMATCH$|^UND_ERR_PRX_TLS$/

function kindOf(code: string, sent: boolean): FaultKind | undefined {
  const kind = kinds.find(([pattern]) => pattern.test(code))?.[1]
  // On its way, a connection that fails to come about has reached nobody, whatever the word for it.
  if (kind) return kind === 'refused' && sent ? 'lost' : kind
  if (untrusted.test(code)) return sent ? 'lost' : 'certificate'
  return code === 'UND_ERR_ABORTED' && !sent ? 'proxy' : undefined
}

/** The most a reply may hold, in bytes. */
export const MOST_BYTES = 64 * 1024 * 1024

/** Gathers a reply's body: the first `keep` bytes of it, or all of it, up to `MOST_BYTES`. */
export function createBody(keep?: number) {
  const chunks: Uint8Array[] = []
  let size = 0
  return {
    /**
     * @returns true once no more of it is wanted
     * @throws AppError `bad_reply` once the whole is too large
     */
    add(chunk: Uint8Array): boolean {
      size += chunk.byteLength
      if (keep === undefined && size > MOST_BYTES) fail('bad_reply', `The reply is larger than ${MOST_BYTES / 1024 / 1024} MiB.`)
      chunks.push(chunk)
      return keep !== undefined && size >= keep
    },
    text: (): string => Buffer.concat(chunks).subarray(0, keep).toString('utf8'),
  }
}

/** A reply's headers, one text each. */
export function flat(headers: Record<string, string | string[] | undefined>): Record<string, string> {
  const texts: Record<string, string> = {}
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined) texts[name.toLowerCase()] = Array.isArray(value) ? value.join(', ') : value
  }
  return texts
}

/** The path a request has at an address, which may itself have one: `https://example.com/booking` + `/users/me`. */
export const pathAt = (address: URL, { url }: Carried): string => address.pathname.replace(/\/+$/, '') + url
