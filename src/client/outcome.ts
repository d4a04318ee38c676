import type { HttpRequest, Signal } from '../contract/endpoint.ts'
import { AppError, type Hint } from '../contract/errors.ts'
import type { Fault } from './network.ts'

/** What the messages need to know of a call. */
export interface Call {
  address: string
  /** The path to read to learn whether a write was made. */
  check: string
  timeout: number
  signal?: Signal | undefined
}

/** There was no reply, and nothing was written. */
export function unreachable(call: Call, fault: Fault, cause: unknown): AppError {
  const through = fault.via ? ` through the proxy ${fault.via}` : ''
  const message =
    fault.kind === 'stopped'
      ? `${call.address} did not answer within ${seconds(call.timeout)}. Allow more with --timeout.`
      : `Could not reach ${call.address}${through}: ${reason(fault, cause)}.`
  return new AppError('unreachable', message, { cause, hints: [whichAddress] })
}

const whichAddress: Hint = { command: 'bookctl auth status', why: 'shows the addresses in use and where they come from' }

function reason({ kind, code }: Fault, cause: unknown): string {
  if (kind === 'address') return code === 'EAI_AGAIN' ? 'the name server does not answer' : 'there is no such name'
  if (kind === 'refused') return code === 'ECONNREFUSED' ? 'nothing listens there' : `there is no way there (${code})`
  if (kind === 'certificate') return `no trusted connection could be made (${code})`
  if (kind === 'proxy') return `the proxy refused${/\((\d{3})\)/.exec((cause as Error).message)?.[0].padStart(6) ?? ''}`
  return `the connection was lost (${code})`
}

/** There was no reply that tells, and the write may have been made. */
export function outcomeUnknown(request: HttpRequest, call: Call, cause: unknown): AppError {
  const message = `The reply of ${call.address} never came, so whether the change was made is not known. Check before trying again.`
  return new AppError('outcome_unknown', message, { cause, hints: checksOf(request, call.check) })
}

/** How to find out what became of a write, and, for one with a key, how to repeat it without harm. */
export function checksOf({ method, url, headers }: HttpRequest, check: string): Hint[] {
  const hints = [{ command: `bookctl api GET ${check}`, why: 'shows whether the change was made' }]
  const key = headers['idempotency-key']
  if (key === undefined) return hints
  const command = `bookctl api ${method} ${url} -H 'idempotency-key: ${key}' --input FILE`
  return [...hints, { command, why: 'makes it if it was not, and never twice' }]
}

/** The caller's signal ended the call; its own AppError, when that is what it was aborted with and nothing was written. */
export function interrupted(request: HttpRequest, call: Call, perhaps: boolean): AppError {
  const reason: unknown = call.signal?.reason
  const known = reason instanceof AppError ? reason : undefined
  if (!perhaps) return known ?? new AppError('interrupted', 'Interrupted.', { cause: reason })
  const message = 'Interrupted while the change was under way; it may or may not have been made.'
  return new AppError(known?.code ?? 'interrupted', message, { cause: reason, hints: checksOf(request, call.check) })
}

const seconds = (ms: number): string => (ms === 1000 ? '1 second' : `${ms / 1000} seconds`)
