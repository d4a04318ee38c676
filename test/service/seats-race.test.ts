import { expect, test } from 'vitest'
import { onEveryEngine, type TestEngine } from '../support/engines.ts'
import type { Call, Reply, ServiceWorld } from '../support/service.ts'
import { worldsOn } from '../support/worlds.ts'

const ROUNDS = 5

/** On PostgreSQL two services share the database, as two processes would. */
async function doorsOf(world: ServiceWorld, engine: TestEngine): Promise<Call[]> {
  return engine.name === 'PostgreSQL' ? [world.call, await world.another()] : [world.call]
}

const race = (doors: Call[], racers: number, request: (call: Call, racer: number) => Promise<Reply>) =>
  Promise.all(Array.from({ length: racers }, (_, racer) => request(doors[racer % doors.length] as Call, racer)))

function outcome(replies: Reply[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const { status, body } of replies) {
    const key = status < 300 ? String(body?.resource?.status ?? status) : `${status} ${body.code}`
    counts[key] = (counts[key] ?? 0) + 1
  }
  return counts
}

const startOf = (round: number) => `2026-12-0${1 + round}T10:00:00Z`
const seatsOf = async (call: Call, id: number) => (await call('GET', `/api/v3/sessions/${id}`)).body.resource.seats

async function customers({ hasCustomer }: ServiceWorld, count: number): Promise<number[]> {
  const ids: number[] = []
  for (let more = 0; more < count; more += 1) ids.push((await hasCustomer()).id)
  return ids
}

onEveryEngine('racers for seats', (engine) => {
  const createWorld = worldsOn(engine)

  test('of five times as many as there are seats, exactly as many get in as there are', async () => {
    const world = await createWorld()
    const doors = await doorsOf(world, engine)
    const [plain, waiting] = [await world.hasClass({ capacity: 8 }), await world.hasClass({ capacity: 8, waitlist: true })]
    const ids = await customers(world, 40)
    for (let round = 0; round < ROUNDS; round += 1) {
      for (const one of [plain, waiting]) {
        const { id } = await world.hasSession(startOf(round), { class_id: one.id })
        const replies = await race(doors, 40, (call, racer) =>
          call('POST', `/api/v3/sessions/${id}/attendees`, { customer_id: ids[racer] }),
        )
        expect(outcome(replies)).toEqual(one.waitlist ? { active: 8, waiting: 32 } : { active: 8, '409 session_full': 32 })
        expect(await seatsOf(world.call, id)).toEqual({ total: 8, taken: 8, remaining: 0, waiting: one.waitlist ? 32 : 0 })
      }
    }
  })

  test('the same customer many times at once has one seat', async () => {
    const world = await createWorld()
    const doors = await doorsOf(world, engine)
    const { id } = await world.hasSession(startOf(0), { capacity: 50 })
    const customer = { name: 'New', email: 'new@example.com' }
    const replies = await race(doors, 20, (call) => call('POST', `/api/v3/sessions/${id}/attendees`, { customer }))
    expect(outcome(replies)).toEqual({ active: 1, '409 already_exists': 19 })
  })

  test('every seat that is given back calls up one who waits, in their order, through either door', async () => {
    const world = await createWorld()
    const doors = await doorsOf(world, engine)
    const one = await world.hasClass({ capacity: 12, waitlist: true })
    for (let round = 0; round < ROUNDS; round += 1) {
      const session = await world.hasSession(startOf(round), { class_id: one.id })
      const made: number[] = []
      for (const customer_id of await customers(world, 20)) made.push((await world.hasAttendee(session, { customer_id })).id)
      const url = `/api/v3/sessions/${session.id}/attendees`
      // Each of six is canceled twice at once: it frees one seat.
      const cancel = (call: Call, racer: number) => {
        const id = made[Math.floor(racer / 2)]
        return racer % 4 < 2 ? call('DELETE', `${url}/${id}`) : call('POST', `${url}/${id}/cancel`, {})
      }
      const replies = await race(doors, 12, cancel)
      expect(replies.filter(({ status }) => status < 300)).toHaveLength(6)
      expect(replies.filter(({ body }) => body?.code === 'illegal_transition')).toHaveLength(6)
      const { collection } = (await world.call('GET', `${url}?count=100`)).body
      const statuses = collection.map(({ status }: { status: string }) => status)
      expect(statuses).toEqual([...Array(6).fill('canceled'), ...Array(12).fill('active'), ...Array(2).fill('waiting')])
    }
  })

  test('those who come, those who go and a session that shrinks and grows never break the seats', async () => {
    const world = await createWorld()
    const doors = await doorsOf(world, engine)
    const one = await world.hasClass({ capacity: 6, waitlist: true })
    const ids = await customers(world, 30)
    const session = await world.hasSession(startOf(0), { class_id: one.id })
    const there: number[] = []
    for (const customer_id of ids.slice(0, 10)) there.push((await world.hasAttendee(session, { customer_id })).id)
    const url = `/api/v3/sessions/${session.id}`
    const act = (call: Call, racer: number): Promise<Reply> => {
      if (racer % 3 === 0) return call('POST', `${url}/attendees`, { customer_id: ids[10 + racer / 3] })
      if (racer % 3 === 1) return call('DELETE', `${url}/attendees/${there[Math.floor(racer / 3) % there.length]}`)
      return call('PATCH', url, { capacity: 3 + (racer % 7) })
    }
    const replies = await race(doors, 30, act)
    expect(replies.filter(({ status }) => status >= 500)).toEqual([])
    const { total, taken, remaining, waiting } = await seatsOf(world.call, session.id)
    expect(taken + remaining).toBe(total)
    expect(remaining).toBeGreaterThanOrEqual(0)
    expect(remaining === 0 || waiting === 0).toBe(true)
  })

  test('a session and appointments for one teacher at one time: one of them gets it', async () => {
    const world = await createWorld()
    const doors = await doorsOf(world, engine)
    const staff = await world.hasStaff()
    const type = await world.hasType({ staff_member_ids: [staff.id] })
    const classes = [await world.hasClass({ staff_member_id: staff.id }), await world.hasClass({ staff_member_id: staff.id })]
    const { id: customer_id } = await world.hasCustomer()
    for (let round = 0; round < 3; round += 1) {
      const start_time = startOf(round)
      const replies = await race(doors, 20, (call, racer) =>
        racer % 2 === 0
          ? call('POST', '/api/v3/appointments', { appointment_type_id: type.id, customer_id, start_time })
          : call('POST', '/api/v3/sessions', { class_id: classes[(racer >> 1) % 2]?.id, start_time }),
      )
      expect(replies.filter(({ status }) => status === 201)).toHaveLength(1)
      expect(replies.filter(({ status }) => status === 409)).toHaveLength(19)
    }
  })

  test('a class that is scheduled many times at once has each session once', async () => {
    const world = await createWorld()
    const doors = await doorsOf(world, engine)
    const staff = await world.hasStaff()
    const one = await world.hasClass({ staff_member_id: staff.id, recurrence: { start: '2026-12-01T10:00', rrule: 'FREQ=DAILY' } })
    const replies = await race(doors, 8, (call) => call('POST', `/api/v3/classes/${one.id}/schedule`, { count: 20 }))
    expect(replies.map(({ body }) => body.resource.created).sort()).toEqual([0, 0, 0, 0, 0, 0, 0, 20])
    expect((await world.call('GET', '/api/v3/sessions?count=100')).body.collection).toHaveLength(20)
  })
})
