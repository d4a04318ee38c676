import type { NewCustomer } from '../../src/service/store/customers.ts'
import type { Engine } from '../../src/service/store/engine.ts'
import { openStore, type Store } from '../../src/service/store/store.ts'
import type { TestEngine } from './engines.ts'

export const STAMP = '2026-11-23T08:00:00.000000Z'

export interface StoreWorld {
  store: Store
  /** Beneath the store, for what it does not tell. */
  engine: Engine
  /** The id of an organization that is there. */
  organization: number
  /** A second connection to the same database. */
  another(): Promise<{ store: Store; engine: Engine }>
  hasOrganization(): Promise<number>
  close(): Promise<void>
}

let counted = 0

/** A store on a database of its own, with one organization and nothing else. */
export async function createStoreWorld(testEngine: TestEngine): Promise<StoreWorld> {
  const database = await testEngine.fresh()
  const opened: Store[] = []
  const another = async () => {
    const engine = await database.open()
    const store = await openStore(engine)
    opened.push(store)
    return { store, engine }
  }
  const { store, engine } = await another()
  const hasOrganization = () => {
    counted += 1
    const given = { uuid: `organization-${counted}`, name: 'Practice', slug: 'practice', time_zone: 'UTC' }
    return store.account.insertOrganization({ ...given, created_at: STAMP, updated_at: STAMP })
  }
  return {
    store,
    engine,
    organization: await hasOrganization(),
    another,
    hasOrganization,
    async close() {
      for (const one of opened) await one.close()
      await database.drop()
    },
  }
}

/** A customer as the store takes one. */
export function customer(given: Partial<NewCustomer> = {}): NewCustomer {
  const blank = { email: null, phone: null, notes: null, time_zone: null, custom_fields: {}, deleted_at: null }
  return { name: 'Ada', ...blank, created_at: STAMP, updated_at: STAMP, ...given }
}

/** A staff member as the store takes one. */
export function staffMember(email: string) {
  const plan = { time_zone: 'UTC', working_hours: [], extra_hours: [], time_off: [], active: true, user_id: null, user_uuid: null }
  return { name: 'Mira', email, ...plan, created_at: STAMP, updated_at: STAMP }
}
