import { expect } from 'vitest'
import type { Role } from '../../src/contract/account.ts'
import type { HttpReply, HttpRequest } from '../../src/contract/endpoint.ts'
import { at, instantOf } from '../../src/contract/time.ts'
import { createBusiness } from '../../src/service/business.ts'
import { issuePair } from '../../src/service/http/account.ts'
import { openService, type Service } from '../../src/service/open.ts'
import type { Sql } from '../../src/service/store/sql.ts'
import { checkReply } from './contract-check.ts'
import type { TestEngine } from './engines.ts'
import { type Makers, makers } from './makers.ts'

export interface Reply {
  status: number
  headers: Record<string, string>
  // biome-ignore lint/suspicious/noExplicitAny: a test says what it expects of a body; checkReply has compared it with the contract
  body: any
}

/** One request, its reply compared with the contract. A body that is no string is sent as JSON. */
export type Call = (method: HttpRequest['method'], url: string, body?: unknown, headers?: Record<string, string>) => Promise<Reply>

/** Somebody who signs in, with a pair of credentials. */
export interface Caller {
  user_id: number
  user_uuid: string
  organization_id: number
  api_key: string
  access_token: string
  /** Makes requests with the API key. */
  call: Call
}

export interface ServiceWorld extends Makers {
  service: Service
  clock: { now(): number; instant(): string; set(instant: string): void; advance(minutes: number): void }
  /** Requests of the owner. */
  call: Call
  /** Requests without a credential, or with the one in the headers. */
  callBare: Call
  owner: Caller
  hasUser(role: Role): Promise<Caller>
  /** The owner of another business in the same database. */
  hasStranger(): Promise<Caller>
  /** Another process, as it were, on the same database, whose requests are the owner's. */
  another(): Promise<Call>
  /** What the database holds, beneath the service. */
  rows<T>(query: Sql): Promise<T[]>
  /** What went to the log of faults; `close` expects it to be empty. */
  faults: unknown[]
  close(): Promise<void>
}

export interface WorldOptions {
  /** The owner's. */
  password?: string
  /** Subscribers may be on this machine. */
  allowPrivateWebhooks?: boolean
}

export const MONDAY = '2026-11-23T08:00:00.000000Z'

let counted = 0
const newId = () => {
  counted += 1
  return `00000000-0000-4000-8000-${counted.toString(16).padStart(12, '0')}`
}

/** A whole small world: the service on a database of its own, a business with its owner, and a clock that stands still. */
export async function createServiceWorld(
  engine: TestEngine,
  { allowPrivateWebhooks = false, ...owner }: WorldOptions = {},
): Promise<ServiceWorld> {
  const database = await engine.fresh()
  let now = at(MONDAY)
  const faults: unknown[] = []
  const outside = {
    now: () => now,
    newId,
    newRequestId: () => `req-${newId().slice(-6)}`,
    onFault: (error: unknown) => faults.push(error),
  }
  const opened: Service[] = []
  const open = async () => {
    const service = await openService({ database: database.address, create: true, allowPrivateWebhooks, ...outside })
    opened.push(service)
    return service
  }
  const service = await open()
  const made = await createBusiness(service, {
    organization: { name: 'Practice', time_zone: 'Europe/Berlin' },
    owner: { name: 'Olga Owner', email: 'olga@example.com', ...owner },
    credentials: { name: 'tests' },
  })
  const principal = await service.store.account.principalOfUser(made.user_uuid)
  const { user_id, organization_id } = principal as NonNullable<typeof principal>
  const callBare = callerOf(service.app, {})
  const as = (app: Service['app'], api_key: string) => callerOf(app, { 'api-key': api_key })
  const callerFor = async (organization: number, role: Role): Promise<Caller> => {
    const user = await insertUser(service, organization, role)
    return { ...user, organization_id: organization, call: as(service.app, user.api_key) }
  }
  const call = as(service.app, made.api_key)

  return {
    service,
    faults,
    call,
    callBare,
    clock: {
      now: () => now,
      instant: () => instantOf(now),
      set: (instant) => {
        now = at(instant)
      },
      advance: (minutes) => {
        now += minutes * 60_000
      },
    },
    owner: { ...made, user_id, organization_id, call },
    hasUser: (role) => callerFor(organization_id, role),
    async hasStranger() {
      const stamps = { created_at: instantOf(now), updated_at: instantOf(now) }
      const other = { uuid: newId(), name: 'Rival', slug: 'rival', time_zone: 'UTC', ...stamps }
      return callerFor(await service.store.account.insertOrganization(other), 'owner')
    },
    async rows(query) {
      const bare = await database.open()
      return bare.all<never>(query).finally(bare.close)
    },
    another: async () => as((await open()).app, made.api_key),
    ...makers(call),
    async close() {
      for (const one of opened) await one.close()
      await database.drop()
      expect(faults, 'nothing went to the log of faults').toEqual([])
    },
  }
}

async function insertUser({ store, world }: Service, organization_id: number, role: Role) {
  const [user_uuid, created_at] = [newId(), instantOf(world.now())]
  const person = { name: `${role} ${counted}`, slug: `${role}-${counted}`, email: `${role}-${counted}@example.com`, time_zone: 'UTC' }
  const row = { uuid: user_uuid, organization_id, role, password_hash: null, created_at, updated_at: created_at, ...person }
  const user_id = await store.account.insertUser(row)
  const pair = await issuePair(store, await world.secrets(), { user_id, organization_id }, { name: 'tests', now: world.now() })
  return { user_id, user_uuid, ...pair }
}

function callerOf(app: (request: HttpRequest) => Promise<HttpReply>, credential: Record<string, string>): Call {
  return async (method, url, body, headers = {}) => {
    const text = body === undefined || typeof body === 'string' ? body : JSON.stringify(body)
    const type: Record<string, string> = text === undefined ? {} : { 'content-type': 'application/json' }
    const request = { method, url, headers: { ...credential, ...type, ...headers }, ...(text !== undefined && { body: text }) }
    const reply = await app({ ...request, remote_address: '192.0.2.7' })
    checkReply(method, url, reply)
    return { ...reply, body: reply.body === '' ? undefined : JSON.parse(reply.body) }
  }
}
