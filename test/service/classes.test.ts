import { expect, test } from 'vitest'
import { onEveryEngine } from '../support/engines.ts'
import { worldsOn } from '../support/worlds.ts'

const tuesdays = { start: '2026-12-01T18:00', rrule: 'FREQ=WEEKLY;BYDAY=TU' }

onEveryEngine('classes', (engine) => {
  const createWorld = worldsOn(engine)

  test('one is created with all that its record holds, read, changed and removed', async () => {
    const { call, clock, hasStaff, hasService } = await createWorld()
    const [staff, service] = [await hasStaff(), await hasService()]
    const given = {
      name: 'Yoga',
      duration: 75,
      capacity: 12,
      staff_member_id: staff.id,
      service_id: service.id,
      price: '15.00',
      currency: 'EUR',
      location: 'Hall',
      time_zone: 'Europe/Paris',
      recurrence: tuesdays,
      custom_questions: [{ name: 'Mat?', type: 'radios', required: true, answer_choices: ['Own', 'Yours'] }],
      waitlist: true,
      active: true,
    }
    const made = await call('POST', '/api/v3/classes', given)
    expect(made.status).toBe(201)
    const { id } = made.body.resource
    expect(made.headers.location).toBe(`/api/v3/classes/${id}`)
    expect(made.body.resource).toEqual({ id, ...given, created_at: clock.instant(), updated_at: clock.instant() })
    const url = `/api/v3/classes/${id}`
    expect((await call('GET', url)).body).toEqual(made.body)
    expect((await call('PATCH', url, { recurrence: null, waitlist: false })).body.resource).toMatchObject({
      recurrence: null,
      waitlist: false,
      capacity: 12,
    })
    expect((await call('DELETE', url)).status).toBe(204)
    expect((await call('GET', url)).status).toBe(404)
  })

  test('what is left out has a plain value, and the zone is that of the organization', async () => {
    const { hasClass } = await createWorld()
    expect(await hasClass()).toMatchObject({
      staff_member_id: null,
      price: null,
      time_zone: 'Europe/Berlin',
      recurrence: null,
      custom_questions: [],
      waitlist: false,
      active: true,
    })
  })

  test.each([
    ['name', { name: ' ' }],
    ['duration', { duration: 0 }],
    ['capacity', { capacity: 0 }],
    ['service_id', { service_id: 999 }],
    ['staff_member_id', { staff_member_id: 999 }],
    ['currency', { price: '10.00' }],
    ['time_zone', { time_zone: 'Mars/Base' }],
    ['recurrence.start', { recurrence: { ...tuesdays, start: '2026-02-30T10:00' } }],
    ['recurrence.start', { recurrence: { start: '2027-03-28T02:30', rrule: 'FREQ=DAILY' } }],
    ['recurrence.rrule', { recurrence: { ...tuesdays, rrule: 'FREQ=SOMETIMES' } }],
    ['recurrence.rrule', { recurrence: { ...tuesdays, rrule: 'FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30' } }],
    ['seats', { seats: 3 }],
  ])('a wrong %s is a 400 that names it', async (parameter, wrong) => {
    const { call } = await createWorld()
    const refused = await call('POST', '/api/v3/classes', { name: 'Yoga', duration: 60, capacity: 2, ...wrong })
    expect([refused.status, refused.body.details[0].parameter]).toEqual([400, parameter])
  })

  test('the list is filtered and sorted, a stranger sees none, and a member may not change any', async () => {
    const { call, hasClass, hasService, hasStranger, hasUser } = await createWorld()
    const service = await hasService()
    const b = await hasClass({ name: 'B', service_id: service.id })
    const a = await hasClass({ name: 'A', active: false })
    const ids = async (query: string) => (await call('GET', `/api/v3/classes?${query}`)).body.collection.map(({ id }: { id: number }) => id)
    expect(await ids('')).toEqual([b.id, a.id])
    expect(await ids('sort=name:asc')).toEqual([a.id, b.id])
    expect(await ids('active=true')).toEqual([b.id])
    expect(await ids(`service_id=${service.id}`)).toEqual([b.id])
    const stranger = await hasStranger()
    expect((await stranger.call('GET', '/api/v3/classes')).body.collection).toEqual([])
    for (const [method, path] of [
      ['GET', ''],
      ['PATCH', ''],
      ['DELETE', ''],
      ['POST', '/schedule'],
    ] as const) {
      const body = path ? { count: 1 } : method === 'PATCH' ? { name: 'X' } : undefined
      expect((await stranger.call(method, `/api/v3/classes/${a.id}${path}`, body)).status, method).toBe(404)
    }
    const member = await hasUser('member')
    expect((await member.call('PATCH', `/api/v3/classes/${a.id}`, { name: 'X' })).status).toBe(403)
  })

  test('one with upcoming sessions is not removed', async () => {
    const { call, hasClass, hasSession } = await createWorld()
    const { id } = await hasClass()
    const session = await hasSession('2026-12-01T10:00:00Z', { class_id: id })
    expect((await call('DELETE', `/api/v3/classes/${id}`)).body.code).toBe('conflict')
    await call('DELETE', `/api/v3/sessions/${session.id}`)
    expect((await call('DELETE', `/api/v3/classes/${id}`)).status).toBe(204)
    expect((await call('GET', `/api/v3/sessions/${session.id}`)).body.resource.class).toEqual({ id, name: 'Yoga' })
  })

  test('a service is kept while a class names it, and a class forgets a teacher who is removed', async () => {
    const { call, hasClass, hasService, hasStaff } = await createWorld()
    const [service, staff] = [await hasService(), await hasStaff()]
    const { id } = await hasClass({ service_id: service.id, staff_member_id: staff.id })
    expect((await call('DELETE', `/api/v3/services/${service.id}`)).body).toMatchObject({
      code: 'conflict',
      message: expect.stringContaining('Yoga'),
    })
    expect((await call('DELETE', `/api/v3/staff_members/${staff.id}`)).status).toBe(204)
    expect((await call('PATCH', `/api/v3/classes/${id}`, { name: 'Pilates' })).body.resource).toMatchObject({
      name: 'Pilates',
      staff_member_id: null,
    })
  })

  test('schedule makes the sessions of the recurrence, on the wall clock of the zone, and leaves alone what is there', async () => {
    const { call, hasClass, hasStaff } = await createWorld()
    const staff = await hasStaff()
    const { id } = await hasClass({
      staff_member_id: staff.id,
      location: 'Hall',
      recurrence: { start: '2027-03-16T18:00', rrule: 'FREQ=WEEKLY;BYDAY=TU' },
    })
    const schedule = (body: object) => call('POST', `/api/v3/classes/${id}/schedule`, body)
    const first = await schedule({ count: 3 })
    expect(first.body.resource).toMatchObject({ class_id: id, created: 3, existing: 0, conflicts: [] })
    const { collection } = (await call('GET', `/api/v3/sessions?class_id=${id}`)).body
    // Berlin puts its clocks forward on 28 March.
    expect(collection.map(({ start_time }: { start_time: string }) => start_time.slice(0, 16))).toEqual([
      '2027-03-16T17:00',
      '2027-03-23T17:00',
      '2027-03-30T16:00',
    ])
    expect(collection[0]).toMatchObject({
      capacity: 2,
      location: 'Hall',
      staff_member_id: staff.id,
      seats: { total: 2, taken: 0, remaining: 2 },
    })
    await call('DELETE', `/api/v3/sessions/${collection[1].id}`)
    const again = await schedule({ from: '2027-03-20T00:00:00Z', to: '2027-04-07T00:00:00Z' })
    expect(again.body.resource).toMatchObject({ created: 1, existing: 2 })
    expect((await schedule({ count: 4 })).body.resource).toMatchObject({ created: 0, existing: 4, session_ids: [] })
    expect((await call('GET', `/api/v3/sessions?class_id=${id}`)).body.collection).toHaveLength(4)
  })

  test('schedule names every conflict and makes nothing, or leaves them out when asked to', async () => {
    const { call, hasClass, hasStaff, hasSession, hasType, hasAppointment } = await createWorld()
    const staff = await hasStaff()
    const type = await hasType({ staff_member_ids: [staff.id], duration: 60 })
    await hasAppointment(type, '2026-12-08T10:00:00Z')
    await hasSession('2026-12-15T10:30:00Z', { staff_member_id: staff.id })
    const { id } = await hasClass({
      staff_member_id: staff.id,
      time_zone: 'UTC',
      recurrence: { start: '2026-12-01T10:00', rrule: 'FREQ=WEEKLY;COUNT=4' },
    })
    const refused = await call('POST', `/api/v3/classes/${id}/schedule`, { to: '2027-01-31T00:00:00Z' })
    expect(refused.body).toMatchObject({ code: 'slot_taken', details: [{ code: 'slot_taken' }, { code: 'slot_taken' }] })
    expect(refused.body.details[0].message).toContain('2026-12-08T10:00')
    expect((await call('GET', `/api/v3/sessions?class_id=${id}`)).body.collection).toEqual([])
    const made = await call('POST', `/api/v3/classes/${id}/schedule`, { to: '2027-01-31T00:00:00Z', skip_conflicts: true })
    expect(made.body.resource).toMatchObject({
      created: 2,
      conflicts: ['2026-12-08T10:00:00.000000Z', '2026-12-15T10:00:00.000000Z'],
    })
  })

  test('schedule is bounded, and refuses what it cannot do', async () => {
    const { call, hasClass } = await createWorld()
    const daily = await hasClass({ recurrence: { start: '2020-01-01T08:00', rrule: 'FREQ=DAILY' } })
    const about = async (id: number, body: object) => {
      const refused = await call('POST', `/api/v3/classes/${id}/schedule`, body)
      return [refused.status, refused.body.details[0].parameter]
    }
    expect(await about(daily.id, {})).toEqual([400, 'to'])
    expect(await about(daily.id, { count: 1, to: '2027-01-01T00:00:00Z' })).toEqual([400, 'to'])
    expect(await about(daily.id, { count: 501 })).toEqual([400, 'count'])
    expect(await about(daily.id, { to: '2028-11-20T00:00:00Z' })).toEqual([400, 'to'])
    expect(await about(daily.id, { to: '2030-01-01T00:00:00Z' })).toEqual([400, 'to'])
    expect(await about(daily.id, { to: '2026-11-01T00:00:00Z' })).toEqual([400, 'to'])
    expect(await about((await hasClass()).id, { count: 1 })).toEqual([400, 'recurrence'])
    expect(await about((await hasClass({ active: false, recurrence: tuesdays })).id, { count: 1 })).toEqual([400, 'class_id'])
    const made = await call('POST', `/api/v3/classes/${daily.id}/schedule`, { count: 2 })
    const { collection } = (await call('GET', '/api/v3/sessions')).body
    expect(made.body.resource.created).toBe(2)
    // Nothing of the past: the first is tomorrow at eight in Berlin, for it is nine there now.
    expect(collection[0].start_time).toBe('2026-11-24T07:00:00.000000Z')
  })
})
