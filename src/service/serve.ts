import { randomUUID } from 'node:crypto'
import type { HttpReply, HttpRequest } from '../contract/endpoint.ts'
import { refuseMethod } from './app.ts'
import { createMetrics, type Metrics } from './delivery/metrics.ts'
import { openPost } from './delivery/post.ts'
import { sweep } from './delivery/sweep.ts'
import { createWorker, type Notice, type Worker } from './delivery/worker.ts'
import { type RunningServer, type ServerOptions, startServer } from './http/server.ts'
import { DEFAULT_ADDRESS } from './http/uris.ts'
import { openService, type Service } from './open.ts'

export interface ServeOptions {
  /** A file, or a `postgres://` address. */
  database: string
  host: string
  port: number
  /** The origin that URIs begin with; remembered by the database. */
  publicUrl?: string | undefined
  /** Webhook subscribers may be on this machine and in private networks. */
  allowPrivateWebhooks?: boolean
  /** How many requests a credential may make in a minute; 0 for as many as it likes. */
  rateLimit: number
  /** One line of JSON for the log. */
  log: (line: string) => void
  /** Log only faults, starts and stops. */
  quiet: boolean
  /** What webhook subscribers are told of us. */
  user_agent: string
}

type Reply = Parameters<NonNullable<ServerOptions['onReply']>>[0]
type Log = (event: string, fields?: object) => void

export interface Serving {
  url: string
  stop(): Promise<void>
}

/** How often it is looked for what is due: retries, and what other processes on the same database left. Milliseconds. */
const EVERY = 1_000
/** How often what was settled long ago is removed. Milliseconds. */
const SWEEP_EVERY = 3_600_000

/** The composition root of `bookctl serve`: database → app → worker → port. */
export async function serve(options: ServeOptions): Promise<Serving> {
  const log: Log = (event, fields = {}) => options.log(JSON.stringify({ time: new Date().toISOString(), event, ...fields }))
  const onFault = (error: unknown, request_id: string) => log('fault', { request_id, error: describe(error) })
  const newRequestId = () => randomUUID()
  const now = () => Date.now()
  const service = await openService({
    database: options.database,
    address: options.publicUrl,
    allowPrivateWebhooks: options.allowPrivateWebhooks,
    rateLimit: options.rateLimit,
    now,
    newId: () => randomUUID(),
    newRequestId,
    onFault,
  })
  const delivering = await startDelivering(service, options, log)
  try {
    if (options.publicUrl !== undefined) await service.store.transaction((tx) => tx.settings.set('public_url', options.publicUrl as string))
    const { metrics } = delivering
    const onReply = (entry: Reply) => {
      metrics.replied(entry)
      if (!options.quiet) log('request', entry)
    }
    const server = await startServer({
      app: front(service, metrics),
      host: options.host,
      port: options.port,
      newRequestId,
      now,
      onFault,
      onReply,
    })
    // Until it is told, the address that clients know is the one they reach us at.
    if (service.world.address === DEFAULT_ADDRESS && !/\/\/(?:0\.0\.0\.0|\[::\])/.test(server.url)) service.world.address = server.url
    log('listening', { url: server.url, engine: service.store.engine })
    return { url: server.url, stop: () => stop(server, service, delivering, log) }
  } catch (error) {
    await delivering.stop()
    await service.close()
    throw error
  }
}

interface Delivering {
  metrics: Metrics
  stop(): Promise<void>
}

/** The worker beside the app: woken after a commit, and by the clock. */
async function startDelivering({ store, world }: Service, options: ServeOptions, log: Log): Promise<Delivering> {
  const { allowPrivateWebhooks: allowPrivate = false, user_agent } = options
  const { now, newId } = world
  const onFault = (error: unknown) => world.onFault(error, 'deliveries')
  const metrics = createMetrics({ store, worker: () => worker, now })
  const onNotice = (notice: Notice) => {
    metrics.note(notice)
    const { event, ...fields } = notice
    if (event !== 'attempt') log(event, fields)
  }
  const post = await openPost({ allowPrivate, now })
  const worker: Worker = createWorker({ store, post, now, newId, chance: () => Math.random(), user_agent, onNotice, onFault })
  world.wake = worker.wake
  const looking = setInterval(worker.wake, EVERY)
  const tidy = () => void sweep(store, now()).catch(onFault)
  const sweeping = setInterval(tidy, SWEEP_EVERY)
  worker.wake()
  tidy()
  const stop = () => {
    clearInterval(looking)
    clearInterval(sweeping)
    return worker.stop()
  }
  return { metrics, stop }
}

async function stop(server: RunningServer, service: Service, delivering: Delivering, log: Log): Promise<void> {
  log('stopping')
  await Promise.all([server.stop(), delivering.stop()])
  await service.close()
  log('stopped')
}

const fixed = ['/healthz', '/readyz', '/metrics', '/openapi.json']

/** The addresses for those who run the service; everything else is the app's. */
function front({ app, store, world }: Service, metrics: Metrics): (request: HttpRequest) => Promise<HttpReply> {
  const text = (status: number, body: string): HttpReply => ({ status, headers: { 'content-type': 'text/plain; charset=utf-8' }, body })
  return async (request) => {
    const path = request.url.split('?')[0] as string
    if (!fixed.includes(path)) return app(request)
    if (request.method !== 'GET') refuseMethod(request.method, ['GET'])
    if (path === '/healthz') return text(200, 'ok\n')
    if (path === '/readyz')
      return (await store.ping().catch(() => false)) ? text(200, 'ready\n') : text(503, 'the database does not answer\n')
    if (path === '/metrics') {
      const { type, body } = await metrics.text()
      return { status: 200, headers: { 'content-type': type }, body }
    }
    const { openapi } = await import('./http/openapi.ts')
    return { status: 200, headers: { 'content-type': 'application/json; charset=utf-8' }, body: openapi(world.address) }
  }
}

/** For the log: what happened and where, no request bodies, no credentials. */
function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const cause = error.cause === undefined ? '' : `; cause: ${describe(error.cause)}`
  return `${error.stack ?? error.message}${cause}`
}
