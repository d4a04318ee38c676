import { expect, test } from 'vitest'
import type { Engine } from '../../../src/service/store/engine.ts'
import { migrations } from '../../../src/service/store/migrations/index.ts'
import { raw, row, sql } from '../../../src/service/store/sql.ts'
import { openStore } from '../../../src/service/store/store.ts'
import { onEveryEngine } from '../../support/engines.ts'
import { STAMP } from '../../support/store.ts'

const LATER = '2030-01-01T00:00:00.000000Z'
const lease = (now: string) => ({ now, until: '2031-01-01T00:00:00.000000Z', claim: 'new' })

async function insert(engine: Engine, table: string, values: object): Promise<number> {
  const made = await engine.one<{ id: number }>(sql`insert into ${raw(table)} ${row({ created_at: STAMP, ...values })} returning id`)
  return made?.id as number
}

/** A subscription of before there were claims of their own, with one delivery that is waiting and one that a worker is sending. */
async function addDeliveries(engine: Engine): Promise<{ subscription: number; waiting: number; sent: number }> {
  const [name, updated_at] = ['X', STAMP]
  const organization_id = await insert(engine, 'organizations', { uuid: 'o', slug: 'x', time_zone: 'UTC', name, updated_at })
  const user = { uuid: 'u', organization_id, name, slug: 'x', email: 'x', email_key: 'x', role: 'owner', time_zone: 'UTC', updated_at }
  const creator_id = await insert(engine, 'users', user)
  const about = { organization_id, scope: 'organization', target: 'organization', creator_id, signing_key: 'k', updated_at }
  const url = 'https://example.com/'
  const subscription = await insert(engine, 'webhook_subscriptions', { ...about, uuid: 'w', url, state: 'active' })
  const event_id = await insert(engine, 'webhook_events', { organization_id, uuid: 'e', kind: 'ping', payload: '{}' })
  const pending = { organization_id, subscription_id: subscription, event_id, created_by: 'x', state: 'pending' }
  const waiting = await insert(engine, 'deliveries', { ...pending, attempt_count: 2, tries: 2, due_at: STAMP })
  const sent = await insert(engine, 'deliveries', { ...pending, attempt_count: 1, tries: 1, due_at: LATER, claim: 'old' })
  return { subscription, waiting, sent }
}

onEveryEngine('a database from before claims had a table', (engine) => {
  test('keeps who sends what until when, and how often it was tried', async () => {
    const database = await engine.empty()
    const before = await database.open()
    await before.migrate(migrations.filter(({ number }) => number < 7))
    const { subscription, waiting, sent } = await addDeliveries(before)
    await before.close()
    const store = await openStore(await database.open())
    const claim = (now: string) => store.transaction((tx) => tx.deliveries.claim([{ id: subscription, limit: 10 }], lease(now)))
    try {
      expect(await store.deliveries.find(subscription, sent)).toMatchObject({ attempt_count: 1, claim: 'old', state: 'pending' })
      expect(await claim(STAMP)).toMatchObject([{ id: waiting, attempt_count: 3, tries: 3 }])
      expect(await claim(LATER)).toMatchObject([{ id: sent, attempt_count: 2, tries: 2 }])
    } finally {
      await store.close()
      await database.drop()
    }
  })
})
