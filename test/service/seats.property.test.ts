import fc from 'fast-check'
import { expect, test } from 'vitest'
import { onEveryEngine } from '../support/engines.ts'
import type { Call, ServiceWorld } from '../support/service.ts'
import { worldsOn } from '../support/worlds.ts'

const START = '2026-12-01T10:00:00Z'
const CUSTOMERS = 6

type Operation =
  | { kind: 'enroll'; customer: number }
  | { kind: 'cancel' | 'delete' | 'no_show' | 'undo'; attendee: number }
  | { kind: 'resize'; capacity: number }
  | { kind: 'cancel_session' }
  | { kind: 'waitlist'; on: boolean }
  | { kind: 'begin' }

const operation: fc.Arbitrary<Operation> = fc.oneof(
  { weight: 10, arbitrary: fc.record({ kind: fc.constant('enroll' as const), customer: fc.nat(CUSTOMERS - 1) }) },
  {
    weight: 8,
    arbitrary: fc.record({
      kind: fc.constantFrom('cancel' as const, 'delete' as const, 'no_show' as const, 'undo' as const),
      attendee: fc.nat(9),
    }),
  },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('resize' as const), capacity: fc.integer({ min: 1, max: 5 }) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('waitlist' as const), on: fc.boolean() }) },
  { weight: 1, arbitrary: fc.constant({ kind: 'cancel_session' as const }) },
  { weight: 1, arbitrary: fc.constant({ kind: 'begin' as const }) },
)

/** The slow, obvious model: a list of people, in the order in which they came. */
interface Model {
  capacity: number
  waitlist: boolean
  canceled: boolean
  begun: boolean
  people: { customer: number; status: 'active' | 'waiting' | 'canceled' | 'no_show' }[]
}

const takenOf = ({ people }: Model) => people.filter(({ status }) => status === 'active' || status === 'no_show').length

function callUp(model: Model): void {
  while (!model.begun && !model.canceled && takenOf(model) < model.capacity) {
    const head = model.people.find(({ status }) => status === 'waiting')
    if (!head) return
    head.status = 'active'
  }
}

/** What the model makes of it: the code of the refusal, or nothing where it was done. */
function predict(model: Model, given: Operation): string | undefined {
  if (given.kind === 'begin') model.begun = true
  if (given.kind === 'waitlist') model.waitlist = given.on
  if (given.kind === 'cancel_session') {
    if (model.canceled) return 'illegal_transition'
    model.canceled = true
    for (const one of model.people) if (one.status !== 'no_show') one.status = 'canceled'
  }
  if (given.kind === 'resize') {
    if (model.canceled) return 'illegal_transition'
    if (given.capacity < takenOf(model)) return 'conflict'
    model.capacity = given.capacity
    callUp(model)
  }
  if (given.kind === 'enroll') {
    if (model.people.some(({ customer, status }) => customer === given.customer && status !== 'canceled')) return 'already_exists'
    if (model.canceled || model.begun) return 'illegal_transition'
    const isFull = takenOf(model) >= model.capacity
    if (isFull && !model.waitlist) return 'session_full'
    model.people.push({ customer: given.customer, status: isFull ? 'waiting' : 'active' })
  }
  if (given.kind === 'cancel' || given.kind === 'delete' || given.kind === 'no_show' || given.kind === 'undo') {
    const one = model.people[given.attendee]
    if (!one) return 'not_found'
    const wanted = { cancel: ['active', 'waiting'], delete: ['active', 'waiting'], no_show: ['active'], undo: ['no_show'] }[given.kind]
    const isMark = given.kind === 'no_show' || given.kind === 'undo'
    if (!wanted.includes(one.status) || (isMark && model.canceled)) return 'illegal_transition'
    one.status = given.kind === 'no_show' ? 'no_show' : given.kind === 'undo' ? 'active' : 'canceled'
    callUp(model)
  }
  return undefined
}

/** The same, done by the service. */
async function act({ call, clock }: ServiceWorld, url: string, classUrl: string, customers: number[], made: number[], given: Operation) {
  if (given.kind === 'begin') {
    clock.set(START)
    return undefined
  }
  const request = requestOf(url, classUrl, customers, made, given)
  const reply = await call(...request)
  if (given.kind === 'enroll' && reply.status === 201) made.push(reply.body.resource.id)
  return reply.status < 300 ? undefined : reply.body.code
}

function requestOf(
  url: string,
  classUrl: string,
  customers: number[],
  made: number[],
  given: Exclude<Operation, { kind: 'begin' }>,
): Parameters<Call> {
  if (given.kind === 'enroll') return ['POST', `${url}/attendees`, { customer_id: customers[given.customer] }]
  if (given.kind === 'resize') return ['PATCH', url, { capacity: given.capacity }]
  if (given.kind === 'waitlist') return ['PATCH', classUrl, { waitlist: given.on }]
  if (given.kind === 'cancel_session') return ['POST', `${url}/cancel`, {}]
  const attendee = `${url}/attendees/${made[given.attendee] ?? 999_999}`
  if (given.kind === 'cancel') return ['POST', `${attendee}/cancel`, {}]
  if (given.kind === 'delete') return ['DELETE', attendee]
  return [given.kind === 'no_show' ? 'POST' : 'DELETE', `${attendee}/no_show`]
}

onEveryEngine('any sequence of operations on a session', (engine) => {
  const createWorld = worldsOn(engine)

  test('leaves the seats and everybody in them as the obvious model has it', async () => {
    const world = await createWorld()
    const customers: number[] = []
    for (let more = 0; more < CUSTOMERS; more += 1) customers.push((await world.hasCustomer()).id)
    const before = world.clock.instant()
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 3 }),
        fc.boolean(),
        fc.array(operation, { maxLength: 25 }),
        async (capacity, waitlist, steps) => {
          world.clock.set(before)
          const one = await world.hasClass({ capacity, waitlist })
          const { id } = await world.hasSession(START, { class_id: one.id })
          const model: Model = { capacity, waitlist, canceled: false, begun: false, people: [] }
          const made: number[] = []
          const url = `/api/v3/sessions/${id}`
          for (const step of steps) {
            const done = await act(world, url, `/api/v3/classes/${one.id}`, customers, made, step)
            expect(done, JSON.stringify(step)).toBe(predict(model, step))
            const { seats } = (await world.call('GET', url)).body.resource
            expect(seats.taken + seats.remaining).toBe(seats.total)
            expect(seats).toEqual({
              total: model.capacity,
              taken: takenOf(model),
              remaining: model.capacity - takenOf(model),
              waiting: model.people.filter(({ status }) => status === 'waiting').length,
            })
          }
          const { collection } = (await world.call('GET', `${url}/attendees?count=100`)).body
          expect(collection.map(({ status }: { status: string }) => status)).toEqual(model.people.map(({ status }) => status))
        },
      ),
      { numRuns: engine.name === 'SQLite' ? 60 : 10 },
    )
  })
})
