import { describe, expect, test } from 'vitest'
import { onEveryEngine } from '../support/engines.ts'
import type { Caller, ServiceWorld } from '../support/service.ts'
import { worldsOn } from '../support/worlds.ts'

const at = (clock: string) => `2026-11-23T${clock}:00.000000Z`
const NOBODY = '00000000-0000-4000-8000-00000000dead'
const pathOf = (uri: string): string => new URL(uri).pathname

/** Requests with somebody's access token. */
const bearerOf =
  ({ callBare }: ServiceWorld, { access_token }: Caller) =>
  (method: 'GET' | 'POST' | 'DELETE', url: string, body?: object) =>
    callBare(method, url, body, { authorization: `Bearer ${access_token}` })

onEveryEngine('scheduled events', (engine) => {
  const createWorld = worldsOn(engine)

  /** A member who hosts an appointment at ten, and the owner. */
  const setUp = async () => {
    const world = await createWorld()
    const member = await world.hasUser('member')
    const owner = bearerOf(world, world.owner)
    const host = bearerOf(world, member)
    const me = (await host('GET', '/users/me')).body.resource
    const staff = await world.hasStaff({ name: 'Mira', user: me.uri })
    const type = await world.hasType({ name: 'First visit', staff_member_ids: [staff.id], buffer_after: 15, location: 'Room 3' })
    const customer = await world.hasCustomer({ name: 'Ada Lovelace', email: 'ada@example.com', time_zone: 'Europe/London' })
    const appointment = await world.hasAppointment(type, at('10:00'), { customer_id: customer.id })
    return { world, member, owner, host, me, staff, type, customer, appointment, organization: me.current_organization as string }
  }

  test('an appointment is one, with one invitee', async () => {
    const { owner, appointment, me, staff } = await setUp()
    const { resource } = (await owner('GET', pathOf(appointment.uri))).body
    expect(resource).toEqual({
      uri: appointment.uri,
      name: 'First visit',
      status: 'active',
      start_time: at('10:00'),
      end_time: at('10:30'),
      event_type: expect.stringMatching(/\/event_types\/[\da-f-]{36}$/),
      location: { type: 'custom', location: 'Room 3' },
      invitees_counter: { total: 1, active: 1, limit: 1 },
      event_memberships: [
        { user: me.uri, user_email: staff.email, user_name: 'Mira', buffered_start_time: at('10:00'), buffered_end_time: at('10:45') },
      ],
      event_guests: [],
      calendar_event: null,
      meeting_notes_plain: null,
      meeting_notes_html: null,
      created_at: appointment.created_at,
      updated_at: appointment.updated_at,
    })
    const listed = (await owner('GET', `${pathOf(appointment.uri)}/invitees`)).body
    const read = (await owner('GET', pathOf(appointment.invitee))).body
    expect(listed.collection).toEqual([read.resource])
    expect(read.resource).toMatchObject({
      uri: appointment.invitee,
      event: appointment.uri,
      name: 'Ada Lovelace',
      email: 'ada@example.com',
      status: 'active',
      timezone: 'Europe/London',
      questions_and_answers: [],
      rescheduled: false,
      old_invitee: null,
      new_invitee: null,
      no_show: null,
    })
    expect(read.resource).not.toHaveProperty('cancellation')
  })

  test('an invitee carries the answers to the custom questions', async () => {
    const { world, owner, type, customer } = await setUp()
    const custom_questions = [{ name: 'What brings you here?', type: 'textarea', required: true }]
    await world.call('PATCH', `/api/v3/appointment_types/${type.id}`, { custom_questions })
    const answers = [{ question: 'What brings you here?', answer: 'A stiff shoulder.' }]
    const asked = { customer_id: customer.id, questions_and_answers: answers, tracking: { utm_source: 'letter' } }
    const { invitee } = await world.hasAppointment(type, at('12:00'), asked)
    const { resource } = (await owner('GET', pathOf(invitee))).body
    expect(resource.questions_and_answers).toEqual([{ ...answers[0], position: 0 }])
    expect(resource.tracking).toMatchObject({ utm_source: 'letter', utm_medium: null, salesforce_uuid: null })
  })

  test('a list is filtered, sorted and walked by next_page', async () => {
    const { world, owner, type, organization, appointment } = await setUp()
    for (const clock of ['11:00', '12:00', '13:00', '14:00']) await world.hasAppointment(type, at(clock))
    const noon = (await world.call('GET', '/api/v3/appointments')).body.collection[2]
    await world.call('POST', `/api/v3/appointments/${noon.id}/cancel`)
    const starts = async (query: Record<string, string>) => {
      const { body } = await owner('GET', `/scheduled_events?${new URLSearchParams({ organization, ...query })}`)
      return body.collection.map(({ start_time }: { start_time: string }) => start_time.slice(11, 16))
    }
    expect(await starts({})).toEqual(['10:00', '11:00', '12:00', '13:00', '14:00'])
    expect(await starts({ sort: 'start_time:desc' })).toEqual(['14:00', '13:00', '12:00', '11:00', '10:00'])
    expect(await starts({ status: 'active' })).toEqual(['10:00', '11:00', '13:00', '14:00'])
    expect(await starts({ status: 'canceled' })).toEqual(['12:00'])
    expect(await starts({ min_start_time: at('11:00'), max_start_time: at('13:00') })).toEqual(['11:00', '12:00'])
    expect(await starts({ invitee_email: 'ADA@example.com' })).toEqual(['10:00'])
    expect(await starts({ invitee_email: 'nobody@example.com' })).toEqual([])

    const seen: string[] = []
    let next: string | null = `/scheduled_events?${new URLSearchParams({ organization, count: '2', status: 'active' })}`
    while (next) {
      const { body } = await owner('GET', next)
      seen.push(...body.collection.map(({ uri }: { uri: string }) => uri))
      next = body.pagination.next_page && pathOf(body.pagination.next_page) + new URL(body.pagination.next_page).search
    }
    expect(seen).toHaveLength(4)
    expect(new Set(seen).size).toBe(4)
    expect(seen[0]).toBe(appointment.uri)
  })

  describe('who may list them', () => {
    test('admins and owners the organization and its users, members what they host', async () => {
      const { world, owner, host, me, organization } = await setUp()
      const other = bearerOf(world, await world.hasUser('member'))
      const admin = bearerOf(world, await world.hasUser('admin'))
      const self = (await owner('GET', '/users/me')).body.resource.uri
      const stranger = await world.hasStranger()
      const theirs = (await bearerOf(world, stranger)('GET', '/users/me')).body.resource
      const said = async (call: typeof owner, query: Record<string, string>) => {
        const { status, body } = await call('GET', `/scheduled_events?${new URLSearchParams(query)}`)
        return status === 200 ? body.collection.length : [status, body.message]
      }
      const noAccess = [403, 'You do not have permission to access this resource.']
      for (const call of [owner, admin]) {
        expect(await said(call, { organization })).toBe(1)
        expect(await said(call, { organization, user: me.uri })).toBe(1)
        expect(await said(call, { user: me.uri })).toEqual([
          403,
          'Please also specify organization when requesting events for a user within your organization.',
        ])
        expect(await said(call, { organization, user: theirs.uri })).toEqual([403, 'This user is not in your organization'])
        expect(await said(call, { organization: theirs.current_organization })).toEqual(noAccess)
      }
      expect(await said(owner, { user: self })).toBe(0)
      expect(await said(host, { user: me.uri })).toBe(1)
      expect(await said(host, { user: me.uri, organization })).toBe(1)
      expect(await said(host, { organization })).toEqual(noAccess)
      expect(await said(other, { user: me.uri })).toEqual([403, 'You do not have permission'])
      expect(await said(other, { user: me.uri, organization })).toEqual([403, 'You do not have permission'])
      expect(await said(owner, {})).toEqual([400, 'user or organization is required.'])
      expect(await said(owner, { user: organization })).toEqual([400, 'user must be a URI that ends in /users/ and a UUID.'])
    })

    test('one is read and canceled by its host, by admins and owners', async () => {
      const { world, host, appointment } = await setUp()
      const other = bearerOf(world, await world.hasUser('member'))
      const stranger = bearerOf(world, await world.hasStranger())
      const event = pathOf(appointment.uri)
      const said = async (call: typeof host, method: 'GET' | 'POST', url: string) => {
        const { status, body } = await call(method, url, method === 'POST' ? {} : undefined)
        return [status, body.message]
      }
      expect(await said(other, 'GET', event)).toEqual([403, 'You are not allowed to view this event'])
      expect(await said(other, 'GET', `${event}/invitees`)).toEqual([403, 'You are not allowed to view this event'])
      expect(await said(other, 'GET', pathOf(appointment.invitee))).toEqual([403, 'You do not have permission to view this event'])
      expect(await said(other, 'POST', `${event}/cancellation`)).toEqual([403, 'You are not allowed to cancel this event'])
      for (const url of [event, `${event}/invitees`, pathOf(appointment.invitee)]) {
        expect((await stranger('GET', url)).status).toBe(404)
        expect((await host('GET', url)).status).toBe(200)
      }
      expect((await stranger('POST', `${event}/cancellation`, {})).status).toBe(404)
      expect((await host('GET', `/scheduled_events/${NOBODY}`)).status).toBe(404)
      expect((await host('GET', `${event}/invitees/${NOBODY}`)).status).toBe(404)
      expect((await host('GET', '/scheduled_events/nonsense')).status).toBe(400)
      expect((await host('POST', `${event}/cancellation`, {})).status).toBe(201)
    })
  })

  test('canceling gives the cancellation, cancels the appointment, and works once', async () => {
    const { world, owner, appointment, type } = await setUp()
    const canceled = await owner('POST', `${pathOf(appointment.uri)}/cancellation`, { reason: 'Ill' })
    const cancellation = { canceled_by: 'Olga Owner', reason: 'Ill', canceler_type: 'host', created_at: world.clock.instant() }
    expect([canceled.status, canceled.body]).toEqual([201, { resource: cancellation }])
    expect((await world.call('GET', `/api/v3/appointments/${appointment.id}`)).body.resource).toMatchObject({
      status: 'canceled',
      cancellation,
    })
    const event = (await owner('GET', pathOf(appointment.uri))).body.resource
    expect(event).toMatchObject({ status: 'canceled', cancellation, invitees_counter: { total: 1, active: 0, limit: 1 } })
    expect((await owner('GET', pathOf(appointment.invitee))).body.resource).toMatchObject({
      uri: appointment.invitee,
      status: 'canceled',
      cancellation,
      rescheduled: false,
    })
    const again = await owner('POST', `${pathOf(appointment.uri)}/cancellation`)
    expect([again.status, again.body.message]).toEqual([403, 'Event is already canceled'])
    const past = await world.hasAppointment(type, at('11:00'))
    world.clock.set(at('11:00'))
    const late = await owner('POST', `${pathOf(past.uri)}/cancellation`, {})
    expect([late.status, late.body.message]).toEqual([403, 'Event in the past'])
  })

  test('a reschedule is two invitees, linked both ways', async () => {
    const { world, owner, appointment } = await setUp()
    const moved = (await world.call('POST', `/api/v3/appointments/${appointment.id}/reschedule`, { start_time: at('14:00') })).body.resource
    const read = async (uri: string) => (await owner('GET', pathOf(uri))).body.resource
    expect(await read(appointment.invitee)).toMatchObject({
      status: 'canceled',
      rescheduled: true,
      new_invitee: moved.invitee,
      old_invitee: null,
    })
    expect(await read(moved.invitee)).toMatchObject({
      status: 'active',
      rescheduled: false,
      new_invitee: null,
      old_invitee: appointment.invitee,
    })
  })

  describe('a no-show', () => {
    test('is marked, read and taken back, and is the same through both addresses', async () => {
      const { world, host, appointment } = await setUp()
      const marked = await host('POST', '/invitee_no_shows', { invitee: appointment.invitee })
      expect(marked.status).toBe(201)
      const no_show = marked.body.resource
      expect(no_show).toEqual({ uri: marked.headers.location, invitee: appointment.invitee, created_at: world.clock.instant() })
      expect((await host('GET', pathOf(no_show.uri))).body.resource).toEqual(no_show)
      const status = async () => (await world.call('GET', `/api/v3/appointments/${appointment.id}`)).body.resource.status
      const shown = async () => (await host('GET', pathOf(appointment.invitee))).body.resource.no_show
      expect(await status()).toBe('no_show')
      expect(await shown()).toEqual({ uri: no_show.uri, created_at: no_show.created_at })
      expect((await host('POST', '/invitee_no_shows', { invitee: appointment.invitee })).body.code).toBe('illegal_transition')
      expect((await host('DELETE', pathOf(no_show.uri))).status).toBe(204)
      expect([await status(), await shown()]).toEqual(['completed', null])
      expect((await host('GET', pathOf(no_show.uri))).status).toBe(404)

      await world.call('POST', `/api/v3/appointments/${appointment.id}/no_show`)
      expect((await shown()).uri).not.toBe(no_show.uri)
      await world.call('DELETE', `/api/v3/appointments/${appointment.id}/no_show`)
      expect(await shown()).toBeNull()
      await world.call('POST', `/api/v3/appointments/${appointment.id}/no_show`)
      await world.call('POST', `/api/v3/appointments/${appointment.id}/complete`)
      expect(await shown()).toBeNull()
    })

    test('is for the host, admins and owners', async () => {
      const { world, owner, host, appointment, me } = await setUp()
      const other = bearerOf(world, await world.hasUser('member'))
      const stranger = bearerOf(world, await world.hasStranger())
      const mark = async (call: typeof owner, invitee: string) => {
        const { status, body } = await call('POST', '/invitee_no_shows', { invitee })
        return status === 201 ? body.resource.uri : [status, body.message]
      }
      expect(await mark(other, appointment.invitee)).toEqual([403, 'You do not have permission'])
      expect((await mark(stranger, appointment.invitee))[0]).toBe(400)
      expect((await mark(host, me.uri))[0]).toBe(400)
      const uri = pathOf(await mark(owner, appointment.invitee))
      expect([(await other('GET', uri)).status, (await other('DELETE', uri)).status]).toEqual([403, 403])
      expect([(await stranger('GET', uri)).status, (await stranger('DELETE', uri)).status]).toEqual([404, 404])
      expect((await host('DELETE', uri)).status).toBe(204)
    })
  })

  describe('a session', () => {
    /** A class of two with a waiting list, taught by the member at noon; Ada and Grace have its seats, Alan waits. */
    const setUpClass = async () => {
      const made = await setUp()
      const { world, staff, customer } = made
      const post = async (url: string, body: object) => (await world.call('POST', url, body)).body.resource
      const taught = { name: 'Yoga', duration: 60, capacity: 2, staff_member_id: staff.id, waitlist: true, location: 'The hall' }
      const { id: class_id } = await post('/api/v3/classes', taught)
      const session = await post('/api/v3/sessions', { class_id, start_time: at('12:00') })
      const attend = (body: object) => post(`/api/v3/sessions/${session.id}/attendees`, body)
      const ada = await attend({ customer_id: customer.id })
      const grace = await attend({ customer: { name: 'Grace Hopper', email: 'grace@example.com' } })
      const alan = await attend({ customer: { name: 'Alan Turing', email: 'alan@example.com' } })
      return { ...made, session, ada, grace, alan }
    }

    test('is one, with an invitee for each who has a seat', async () => {
      const { owner, host, session, ada, grace, alan, me, staff } = await setUpClass()
      const { resource } = (await host('GET', pathOf(session.uri))).body
      expect(resource).toMatchObject({
        uri: session.uri,
        name: 'Yoga',
        status: 'active',
        start_time: at('12:00'),
        end_time: at('13:00'),
        location: { type: 'custom', location: 'The hall' },
        invitees_counter: { total: 2, active: 2, limit: 2 },
        event_memberships: [{ user: me.uri, user_name: 'Mira', user_email: staff.email, buffered_start_time: at('12:00') }],
      })
      const names = async (query = '') =>
        (await owner('GET', `${pathOf(session.uri)}/invitees${query}`)).body.collection.map(({ name }: { name: string }) => name)
      expect(await names()).toEqual(['Ada Lovelace', 'Grace Hopper'])
      expect(await names('?sort=created_at:desc&count=1')).toEqual(['Grace Hopper'])
      expect(await names('?email=GRACE@example.com')).toEqual(['Grace Hopper'])
      expect((await owner('GET', pathOf(ada.uri))).body.resource).toMatchObject({ uri: ada.uri, event: session.uri, rescheduled: false })
      expect((await owner('GET', pathOf(alan.uri))).status).toBe(404)
      expect((await owner('GET', pathOf(ada.uri).replace(/[^/]+$/, '') + pathOf(grace.uri).split('/').at(-1))).status).toBe(200)
    })

    test('is listed among appointments, in the order of time', async () => {
      const { world, host, me, type, session, appointment } = await setUpClass()
      const last = await world.hasAppointment(type, at('15:00'))
      const uris = async (query: Record<string, string> = {}) => {
        const { body } = await host('GET', `/scheduled_events?${new URLSearchParams({ user: me.uri, ...query })}`)
        return body.collection.map(({ uri }: { uri: string }) => uri)
      }
      expect(await uris()).toEqual([appointment.uri, session.uri, last.uri])
      expect(await uris({ sort: 'start_time:desc' })).toEqual([last.uri, session.uri, appointment.uri])
      expect(await uris({ invitee_email: 'ada@example.com' })).toEqual([appointment.uri, session.uri])
      expect(await uris({ invitee_email: 'alan@example.com' })).toEqual([])
      const first = await host('GET', `/scheduled_events?${new URLSearchParams({ user: me.uri, count: '1' })}`)
      const { next_page_token } = first.body.pagination
      expect(await uris({ count: '1', page_token: next_page_token })).toEqual([session.uri])
      const walk = async (sort: string) => {
        const seen: string[] = []
        const back: string[] = []
        let token: string | null = ''
        let page: Awaited<ReturnType<typeof host>>
        do {
          page = await host(
            'GET',
            `/scheduled_events?${new URLSearchParams({ user: me.uri, sort, count: '1', ...(token && { page_token: token }) })}`,
          )
          seen.push(...page.body.collection.map(({ uri }: { uri: string }) => uri))
          token = page.body.pagination.next_page_token
        } while (token)
        for (token = page.body.pagination.previous_page_token; token; token = page.body.pagination.previous_page_token) {
          page = await host('GET', `/scheduled_events?${new URLSearchParams({ user: me.uri, sort, count: '1', page_token: token })}`)
          back.push(...page.body.collection.map(({ uri }: { uri: string }) => uri))
        }
        return [seen, back]
      }
      const all = [appointment.uri, session.uri, last.uri]
      expect(await walk('start_time:asc')).toEqual([all, [session.uri, appointment.uri]])
      expect(await walk('start_time:desc')).toEqual([all.toReversed(), [session.uri, last.uri]])
    })

    test('is canceled with all its invitees', async () => {
      const { world, owner, host, session, ada } = await setUpClass()
      const other = bearerOf(world, await world.hasUser('member'))
      expect((await other('POST', `${pathOf(session.uri)}/cancellation`, {})).status).toBe(403)
      const canceled = await host('POST', `${pathOf(session.uri)}/cancellation`, { reason: 'Flood' })
      expect([canceled.status, canceled.body.resource]).toMatchObject([201, { reason: 'Flood', canceler_type: 'host' }])
      const cancellation = canceled.body.resource
      expect((await owner('GET', pathOf(session.uri))).body.resource).toMatchObject({
        status: 'canceled',
        cancellation,
        invitees_counter: { active: 0 },
      })
      expect((await owner('GET', pathOf(ada.uri))).body.resource).toMatchObject({ status: 'canceled', cancellation })
      const again = await host('POST', `${pathOf(session.uri)}/cancellation`, {})
      expect([again.status, again.body.message]).toEqual([403, 'Event is already canceled'])
    })

    test('is canceled once, however many try at once', async () => {
      const { host, session } = await setUpClass()
      const cancel = (reason: string) => host('POST', `${pathOf(session.uri)}/cancellation`, { reason })
      const statuses = (await Promise.all(['1', '2', '3', '4'].map(cancel))).map(({ status }) => status)
      expect(statuses.sort()).toEqual([201, 403, 403, 403])
    })

    test('has no-shows, which are the same through both addresses', async () => {
      const { world, host, session, ada, grace } = await setUpClass()
      world.clock.set(at('13:00'))
      const { resource } = (await host('POST', '/invitee_no_shows', { invitee: ada.uri })).body
      expect(resource.invitee).toBe(ada.uri)
      const attendee = async () => (await world.call('GET', `/api/v3/sessions/${session.id}/attendees/${ada.id}`)).body.resource.status
      expect(await attendee()).toBe('no_show')
      expect((await host('DELETE', pathOf(resource.uri))).status).toBe(204)
      expect(await attendee()).toBe('active')
      await world.call('POST', `/api/v3/sessions/${session.id}/attendees/${grace.id}/no_show`)
      const { no_show } = (await host('GET', pathOf(grace.uri))).body.resource
      expect((await host('GET', pathOf(no_show.uri))).body.resource).toEqual({ ...no_show, invitee: grace.uri })
    })
  })

  describe('users and memberships', () => {
    test('a user is read by UUID within the organization', async () => {
      const { world, owner, me } = await setUp()
      expect((await owner('GET', pathOf(me.uri))).body.resource).toEqual(me)
      expect((await owner('GET', `/users/${NOBODY}`)).status).toBe(404)
      expect((await bearerOf(world, await world.hasStranger())('GET', pathOf(me.uri))).status).toBe(404)
    })

    test('memberships tell who belongs to the organization, and call a member user', async () => {
      const { world, owner, host, me, organization } = await setUp()
      await world.hasUser('admin')
      const stranger = await world.hasStranger()
      const theirs = (await bearerOf(world, stranger)('GET', '/users/me')).body.resource
      const list = async (query: Record<string, string>) =>
        (await host('GET', `/organization_memberships?${new URLSearchParams(query)}`)).body
      const { collection } = await list({ organization })
      expect(collection.map(({ role }: { role: string }) => role)).toEqual(['owner', 'user', 'admin'])
      const { current_organization, role: _, resource_type: __, ...user } = me
      expect(collection[1]).toEqual({
        uri: expect.stringMatching(/\/organization_memberships\/[\da-f-]{36}$/),
        role: 'user',
        user,
        organization: current_organization,
        created_at: me.created_at,
        updated_at: me.updated_at,
      })
      expect((await owner('GET', pathOf(collection[1].uri))).body.resource).toEqual(collection[1])
      expect((await list({ user: me.uri })).collection).toEqual([collection[1]])
      expect((await list({ email: me.email.toUpperCase() })).collection).toEqual([collection[1]])
      expect((await list({ role: 'owner' })).collection).toEqual([collection[0]])
      const outside = 'This user is not in your organization'
      expect((await list({ organization: theirs.current_organization })).message).toBe(outside)
      expect((await list({ user: theirs.uri })).message).toBe(outside)
      expect((await owner('GET', `/organization_memberships/${NOBODY}`)).status).toBe(404)
    })
  })
})
