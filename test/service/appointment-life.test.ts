import { describe, expect, test } from 'vitest'
import type { Appointment } from '../../src/contract/appointments.ts'
import { onEveryEngine } from '../support/engines.ts'
import type { Call } from '../support/service.ts'
import { worldsOn } from '../support/worlds.ts'

const TEN = '2026-11-23T10:00:00.000000Z'
const at = (clock: string) => `2026-11-23T${clock}:00Z`

type State = Appointment['status']
type Move = 'cancel' | 'delete' | 'reschedule' | 'complete' | 'no_show' | 'undo_no_show'

const moves: Record<Move, (call: Call, url: string) => ReturnType<Call>> = {
  cancel: (call, url) => call('POST', `${url}/cancel`, { reason: 'Ill' }),
  delete: (call, url) => call('DELETE', url),
  reschedule: (call, url) => call('POST', `${url}/reschedule`, { start_time: at('14:00') }),
  complete: (call, url) => call('POST', `${url}/complete`),
  no_show: (call, url) => call('POST', `${url}/no_show`),
  undo_no_show: (call, url) => call('DELETE', `${url}/no_show`),
}

/** The state after each move; what is not here is refused. */
const table: Record<State, Partial<Record<Move, State>>> = {
  scheduled: { cancel: 'canceled', delete: 'canceled', reschedule: 'canceled', complete: 'completed', no_show: 'no_show' },
  completed: { no_show: 'no_show' },
  no_show: { complete: 'completed', undo_no_show: 'completed' },
  canceled: {},
}
const way: Record<State, Move[]> = { scheduled: [], canceled: ['cancel'], completed: ['complete'], no_show: ['no_show'] }

onEveryEngine('the life of an appointment', (engine) => {
  const createWorld = worldsOn(engine)

  test('every move leads where the table says, and every other is a 409 that leaves no trace', async () => {
    const { call, hasType, hasAppointment } = await createWorld()
    for (const state of Object.keys(table) as State[]) {
      for (const move of Object.keys(moves) as Move[]) {
        const { id } = await hasAppointment(await hasType(), TEN)
        const url = `/api/v3/appointments/${id}`
        for (const step of way[state]) await moves[step](call, url)
        const read = async () => (await call('GET', url)).body.resource
        const before = await read()
        const count = async () => (await call('GET', '/api/v3/appointments?count=100')).body.collection.length
        const there = await count()
        const reply = await moves[move](call, url)
        const expected = table[state][move]
        if (expected) expect([state, move, reply.status < 300, (await read()).status]).toEqual([state, move, true, expected])
        else {
          expect([state, move, reply.status, reply.body.code]).toEqual([state, move, 409, 'illegal_transition'])
          expect(await read()).toEqual(before)
          expect(await count()).toBe(there)
        }
      }
    }
  })

  test('a canceled one tells by whom and why, and its time is offered again', async () => {
    const { call, clock, hasType, hasAppointment, offered } = await createWorld()
    const type = await hasType()
    const { id } = await hasAppointment(type, TEN)
    expect(await offered(type, '2026-11-23')).not.toContain('10:00')
    const { resource } = (await call('POST', `/api/v3/appointments/${id}/cancel`, { reason: 'Ill' })).body
    const cancellation = { canceled_by: 'Olga Owner', reason: 'Ill', canceler_type: 'host', created_at: clock.instant() }
    expect(resource).toMatchObject({ status: 'canceled', cancellation, rescheduled: false })
    expect(await offered(type, '2026-11-23')).toContain('10:00')
    await hasAppointment(type, TEN)
  })

  test('a completed one and a no-show keep their time occupied', async () => {
    const { call, hasType, hasAppointment, offered } = await createWorld()
    const type = await hasType()
    const { id } = await hasAppointment(type, TEN)
    for (const move of ['no_show', 'complete']) {
      await call('POST', `/api/v3/appointments/${id}/${move}`)
      expect(await offered(type, '2026-11-23')).not.toContain('10:00')
    }
  })

  describe('rescheduling', () => {
    test('cancels the old one and books a new one, linked both ways', async () => {
      const { call, hasType, hasAppointment } = await createWorld()
      const old = await hasAppointment(await hasType(), TEN, { notes: 'Bring the file', time_zone: 'Asia/Tokyo' })
      const moved = await call('POST', `/api/v3/appointments/${old.id}/reschedule`, { start_time: at('14:00'), reason: 'Train' })
      expect(moved.status).toBe(201)
      const { resource } = moved.body
      expect(moved.headers.location).toBe(`/api/v3/appointments/${resource.id}`)
      expect(resource).toMatchObject({
        status: 'scheduled',
        start_time: '2026-11-23T14:00:00.000000Z',
        old_appointment_id: old.id,
        new_appointment_id: null,
        rescheduled: false,
        notes: 'Bring the file',
        time_zone: 'Asia/Tokyo',
        customer: old.customer,
        staff_member: old.staff_member,
      })
      expect(resource.uri).not.toBe(old.uri)
      expect((await call('GET', `/api/v3/appointments/${old.id}`)).body.resource).toMatchObject({
        status: 'canceled',
        rescheduled: true,
        new_appointment_id: resource.id,
        cancellation: { reason: 'Train', canceler_type: 'host' },
      })
    })

    test('may go to a time that overlaps its own old one', async () => {
      const { call, hasType, hasAppointment, offered } = await createWorld()
      const type = await hasType({ duration: 60, slot_interval: 15, buffer_after: 15 })
      const { id } = await hasAppointment(type, TEN)
      const moved = await call('POST', `/api/v3/appointments/${id}/reschedule`, { start_time: at('10:15') })
      expect(moved.status).toBe(201)
      expect(await offered(type, '2026-11-23')).not.toContain('10:15')
      expect(await offered(type, '2026-11-23')).toContain('11:30')
    })

    test('to a time that is taken or not offered leaves the old one as it was', async () => {
      const { call, hasType, hasAppointment, hasStaff } = await createWorld()
      const type = await hasType()
      const { id } = await hasAppointment(type, TEN)
      await hasAppointment(type, at('11:00'))
      const url = `/api/v3/appointments/${id}`
      const before = (await call('GET', url)).body
      const refused = async (body: object) => (await call('POST', `${url}/reschedule`, body)).body.code
      expect(await refused({ start_time: at('11:00') })).toBe('slot_taken')
      expect(await refused({ start_time: at('20:00') })).toBe('invalid_argument')
      expect(await refused({ start_time: at('12:00'), staff_member_id: (await hasStaff()).id })).toBe('invalid_argument')
      expect((await call('GET', url)).body).toEqual(before)
      expect((await call('GET', '/api/v3/appointments')).body.collection).toHaveLength(2)
    })

    test('can change the staff member, and force is for admins and owners', async () => {
      const { call, hasUser, hasType, hasStaff, hasAppointment } = await createWorld()
      const ids = [(await hasStaff()).id, (await hasStaff()).id]
      const type = await hasType({ staff_member_ids: ids })
      const old = await hasAppointment(type, TEN)
      const to = { start_time: at('10:30'), staff_member_id: ids[1] }
      const moved = (await call('POST', `/api/v3/appointments/${old.id}/reschedule`, to)).body.resource
      expect(moved.staff_member.id).toBe(ids[1])
      const member = await hasUser('member')
      const forced = { start_time: at('20:00'), force: true }
      const url = `/api/v3/appointments/${moved.id}/reschedule`
      expect((await member.call('POST', url, forced)).status).toBe(403)
      expect((await call('POST', url, forced)).status).toBe(201)
    })

    test('by two at once succeeds once', async () => {
      const { call, hasType, hasAppointment } = await createWorld()
      const { id } = await hasAppointment(await hasType(), TEN)
      const to = (clock: string) => call('POST', `/api/v3/appointments/${id}/reschedule`, { start_time: at(clock) })
      const statuses = (await Promise.all([to('12:00'), to('13:00'), to('14:00')])).map(({ status }) => status)
      expect(statuses.sort()).toEqual([201, 409, 409])
      expect((await call('GET', '/api/v3/appointments?status=scheduled')).body.collection).toHaveLength(1)
    })
  })
})
