import type { HttpReply, HttpRequest } from '../contract/endpoint.ts'
import { fail } from '../contract/errors.ts'
import { type AppOptions, createApp } from './app.ts'
import type { World } from './http/handler.ts'
import { createLastUsed } from './http/last-used.ts'
import { createRateLimit } from './http/rate-limit.ts'
import { createSignInLimit } from './http/sign-ins.ts'
import { DEFAULT_ADDRESS } from './http/uris.ts'
import type { Engine } from './store/engine.ts'
import { openStore, type Store } from './store/store.ts'

export interface ServiceOptions extends Pick<World, 'now' | 'newId' | 'newRequestId' | 'onFault'> {
  /** A file, or a `postgres://` address. */
  database: string
  /** Make the file when it is not there. */
  create?: boolean
  /** The public address (origin), where it is not the one the database remembers. */
  address?: string | undefined
  /** The UUID of the user for whom requests are answered without a credential. */
  trustedUser?: string
  /** Webhook subscribers may be on this machine and in private networks. */
  allowPrivateWebhooks?: boolean | undefined
  /** How many requests a credential may make in a minute; 0 or left out: as many as it likes. */
  rateLimit?: number | undefined
}

export interface Service {
  app: (request: HttpRequest) => Promise<HttpReply>
  store: Store
  world: World
  close(): Promise<void>
}

/** Opens the service on its database, in this process. */
export async function openService(given: ServiceOptions): Promise<Service> {
  const { database, create = false, address, trustedUser, allowPrivateWebhooks: allowPrivate = false, rateLimit = 0, ...outside } = given
  const store = await openStore(await openEngine(database, create))
  const world: World = {
    ...outside,
    store,
    address: address ?? (await store.settings.get('public_url')) ?? DEFAULT_ADDRESS,
    secrets: async () => (await import('./http/secrets.ts')).secrets,
    limitSignIns: createSignInLimit(),
    wake: () => undefined,
    allowsPrivate: allowPrivate,
    refusalOfUrl: async (url) => (await import('./delivery/guard.ts')).refusalOf(url, { allowPrivate }),
  }
  if (trustedUser !== undefined) {
    return { app: createApp(world, { trusted: () => trust(store, trustedUser) }), store, world, close: store.close }
  }
  const lastUsed = createLastUsed(store, (error) => world.onFault(error, 'last-used'))
  const options: AppOptions = { lastUsed, ...(rateLimit > 0 ? { limit: createRateLimit(rateLimit) } : {}) }
  const close = async () => {
    await lastUsed.settled()
    await store.close()
  }
  return { app: createApp(world, options), store, world, close }
}

async function openEngine(database: string, create: boolean): Promise<Engine> {
  if (/^postgres(?:ql)?:\/\//.test(database)) return (await import('./store/postgres.ts')).openPostgres(database)
  return (await import('./store/sqlite.ts')).openSqlite(database, { create })
}

async function trust(store: Store, user: string) {
  return (
    (await store.account.principalOfUser(user)) ?? fail('unauthenticated', `The database has no user ${user}; run "bookctl init" again.`)
  )
}
