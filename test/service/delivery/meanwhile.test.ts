import { describe, expect, test } from 'vitest'
import type { Appointment } from '../../../src/contract/appointments.ts'
import { instantOf } from '../../../src/contract/time.ts'
import { eraseCustomer } from '../../../src/service/http/erase.ts'
import type { Context } from '../../../src/service/http/handler.ts'
import { tellOfInvitee } from '../../../src/service/http/tell.ts'
import { sql } from '../../../src/service/store/sql.ts'
import type { Store, Tx } from '../../../src/service/store/store.ts'
import { bearerOf, type Subscribed, startWorker, subscribe } from '../../support/delivering.ts'
import { onEveryEngine } from '../../support/engines.ts'
import type { ServiceWorld } from '../../support/service.ts'
import { worldsOn } from '../../support/worlds.ts'

/*
 * Two transactions of which one has not ended when the other one comes. Only PostgreSQL lets them be under way at once: SQLite
 * lets one write at a time, and the second begins where the first has ended.
 */

const HOOK = 'https://hooks.example.com/booking'
const TUESDAY = '2026-11-24T09:00:00Z'
const DAY = 86_400_000

/** A transaction that has done its work, and is committed when it is told to. */
async function held(store: Store, work: (tx: Tx) => Promise<unknown>) {
  let [commit, isDone] = [() => {}, () => {}]
  const done = new Promise<void>((resolve) => {
    isDone = resolve
  })
  const told = new Promise<void>((resolve) => {
    commit = resolve
  })
  const ended = store.transaction(async (tx) => {
    await work(tx)
    isDone()
    await told
  })
  await Promise.race([done, ended])
  return {
    async commit() {
      commit()
      await ended
    },
  }
}

/** Resolves once somebody waits for what another transaction holds; or once what might have waited has ended without. */
async function waits({ rows }: ServiceWorld, waiting: Promise<unknown>): Promise<void> {
  let isOver = false
  const over = () => {
    isOver = true
  }
  waiting.then(over, over)
  const locked = sql`select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
  while (!isOver && (await rows(locked)).length === 0);
}

const idOf = async ({ service, owner }: ServiceWorld, { uuid }: Subscribed): Promise<number> =>
  (await service.store.webhooks.find(owner.organization_id, uuid))?.id as number

/** The delivery log of a subscription, the oldest first. */
async function logOf(world: ServiceWorld, { uuid }: Subscribed) {
  const bearer = bearerOf(world)
  const { collection } = (await bearer('GET', `/webhook_subscriptions/${uuid}/deliveries?sort=id:asc`)).body
  const read = async ({ id }: { id: number }) => (await bearer('GET', `/webhook_subscriptions/${uuid}/deliveries/${id}`)).body.resource
  return Promise.all(collection.map(read))
}

onEveryEngine('what happens meanwhile', (engine) => {
  const createWorld = worldsOn(engine)

  describe.runIf(engine.name === 'PostgreSQL')('in a transaction that has not ended', () => {
    test('a subscription that is removed while an event is written gets nothing of it; the others do, and the change is made', async () => {
      const world = await createWorld()
      const [first, gone, last] = [
        await subscribe(world, HOOK),
        await subscribe(world, `${HOOK}/gone`),
        await subscribe(world, `${HOOK}/last`),
      ]
      const { store } = world.service
      const [type, customer, id] = [await world.hasType(), await world.hasCustomer(), await idOf(world, gone)]
      const removal = await held(store, async (tx) => {
        await tx.deliveries.removeAll(id)
        await tx.webhooks.remove(world.owner.organization_id, id)
      })
      const booking = world.call('POST', '/api/v3/appointments', {
        appointment_type_id: type.id,
        customer_id: customer.id,
        start_time: TUESDAY,
      })
      await waits(world, booking)
      await removal.commit()
      const { status, body } = await booking
      expect([status, body.resource?.status], JSON.stringify(body)).toEqual([201, 'scheduled'])
      const told = [...(await logOf(world, first)), ...(await logOf(world, last))]
      expect(told.map(({ event, state, attempt_count }) => [event, state, attempt_count])).toEqual([
        ['invitee.created', 'pending', 0],
        ['invitee.created', 'pending', 0],
      ])
      expect(new Set(told.map(({ event_id }) => event_id)).size, 'one event').toBe(1)
      expect(await world.rows(sql`select id from webhook_events`), 'and none of the first try').toHaveLength(1)
      expect((await bearerOf(world)('GET', `/webhook_subscriptions/${gone.uuid}`)).status).toBe(404)
    })

    describe('nothing of a customer who is erased is left in what is told of them', () => {
      const SECRET = /Ada|ada@|Faint|Swoon/

      /** A customer with a canceled appointment of which a subscriber knows nothing yet, and the ways to tell of it and to erase them. */
      async function left() {
        const world = await createWorld()
        const customer = await world.hasCustomer({ name: 'Ada Lovelace', email: 'ada@example.com' })
        const about = { customer_id: customer.id, tracking: { utm_source: 'Faint' } }
        const appointment: Appointment = await world.hasAppointment(await world.hasType(), TUESDAY, about)
        await world.call('POST', `/api/v3/appointments/${appointment.id}/cancel`, { reason: 'Swoon' })
        const subscribed = await subscribe(world, HOOK)
        const { store, world: outside } = world.service
        const principal = (await store.account.principalOfUser(world.owner.user_uuid)) as Context['principal']
        const contextOf = (tx: Tx): Context => ({ ...outside, store: tx, principal, now: world.clock.now(), queued: () => undefined })
        const [event, invitee] = [appointment.uri, appointment.invitee].map((uri) => uri.split('/').at(-1)) as [string, string]
        return {
          ...world,
          customer,
          store,
          contextOf,
          tell: (tx: Tx) => tellOfInvitee(contextOf(tx), 'invitee.canceled', { event, invitee, customer_id: customer.id }),
          async bodies() {
            const told = await logOf(world, subscribed)
            return told.map(({ body }) => body as string)
          },
        }
      }

      test('and is not committed yet', async () => {
        const world = await left()
        const telling = await held(world.store, world.tell)
        const erasing = world.call('DELETE', `/api/v3/customers/${world.customer.id}`)
        await waits(world, erasing)
        await telling.commit()
        expect((await erasing).status).toBe(204)
        const [body, ...more] = await world.bodies()
        expect(more).toEqual([])
        expect(body).toContain('Deleted customer')
        expect(body).not.toMatch(SECRET)
      })

      test('while the erasure is not committed yet', async () => {
        const world = await left()
        const erasure = await held(world.store, async (tx) => {
          await tx.customers.lock(world.owner.organization_id, world.customer.id)
          await eraseCustomer(world.contextOf(tx), world.customer.id)
        })
        const telling = world.store.transaction(world.tell)
        await waits(world, telling)
        await erasure.commit()
        await telling
        const [body, ...more] = await world.bodies()
        expect(more).toEqual([])
        expect(body).toContain('Deleted customer')
        expect(body).not.toMatch(SECRET)
      })
    })

    /** A booking of a customer's, whose delivery is due; what is to be claimed, and the end of a lease that begins now. */
    async function booked() {
      const world = await createWorld()
      const subscribed = await subscribe(world, HOOK, { events: ['invitee.created'] })
      const customer = await world.hasCustomer({ name: 'Ada Lovelace' })
      await world.hasAppointment(await world.hasType(), TUESDAY, { customer_id: customer.id })
      const { store } = world.service
      const now = world.clock.instant()
      const later = instantOf(world.clock.now() + 30_000)
      const wanted = [{ id: await idOf(world, subscribed), limit: 1 }]
      return { world, subscribed, customer, store, now, later, wanted }
    }

    test('what a receiver answered is gone with the customer, though it was being written down', async () => {
      const { world, subscribed, customer, store, now, later, wanted } = await booked()
      const lease = { now, until: later, claim: 'worker' }
      const [{ id } = { id: 0 }] = await store.transaction((tx) => tx.deliveries.claim(wanted, lease))
      const attempt = { number: 1, started_at: now, milliseconds: 1, status: 200, error: null, reply: 'Thanks for Ada' }
      const settled = { id, attempt, tries: 1, state: 'delivered' as const, due_at: null }
      const settling = await held(store, (tx) => tx.deliveries.settle([settled], lease.claim, now))
      const erasing = world.call('DELETE', `/api/v3/customers/${customer.id}?cancel_appointments=true`)
      await waits(world, erasing)
      await settling.commit()
      expect((await erasing).status).toBe(204)
      expect(await logOf(world, subscribed)).toMatchObject([{ state: 'delivered', attempts: [{ number: 1, reply: null }] }])
    })

    test('what was being claimed when the customer was erased is sent as it was then, and again as it is now', async () => {
      const { world, subscribed, customer, store, now, later, wanted } = await booked()
      const claiming = await held(store, (tx) => tx.deliveries.claim(wanted, { now, until: later, claim: 'worker' }))
      const erasing = world.call('DELETE', `/api/v3/customers/${customer.id}?cancel_appointments=true`)
      await waits(world, erasing)
      await claiming.commit()
      expect((await erasing).status).toBe(204)
      const [{ id } = { id: 0 }] = await logOf(world, subscribed)
      const attempt = { number: 1, started_at: now, milliseconds: 1, status: 200, error: null, reply: 'Thanks for Ada' }
      const settled = { id, attempt, tries: 1, state: 'delivered' as const, due_at: null }
      expect(await store.transaction((tx) => tx.deliveries.settle([settled], 'worker', now))).toEqual([])
      const lease = { now: later, until: instantOf(world.clock.now() + 60_000), claim: 'another' }
      const again = await store.transaction((tx) => tx.deliveries.claim(wanted, lease))
      expect(again).toMatchObject([{ id, attempt_count: 2, body: expect.stringContaining('Deleted customer') }])
    })

    test('what is settled at last, when its lease has run out, is not claimed again', async () => {
      const { world, subscribed, store, now, later, wanted } = await booked()
      const [{ id } = { id: 0 }] = await store.transaction((tx) => tx.deliveries.claim(wanted, { now, until: later, claim: 'slow' }))
      const attempt = { number: 1, started_at: now, milliseconds: 1, status: 200, error: null, reply: null }
      const settled = { id, attempt, tries: 1, state: 'delivered' as const, due_at: null }
      const settling = await held(store, (tx) => tx.deliveries.settle([settled], 'slow', later))
      const lease = { now: later, until: instantOf(world.clock.now() + 60_000), claim: 'another' }
      const claiming = store.transaction((tx) => tx.deliveries.claim(wanted, lease))
      await waits(world, claiming)
      await settling.commit()
      expect(await claiming).toEqual([])
      expect(await world.rows(sql`select claim from delivery_claims`)).toEqual([])
      expect(await logOf(world, subscribed)).toMatchObject([{ state: 'delivered', attempts: [{ number: 1 }] }])
    })

    test('an old delivery that is sent once more is not swept away', async () => {
      const world = await createWorld({ allowPrivateWebhooks: true })
      const subscribed = await subscribe(world, 'http://127.0.0.1:9/')
      const { store } = world.service
      const { worker, deliverDue } = await startWorker(world)
      const bearer = bearerOf(world)
      for (let times = 0; times < 2; times += 1) await bearer('POST', `/webhook_subscriptions/${subscribed.uuid}/ping`)
      await deliverDue()
      await worker.stop(0)
      const [once, never] = await logOf(world, subscribed)
      expect([once.state, never.state]).toEqual(['failed', 'failed'])
      world.clock.advance((100 * DAY) / 60_000)
      const now = world.clock.now()
      const redelivery = await held(store, (tx) => tx.deliveries.redeliver(once.id, instantOf(now)))
      const before = { delivered: instantOf(now - 30 * DAY), failed: instantOf(now - 90 * DAY) }
      const sweeping = store.transaction((tx) => tx.deliveries.sweep(before, instantOf(now), 10))
      await waits(world, sweeping)
      await redelivery.commit()
      await sweeping
      const kept = await logOf(world, subscribed)
      expect(kept.map(({ id, state, attempts }) => [id, state, attempts.length])).toEqual([[once.id, 'pending', 1]])
    })
  })
})
