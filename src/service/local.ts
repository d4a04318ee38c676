import type { HttpReply, Signal, Transport } from '../contract/endpoint.ts'
import { AppError } from '../contract/errors.ts'
import { at } from '../contract/time.ts'
import type { Worker } from './delivery/worker.ts'
import { openService, type Service, type ServiceOptions } from './open.ts'

export interface Local {
  transport: Transport
  /** The origin of the service's URIs. */
  address: string
  /**
   * Waits for the one try that what was queued meanwhile gets, a few seconds at most, or until `signal`.
   * @returns how many deliveries are left for later, and when the first of them is due (milliseconds); undefined where none is
   */
  delivered(signal: Signal): Promise<{ count: number; due: number } | undefined>
  close(): Promise<void>
}

export interface LocalOptions extends Omit<ServiceOptions, 'onFault'> {
  onFault?: ServiceOptions['onFault']
  /** At least 0, less than 1. */
  chance: () => number
  /** What subscribers are told of us. */
  user_agent: string
  /** Deliver what is due as long as it is open, whoever caused it. */
  delivering?: boolean
}

/** How long a command waits for a subscriber, in milliseconds; who takes longer is tried again later. A command that stays waits as `serve` does. */
const PATIENCE = 3_000

/** The service of a local profile, in this process: no port, and whoever has the database file is its user. */
export async function openLocalService({ chance, user_agent, delivering = false, ...options }: LocalOptions): Promise<Local> {
  const faults = new Map<string, unknown>()
  const onFault = (error: unknown, request_id: string) => {
    faults.set(request_id, error)
    options.onFault?.(error, request_id)
  }
  const service = await openService({ allowPrivateWebhooks: true, ...options, onFault })
  const { app, store, world } = service
  let opening: Promise<Worker> | undefined
  let looking: ReturnType<typeof setInterval> | undefined
  world.wake = () => {
    opening ??= openWorker(service, { chance, user_agent, delivering })
    // For a command that stays: what did not arrive at once is due again while it waits.
    looking ??= setInterval(world.wake, EVERY).unref()
    void opening.then((worker) => worker.wake())
  }
  if (delivering) world.wake()
  const stop = async () => {
    clearInterval(looking)
    await (await opening)?.stop(0)
  }
  return {
    address: world.address,
    async transport(request) {
      const reply = await app(request)
      return aboutFile(reply, faults.get(reply.headers['x-request-id'] as string), options.database)
    },
    async delivered(signal) {
      if (!opening) return undefined
      const worker = await opening
      await Promise.race([worker.idle(), patience(signal)])
      await stop()
      await (await import('./delivery/sweep.ts')).sweep(store, world.now(), 1)
      const { pending: count, due } = await store.deliveries.backlog()
      return due === null ? undefined : { count, due: at(due) }
    },
    async close() {
      await stop()
      await store.close()
    },
  }
}

/** How often a command that stays looks for what is due, in milliseconds. */
const EVERY = 1_000

async function openWorker(
  { store, world }: Service,
  { delivering, ...options }: Pick<LocalOptions, 'chance' | 'user_agent' | 'delivering'>,
): Promise<Worker> {
  const [{ createWorker }, { openPostBySubscription }] = await Promise.all([import('./delivery/worker.ts'), import('./delivery/post.ts')])
  const { now, newId } = world
  const post = await openPostBySubscription({ now, ...(delivering ? {} : { timeouts: { connect: PATIENCE, whole: PATIENCE } }) })
  const onFault = (error: unknown) => world.onFault(error, 'deliveries')
  return createWorker({ store, post, now, newId, onNotice: () => undefined, onFault, ...options })
}

/** Resolves after a while, or when it is interrupted. */
function patience(signal: Signal): Promise<void> {
  return new Promise((resolve) => {
    // A moment longer than a request may take, so that how it ended is written down.
    const timer = setTimeout(resolve, PATIENCE + 1_000)
    timer.unref()
    signal.addEventListener('abort', () => resolve(), { once: true })
    if (signal.aborted) resolve()
  })
}

/**
 * A fault of the database is a fault of a file of the caller's own, so it is told with the file's name, which a caller
 * from elsewhere would not be told.
 * @throws AppError `bad_file` for a file that cannot be used
 */
function aboutFile(reply: HttpReply, fault: unknown, database: string): HttpReply {
  if (!(fault instanceof AppError)) return reply
  if (fault.code === 'bad_file') throw fault
  // An address may hold a password.
  if (database.includes('://')) return reply
  const body = { ...JSON.parse(reply.body), message: `${fault.message} The database is ${database}.` }
  return { ...reply, body: JSON.stringify(body) }
}
