import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import { DeliveryBody } from '../../../src/contract/deliveries.ts'
import { type EventKind, eventKindNames } from '../../../src/contract/webhooks.ts'
import { raw, sql } from '../../../src/service/store/sql.ts'
import { bearerOf, subscribe } from '../../support/delivering.ts'
import { onEveryEngine } from '../../support/engines.ts'
import type { ServiceWorld } from '../../support/service.ts'
import { worldsOn } from '../../support/worlds.ts'

const HOOK = 'https://hooks.example.com/booking'
const TUESDAY = '2026-11-24T09:00:00Z'
const WEDNESDAY = '2026-11-25T09:00:00Z'

// biome-ignore lint/suspicious/noExplicitAny: each is compared with the contract as it is read
type Told = { event: EventKind; payload: any; created_by: string }

/** What was written to be delivered since the last time, in its order; each is what the contract says. */
function createEar(world: ServiceWorld) {
  let last = 0
  return async (): Promise<Told[]> => {
    const rows = await world.rows<{ id: number; kind: EventKind; payload: string; created_at: string; created_by: string }>(
      sql`select d.id, e.kind, e.payload, e.created_at, d.created_by from deliveries d join webhook_events e on e.id = d.event_id
          where d.id > ${last} order by d.id`,
    )
    last = Number(rows.at(-1)?.id ?? last)
    return rows.map(({ kind, payload, created_at, created_by }) => {
      const body = { event: kind, created_at, created_by, payload: JSON.parse(payload) }
      expect(v.parse(DeliveryBody, body)).toEqual(body)
      return body
    })
  }
}

onEveryEngine('what webhook readers are told of', (engine) => {
  const createWorld = worldsOn(engine)

  async function listening() {
    const world = await createWorld()
    await subscribe(world, HOOK, { events: [...eventKindNames] })
    const bearer = bearerOf(world)
    return { ...world, bearer, told: createEar(world) }
  }

  const kinds = (told: Told[]) => told.map(({ event }) => event)

  describe('of an appointment', () => {
    async function booked() {
      const world = await listening()
      const type = await world.hasType()
      const appointment = await world.hasAppointment(type, TUESDAY)
      const [created] = await world.told()
      const post = async (path: string, body: object = {}) => {
        const { status } = await world.call('POST', `/api/v3/appointments/${appointment.id}${path}`, body)
        expect(status).toBeLessThan(300)
      }
      return { ...world, type, appointment, created: created as Told, post }
    }

    test('that it was booked', async () => {
      const { created, appointment } = await booked()
      expect(created).toMatchObject({
        event: 'invitee.created',
        payload: {
          uri: appointment.invitee,
          event: appointment.uri,
          status: 'active',
          rescheduled: false,
          scheduled_event: { uri: appointment.uri, status: 'active', invitees_counter: { total: 1, active: 1, limit: 1 } },
        },
      })
      expect(created.payload).not.toHaveProperty('cancellation')
    })

    const ways: [string, (world: Awaited<ReturnType<typeof booked>>) => Promise<unknown>][] = [
      ['cancel', ({ post }) => post('/cancel', { reason: 'Ill' })],
      ['delete', ({ call, appointment }) => call('DELETE', `/api/v3/appointments/${appointment.id}`)],
      [
        'the cancellation of its scheduled event',
        ({ bearer, appointment }) => bearer('POST', `${new URL(appointment.uri).pathname}/cancellation`, { reason: 'Ill' }),
      ],
      [
        'the soft deletion of its customer',
        ({ call, appointment }) => call('DELETE', `/api/v3/customers/${appointment.customer.id}?soft_delete=true&cancel_appointments=true`),
      ],
      [
        'the erasure of its customer',
        ({ call, appointment }) => call('DELETE', `/api/v3/customers/${appointment.customer.id}?cancel_appointments=true`),
      ],
    ]
    test.each(ways)('that it was canceled, by %s', async (_, cancel) => {
      const world = await booked()
      await cancel(world)
      const told = await world.told()
      expect(kinds(told)).toEqual(['invitee.canceled'])
      expect(told[0]?.payload).toMatchObject({
        uri: world.appointment.invitee,
        status: 'canceled',
        rescheduled: false,
        new_invitee: null,
        cancellation: { canceled_by: 'Olga Owner', canceler_type: 'host' },
        scheduled_event: { status: 'canceled', invitees_counter: { total: 1, active: 0, limit: 1 } },
      })
    })

    test('that it was rescheduled: a linked pair, the old one first', async () => {
      const { post, told, appointment } = await booked()
      await post('/reschedule', { start_time: WEDNESDAY })
      const [canceled, created, ...more] = await told()
      expect(more).toEqual([])
      expect(canceled).toMatchObject({
        event: 'invitee.canceled',
        payload: { uri: appointment.invitee, rescheduled: true, new_invitee: created?.payload.uri, old_invitee: null, status: 'canceled' },
      })
      expect(created).toMatchObject({
        event: 'invitee.created',
        payload: { rescheduled: false, old_invitee: appointment.invitee, new_invitee: null, status: 'active' },
      })
      expect(created?.payload.scheduled_event.start_time).toBe('2026-11-25T09:00:00.000000Z')
    })

    test('that nobody came, and that this was taken back, by each of three doors', async () => {
      const { post, told, appointment, call, bearer, created } = await booked()
      await post('/no_show')
      expect((await told()).map(({ event, payload }) => [event, payload.no_show?.created_at])).toEqual([
        ['invitee_no_show.created', '2026-11-23T08:00:00.000000Z'],
      ])
      await call('DELETE', `/api/v3/appointments/${appointment.id}/no_show`)
      expect((await told()).map(({ event, payload }) => [event, payload.no_show])).toEqual([['invitee_no_show.deleted', null]])
      await post('/no_show')
      await post('/complete')
      expect(kinds(await told())).toEqual(['invitee_no_show.created', 'invitee_no_show.deleted'])
      const marked = await bearer('POST', '/invitee_no_shows', { invitee: created.payload.uri })
      expect(kinds(await told())).toEqual(['invitee_no_show.created'])
      await bearer('DELETE', new URL(marked.body.resource.uri).pathname)
      expect(kinds(await told())).toEqual(['invitee_no_show.deleted'])
    })

    test('nothing of what changes nobody’s booking, nor of what was refused', async () => {
      const { post, told, call, appointment, type } = await booked()
      await call('PATCH', `/api/v3/appointments/${appointment.id}`, { notes: 'By the window' })
      await post('/complete')
      const taken = await call('POST', '/api/v3/appointments', {
        appointment_type_id: type.id,
        start_time: TUESDAY,
        customer: { name: 'Late' },
      })
      expect(taken.status).toBe(409)
      expect((await call('POST', `/api/v3/appointments/${appointment.id}/cancel`, {})).status).toBe(409)
      expect(await told()).toEqual([])
    })

    test('an answer that is replayed for its idempotency key tells nothing anew', async () => {
      const { told, call, type } = await booked()
      const body = { appointment_type_id: type.id, start_time: WEDNESDAY, customer: { name: 'Once' } }
      const first = await call('POST', '/api/v3/appointments', body, { 'idempotency-key': 'k' })
      const second = await call('POST', '/api/v3/appointments', body, { 'idempotency-key': 'k' })
      expect([first.status, second.headers['idempotent-replayed']]).toEqual([201, 'true'])
      expect(kinds(await told())).toEqual(['invitee.created'])
    })
  })

  describe('of a session', () => {
    async function held(given: object = {}) {
      const world = await listening()
      const one = await world.hasClass({ capacity: 1, waitlist: true, ...given })
      const session = await world.hasSession(TUESDAY, { class_id: one.id })
      return { ...world, session }
    }

    test('of who gets a seat, not of who waits; and of who is called up when one is given back', async () => {
      const { session, hasAttendee, told, call } = await held()
      const first = await hasAttendee(session)
      const second = await hasAttendee(session)
      expect((await told()).map(({ event, payload }) => [event, payload.uri])).toEqual([['invitee.created', first.uri]])
      await call('POST', `/api/v3/sessions/${session.id}/attendees/${first.id}/cancel`, {})
      const both = await told()
      expect(both.map(({ event, payload }) => [event, payload.uri, payload.scheduled_event.status])).toEqual([
        ['invitee.canceled', first.uri, 'active'],
        ['invitee.created', second.uri, 'active'],
      ])
    })

    test('of those a larger room calls up, in the order in which they came', async () => {
      const { session, hasAttendee, told, call } = await held()
      const [, second, third] = [await hasAttendee(session), await hasAttendee(session), await hasAttendee(session)]
      await told()
      await call('PATCH', `/api/v3/sessions/${session.id}`, { capacity: 3 })
      expect((await told()).map(({ event, payload }) => [event, payload.uri])).toEqual([
        ['invitee.created', second?.uri],
        ['invitee.created', third?.uri],
      ])
    })

    test('that it was canceled, once for each who had a seat, none for who waited', async () => {
      const { session, hasAttendee, told, call } = await held({ capacity: 2 })
      const [first, second] = [await hasAttendee(session), await hasAttendee(session), await hasAttendee(session)]
      await told()
      await call('POST', `/api/v3/sessions/${session.id}/cancel`, { reason: 'Burst pipe' })
      expect((await told()).map(({ event, payload }) => [event, payload.uri, payload.cancellation.reason])).toEqual([
        ['invitee.canceled', first?.uri, 'Burst pipe'],
        ['invitee.canceled', second?.uri, 'Burst pipe'],
      ])
    })

    test('nothing of who stops waiting', async () => {
      const { session, hasAttendee, told, call } = await held()
      await hasAttendee(session)
      const waiting = await hasAttendee(session)
      await told()
      await call('DELETE', `/api/v3/sessions/${session.id}/attendees/${waiting.id}`)
      expect(await told()).toEqual([])
    })

    test('that an attendee did not come, and that this was taken back', async () => {
      const { session, hasAttendee, told, call, bearer } = await held()
      const { id, uri } = await hasAttendee(session)
      await told()
      const path = `/api/v3/sessions/${session.id}/attendees/${id}/no_show`
      await call('POST', path, {})
      await call('DELETE', path)
      expect(kinds(await told())).toEqual(['invitee_no_show.created', 'invitee_no_show.deleted'])
      const marked = await bearer('POST', '/invitee_no_shows', { invitee: uri })
      await bearer('DELETE', new URL(marked.body.resource.uri).pathname)
      expect(kinds(await told())).toEqual(['invitee_no_show.created', 'invitee_no_show.deleted'])
    })

    test('that a customer who goes gives their seat to who waits', async () => {
      const { session, hasAttendee, told, call } = await held()
      const first = await hasAttendee(session)
      const second = await hasAttendee(session)
      await told()
      await call('DELETE', `/api/v3/customers/${first.customer.id}?soft_delete=true&cancel_appointments=true`)
      expect((await told()).map(({ event, payload }) => [event, payload.uri])).toEqual([
        ['invitee.canceled', first.uri],
        ['invitee.created', second.uri],
      ])
    })
  })

  test('of a routing form that was sent in, whether or not a booking follows', async () => {
    const { bearer, told } = await listening()
    const form = await bearer('POST', '/routing_forms', {
      name: 'First contact',
      status: 'published',
      questions: [{ name: 'Why?', type: 'text' }],
      routes: [],
      fallback: { type: 'custom_message', value: { headline: 'Thanks', body: 'We call you.' } },
    })
    expect(form.status, JSON.stringify(form.body)).toBe(201)
    const sent = await bearer('POST', `${new URL(form.body.resource.uri).pathname}/submissions`, {
      questions_and_answers: [{ question: 'Why?', answer: 'Because' }],
    })
    expect(sent.status, JSON.stringify(sent.body)).toBe(201)
    expect(await told()).toMatchObject([{ event: 'routing_form_submission.created', payload: sent.body.resource }])
  })

  describe('who is told', () => {
    test('a user of what they host, and nobody of what another one does', async () => {
      const world = await createWorld()
      const [mine, theirs] = [await world.hasUser('member'), await world.hasUser('member')]
      await subscribe(world, `${HOOK}/mine`, { own: mine })
      await subscribe(world, `${HOOK}/theirs`, { own: theirs })
      const told = createEar(world)
      const user = `http://127.0.0.1:4242/users/${mine.user_uuid}`
      const staff = await world.hasStaff({ user })
      await world.hasAppointment(await world.hasType({ staff_member_ids: [staff.id] }), TUESDAY)
      await world.hasAppointment(await world.hasType(), TUESDAY)
      expect((await told()).map(({ event, created_by }) => [event, created_by])).toEqual([['invitee.created', user]])
    })

    test('only who asked for that kind of event; and where nobody did, nothing is kept', async () => {
      const world = await createWorld()
      await subscribe(world, HOOK, { events: ['invitee.canceled'] })
      const told = createEar(world)
      const { id } = await world.hasAppointment(await world.hasType(), TUESDAY)
      expect(await world.rows(sql`select id from webhook_events`)).toEqual([])
      await world.call('POST', `/api/v3/appointments/${id}/cancel`, {})
      expect(kinds(await told())).toEqual(['invitee.canceled'])
    })

    test('nobody of another organization', async () => {
      const world = await createWorld()
      const stranger = await world.hasStranger()
      await subscribe(world, HOOK, { own: stranger, events: ['invitee.created'] })
      await world.hasAppointment(await world.hasType(), TUESDAY)
      expect(await world.rows(sql`select id from deliveries`)).toEqual([])
    })

    test('two subscriptions of one address under one event id', async () => {
      const world = await createWorld()
      await subscribe(world, HOOK)
      await subscribe(world, HOOK, { own: world.owner })
      const staff = await world.hasStaff({ user: `http://127.0.0.1:4242/users/${world.owner.user_uuid}` })
      await world.hasAppointment(await world.hasType({ staff_member_ids: [staff.id] }), TUESDAY)
      const rows = await world.rows<{ event_id: number }>(sql`select event_id from deliveries`)
      expect(rows.length).toBe(2)
      expect(new Set(rows.map(({ event_id }) => Number(event_id))).size).toBe(1)
    })
  })

  describe('what a customer left', () => {
    const SECRET = /Ada|ada@|Ague|Faint|Swoon|ref-1815/
    async function left() {
      const world = await listening()
      const { hasType, hasClass, hasSession, hasAttendee, hasCustomer, call, bearer, rows } = world
      const form = await bearer('POST', '/routing_forms', {
        ...{ name: 'First contact', status: 'published', questions: [{ name: 'Why?', type: 'text' }], routes: [] },
        fallback: { type: 'custom_message', value: { headline: 'Thanks', body: 'We call you.' } },
      })
      const sent = await bearer('POST', `${new URL(form.body.resource.uri).pathname}/submissions`, {
        questions_and_answers: [{ question: 'Why?', answer: 'Ague' }],
      })
      const custom_questions = [{ name: 'Illness?', type: 'text', required: false }]
      const answered = { questions_and_answers: [{ question: 'Illness?', answer: 'Ague' }], tracking: { salesforce_uuid: 'ref-1815' } }
      const customer = await hasCustomer({ name: 'Ada Lovelace', email: 'ada@example.com' })
      const type = await hasType({ custom_questions })
      const booking = { appointment_type_id: type.id, start_time: TUESDAY, customer_id: customer.id, notes: 'Faint', ...answered }
      const named = { ...booking, routing_form_submission: sent.body.resource.uri }
      const booked = await call('POST', '/api/v3/appointments', named, { 'idempotency-key': 'k' })
      expect(booked.status, JSON.stringify(booked.body)).toBe(201)
      await call('POST', `/api/v3/appointments/${booked.body.resource.id}/cancel`, { reason: 'Swoon' })
      const session = await hasSession(TUESDAY, { class_id: (await hasClass({ custom_questions })).id })
      const attendee = await hasAttendee(session, { customer_id: customer.id, ...answered })
      const kept = async () => {
        const tables = ['webhook_events', 'appointments', 'session_attendees', 'routing_form_submissions', 'idempotency_keys', 'customers']
        return JSON.stringify(await Promise.all(tables.map((table) => rows(sql`select * from ${raw(table)}`))))
      }
      expect(await kept()).toMatch(SECRET)
      return { ...world, customer, named, session, attendee, kept }
    }

    test('is gone from all that is kept when they are erased', async () => {
      const { call, customer, kept, named } = await left()
      expect((await call('DELETE', `/api/v3/customers/${customer.id}?cancel_appointments=true`)).status).toBe(204)
      expect(await kept()).not.toMatch(SECRET)
      expect(await kept()).toContain('Deleted customer')
      const again = await call('POST', '/api/v3/appointments', named, { 'idempotency-key': 'k' })
      expect([again.status, again.body.code]).toEqual([409, 'conflict'])
    })

    test('does not come back with what happens to them later', async () => {
      const { call, customer, kept, session, attendee, clock, told } = await left()
      clock.set('2026-11-24T10:30:00Z')
      expect((await call('DELETE', `/api/v3/customers/${customer.id}`)).status).toBe(204)
      await told()
      await call('POST', `/api/v3/sessions/${session.id}/attendees/${attendee.id}/no_show`, {})
      expect((await told()).map(({ event, payload }) => [event, payload.name, payload.email])).toEqual([
        ['invitee_no_show.created', 'Deleted customer', ''],
      ])
      expect(await kept()).not.toMatch(SECRET)
    })
  })

  test.each(eventKindNames)('the sample of %s has the shape of a real one', async (event) => {
    const { bearer, owner } = await listening()
    const { uri: user, current_organization: organization } = (await bearer('GET', '/users/me')).body.resource
    const asked = new URLSearchParams({ event, organization, scope: 'organization' })
    const { status, body } = await bearer('GET', `/sample_webhook_data?${asked}`)
    expect([status, body.event, body.created_by]).toEqual([200, event, user])
    expect(v.parse(DeliveryBody, body)).toEqual(body)
    expect(user).toContain(owner.user_uuid)
  })
})
