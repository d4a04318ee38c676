import type { Attempt, DeliveryState } from '../../contract/deliveries.ts'
import { at, instantOf } from '../../contract/time.ts'
import type { Claimed, Destination, Settlement } from '../store/deliveries.ts'
import type { Store, Tx } from '../store/store.ts'
import { createPlaces, MOST_SHARED_BY } from './places.ts'
import { failureOf, type Outcome, type Post } from './post.ts'
import { MOST_ATTEMPTS, PATIENCE, retryAt } from './schedule.ts'
import { headersOf } from './sign.ts'

/** What happened, for the log and the metrics. */
export type Notice = { event: 'attempt'; outcome: 'delivered' | 'failed'; kind: string } | ({ event: 'subscription_disabled' } & Disabled)

interface Disabled {
  /** Its UUID. */
  subscription: string
  /** Its origin: the rest of an address may be a secret of the receiver's. */
  address: string
  reason: string
}

/** An attempt that ended and is not written down yet. */
interface Ended {
  delivery: Claimed
  settlement: Settlement
  resolve(): void
}

export interface WorkerOptions {
  store: Store
  post: Post
  /** Milliseconds since the epoch. */
  now: () => number
  /** A UUID. */
  newId: () => string
  /** At least 0, less than 1. */
  chance: () => number
  user_agent: string
  onNotice: (notice: Notice) => void
  /** Called with what should not have happened: the database is gone, say. The worker goes on. */
  onFault: (error: unknown) => void
}

export interface Worker {
  /** Looks for what is due, now. */
  wake(): void
  /** How many requests are under way. */
  inFlight(): number
  /** Resolves when nothing is due and nothing is under way any more. */
  idle(): Promise<void>
  /** Claims nothing more, gives what is under way some time (10 s, in milliseconds), gives back the rest. Once is enough. */
  stop(grace?: number): Promise<void>
}

/** Longer than an attempt can take. When a worker dies, another one takes over after this. Milliseconds. */
const LEASE = 30_000

const GRACE = 10_000
/** How long it is waited for more to settle. Milliseconds. */
const GATHER = 8
const MOST_SETTLED_AT_ONCE = 256
const MOST_KEPT_OF_REPLY = 2048

/**
 * Delivers what is due: claims with a lease, posts, settles. Any number of workers may share one database. What is claimed
 * by a worker that dies is sent again by another one, under the same webhook-id.
 */
export function createWorker(options: WorkerOptions): Worker {
  const { store, post, now, onFault } = options
  const claim = options.newId()
  const underWay = new Map<number, Promise<void>>()
  const places = createPlaces()
  const ended: Ended[] = []
  let stopping = false
  let looking: Promise<void> | undefined
  let again = false
  let isSettling = false
  let stopped: Promise<void> | undefined

  function wake(): void {
    if (stopping) return
    again = true
    looking ??= look()
  }

  async function look(): Promise<void> {
    while (again && !stopping) {
      // Whoever else wakes it in this moment comes along.
      await new Promise(setImmediate)
      again = false
      try {
        for (const delivery of await claimDue()) start(delivery)
      } catch (error) {
        onFault(error)
      }
    }
    looking = undefined
  }

  /** What is due, as much of each subscription as there is room for. */
  async function claimDue(): Promise<Claimed[]> {
    const begin = now()
    const lease = { now: instantOf(begin), until: instantOf(begin + LEASE), claim }
    const wanted = places.share(await store.deliveries.waiting(lease.now), begin)
    if (wanted.length === 0) return []
    // What was claimed and forgotten is claimed again.
    const claimed = await store.transaction((tx) => tx.deliveries.claim(wanted, lease), { durable: false })
    // Those there was no place for in one claim come next.
    if (claimed.length > 0 && wanted.length === MOST_SHARED_BY) again = true
    return claimed
  }

  function start(delivery: Claimed): void {
    // A lease that ran out while this process stood still: it is under way here still.
    if (underWay.has(delivery.id)) return
    const { id, to } = delivery
    const free = places.take(to.id, now())
    const done = deliver(delivery).finally(() => {
      underWay.delete(id)
      free()
      // Its place is free: somebody may wait for it.
      if (!stopping) wake()
    })
    underWay.set(id, done)
  }

  async function deliver(delivery: Claimed): Promise<void> {
    const begin = now()
    const outcome = await attempt(delivery, begin)
    if (stopping && outcome.status === undefined) return
    places.note(delivery.to.id, failureOf(outcome) === undefined)
    await new Promise<void>((resolve) => {
      ended.push({ delivery, settlement: settlementOf(delivery, outcome, begin), resolve })
      if (!isSettling) void settle()
    })
  }

  async function attempt(delivery: Claimed, begin: number): Promise<Outcome> {
    if (delivery.tries > MOST_ATTEMPTS) return { error: 'Every attempt was interrupted.' }
    const { to, event_uuid: id, attempt_count } = delivery
    const body = Buffer.from(delivery.body)
    const signable = { id, timestamp: Math.floor(begin / 1000), body, attempt: attempt_count, user_agent: options.user_agent }
    try {
      return await post.send({ url: to.url, headers: headersOf(signable, keysOf(to, begin)), body, isPrivate: to.is_private })
    } catch (error) {
      onFault(error)
      return { error: 'The service could not send it; the fault is ours.' }
    }
  }

  function settlementOf({ id, attempt_count, tries, kind }: Claimed, outcome: Outcome, begin: number): Settlement {
    const end = now()
    const error = failureOf(outcome)
    const attempt: Attempt = {
      number: attempt_count,
      started_at: instantOf(begin),
      milliseconds: Math.max(0, Math.round(end - begin)),
      status: outcome.status ?? null,
      error: error ?? null,
      reply: outcome.status === undefined ? null : keptOf(outcome.reply),
    }
    if (error === undefined) return { id, attempt, tries, state: 'delivered', due_at: null }
    const retry_after = outcome.status === undefined ? undefined : outcome.retry_after
    const next =
      outcome.status === 410 || kind === 'ping' ? undefined : retryAt({ attempt: tries, now: end, retry_after }, options.chance())
    const state: DeliveryState = next === undefined ? 'failed' : 'pending'
    return { id, attempt, tries, state, due_at: next === undefined ? null : instantOf(next) }
  }

  /** Writes down what has ended, in batches, so that a busy worker commits seldom. */
  async function settle(): Promise<void> {
    isSettling = true
    while (ended.length > 0) {
      // What ends within the next moment comes along: a commit costs more than a moment.
      await new Promise((resolve) => setTimeout(resolve, GATHER))
      const batch = ended.splice(0, MOST_SETTLED_AT_ONCE)
      try {
        // What was settled and forgotten is sent again: at least once.
        const disabled = await store.transaction((tx) => settleBatch(tx, batch), { durable: false })
        for (const { delivery, settlement } of batch) {
          options.onNotice({
            event: 'attempt',
            outcome: settlement.attempt.error === null ? 'delivered' : 'failed',
            kind: delivery.kind,
          })
        }
        for (const one of disabled) options.onNotice({ event: 'subscription_disabled', ...one })
      } catch (error) {
        // The lease runs out, and whoever takes over sends it again: at least once.
        onFault(error)
      }
      for (const { resolve } of batch) resolve()
    }
    isSettling = false
  }

  async function settleBatch(tx: Tx, batch: Ended[]): Promise<Disabled[]> {
    const stamp = instantOf(now())
    const held = new Set(
      await tx.deliveries.settle(
        batch.map(({ settlement }) => settlement),
        claim,
        stamp,
      ),
    )
    const disabled: Disabled[] = []
    const arrived = new Set<number>()
    for (const { delivery, settlement } of batch) {
      if (!held.has(delivery.id) || delivery.kind === 'ping') continue
      const { id, retry_started_at } = delivery.to
      if (settlement.state === 'delivered') {
        if (retry_started_at !== null) arrived.add(id)
        continue
      }
      const { started_at, status } = settlement.attempt
      await tx.webhooks.failed(id, started_at)
      if (settlement.state !== 'failed') continue
      const reason =
        status === 410
          ? `The receiver answered 410 Gone at ${started_at}.`
          : `Nothing has arrived for a day; the last attempt: ${settlement.attempt.error}`
      const failingSince = status === 410 ? {} : { failingSince: instantOf(at(stamp) - PATIENCE) }
      const one = await tx.webhooks.disable(id, { reason, now: stamp, ...failingSince })
      if (one) disabled.push({ subscription: one.uuid, address: new URL(one.url).origin, reason })
    }
    for (const id of arrived) await tx.webhooks.arrived(id)
    return disabled
  }

  async function idle(): Promise<void> {
    for (;;) {
      if (looking) await looking
      else if (underWay.size > 0) await Promise.race(underWay.values())
      else return
    }
  }

  async function stop(grace: number): Promise<void> {
    stopping = true
    await looking
    let timer: ReturnType<typeof setTimeout> | undefined
    const patience = new Promise((resolve) => {
      timer = setTimeout(resolve, grace)
    })
    await Promise.race([Promise.all(underWay.values()), patience])
    clearTimeout(timer)
    await post.close()
    await Promise.all(underWay.values())
    await store.transaction((tx) => tx.deliveries.release(claim)).catch(onFault)
  }

  return {
    wake,
    inFlight: () => underWay.size,
    idle,
    stop(grace = GRACE) {
      stopped ??= stop(grace)
      return stopped
    },
  }
}

/** The keys that sign at a moment, the newest first. */
function keysOf({ signing_key, old_signing_key, old_signing_key_until }: Destination, now: number): string[] {
  const isOldValid = old_signing_key !== null && old_signing_key_until !== null && at(old_signing_key_until) > now
  return isOldValid ? [signing_key, old_signing_key] : [signing_key]
}

/** PostgreSQL holds no NUL in a text. */
const keptOf = (reply: string): string => Buffer.from(reply).subarray(0, MOST_KEPT_OF_REPLY).toString().replaceAll('\0', '�')
