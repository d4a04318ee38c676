import { expect, test } from 'vitest'
import { createBusiness } from '../../src/service/business.ts'
import { openService } from '../../src/service/open.ts'
import { sql } from '../../src/service/store/sql.ts'
import { createHomes, type Home, PATIENCE, type Serving, until } from '../support/binary.ts'
import type { TestDatabase } from '../support/databases.ts'
import { onEveryEngine } from '../support/engines.ts'
import { openReceiver } from '../support/receiver.ts'

const KILLS = 20
/** Requests at once, so that some are in the middle of everything when the process dies. */
const CLIENTS = 6

const homes = createHomes()

/** A business in a database that a process of its own serves; `restart` begins another one once the one before is gone. */
async function served(database: TestDatabase) {
  const service = await openService({
    database: database.address,
    create: true,
    now: () => Date.now(),
    newId: () => crypto.randomUUID(),
    newRequestId: () => 'none',
    onFault: () => undefined,
  })
  const { api_key, access_token } = await createBusiness(service, {
    organization: { name: 'Practice', time_zone: 'UTC' },
    owner: { name: 'Olga Owner', email: 'olga@example.com' },
    credentials: { name: 'tests' },
  })
  await service.close()
  const home: Home = homes.empty()
  const start = () =>
    home.serve(['--quiet', '--allow-private-webhooks', '--rate-limit', '0'], { env: { BOOKCTL_DATABASE: database.address } })
  const call = async (serving: Serving, path: string, body: object) => {
    const headers = { 'content-type': 'application/json', 'api-key': api_key, authorization: `Bearer ${access_token}` }
    const reply = await fetch(`${serving.url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
    return { status: reply.status, body: (await reply.json()) as { resource: { id: number; uri: string } } }
  }
  const me = async (serving: Serving) => {
    const reply = await fetch(`${serving.url}/users/me`, { headers: { authorization: `Bearer ${access_token}` } })
    return ((await reply.json()) as { resource: { current_organization: string } }).resource
  }
  return { start, call, me }
}

onEveryEngine('a service that is killed', (engine) => {
  test(
    `at ${KILLS} points of its work delivers what was committed, all of it and nothing else`,
    async () => {
      const database = await engine.fresh()
      const receiver = await openReceiver()
      const { start, call, me } = await served(database)
      let serving = await start()
      try {
        const { current_organization: organization } = await me(serving)
        const events = ['invitee.created', 'invitee.canceled']
        await call(serving, '/webhook_subscriptions', { url: receiver.url, events, scope: 'organization', organization })
        const staff = await call(serving, '/api/v3/staff_members', { name: 'Mira', email: 'mira@example.com' })
        const service = await call(serving, '/api/v3/services', { name: 'Visits' })
        const type = await call(serving, '/api/v3/appointment_types', {
          ...{ name: 'Visit', duration: 30, service_id: service.body.resource.id, staff_member_ids: [staff.body.resource.id] },
        })
        const booking = {
          ...{ appointment_type_id: type.body.resource.id, staff_member_id: staff.body.resource.id, force: true },
          ...{ customer: { name: 'Ada' }, start_time: new Date(Date.now() + 86_400_000).toISOString() },
        }

        let isOver = false
        let answered = 0
        const client = async () => {
          while (!isOver) {
            try {
              const { body } = await call(serving, '/api/v3/appointments', booking)
              answered += 1
              await call(serving, `/api/v3/appointments/${body.resource.id}/cancel`, {})
            } catch {
              // Nobody is there at the moment, or nobody any more: whether it was committed, the database knows.
              await new Promise((resolve) => setTimeout(resolve, 5))
            }
          }
        }
        const load = Promise.all(Array.from({ length: CLIENTS }, client))
        for (let kills = 0; kills < KILLS; kills += 1) {
          const before = answered
          const more = Math.floor(Math.random() * 25)
          await until(() => answered > before + more)
          serving.signal('SIGKILL')
          await serving.ended
          serving = await start()
        }
        isOver = true
        await load

        const engine_ = await database.open()
        const undelivered = async () => (await engine_.all(sql`select id from deliveries where state <> 'delivered' limit 1`)).length
        await until(async () => (await undelivered()) === 0)
        const committed = (await engine_.all<{ uuid: string }>(sql`select uuid from webhook_events`)).map(({ uuid }) => uuid)
        const booked = await engine_.all<{ uuid: string; status: string }>(sql`select invitee_uuid as uuid, status from appointments`)
        await engine_.close()
        const ids = receiver.received.map(({ headers }) => headers['webhook-id'])
        const told = (kind: string) =>
          new Set(receiver.payloads().flatMap(({ event, payload }) => (event === kind ? [payload.uri.split('/').at(-1)] : [])))
        console.log(
          `${engine.name}: ${committed.length} events committed, ${ids.length} requests came, ${new Set(ids).size} of them different`,
        )

        expect(new Set(ids)).toEqual(new Set(committed))
        expect(told('invitee.created')).toEqual(new Set(booked.map(({ uuid }) => uuid)))
        const canceled = booked.filter(({ status }) => status === 'canceled').map(({ uuid }) => uuid)
        expect(told('invitee.canceled')).toEqual(new Set(canceled))
        expect(committed.length).toBe(booked.length + canceled.length)
      } finally {
        await serving.stop()
        await receiver.close()
        await database.drop()
      }
    },
    3 * PATIENCE,
  )
})
