import { expect, test } from 'vitest'
import { onEveryEngine } from '../support/engines.ts'
import { worldsOn } from '../support/worlds.ts'

const TEN = '2026-11-23T10:00:00.000000Z'
const at = (clock: string, day = '23') => `2026-11-${day}T${clock}:00Z`

onEveryEngine('appointments', (engine) => {
  const createWorld = worldsOn(engine)

  test('one is booked for a customer by id, with all that its record holds', async () => {
    const { call, clock, hasType, hasCustomer } = await createWorld()
    const type = await hasType({ price: '45.00', currency: 'EUR', location: 'Room 1' })
    const customer = await hasCustomer({ name: 'Ada', email: 'ada@example.com', time_zone: 'Asia/Tokyo' })
    const made = await call('POST', '/api/v3/appointments', {
      appointment_type_id: type.id,
      customer_id: customer.id,
      start_time: at('10:00'),
    })
    const { resource } = made.body
    expect(made.headers.location).toBe(`/api/v3/appointments/${resource.id}`)
    expect(resource.invitee).toMatch(new RegExp(`^${resource.uri}/invitees/[0-9a-f-]{36}$`))
    expect(resource).toMatchObject({
      status: 'scheduled',
      start_time: TEN,
      end_time: '2026-11-23T10:30:00.000000Z',
      duration: 30,
      time_zone: 'Asia/Tokyo',
      title: 'Ada: Short visit',
      location: 'Room 1',
      price: '45.00',
      currency: 'EUR',
      customer: { id: customer.id, name: 'Ada', email: 'ada@example.com', phone: null },
      staff_member: { id: type.staff_member_ids[0], time_zone: 'UTC' },
      tracking: { utm_campaign: null, salesforce_uuid: null },
      cancellation: null,
      rescheduled: false,
      old_appointment_id: null,
      new_appointment_id: null,
      created_at: clock.instant(),
    })
  })

  test('one is booked for a customer by e-mail: who is known is found, who is not is created', async () => {
    const { call, hasType, hasCustomer } = await createWorld()
    const type = await hasType()
    const known = await hasCustomer({ name: 'Ada', email: 'ada@example.com' })
    const book = async (clock: string, customer: object) =>
      (await call('POST', '/api/v3/appointments', { appointment_type_id: type.id, start_time: at(clock), customer })).body.resource.customer
    expect((await book('10:00', { name: 'A.', email: 'ADA@example.com' })).id).toBe(known.id)
    const grace = await book('10:30', { name: 'Grace', email: 'grace@example.com', phone: '+1 555 0100' })
    expect(grace).toMatchObject({ name: 'Grace', phone: '+1 555 0100' })
    expect((await book('11:00', { name: 'Grace', email: 'grace@example.com' })).id).toBe(grace.id)
    expect((await book('11:30', { name: 'Walk-in' })).id).not.toBe((await book('12:00', { name: 'Walk-in' })).id)
  })

  test('a booking that fails leaves no customer behind', async () => {
    const { call, hasType, hasAppointment } = await createWorld()
    const type = await hasType()
    await hasAppointment(type, TEN)
    const customer = { name: 'Late', email: 'late@example.com' }
    const refused = await call('POST', '/api/v3/appointments', { appointment_type_id: type.id, start_time: TEN, customer })
    expect(refused.body.code).toBe('slot_taken')
    expect((await call('GET', '/api/v3/customers?email=late@example.com')).body.collection).toEqual([])
  })

  test('without a wish, whoever has fewest appointments that week is chosen, then the lower id', async () => {
    const { hasType, hasStaff, hasAppointment } = await createWorld()
    const ids = [(await hasStaff()).id, (await hasStaff()).id, (await hasStaff()).id]
    const type = await hasType({ staff_member_ids: ids.toReversed() })
    const chosen: number[] = []
    for (const clock of ['10:00', '11:00', '12:00', '12:00', '12:00', '14:00']) {
      chosen.push((await hasAppointment(type, at(clock))).staff_member.id)
    }
    const [a, b, c] = ids
    expect(chosen.slice(0, 3)).toEqual([a, b, c])
    expect(chosen.slice(3, 5).sort()).toEqual([a, b])
    expect(chosen[5]).toBe(c)
  })

  test.each([
    ['in the past', { start_time: '2026-11-20T10:00:00Z' }, {}],
    ['inside the notice', { start_time: at('09:00') }, { minimum_notice: 61 }],
    ['beyond the window', { start_time: '2026-11-26T10:00:00Z' }, { booking_window: 2 }],
    ['outside the working hours', { start_time: at('18:00') }, {}],
    ['too late to end within them', { start_time: at('16:45') }, { slot_interval: 15 }],
    ['off the grid', { start_time: at('10:10') }, {}],
    ['on a free day', { start_time: at('10:00', '28') }, {}],
  ])('a time that is not offered is a 400, not_available: %s', async (_, wish, rules) => {
    const { call, hasType, hasCustomer } = await createWorld()
    const type = await hasType(rules)
    const body = { appointment_type_id: type.id, customer_id: (await hasCustomer()).id, ...wish }
    for (const staff of [{}, { staff_member_id: type.staff_member_ids[0] }]) {
      const refused = await call('POST', '/api/v3/appointments', { ...body, ...staff })
      expect(refused.body).toMatchObject({ code: 'invalid_argument', details: [{ parameter: 'start_time', code: 'not_available' }] })
    }
  })

  test('a time that is taken is a 409, by whatever overlaps it with its buffers', async () => {
    const { call, hasType, hasAppointment, hasCustomer } = await createWorld()
    const type = await hasType({ slot_interval: 15, buffer_before: 10, buffer_after: 20 })
    const plain = await hasType({ slot_interval: 5, staff_member_ids: type.staff_member_ids, name: 'Plain' })
    await hasAppointment(type, at('12:00'))
    const customer_id = (await hasCustomer()).id
    const book = async (id: number, clock: string) =>
      (await call('POST', '/api/v3/appointments', { appointment_type_id: id, customer_id, start_time: at(clock) })).status
    // Busy from 11:50 to 12:50. The other type has no buffers of its own.
    expect(await book(plain.id, '11:25')).toBe(409)
    expect(await book(plain.id, '12:45')).toBe(409)
    expect(await book(plain.id, '11:20')).toBe(201)
    expect(await book(plain.id, '12:50')).toBe(201)
    // Now busy from 11:20 to 13:20, and this type wants room of its own.
    expect(await book(type.id, '13:15')).toBe(409)
    expect(await book(type.id, '13:30')).toBe(201)
    expect(await book(type.id, '10:45')).toBe(409)
    expect(await book(type.id, '10:30')).toBe(201)
  })

  test('a daily limit holds for each staff member, and any-staff goes on to the next', async () => {
    const { call, hasStaff, hasType, hasAppointment, hasCustomer } = await createWorld()
    const ids = [(await hasStaff()).id, (await hasStaff()).id]
    const type = await hasType({ daily_limit: 1, staff_member_ids: ids })
    const first = await hasAppointment(type, at('10:00'))
    const second = await hasAppointment(type, at('11:00'))
    expect([first.staff_member.id, second.staff_member.id]).toEqual(ids)
    const body = { appointment_type_id: type.id, customer_id: (await hasCustomer()).id, start_time: at('12:00') }
    expect((await call('POST', '/api/v3/appointments', body)).body.details[0].code).toBe('not_available')
    await call('POST', `/api/v3/appointments/${first.id}/cancel`, {})
    expect((await call('POST', '/api/v3/appointments', body)).body.resource.staff_member.id).toBe(ids[0])
  })

  test('the list is filtered by time, people, type and state, and sorted', async () => {
    const { call, hasType, hasAppointment } = await createWorld()
    const [one, two] = [await hasType(), await hasType()]
    const late = await hasAppointment(one, at('12:00'))
    const early = await hasAppointment(two, at('09:00'))
    const middle = await hasAppointment(one, at('10:00'))
    await call('DELETE', `/api/v3/appointments/${middle.id}`)
    const ids = async (query: string) =>
      (await call('GET', `/api/v3/appointments?${query}`)).body.collection.map(({ id }: { id: number }) => id)
    expect(await ids('')).toEqual([early.id, middle.id, late.id])
    expect(await ids('sort=start_time:desc&count=2')).toEqual([late.id, middle.id])
    expect(await ids('sort=id:asc')).toEqual([late.id, early.id, middle.id])
    expect(await ids(`start_time_from=${at('10:00')}&start_time_to=${at('12:00')}`)).toEqual([middle.id])
    expect(await ids(`start_time_from=${encodeURIComponent('2026-11-23T11:00:00+01:00')}`)).toEqual([middle.id, late.id])
    expect(await ids('status=canceled')).toEqual([middle.id])
    expect(await ids(`customer_id=${early.customer.id}`)).toEqual([early.id])
    expect(await ids(`appointment_type_id=${one.id}&status=scheduled`)).toEqual([late.id])
    expect(await ids(`staff_member_id=${two.staff_member_ids[0]}`)).toEqual([early.id])
  })

  test('what is noted can be changed, and nothing else', async () => {
    const { call, hasType, hasAppointment } = await createWorld()
    const appointment = await hasAppointment(await hasType(), TEN, { notes: 'Old' })
    const url = `/api/v3/appointments/${appointment.id}`
    const changed = (await call('PATCH', url, { notes: null, title: 'New', time_zone: 'Asia/Kolkata' })).body.resource
    expect(changed).toEqual({ ...appointment, notes: null, title: 'New', time_zone: 'Asia/Kolkata' })
    const refused = await call('PATCH', url, { start_time: TEN })
    expect(refused.body).toMatchObject({ code: 'invalid_argument', details: [{ parameter: 'start_time', code: 'unknown_field' }] })
  })
})
