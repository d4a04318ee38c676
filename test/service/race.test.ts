import { expect, test } from 'vitest'
import { instantOf } from '../../src/contract/time.ts'
import { onEveryEngine, type TestEngine } from '../support/engines.ts'
import type { Call, Reply, ServiceWorld } from '../support/service.ts'
import { worldsOn } from '../support/worlds.ts'

const RACERS = 50
const ROUNDS = 20
const HALF_HOUR = 1_800_000

/** Where the requests come in: on PostgreSQL two services share the database, as two processes would. */
async function doorsOf(world: ServiceWorld, engine: TestEngine): Promise<Call[]> {
  return engine.name === 'PostgreSQL' ? [world.call, await world.another()] : [world.call]
}

/** A start time of its own for each round, every half hour from 09:00, sixteen a day. */
const startOf = (round: number) => instantOf(Date.parse(`2026-11-2${3 + Math.floor(round / 16)}T09:00:00Z`) + (round % 16) * HALF_HOUR)

/** All at once, through the doors in turn. */
const race = (doors: Call[], racers: number, request: (call: Call, racer: number) => Promise<Reply>) =>
  Promise.all(Array.from({ length: racers }, (_, racer) => request(doors[racer % doors.length] as Call, racer)))

function outcome(replies: Reply[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const { status, body } of replies) {
    const key = status === 201 ? '201' : `${status} ${body.code}`
    counts[key] = (counts[key] ?? 0) + 1
  }
  return counts
}

onEveryEngine('racers', (engine) => {
  const createWorld = worldsOn(engine)

  test(`for one time: of ${RACERS}, one gets it and the others are told it is taken, ${ROUNDS} rounds`, async () => {
    const world = await createWorld()
    const doors = await doorsOf(world, engine)
    const { id: appointment_type_id } = await world.hasType()
    const { id: customer_id } = await world.hasCustomer()
    for (let round = 0; round < ROUNDS; round += 1) {
      const body = { appointment_type_id, customer_id, start_time: startOf(round) }
      const replies = await race(doors, RACERS, (call) => call('POST', '/api/v3/appointments', body))
      expect(outcome(replies)).toEqual({ 201: 1, '409 slot_taken': RACERS - 1 })
    }
    expect((await world.call('GET', '/api/v3/appointments?count=100')).body.collection).toHaveLength(ROUNDS)
  })

  test('for times of two types that overlap at one person: one gets in, or those who do not overlap', async () => {
    const world = await createWorld()
    const doors = await doorsOf(world, engine)
    const short = await world.hasType()
    const { id: customer_id } = await world.hasCustomer()
    const long = await world.hasType({ duration: 90, slot_interval: 30, staff_member_ids: short.staff_member_ids })
    for (let round = 0; round < ROUNDS; round += 1) {
      const start = Date.parse(`2026-12-0${1 + (round % 4)}T09:00:00Z`) + Math.floor(round / 4) * 3 * HALF_HOUR
      const body = (racer: number) => ({
        ...(racer % 2 === 0
          ? { appointment_type_id: long.id, start_time: instantOf(start) }
          : { appointment_type_id: short.id, start_time: instantOf(start + HALF_HOUR) }),
        customer_id,
      })
      const replies = await race(doors, 20, (call, racer) => call('POST', '/api/v3/appointments', body(racer)))
      expect(outcome(replies)).toEqual({ 201: 1, '409 slot_taken': 19 })
    }
  })

  test('for anybody who is free: as many get in as there are people', async () => {
    const world = await createWorld()
    const doors = await doorsOf(world, engine)
    const ids: number[] = []
    for (let person = 0; person < 5; person += 1) ids.push((await world.hasStaff()).id)
    const { id: appointment_type_id } = await world.hasType({ staff_member_ids: ids })
    const { id: customer_id } = await world.hasCustomer()
    for (let round = 0; round < 8; round += 1) {
      const body = { appointment_type_id, customer_id, start_time: startOf(round) }
      const replies = await race(doors, 20, (call) => call('POST', '/api/v3/appointments', body))
      expect(outcome(replies)).toEqual({ 201: 5, '409 slot_taken': 15 })
      const booked = replies.filter(({ status }) => status === 201).map((reply) => reply.body.resource.staff_member.id)
      expect(booked.sort()).toEqual(ids)
    }
  })

  test('for the last place under a daily limit: anybody who has one left is found, and then nobody', async () => {
    const world = await createWorld()
    const doors = await doorsOf(world, engine)
    const staff_member_ids = [(await world.hasStaff()).id, (await world.hasStaff()).id, (await world.hasStaff()).id]
    const { id: appointment_type_id } = await world.hasType({ staff_member_ids, daily_limit: 1 })
    const { id: customer_id } = await world.hasCustomer()
    const book = (call: Call, racer: number) =>
      call('POST', '/api/v3/appointments', { appointment_type_id, customer_id, start_time: startOf(racer) })
    expect(outcome(await race(doors, 12, book))).toEqual({ 201: 3, '400 invalid_argument': 9 })
  })

  test('who name the same new customer by e-mail address make one customer', async () => {
    const world = await createWorld()
    const doors = await doorsOf(world, engine)
    const { id: appointment_type_id } = await world.hasType()
    const customer = { name: 'New', email: 'new@example.com' }
    const book = (call: Call, racer: number) =>
      call('POST', '/api/v3/appointments', { appointment_type_id, customer, start_time: startOf(racer) })
    const replies = await race(doors, 10, book)
    expect(outcome(replies)).toEqual({ 201: 10 })
    expect(new Set(replies.map((reply) => reply.body.resource.customer.id)).size).toBe(1)
  })

  test('to reschedule into one time: one gets it, and the others keep theirs', async () => {
    const world = await createWorld()
    const doors = await doorsOf(world, engine)
    const type = await world.hasType()
    const made: number[] = []
    for (let index = 0; index < 10; index += 1) made.push((await world.hasAppointment(type, startOf(index))).id)
    const move = (call: Call, racer: number) => call('POST', `/api/v3/appointments/${made[racer]}/reschedule`, { start_time: startOf(12) })
    expect(outcome(await race(doors, 10, move))).toEqual({ 201: 1, '409 slot_taken': 9 })
    expect((await world.call('GET', '/api/v3/appointments?status=scheduled')).body.collection).toHaveLength(10)
  })
})
