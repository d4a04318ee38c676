import { randomUUID } from 'node:crypto'
import type { HttpReply, HttpRequest } from '../contract/endpoint.ts'
import { type RunningServer, startServer } from './http/server.ts'
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
}

export interface Serving {
  url: string
  stop(): Promise<void>
}

/** The composition root of `bookctl serve`: database → app → port. */
export async function serve(options: ServeOptions): Promise<Serving> {
  const log = (event: string, fields: object = {}) => options.log(JSON.stringify({ time: new Date().toISOString(), event, ...fields }))
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
  try {
    if (options.publicUrl !== undefined) await service.store.transaction((tx) => tx.settings.set('public_url', options.publicUrl as string))
    const onReply = options.quiet ? {} : { onReply: (entry: object) => log('request', entry) }
    const server = await startServer({
      app: front(service),
      host: options.host,
      port: options.port,
      newRequestId,
      now,
      onFault,
      ...onReply,
    })
    // Until it is told, the address that clients know is the one they reach us at.
    if (service.world.address === DEFAULT_ADDRESS && !/\/\/(?:0\.0\.0\.0|\[::\])/.test(server.url)) service.world.address = server.url
    log('listening', { url: server.url, engine: service.store.engine })
    return { url: server.url, stop: () => stop(server, service, log) }
  } catch (error) {
    await service.close()
    throw error
  }
}

async function stop(server: RunningServer, service: Service, log: (event: string) => void): Promise<void> {
  log('stopping')
  await server.stop()
  await service.close()
  log('stopped')
}

/** The addresses for those who run the service; everything else is the app's. */
function front({ app, store, world }: Service): (request: HttpRequest) => Promise<HttpReply> {
  const text = (status: number, body: string): HttpReply => ({ status, headers: { 'content-type': 'text/plain; charset=utf-8' }, body })
  return async (request) => {
    const path = request.url.split('?')[0]
    if (request.method !== 'GET') return app(request)
    if (path === '/healthz') return text(200, 'ok\n')
    if (path === '/readyz')
      return (await store.ping().catch(() => false)) ? text(200, 'ready\n') : text(503, 'the database does not answer\n')
    if (path === '/openapi.json') {
      const { openapi } = await import('./http/openapi.ts')
      return { status: 200, headers: { 'content-type': 'application/json; charset=utf-8' }, body: openapi(world.address) }
    }
    return app(request)
  }
}

/** For the log: what happened and where, no request bodies, no credentials. */
function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const cause = error.cause === undefined ? '' : `; cause: ${describe(error.cause)}`
  return `${error.stack ?? error.message}${cause}`
}
