import { expect, test } from 'vitest'
import { onEveryEngine } from '../support/engines.ts'
import type { Call } from '../support/service.ts'
import { worldsOn } from '../support/worlds.ts'

const TEN = '2026-12-01T10:00:00.000000Z'
const at = (clock: string, day = '01') => `2026-12-${day}T${clock}:00Z`
const seatsOf = async (call: Call, { id }: { id: number }) => (await call('GET', `/api/v3/sessions/${id}`)).body.resource.seats
const statusesOf = async (call: Call, { id }: { id: number }) =>
  (await call('GET', `/api/v3/sessions/${id}/attendees?count=100`)).body.collection.map(({ status }: { status: string }) => status)

onEveryEngine('sessions', (engine) => {
  const createWorld = worldsOn(engine)

  test('one is created with what its class says, unless it says otherwise itself', async () => {
    const { call, clock, hasClass, hasStaff } = await createWorld()
    const staff = await hasStaff({ name: 'Mira' })
    const one = await hasClass({ staff_member_id: staff.id, location: 'Hall', duration: 90 })
    const made = await call('POST', '/api/v3/sessions', { class_id: one.id, start_time: TEN })
    const { id, uri } = made.body.resource
    expect(made.headers.location).toBe(`/api/v3/sessions/${id}`)
    expect(uri).toMatch(/\/scheduled_events\/[0-9a-f-]{36}$/)
    expect(made.body.resource).toEqual({
      id,
      uri,
      class_id: one.id,
      class: { id: one.id, name: 'Yoga' },
      status: 'scheduled',
      start_time: TEN,
      end_time: '2026-12-01T11:30:00.000000Z',
      duration: 90,
      staff_member_id: staff.id,
      staff_member: { id: staff.id, name: 'Mira', email: staff.email, time_zone: 'UTC' },
      capacity: 2,
      location: 'Hall',
      seats: { total: 2, taken: 0, remaining: 2, waiting: 0 },
      cancellation: null,
      created_at: clock.instant(),
      updated_at: clock.instant(),
    })
    const other = await call('POST', '/api/v3/sessions', {
      class_id: one.id,
      start_time: at('12:00'),
      staff_member_id: null,
      capacity: 5,
      location: null,
    })
    expect(other.body.resource).toMatchObject({ staff_member_id: null, staff_member: null, capacity: 5, location: null })
  })

  test('what it refers to must be there, on offer and ahead, and a class meets once at a time', async () => {
    const { call, hasClass, hasSession } = await createWorld()
    const one = await hasClass()
    const about = async (given: object) => {
      const refused = await call('POST', '/api/v3/sessions', { class_id: one.id, start_time: TEN, ...given })
      return [refused.status, refused.body.details[0]?.parameter ?? refused.body.code]
    }
    expect(await about({ class_id: 999 })).toEqual([400, 'class_id'])
    expect(await about({ class_id: (await hasClass({ active: false })).id })).toEqual([400, 'class_id'])
    expect(await about({ staff_member_id: 999 })).toEqual([400, 'staff_member_id'])
    expect(await about({ start_time: '2026-11-23T08:00:00Z' })).toEqual([400, 'start_time'])
    const first = await hasSession(TEN, { class_id: one.id })
    expect(await about({})).toEqual([409, 'already_exists'])
    await call('DELETE', `/api/v3/sessions/${first.id}`)
    await hasSession(TEN, { class_id: one.id })
  })

  test('a teaching staff member is busy: for appointments, for sessions, and until it is canceled', async () => {
    const { call, hasStaff, hasClass, hasSession, hasType, hasAppointment, hasCustomer, offered } = await createWorld()
    const staff = await hasStaff()
    const type = await hasType({ staff_member_ids: [staff.id] })
    const one = await hasClass({ staff_member_id: staff.id })
    const session = await hasSession(TEN, { class_id: one.id })
    expect(await offered(type, '2026-12-01')).not.toContain('10:00')
    expect(await offered(type, '2026-12-01')).not.toContain('10:30')
    expect(await offered(type, '2026-12-01')).toEqual(expect.arrayContaining(['09:30', '11:00']))
    const customer_id = (await hasCustomer()).id
    const book = () =>
      call('POST', '/api/v3/appointments', {
        appointment_type_id: type.id,
        customer_id,
        start_time: at('10:30'),
        staff_member_id: staff.id,
      })
    expect((await book()).body.code).toBe('slot_taken')
    const other = await hasClass({ staff_member_id: staff.id })
    const hold = (start_time: string) => call('POST', '/api/v3/sessions', { class_id: other.id, start_time })
    expect((await hold(at('09:30'))).body.code).toBe('slot_taken')
    // Working hours do not bind a session.
    expect((await hold(at('22:00'))).status).toBe(201)
    await hasAppointment(type, at('14:00'))
    expect((await hold(at('13:30'))).body.code).toBe('slot_taken')
    expect((await hold(at('14:30'))).status).toBe(201)
    await call('POST', `/api/v3/sessions/${session.id}/cancel`, {})
    expect((await book()).status).toBe(201)
  })

  test('another teacher must be free, and the one before is free again', async () => {
    const { call, hasStaff, hasSession, hasType, hasAppointment, offered } = await createWorld()
    const [a, b] = [await hasStaff(), await hasStaff()]
    const [ofA, ofB] = [await hasType({ staff_member_ids: [a.id] }), await hasType({ staff_member_ids: [b.id] })]
    const session = await hasSession(TEN, { staff_member_id: a.id })
    const taken = await hasAppointment(ofB, TEN)
    const url = `/api/v3/sessions/${session.id}`
    expect((await call('PATCH', url, { staff_member_id: b.id })).body.code).toBe('slot_taken')
    expect((await call('GET', url)).body.resource.staff_member_id).toBe(a.id)
    await call('DELETE', `/api/v3/appointments/${taken.id}`)
    expect((await call('PATCH', url, { staff_member_id: b.id, location: 'Hall' })).body.resource).toMatchObject({
      staff_member_id: b.id,
      location: 'Hall',
    })
    expect(await offered(ofA, '2026-12-01')).toContain('10:00')
    expect(await offered(ofB, '2026-12-01')).not.toContain('10:00')
    expect((await call('PATCH', url, { staff_member_id: null })).body.resource.staff_member).toBeNull()
    expect(await offered(ofB, '2026-12-01')).toContain('10:00')
  })

  test('the list is filtered by class, time, person and state, and sorted', async () => {
    const { call, hasStaff, hasSession } = await createWorld()
    const staff = await hasStaff()
    const late = await hasSession(at('12:00'), { staff_member_id: staff.id })
    const early = await hasSession(at('09:00'))
    const middle = await hasSession(at('10:00'), { class_id: late.class_id })
    await call('DELETE', `/api/v3/sessions/${middle.id}`)
    const ids = async (query: string) =>
      (await call('GET', `/api/v3/sessions?${query}`)).body.collection.map(({ id }: { id: number }) => id)
    expect(await ids('')).toEqual([early.id, middle.id, late.id])
    expect(await ids('sort=start_time:desc&count=2')).toEqual([late.id, middle.id])
    expect(await ids('sort=id:asc')).toEqual([late.id, early.id, middle.id])
    expect(await ids(`start_time_from=${at('10:00')}&start_time_to=${at('12:00')}`)).toEqual([middle.id])
    expect(await ids('status=canceled')).toEqual([middle.id])
    expect(await ids(`class_id=${late.class_id}`)).toEqual([middle.id, late.id])
    expect(await ids(`staff_member_id=${staff.id}`)).toEqual([late.id])
  })

  test('a canceled one takes its attendees with it, and nothing more can be done with it', async () => {
    const { call, hasClass, hasSession, hasAttendee, hasCustomer } = await createWorld()
    const one = await hasClass({ waitlist: true })
    const session = await hasSession(TEN, { class_id: one.id })
    const first = await hasAttendee(session)
    for (let more = 0; more < 3; more += 1) await hasAttendee(session)
    const canceled = await call('POST', `/api/v3/sessions/${session.id}/cancel`, { reason: 'Ill' })
    expect(canceled.body.resource).toMatchObject({
      status: 'canceled',
      cancellation: { canceled_by: 'Olga Owner', reason: 'Ill', canceler_type: 'host' },
      seats: { total: 2, taken: 0, remaining: 2, waiting: 0 },
    })
    expect(await statusesOf(call, session)).toEqual(['canceled', 'canceled', 'canceled', 'canceled'])
    const read = (await call('GET', `/api/v3/sessions/${session.id}/attendees/${first.id}`)).body.resource
    expect(read.cancellation.reason).toBe('Ill')
    const customer_id = (await hasCustomer()).id
    for (const [method, path, body] of [
      ['POST', '/cancel', {}],
      ['DELETE', '', undefined],
      ['PATCH', '', { capacity: 5 }],
      ['POST', '/attendees', { customer_id }],
      ['POST', `/attendees/${first.id}/no_show`, undefined],
      ['POST', `/attendees/${first.id}/cancel`, {}],
    ] as const) {
      expect((await call(method, `/api/v3/sessions/${session.id}${path}`, body)).body.code, path).toBe('illegal_transition')
    }
  })

  test('a stranger sees nothing of it, and a member may enrol but not cancel it', async () => {
    const { hasSession, hasAttendee, hasStranger, hasUser, hasCustomer } = await createWorld()
    const session = await hasSession(TEN)
    const attendee = await hasAttendee(session)
    const stranger = await hasStranger()
    const url = `/api/v3/sessions/${session.id}`
    for (const [method, path, body] of [
      ['GET', '', undefined],
      ['PATCH', '', { capacity: 9 }],
      ['DELETE', '', undefined],
      ['POST', '/cancel', {}],
      ['GET', '/attendees', undefined],
      ['GET', `/attendees/${attendee.id}`, undefined],
      ['DELETE', `/attendees/${attendee.id}`, undefined],
      ['POST', `/attendees/${attendee.id}/cancel`, {}],
      ['POST', `/attendees/${attendee.id}/no_show`, undefined],
      ['DELETE', `/attendees/${attendee.id}/no_show`, undefined],
      ['POST', '/attendees', { customer: { name: 'Spy' } }],
    ] as const) {
      expect((await stranger.call(method, `${url}${path}`, body)).status, `${method} ${path}`).toBe(404)
    }
    const member = await hasUser('member')
    expect((await member.call('POST', `${url}/cancel`, {})).status).toBe(403)
    expect((await member.call('POST', `${url}/attendees`, { customer_id: (await hasCustomer()).id })).status).toBe(201)
  })
})

onEveryEngine('attendees', (engine) => {
  const createWorld = worldsOn(engine)

  test('one is enrolled, with all that its record holds', async () => {
    const { call, clock, hasClass, hasSession, hasCustomer } = await createWorld()
    const one = await hasClass({ custom_questions: [{ name: 'Mat?', type: 'text', required: true }] })
    const session = await hasSession(TEN, { class_id: one.id })
    const customer = await hasCustomer({ name: 'Ada', email: 'ada@example.com', time_zone: 'Asia/Tokyo' })
    const url = `/api/v3/sessions/${session.id}/attendees`
    expect((await call('POST', url, { customer_id: customer.id })).body.details[0].code).toBe('missing_answer')
    const made = await call('POST', url, {
      customer: { name: 'A.', email: 'ADA@example.com' },
      questions_and_answers: [{ question: 'Mat?', answer: 'Own' }],
      tracking: { utm_source: 'flyer' },
    })
    const { id, uri } = made.body.resource
    expect(made.headers.location).toBe(`${url}/${id}`)
    expect(uri).toMatch(new RegExp(`^${session.uri}/invitees/[0-9a-f-]{36}$`))
    expect(made.body.resource).toMatchObject({
      session_id: session.id,
      status: 'active',
      customer: { id: customer.id, name: 'Ada', email: 'ada@example.com', phone: null },
      time_zone: 'Asia/Tokyo',
      questions_and_answers: [{ question: 'Mat?', answer: 'Own', position: 0 }],
      tracking: { utm_source: 'flyer', utm_campaign: null },
      cancellation: null,
      created_at: clock.instant(),
    })
    expect((await call('GET', `${url}/${id}`)).body).toEqual(made.body)
    expect(await seatsOf(call, session)).toEqual({ total: 2, taken: 1, remaining: 1, waiting: 0 })
  })

  test('the same customer is enrolled once, and again after a cancellation', async () => {
    const { call, hasSession, hasAttendee, hasCustomer } = await createWorld()
    const session = await hasSession(TEN)
    const customer_id = (await hasCustomer()).id
    const { id } = await hasAttendee(session, { customer_id })
    const again = () => call('POST', `/api/v3/sessions/${session.id}/attendees`, { customer_id })
    expect((await again()).body.code).toBe('already_exists')
    await call('DELETE', `/api/v3/sessions/${session.id}/attendees/${id}`)
    expect((await again()).status).toBe(201)
  })

  test('a full session is a 409, session_full, and leaves no customer behind; one that has begun takes nobody', async () => {
    const { call, clock, hasSession, hasAttendee } = await createWorld()
    const session = await hasSession(TEN, { capacity: 1 })
    const enroll = () => call('POST', `/api/v3/sessions/${session.id}/attendees`, { customer: { name: 'Late', email: 'late@example.com' } })
    const { id } = await hasAttendee(session)
    expect((await enroll()).body.code).toBe('session_full')
    expect((await call('GET', '/api/v3/customers?email=late@example.com')).body.collection).toEqual([])
    await call('DELETE', `/api/v3/sessions/${session.id}/attendees/${id}`)
    clock.set(TEN)
    expect((await enroll()).body.code).toBe('illegal_transition')
  })

  test('who comes when it is full waits, and gets the first seat that is given back', async () => {
    const { call, hasClass, hasSession, hasAttendee } = await createWorld()
    const one = await hasClass({ waitlist: true })
    const session = await hasSession(TEN, { class_id: one.id })
    const all = [await hasAttendee(session), await hasAttendee(session), await hasAttendee(session), await hasAttendee(session)]
    expect(all.map(({ status }) => status)).toEqual(['active', 'active', 'waiting', 'waiting'])
    expect(await seatsOf(call, session)).toEqual({ total: 2, taken: 2, remaining: 0, waiting: 2 })
    const url = `/api/v3/sessions/${session.id}/attendees`
    expect((await call('GET', `${url}?status=waiting`)).body.collection.map(({ id }: { id: number }) => id)).toEqual([
      all[2]?.id,
      all[3]?.id,
    ])
    await call('POST', `${url}/${all[0]?.id}/cancel`, { reason: 'Ill' })
    expect(await statusesOf(call, session)).toEqual(['canceled', 'active', 'active', 'waiting'])
    // One who waits and goes frees no seat.
    await call('DELETE', `${url}/${all[3]?.id}`)
    expect(await seatsOf(call, session)).toEqual({ total: 2, taken: 2, remaining: 0, waiting: 0 })
  })

  test('more seats go to those who wait, and fewer than are taken is a conflict', async () => {
    const { call, hasClass, hasSession, hasAttendee } = await createWorld()
    const one = await hasClass({ waitlist: true })
    const session = await hasSession(TEN, { class_id: one.id })
    for (let more = 0; more < 5; more += 1) await hasAttendee(session)
    const resize = (capacity: number) => call('PATCH', `/api/v3/sessions/${session.id}`, { capacity })
    expect((await resize(1)).body.code).toBe('conflict')
    expect((await resize(4)).body.resource.seats).toEqual({ total: 4, taken: 4, remaining: 0, waiting: 1 })
    expect(await statusesOf(call, session)).toEqual(['active', 'active', 'active', 'active', 'waiting'])
    expect((await resize(9)).body.resource.seats).toEqual({ total: 9, taken: 5, remaining: 4, waiting: 0 })
    expect((await resize(5)).body.resource.seats.remaining).toBe(0)
  })

  test('nobody is called up into a session that has begun', async () => {
    const { call, clock, hasClass, hasSession, hasAttendee } = await createWorld()
    const one = await hasClass({ waitlist: true, capacity: 1 })
    const session = await hasSession(TEN, { class_id: one.id })
    const [first] = [await hasAttendee(session), await hasAttendee(session)]
    clock.set(TEN)
    await call('DELETE', `/api/v3/sessions/${session.id}/attendees/${first.id}`)
    expect(await statusesOf(call, session)).toEqual(['canceled', 'waiting'])
  })

  test('a no-show keeps the seat, and can be taken back', async () => {
    const { call, hasSession, hasAttendee } = await createWorld()
    const session = await hasSession(TEN)
    const { id } = await hasAttendee(session)
    const url = `/api/v3/sessions/${session.id}/attendees/${id}`
    expect((await call('POST', `${url}/no_show`)).body.resource.status).toBe('no_show')
    expect(await seatsOf(call, session)).toMatchObject({ taken: 1, remaining: 1 })
    expect((await call('POST', `${url}/no_show`)).body.code).toBe('illegal_transition')
    expect((await call('POST', `${url}/cancel`, {})).body.code).toBe('illegal_transition')
    expect((await call('DELETE', `${url}/no_show`)).status).toBe(204)
    expect((await call('DELETE', `${url}/no_show`)).body.code).toBe('illegal_transition')
    expect((await call('GET', url)).body.resource.status).toBe('active')
  })

  test('who is removed with seats ahead is refused, or gives them back', async () => {
    const { call, hasClass, hasStaff, hasSession, hasAttendee, hasCustomer } = await createWorld()
    const staff = await hasStaff()
    const one = await hasClass({ waitlist: true, capacity: 1, staff_member_id: staff.id })
    const session = await hasSession(TEN, { class_id: one.id })
    const customer_id = (await hasCustomer()).id
    await hasAttendee(session, { customer_id })
    await hasAttendee(session)
    const refused = await call('DELETE', `/api/v3/customers/${customer_id}`)
    expect(refused.body).toMatchObject({ code: 'conflict', message: expect.stringContaining('1 seat of an upcoming session') })
    expect((await call('DELETE', `/api/v3/customers/${customer_id}?cancel_appointments=true`)).status).toBe(204)
    expect(await statusesOf(call, session)).toEqual(['canceled', 'active'])
    const taught = await call('DELETE', `/api/v3/staff_members/${staff.id}`)
    expect(taught.body).toMatchObject({ code: 'conflict', message: 'There is 1 upcoming session. Cancel it first.' })
  })

  test('an etag that is stale stops a change', async () => {
    const { call, hasSession, hasAttendee } = await createWorld()
    const session = await hasSession(TEN)
    const url = `/api/v3/sessions/${session.id}`
    const { etag } = (await call('GET', url)).headers
    const { id } = await hasAttendee(session)
    expect((await call('PATCH', url, { capacity: 5 }, { 'if-match': etag as string })).status).toBe(412)
    const fresh = (await call('GET', `${url}/attendees/${id}`)).headers.etag as string
    expect((await call('DELETE', `${url}/attendees/${id}`, undefined, { 'if-match': fresh })).status).toBe(204)
  })
})
