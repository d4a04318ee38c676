import { expect, test } from 'vitest'
import { onEveryEngine } from '../support/engines.ts'
import { worldsOn } from '../support/worlds.ts'

onEveryEngine('staff members, services and appointment types', (engine) => {
  const createWorld = worldsOn(engine)

  test('a staff member has the zone of the organization unless told otherwise, and no hours yet', async () => {
    const { call } = await createWorld()
    const { resource } = (await call('POST', '/api/v3/staff_members', { name: 'Mira', email: 'mira@example.com' })).body
    expect(resource).toMatchObject({
      time_zone: 'Europe/Berlin',
      working_hours: [],
      extra_hours: [],
      time_off: [],
      user: null,
      active: true,
    })
  })

  test('a staff member is found by e-mail address and by being active, and changed field by field', async () => {
    const { call, hasStaff } = await createWorld()
    const mira = await hasStaff({ name: 'Mira', email: 'mira@example.com' })
    const tom = await hasStaff({ name: 'Tom', active: false })
    const ids = async (query: string) =>
      (await call('GET', `/api/v3/staff_members?${query}`)).body.collection.map(({ id }: { id: number }) => id)
    expect(await ids('email=MIRA@example.com')).toEqual([mira.id])
    expect(await ids('active=false')).toEqual([tom.id])
    expect(await ids('sort=name:desc')).toEqual([tom.id, mira.id])
    const extra_hours = [{ date: '2026-12-05', start: '10:00', end: '24:00' }]
    const changed = (await call('PATCH', `/api/v3/staff_members/${mira.id}`, { extra_hours })).body.resource
    expect(changed).toEqual({ ...mira, extra_hours, updated_at: changed.updated_at })
  })

  test('an e-mail address belongs to one staff member', async () => {
    const { call, hasStaff } = await createWorld()
    await hasStaff({ email: 'mira@example.com' })
    const again = await call('POST', '/api/v3/staff_members', { name: 'M', email: 'Mira@Example.com' })
    expect(again.body).toMatchObject({ code: 'already_exists', details: [{ parameter: 'email' }] })
  })

  test('a staff member is linked to a user of the organization, and to no other', async () => {
    const { call, hasStaff, hasStranger, owner } = await createWorld()
    const user = `http://127.0.0.1:4242/users/${owner.user_uuid}`
    const { id } = await hasStaff({ user })
    expect((await call('GET', `/api/v3/staff_members/${id}`)).body.resource.user).toBe(user)
    expect((await call('PATCH', `/api/v3/staff_members/${id}`, { user: null })).body.resource.user).toBeNull()
    const foreign = `http://127.0.0.1:4242/users/${(await hasStranger()).user_uuid}`
    expect((await call('PATCH', `/api/v3/staff_members/${id}`, { user: foreign })).body.details[0].parameter).toBe('user')
  })

  test.each([
    [{ working_hours: [{ day: 'monday', start: '10:00', end: '09:00' }] }, 'working_hours[0]'],
    [{ working_hours: [{ day: 'Monday', start: '09:00', end: '10:00' }] }, 'working_hours[0].day'],
    [{ working_hours: [{ day: 'monday', start: '07:5', end: '09:00' }] }, 'working_hours[0].start'],
    [{ extra_hours: [{ date: '2026-02-30', start: '09:00', end: '10:00' }] }, 'extra_hours[0].date'],
    [{ time_off: [{ start_time: '2026-12-01T10:00:00Z', end_time: '2026-12-01T09:00:00Z' }] }, 'time_off[0]'],
    [{ time_zone: 'Mars/Olympus' }, 'time_zone'],
    [{ time_zone: '+02:00' }, 'time_zone'],
  ])('a plan that makes no sense is refused by name: %j', async (plan, parameter) => {
    const { call } = await createWorld()
    const refused = await call('POST', '/api/v3/staff_members', { name: 'M', email: 'm@example.com', ...plan })
    expect(refused.body).toMatchObject({ code: 'invalid_argument', details: [{ parameter }] })
  })

  test('a staff member goes once there is nothing upcoming, and past appointments keep the name', async () => {
    const { call, clock, hasType, hasAppointment, offered } = await createWorld()
    const type = await hasType()
    const [id] = type.staff_member_ids
    const appointment = await hasAppointment(type, '2026-11-23T10:00:00Z')
    expect((await call('DELETE', `/api/v3/staff_members/${id}`)).body.message).toBe('There is 1 upcoming appointment. Cancel it first.')
    clock.set('2026-11-23T12:00:00Z')
    expect((await call('DELETE', `/api/v3/staff_members/${id}`)).status).toBe(204)
    expect((await call('GET', `/api/v3/staff_members/${id}`)).status).toBe(404)
    expect((await call('GET', `/api/v3/appointments/${appointment.id}`)).body.resource.staff_member.name).toBe('Mira')
    expect(await offered(type, '2026-11-24')).toEqual([])
  })

  test('an appointment type can still be changed after somebody who offered it has gone', async () => {
    const { call, hasType, hasStaff } = await createWorld()
    const [gone, stays] = [await hasStaff(), await hasStaff()]
    const type = await hasType({ staff_member_ids: [gone.id, stays.id] })
    await call('DELETE', `/api/v3/staff_members/${gone.id}`)
    const changed = await call('PATCH', `/api/v3/appointment_types/${type.id}`, { name: 'Longer visit' })
    expect(changed.body.resource).toMatchObject({ name: 'Longer visit', staff_member_ids: [stays.id] })
  })

  test('a service is made, changed, listed, and goes when it has no appointment types', async () => {
    const { call, hasService, hasType } = await createWorld()
    const service = await hasService({ name: 'Massage', category: 'Body', active: false })
    const url = `/api/v3/services/${service.id}`
    expect((await call('PATCH', url, { active: true, description: 'Hot' })).body.resource).toMatchObject({
      active: true,
      description: 'Hot',
    })
    expect((await call('GET', '/api/v3/services?active=true')).body.collection).toHaveLength(1)
    expect((await call('GET', '/api/v3/services?active=false')).body.collection).toEqual([])
    const type = await hasType({ service_id: service.id })
    expect((await call('DELETE', url)).body).toMatchObject({ code: 'conflict' })
    await call('DELETE', `/api/v3/appointment_types/${type.id}`)
    expect((await call('DELETE', url)).status).toBe(204)
    expect((await call('GET', url)).status).toBe(404)
  })

  test('an appointment type has its defaults, its slug from its name, and keeps the order of its staff', async () => {
    const { hasService, hasStaff, hasType } = await createWorld()
    const service_id = (await hasService()).id
    const ids = [(await hasStaff()).id, (await hasStaff()).id].reverse()
    const type = await hasType({ name: 'Première visite', duration: 45, service_id, staff_member_ids: ids })
    expect(type).toMatchObject({
      staff_member_ids: ids,
      slot_interval: 45,
      buffer_before: 0,
      buffer_after: 0,
      minimum_notice: 0,
      booking_window: 60,
      daily_limit: null,
      price: null,
      custom_questions: [],
      slug: 'premiere-visite',
      active: true,
    })
    expect((await hasType({ name: 'Premiere Visite' })).slug).toBe('premiere-visite-2')
    expect((await hasType({ name: '初診' })).slug).toBe('appointment')
  })

  test('an appointment type may only name what is there, and has a slug of its own', async () => {
    const { call, hasType, hasStranger } = await createWorld()
    const type = await hasType()
    const make = async (given: object) =>
      (await call('POST', '/api/v3/appointment_types', { name: 'X', duration: 30, service_id: type.service_id, ...given })).body
    expect(await make({ slug: type.slug })).toMatchObject({ code: 'already_exists', details: [{ parameter: 'slug' }] })
    expect(await make({ service_id: 999 })).toMatchObject({ code: 'invalid_argument', details: [{ parameter: 'service_id' }] })
    expect(await make({ staff_member_ids: [999] })).toMatchObject({
      code: 'invalid_argument',
      details: [{ parameter: 'staff_member_ids' }],
    })
    expect(await make({ staff_member_ids: [1, 1] })).toMatchObject({
      code: 'invalid_argument',
      details: [{ parameter: 'staff_member_ids' }],
    })
    expect(await make({ price: '10.00' })).toMatchObject({ details: [{ parameter: 'currency' }] })
    expect(await make({ price: 10, currency: 'EUR' })).toMatchObject({ details: [{ parameter: 'price' }] })
    const stranger = await hasStranger()
    const theirs = await stranger.call('POST', '/api/v3/staff_members', { name: 'T', email: 't@example.com' })
    expect(await make({ staff_member_ids: [theirs.body.resource.id] })).toMatchObject({ code: 'invalid_argument' })
  })
})
