import type { HttpReply, HttpRequest, Signal, Transport } from '../contract/endpoint.ts'
import { AppError } from '../contract/errors.ts'
import { startLimit } from './limit.ts'
import { maskReply, maskRequest } from './mask.ts'
import { type Fault, faultOf, stopped } from './network.ts'
import { interrupted, outcomeUnknown, unreachable } from './outcome.ts'

/** Time, ids, randomness and sleep, as the process has them. */
export interface ClientWorld {
  /** Milliseconds since 1970. */
  now(): number
  /** A fresh UUID. */
  newId(): string
  /** From 0 up to 1. */
  random(): number
  /** Ends early, by returning or by throwing, when the signal is aborted. */
  sleep(ms: number, signal?: Signal): Promise<void>
}

/** What happens on the way to a reply; `ms` is how long it took, or how long the wait will be. */
export type Happening =
  | { kind: 'send' }
  | { kind: 'reply'; reply: HttpReply; ms: number }
  | { kind: 'fault'; error: Error; ms: number }
  | { kind: 'wait'; why: string; ms: number }

/** For `--verbose` and `--debug`: secrets are hidden, and `attempt` counts from 1. */
export type AttemptEvent = Happening & { attempt: number; address: string; request: HttpRequest }

export interface Plan {
  transport: Transport
  /** For messages: where it goes, and what to read to learn whether a write was made. */
  address: string
  check: string
  world: ClientWorld
  /** Milliseconds for everything: the attempts and the waits between them. */
  timeout: number
  signal?: Signal | undefined
  onAttempt?: ((event: AttemptEvent) => void) | undefined
}

/** Attempts in all, the first included. */
export const MOST_ATTEMPTS = 5

type Outcome = { reply: HttpReply; fault?: undefined } | { reply?: undefined; error: unknown; fault: Fault }

/**
 * Sends a request, again where that is safe and may help, and gives back the last reply, whatever its status.
 *
 * Again means: on 429, anything. On 502, 503, 504 and a lost connection, what can be repeated without harm: a read, or a
 * POST with an idempotency-key. On a connection that never came about, anything.
 *
 * @throws AppError `unreachable` when there was no reply and nothing can have been written, `outcome_unknown` when there was
 *   none and something may have been, `bad_reply` when a read was answered with something that is not HTTP, `interrupted`
 *   (or the signal's own AppError) when the caller's signal ended it. What the transport throws otherwise passes through.
 */
export async function sendWithRetries(request: HttpRequest, plan: Plan): Promise<HttpReply> {
  const limit = startLimit(plan.timeout, plan.signal)
  try {
    return await tryUntilSettled(request, plan, limit.signal)
  } finally {
    limit.stop()
  }
}

async function tryUntilSettled(request: HttpRequest, plan: Plan, signal: Signal): Promise<HttpReply> {
  const { world } = plan
  const end = world.now() + plan.timeout
  // Whether an earlier attempt may have been carried out: its connection was lost, or only a gateway's word is known.
  const earlier = { lost: false, gateway: false }
  for (let attempt = 1; ; attempt++) {
    const tell = tellerOf(request, plan, attempt)
    const outcome = await tryOnce(request, plan, signal, tell)
    const wait = waitAfter(outcome, attempt, world)
    const again = attempt < MOST_ATTEMPTS && mayRepeat(request, outcome) && world.now() + wait < end && !signal.aborted
    if (!again) return conclude(request, outcome, earlier, plan)
    earlier.lost ||= outcome.fault?.sent === true
    earlier.gateway ||= outcome.reply !== undefined && isGateway(outcome.reply.status)
    tell?.({ kind: 'wait', why: outcome.reply ? String(outcome.reply.status) : outcome.fault.code, ms: wait })
    await pause(world, wait, signal)
    if (signal.aborted) return conclude(request, faulty(stopped(signal, false)), earlier, plan)
  }
}

function tellerOf(request: HttpRequest, { onAttempt, address }: Plan, attempt: number): Tell {
  if (!onAttempt) return undefined
  const frame = { attempt, address, request: maskRequest(request) }
  return (happening) => onAttempt({ ...frame, ...happening })
}

type Tell = ((happening: Happening) => void) | undefined

async function tryOnce(request: HttpRequest, { transport, world }: Plan, signal: Signal, tell: Tell): Promise<Outcome> {
  tell?.({ kind: 'send' })
  const from = world.now()
  try {
    const reply = await transport(request, signal)
    tell?.({ kind: 'reply', reply: maskReply(reply), ms: world.now() - from })
    return { reply }
  } catch (error) {
    const outcome = faulty(error)
    tell?.({ kind: 'fault', error: error as Error, ms: world.now() - from })
    return outcome
  }
}

/** An error of the network as an outcome; any other is thrown on. */
function faulty(error: unknown): Outcome {
  const fault = faultOf(error)
  if (!fault) throw error
  return { error, fault }
}

export const isWrite = ({ method }: HttpRequest): boolean => method !== 'GET'

/** Says no more than that a machine in between heard nothing: what was sent may have arrived. */
export const isGateway = (status: number): boolean => status === 502 || status === 504
const isPassing = (status: number): boolean => isGateway(status) || status === 503

function mayRepeat(request: HttpRequest, { reply, fault }: Outcome): boolean {
  const harmless = !isWrite(request) || (request.method === 'POST' && request.headers['idempotency-key'] !== undefined)
  if (reply) return reply.status === 429 || (harmless && isPassing(reply.status))
  return fault.again && (harmless || !fault.sent)
}

/** Doubling from a quarter of a second, half of it by chance, on top of what the service asked for. */
function waitAfter({ reply }: Outcome, attempt: number, world: ClientWorld): number {
  const asked = reply ? (retryAfter(reply, world.now()) ?? 0) * 1000 : 0
  return asked + 250 * 2 ** (attempt - 1) * (0.5 + world.random() / 2)
}

/** What a reply's `retry-after` says, in seconds from now; `undefined` where it says nothing that can be read. */
export function retryAfter({ headers }: HttpReply, now: number): number | undefined {
  const given = headers['retry-after']?.trim() ?? ''
  if (/^\d{1,9}$/.test(given)) return Number(given)
  const at = given === '' ? Number.NaN : Date.parse(given)
  return Number.isNaN(at) ? undefined : Math.max(0, Math.ceil((at - now) / 1000))
}

async function pause(world: ClientWorld, ms: number, signal: Signal): Promise<void> {
  try {
    await world.sleep(ms, signal)
  } catch (error) {
    if (!signal.aborted) throw error
  }
}

/** The last outcome, as what it means for the whole call. */
function conclude(request: HttpRequest, outcome: Outcome, earlier: { lost: boolean; gateway: boolean }, plan: Plan): HttpReply {
  const write = isWrite(request)
  if (outcome.reply) {
    const { status } = outcome.reply
    const settles = status < 500 && status !== 429
    if (!write || !earlier.lost || settles) return outcome.reply
    throw outcomeUnknown(request, plan, new Error(`An earlier attempt lost its connection, and the last was answered ${status}.`))
  }
  const { error, fault } = outcome
  const perhaps = write && (fault.sent || earlier.lost || earlier.gateway)
  if (plan.signal?.aborted) throw interrupted(request, plan, perhaps)
  if (perhaps) throw outcomeUnknown(request, plan, error)
  if (fault.kind === 'nonsense')
    throw new AppError('bad_reply', `${plan.address} answered with something that is not HTTP.`, { cause: error })
  throw unreachable(plan, fault, error)
}
