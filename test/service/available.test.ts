import { expect, test } from 'vitest'
import { instantOf } from '../../src/contract/time.ts'
import { onEveryEngine } from '../support/engines.ts'
import { worldsOn } from '../support/worlds.ts'

const MINUTE = 60_000

interface Row {
  start_time: string
  staff_member_ids: number[]
}

onEveryEngine('available times', (engine) => {
  const createWorld = worldsOn(engine)

  test('are the working hours without breaks, time off and what is taken', async () => {
    const { hasStaff, hasType, hasAppointment, offered } = await createWorld()
    const hours = (start: string, end: string) => ({ day: 'tuesday', start, end })
    const { id } = await hasStaff({
      working_hours: [hours('09:00', '11:00'), hours('12:00', '14:00')],
      time_off: [{ start_time: '2026-11-24T13:30:00Z', end_time: '2026-11-24T15:00:00Z' }],
      extra_hours: [{ date: '2026-11-24', start: '20:00', end: '21:00' }],
    })
    const type = await hasType({ staff_member_ids: [id], buffer_after: 10 })
    await hasAppointment(type, '2026-11-24T09:30:00Z')
    expect(await offered(type, '2026-11-24')).toEqual(['10:30', '12:00', '12:30', '13:00', '20:00', '20:30'])
    expect(await offered(type, '2026-12-01')).toEqual(['09:00', '09:30', '10:00', '10:30', '12:00', '12:30', '13:00', '13:30'])
  })

  test('tell who is free, in the order in which anybody is chosen', async () => {
    const { call, hasStaff, hasType, hasAppointment, hasCustomer } = await createWorld()
    const ids = [(await hasStaff()).id, (await hasStaff()).id, (await hasStaff({ active: false })).id]
    const type = await hasType({ staff_member_ids: ids })
    await hasAppointment(type, '2026-11-23T09:00:00Z')
    const query = `appointment_type_id=${type.id}&start_time=2026-11-23T09:00:00Z&end_time=2026-11-23T10:00:00Z`
    const rows: Row[] = (await call('GET', `/customers/available_time?${query}`)).body.collection
    expect(rows.map(({ staff_member_ids }) => staff_member_ids)).toEqual([[ids[1]], [ids[1], ids[0]]])
    const only = (await call('GET', `/customers/available_time?${query}&staff_member_id=${ids[0]}`)).body.collection
    expect(only.map(({ start_time }: Row) => start_time)).toEqual(['2026-11-23T09:30:00.000000Z'])
    const body = { appointment_type_id: type.id, customer_id: (await hasCustomer()).id, start_time: '2026-11-23T09:30:00Z' }
    expect((await call('POST', '/api/v3/appointments', body)).body.resource.staff_member.id).toBe(ids[1])
  })

  test('are exactly the times that can be booked, on the day the clocks go forward too', async () => {
    const { call, clock, hasStaff, hasType, hasCustomer, hasAppointment } = await createWorld()
    clock.set('2027-03-27T23:10:00Z')
    const sunday = (...all: string[][]) => all.map(([start, end]) => ({ day: 'sunday', start, end }))
    const berlin = await hasStaff({ time_zone: 'Europe/Berlin', working_hours: sunday(['00:30', '04:30'], ['09:00', '12:00']) })
    const time_off = [{ start_time: '2027-03-28T09:00:00Z', end_time: '2027-03-28T09:35:00Z' }]
    const lisbon = await hasStaff({ time_zone: 'Europe/Lisbon', working_hours: sunday(['00:00', '03:00'], ['08:00', '11:30']), time_off })
    const ids = [berlin.id, lisbon.id]
    const rules = {
      duration: 40,
      slot_interval: 20,
      buffer_before: 5,
      buffer_after: 10,
      minimum_notice: 60,
      booking_window: 1,
      daily_limit: 3,
    }
    const type = await hasType({ staff_member_ids: ids, ...rules })
    await hasAppointment(type, '2027-03-28T08:20:00Z', { staff_member_id: berlin.id })
    await hasAppointment(type, '2027-03-28T07:20:00Z', { staff_member_id: lisbon.id })
    const query = `appointment_type_id=${type.id}&start_time=2027-03-27T22:00:00Z&end_time=2027-03-28T13:00:00Z`
    const rows: Row[] = (await call('GET', `/customers/available_time?${query}`)).body.collection
    const offers = rows.flatMap((row) => row.staff_member_ids.map((id) => `${row.start_time} ${id}`))
    expect(offers.length).toBeGreaterThan(10)

    const customer_id = (await hasCustomer()).id
    const bookable: string[] = []
    for (let start = Date.parse('2027-03-27T22:00:00Z'); start < Date.parse('2027-03-28T13:00:00Z'); start += 10 * MINUTE) {
      for (const id of rows.find((row) => row.start_time === instantOf(start))?.staff_member_ids ?? ids) {
        const body = { appointment_type_id: type.id, customer_id, start_time: instantOf(start), staff_member_id: id }
        const reply = await call('POST', '/api/v3/appointments', body)
        if (reply.status === 201) {
          bookable.push(`${instantOf(start)} ${id}`)
          await call('POST', `/api/v3/appointments/${reply.body.resource.id}/cancel`, {})
        } else expect(['not_available', 'slot_taken']).toContain(reply.body.details[0]?.code ?? reply.body.code)
      }
    }
    expect(bookable).toEqual(offers)
  })

  test.each([
    ['start_time=2026-11-23T10:00:00Z&end_time=2026-11-23T10:00:00Z', 'end_time'],
    ['start_time=2026-11-23T10:00:00Z&end_time=2026-12-24T10:00:01Z', 'end_time'],
    ['start_time=2026-11-23&end_time=2026-11-24T10:00:00Z', 'start_time'],
    ['start_time=2026-11-23T10:00:00Z', 'end_time'],
  ])('of a window that makes no sense are refused by name: %s', async (window, parameter) => {
    const { call, hasType } = await createWorld()
    const { id } = await hasType()
    const refused = await call('GET', `/customers/available_time?appointment_type_id=${id}&${window}`)
    expect(refused.body).toMatchObject({ code: 'invalid_argument', details: [{ parameter }] })
  })

  test('are told to both kinds of credential', async () => {
    const { callBare, owner, hasType } = await createWorld()
    const { id } = await hasType()
    const url = `/customers/available_time?appointment_type_id=${id}&start_time=2026-11-23T10:00:00Z&end_time=2026-11-24T10:00:00Z`
    expect((await callBare('GET', url, undefined, { 'api-key': owner.api_key })).status).toBe(200)
    expect((await callBare('GET', url, undefined, { authorization: `bearer ${owner.access_token}` })).status).toBe(200)
    expect((await callBare('GET', url)).status).toBe(401)
  })
})
