import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Appointment } from '../../src/contract/appointments.ts'
import type { AppointmentType } from '../../src/contract/services.ts'
import { sql } from '../../src/service/store/sql.ts'
import { onEveryEngine } from '../support/engines.ts'
import type { Call, Reply, ServiceWorld } from '../support/service.ts'
import { worldsOn } from '../support/worlds.ts'

const SLOTS = 6
/** The first slots have begun by then. */
const LATER = '2026-12-01T12:30:00Z'
const startOf = (slot: number) => `2026-12-01T${String(10 + slot).padStart(2, '0')}:00:00.000000Z`
const CUSTOMERS = 2
const NOBODY = '00000000-0000-4000-8000-ffffffffffff'

const moves = ['cancel', 'delete', 'complete', 'no_show', 'undo', 'cancel_event', 'no_show_invitee', 'undo_invitee'] as const

type Operation =
  | { kind: 'create'; slot: number; customer: number }
  | { kind: 'reschedule'; which: number; slot: number }
  | { kind: (typeof moves)[number]; which: number }
  | { kind: 'hide'; customer: number; cancel: boolean }
  | { kind: 'restore'; customer: number }
  | { kind: 'later' }

const [slot, customer, which] = [fc.nat(SLOTS - 1), fc.nat(CUSTOMERS - 1), fc.nat(7)]

const operation: fc.Arbitrary<Operation> = fc.oneof(
  { weight: 8, arbitrary: fc.record({ kind: fc.constant('create' as const), slot, customer }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('reschedule' as const), which, slot }) },
  { weight: 16, arbitrary: fc.record({ kind: fc.constantFrom(...moves), which }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('hide' as const), customer, cancel: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('restore' as const), customer }) },
  { weight: 1, arbitrary: fc.constant({ kind: 'later' as const }) },
)

/** The slow, obvious model: appointments in the order in which they were made. */
interface Model {
  later: boolean
  hidden: boolean[]
  appointments: { status: Appointment['status']; slot: number; customer: number; old: number | null }[]
}

const hasBegun = ({ later }: Model, slot: number) => later && startOf(slot) <= LATER
const isTaken = ({ appointments }: Model, slot: number) => appointments.some((one) => one.slot === slot && one.status !== 'canceled')

function refusalOfSlot(model: Model, slot: number): string | undefined {
  if (hasBegun(model, slot)) return 'invalid_argument'
  return isTaken(model, slot) ? 'slot_taken' : undefined
}

/** What the model makes of it: the code of the refusal, or nothing where it was done. */
function predict(model: Model, given: Operation): string | undefined {
  if (given.kind === 'later') {
    model.later = true
    return undefined
  }
  if (given.kind === 'create') {
    const refused = model.hidden[given.customer] ? 'invalid_argument' : refusalOfSlot(model, given.slot)
    if (!refused) model.appointments.push({ status: 'scheduled', slot: given.slot, customer: given.customer, old: null })
    return refused
  }
  if (given.kind === 'restore') {
    if (!model.hidden[given.customer]) return 'illegal_transition'
    model.hidden[given.customer] = false
    return undefined
  }
  if (given.kind === 'hide') {
    const upcoming = model.appointments.filter(
      (one) => one.customer === given.customer && one.status === 'scheduled' && !hasBegun(model, one.slot),
    )
    if (upcoming.length > 0 && !given.cancel) return 'conflict'
    for (const one of upcoming) one.status = 'canceled'
    model.hidden[given.customer] = true
    return undefined
  }
  const one = model.appointments[given.which]
  if (!one) return 'not_found'
  const { status } = one
  switch (given.kind) {
    case 'cancel':
    case 'delete':
      if (status !== 'scheduled') return 'illegal_transition'
      one.status = 'canceled'
      return undefined
    case 'cancel_event':
      if (status === 'canceled' || hasBegun(model, one.slot)) return 'permission_denied'
      if (status !== 'scheduled') return 'illegal_transition'
      one.status = 'canceled'
      return undefined
    case 'complete':
      if (status !== 'scheduled' && status !== 'no_show') return 'illegal_transition'
      one.status = 'completed'
      return undefined
    case 'no_show':
    case 'no_show_invitee':
      if (status !== 'scheduled' && status !== 'completed') return 'illegal_transition'
      one.status = 'no_show'
      return undefined
    case 'undo':
    case 'undo_invitee':
      if (status !== 'no_show') return given.kind === 'undo' ? 'illegal_transition' : 'not_found'
      one.status = 'completed'
      return undefined
    case 'reschedule': {
      if (status !== 'scheduled') return 'illegal_transition'
      one.status = 'canceled'
      const refused = refusalOfSlot(model, given.slot)
      if (refused) one.status = 'scheduled'
      else model.appointments.push({ status: 'scheduled', slot: given.slot, customer: one.customer, old: given.which })
      return refused
    }
  }
}

/** The service with a staff member and customers of this run's own. */
interface Run {
  world: ServiceWorld
  type: AppointmentType
  customers: number[]
  made: Appointment[]
}

/** The same, done by the service. */
async function act({ world, type, customers, made }: Run, given: Operation): Promise<Reply | undefined> {
  const { call, clock } = world
  const bearer = bearerOf(world)
  switch (given.kind) {
    case 'later':
      clock.set(LATER)
      return undefined
    case 'create':
      return call('POST', '/api/v3/appointments', {
        appointment_type_id: type.id,
        customer_id: customers[given.customer],
        start_time: startOf(given.slot),
      })
    case 'hide':
      return call('DELETE', `/api/v3/customers/${customers[given.customer]}?soft_delete=true&cancel_appointments=${given.cancel}`)
    case 'restore':
      return call('POST', `/api/v3/customers/${customers[given.customer]}/restore`)
  }
  const one = made[given.which]
  const url = `/api/v3/appointments/${one?.id ?? 999_999}`
  const event = pathOf(one?.uri) ?? `/scheduled_events/${NOBODY}`
  switch (given.kind) {
    case 'cancel':
      return call('POST', `${url}/cancel`, {})
    case 'delete':
      return call('DELETE', url)
    case 'complete':
      return call('POST', `${url}/complete`)
    case 'no_show':
      return call('POST', `${url}/no_show`)
    case 'undo':
      return call('DELETE', `${url}/no_show`)
    case 'reschedule':
      return call('POST', `${url}/reschedule`, { start_time: startOf(given.slot) })
    case 'cancel_event':
      return bearer('POST', `${event}/cancellation`, {})
    case 'no_show_invitee':
      // Where there is none, the reply of the other door tells it in the same word.
      return one ? bearer('POST', '/invitee_no_shows', { invitee: one.invitee }) : call('POST', `${url}/no_show`)
    case 'undo_invitee': {
      const { no_show } = one ? (await bearer('GET', pathOf(one.invitee) as string)).body.resource : { no_show: null }
      return bearer('DELETE', pathOf(no_show?.uri) ?? `/invitee_no_shows/${NOBODY}`)
    }
  }
}

const pathOf = (uri: string | undefined): string | undefined => uri && new URL(uri).pathname
const bearerOf =
  ({ callBare, owner }: ServiceWorld): Call =>
  (method, url, body) =>
    callBare(method, url, body, { authorization: `Bearer ${owner.access_token}` })

/** What lies in the database of all this, so that a trace would show. */
async function traces({ world: { rows }, type, customers }: Run): Promise<unknown[]> {
  const [staff] = type.staff_member_ids
  return [
    await rows(sql`select * from appointments where staff_member_id = ${staff} order by id`),
    await rows(sql`select * from busy_times where staff_member_id = ${staff} order by id`),
    await rows(sql`select * from customers where id in (${customers[0]}, ${customers[1]}) order by id`),
    await rows(sql`select count(*) as count from invitee_no_shows`),
    await rows(sql`select count(*) as count from audit_log`),
  ]
}

async function newRun(world: ServiceWorld): Promise<Run> {
  world.clock.set('2026-11-30T08:00:00Z')
  const type = await world.hasType({ duration: 30 })
  const customers: number[] = []
  for (let more = 0; more < CUSTOMERS; more += 1) customers.push((await world.hasCustomer()).id)
  return { world, type, customers, made: [] }
}

/** The appointments, what they keep busy, and what webhook readers see of them are as the model has them. */
async function compare(run: Run, model: Model): Promise<void> {
  const { world, type } = run
  const [staff] = type.staff_member_ids
  const { collection } = (await world.call('GET', `/api/v3/appointments?staff_member_id=${staff}&sort=id:asc&count=100`)).body
  run.made = collection
  const shown = run.made.map(({ status, start_time, rescheduled, old_appointment_id }) => [
    status,
    start_time,
    rescheduled,
    old_appointment_id,
  ])
  const isOld = (index: number) => model.appointments.some(({ old }) => old === index)
  const idOf = (index: number | null) => (index === null ? null : (run.made[index]?.id as number))
  expect(shown).toEqual(model.appointments.map(({ status, slot, old }, index) => [status, startOf(slot), isOld(index), idOf(old)]))
  const busy = await world.rows<{ appointment_id: number }>(
    sql`select appointment_id from busy_times where staff_member_id = ${staff} order by appointment_id`,
  )
  expect(busy.map(({ appointment_id }) => Number(appointment_id))).toEqual(
    run.made.filter(({ status }) => status !== 'canceled').map(({ id }) => id),
  )
}

async function compareInvitees({ world, made }: Run): Promise<void> {
  for (const { status, invitee } of made) {
    const { resource } = (await bearerOf(world)('GET', pathOf(invitee) as string)).body
    expect([status, resource.status, resource.no_show !== null]).toEqual([
      status,
      status === 'canceled' ? 'canceled' : 'active',
      status === 'no_show',
    ])
  }
}

onEveryEngine('any sequence of operations on appointments', (engine) => {
  const createWorld = worldsOn(engine)

  test('keeps to the life that the obvious model has, and what is refused leaves no trace', async () => {
    const world = await createWorld()
    await fc.assert(
      fc.asyncProperty(fc.array(operation, { maxLength: 20, size: 'max' }), async (steps) => {
        const run = await newRun(world)
        const model: Model = { later: false, hidden: [false, false], appointments: [] }
        for (const given of steps) {
          // Of those there are by then, so that few steps are lost on what is not there.
          const count = model.appointments.length
          const step = 'which' in given && count > 0 ? { ...given, which: given.which % count } : given
          const before = await traces(run)
          const reply = await act(run, step)
          const refused = predict(model, step)
          expect(reply && reply.status >= 300 ? reply.body.code : undefined, JSON.stringify(step)).toBe(refused)
          if (refused === 'illegal_transition') expect(reply?.status).toBe(409)
          if (refused) expect(await traces(run), JSON.stringify(step)).toEqual(before)
          await compare(run, model)
        }
        await compareInvitees(run)
      }),
      { numRuns: engine.name === 'SQLite' ? 40 : 6 },
    )
  })
})
