import { describe, expect, test } from 'vitest'
import { onEveryEngine } from '../support/engines.ts'
import type { Caller } from '../support/service.ts'
import { worldsOn } from '../support/worlds.ts'

const ADDRESS = 'http://127.0.0.1:4242'
const missing = '00000000-0000-4000-8000-ffffffffffff'

onEveryEngine('routing forms', (engine) => {
  const createBase = worldsOn(engine)

  const createWorld = async () => {
    const world = await createBase()
    const as = ({ access_token }: Pick<Caller, 'access_token'>) => {
      const authorization = `Bearer ${access_token}`
      return (method: 'GET' | 'POST' | 'PATCH', url: string, body?: unknown, headers = {}) =>
        world.callBare(method, url, body, { authorization, ...headers })
    }
    const call = as(world.owner)
    const organization = (await call('GET', '/users/me')).body.resource.current_organization as string
    const hasForm = async (given: object = {}) => (await call('POST', '/routing_forms', form(given))).body.resource
    return { ...world, as, call, organization, hasForm }
  }
  const idOf = ({ uri }: { uri: string }) => uri.split('/').at(-1)

  test('are made by admins, with a UUID for each question, and found again', async () => {
    const { call, as, hasUser, organization } = await createWorld()
    const made = await call('POST', '/routing_forms', form())
    expect(made.status).toBe(201)
    const { resource } = made.body
    expect(made.headers.location).toBe(resource.uri)
    expect(resource).toMatchObject({ organization, name: 'Contact', status: 'published', fallback: form().fallback })
    expect(resource.questions[0]).toEqual({
      uuid: expect.stringMatching(/^[\da-f-]{36}$/),
      name: 'E-mail',
      type: 'email',
      required: true,
      answer_choices: null,
    })
    expect((await call('GET', `/routing_forms/${idOf(resource)}`)).body.resource).toEqual(resource)
    const member = as(await hasUser('member'))
    expect((await member('POST', '/routing_forms', form())).status).toBe(403)
    expect((await member('GET', `/routing_forms/${idOf(resource)}`)).status).toBe(200)
  })

  test('are listed by organization, which must be named and be your own', async () => {
    const { call, as, hasForm, hasStranger, organization } = await createWorld()
    const made = [await hasForm({ name: 'A' }), await hasForm({ name: 'B' }), await hasForm({ name: 'C' })]
    const list = (query: string) => call('GET', `/routing_forms?organization=${encodeURIComponent(organization)}${query}`)
    const first = await list('&count=2&sort=created_at:desc')
    expect(first.body.collection).toEqual([made[2], made[1]])
    const next = await call('GET', first.body.pagination.next_page.replace(ADDRESS, ''))
    expect(next.body.collection).toEqual([made[0]])
    expect((await call('GET', '/routing_forms')).body.details[0]).toMatchObject({ parameter: 'organization', code: 'missing' })
    const stranger = as(await hasStranger())
    expect((await stranger('GET', `/routing_forms?organization=${encodeURIComponent(organization)}`)).status).toBe(403)
    expect((await stranger('GET', `/routing_forms/${idOf(made[0])}`)).status).toBe(404)
  })

  test('lead where the answers say: to an appointment type, a page or a message', async () => {
    const { call, hasType, hasForm } = await createWorld()
    const event_type = { type: 'event_type', value: (await hasType()).uri }
    const message = { type: 'custom_message', value: { headline: 'Thanks', body: 'We call you.' } }
    const made = await hasForm({ routes: [route('Large', event_type), route('Small', message)] })
    expect(made.routes[0].result).toEqual(event_type)
    const submit = async (Size: string) => {
      const questions_and_answers = [
        { question: 'Size', answer: Size },
        { question: made.questions[0].uuid, answer: 'ada@example.com' },
      ]
      return call('POST', `/routing_forms/${idOf(made)}/submissions`, { questions_and_answers, tracking: { utm_source: 'ad' } })
    }
    const sent = await submit('Large')
    expect(sent.status).toBe(201)
    expect(sent.headers.location).toBe(sent.body.resource.uri)
    expect(sent.body.resource).toMatchObject({
      routing_form: made.uri,
      result: event_type,
      submitter: null,
      submitter_type: null,
      tracking: { utm_source: 'ad', utm_campaign: null },
      questions_and_answers: [
        { question_uuid: made.questions[0].uuid, question: 'E-mail', answer: 'ada@example.com' },
        { question: 'Size', answer: 'Large' },
      ],
    })
    expect((await submit('Small')).body.resource.result).toEqual(message)
    const bare = await call('POST', `/routing_forms/${idOf(made)}/submissions`, {
      questions_and_answers: [{ question: 'E-mail', answer: 'a@example.com' }],
    })
    expect(bare.body.resource.result).toEqual(form().fallback)

    const list = await call('GET', `/routing_form_submissions?form=${encodeURIComponent(made.uri)}&count=2`)
    expect(list.body.collection.map(({ result }: { result: object }) => result)).toEqual([event_type, message])
    expect(list.body.pagination.next_page_token).not.toBeNull()
    const url = `/routing_form_submissions/${idOf(sent.body.resource)}`
    expect((await call('GET', url)).body.resource).toEqual(sent.body.resource)
  })

  test('refuse wrong answers with all findings, drafts altogether, and the forms of others', async () => {
    const { call, as, hasForm, hasStranger } = await createWorld()
    const made = await hasForm({ status: 'draft' })
    const url = `/routing_forms/${idOf(made)}`
    expect((await call('POST', `${url}/submissions`, {})).body.code).toBe('conflict')
    expect((await call('PATCH', url, { status: 'published' })).body.resource.status).toBe('published')
    const questions_and_answers = [
      { question: 'Size', answer: 'Huge' },
      { question: 'Hat', answer: 'x' },
    ]
    const { body } = await call('POST', `${url}/submissions`, { questions_and_answers })
    expect(body).toMatchObject({ code: 'invalid_argument' })
    expect(body.details.map(({ code }: { code: string }) => code)).toEqual(['invalid_answer', 'unknown_question', 'missing_answer'])
    const stranger = as(await hasStranger())
    for (const [method, place] of [
      ['GET', `/routing_form_submissions?form=${encodeURIComponent(made.uri)}`],
      ['POST', `${url}/submissions`],
      ['PATCH', url],
      ['GET', `/routing_form_submissions/${missing}`],
    ] as const) {
      expect([place, (await stranger(method, place, method === 'GET' ? undefined : {})).status]).toEqual([place, 404])
    }
  })

  test.each([
    [{ questions: [] }, 'questions'],
    [{ questions: [{ name: 'Q', type: 'checkboxes' }] }, 'questions[0].type'],
    [{ questions: [{ name: 'Q', type: 'select' }] }, 'questions[0].answer_choices'],
    [{ questions: [{ name: 'Q', type: 'text', answer_choices: ['a'] }] }, 'questions[0].answer_choices'],
    [
      {
        questions: [
          { name: 'Q', type: 'text' },
          { name: 'Q', type: 'text' },
        ],
      },
      'questions',
    ],
    [{ fallback: { type: 'external_url', value: 'javascript:alert(1)' } }, 'fallback.value'],
    [{ fallback: { type: 'nowhere', value: 'x' } }, 'fallback.type'],
    [{ fallback: { type: 'event_type', value: `${ADDRESS}/event_types/${missing}` } }, 'fallback.value'],
    [{ routes: [{ conditions: [], result: { type: 'external_url', value: 'https://example.com' } }] }, 'routes[0].conditions'],
    [{ routes: [route('Huge', { type: 'external_url', value: 'https://example.com' })] }, 'routes[0].conditions[0].value'],
    [{ routes: [route('Large', { type: 'event_type', value: `${ADDRESS}/users/${missing}` })] }, 'routes[0].result.value'],
  ])('that make no sense are refused by name: %j', async (given, parameter) => {
    const { call } = await createWorld()
    expect((await call('POST', '/routing_forms', form(given))).body).toMatchObject({ code: 'invalid_argument', details: [{ parameter }] })
  })

  describe('that lead to a booking', () => {
    const createBooked = async () => {
      const world = await createWorld()
      const [ada] = [await world.hasForm()]
      const answers = { questions_and_answers: [{ question: 'E-mail', answer: 'ada@example.com' }] }
      const submit = async () => (await world.call('POST', `/routing_forms/${idOf(ada)}/submissions`, answers)).body.resource
      const read = async (uri: string) => (await world.call('GET', new URL(uri).pathname)).body.resource
      const byKey = world.owner.call
      return { ...world, submit, read, byKey }
    }

    test('are told by the invitee, tell the invitee, and go along with a reschedule', async () => {
      const { byKey, submit, read, hasType, hasAppointment } = await createBooked()
      const submission = await submit()
      const booked = await hasAppointment(await hasType(), '2026-11-23T10:00:00Z', { routing_form_submission: submission.uri })
      expect((await read(booked.invitee)).routing_form_submission).toBe(submission.uri)
      expect(await read(submission.uri)).toEqual({ ...submission, submitter: booked.invitee, submitter_type: 'Invitee' })

      const moved = await byKey('POST', `/api/v3/appointments/${booked.id}/reschedule`, { start_time: '2026-11-23T14:00:00Z' })
      const { invitee } = moved.body.resource
      expect((await read(invitee)).routing_form_submission).toBe(submission.uri)
      expect((await read(booked.invitee)).routing_form_submission).toBe(submission.uri)
      expect((await read(submission.uri)).submitter).toBe(invitee)
    })

    test('are told by an attendee of a session, once there is a seat', async () => {
      const { byKey, submit, read, hasClass, hasSession, hasAttendee } = await createBooked()
      const session = await hasSession('2026-11-23T10:00:00Z', { class_id: (await hasClass({ capacity: 1, waitlist: true })).id })
      const first = await hasAttendee(session)
      const submission = await submit()
      const waiting = await hasAttendee(session, { routing_form_submission: submission.uri })
      expect(waiting.status).toBe('waiting')
      expect(await read(submission.uri)).toMatchObject({ submitter: null, submitter_type: null })
      await byKey('DELETE', `/api/v3/sessions/${session.id}/attendees/${first.id}`)
      expect((await read(waiting.uri)).routing_form_submission).toBe(submission.uri)
      expect(await read(submission.uri)).toMatchObject({ submitter: waiting.uri, submitter_type: 'Invitee' })
    })

    test('must be there, and be of the same organization: else a 400 that names the field, and nothing is booked', async () => {
      const { byKey, submit, hasType, hasSession, hasCustomer, hasStranger, as } = await createBooked()
      const stranger = as(await hasStranger())
      const foreignForm = (await stranger('POST', '/routing_forms', form())).body.resource
      const questions_and_answers = [{ question: 'E-mail', answer: 'ada@example.com' }]
      const foreign = await stranger('POST', `/routing_forms/${idOf(foreignForm)}/submissions`, { questions_and_answers })
      const { uri } = await submit()
      const [type, session, customer] = [await hasType(), await hasSession('2026-11-23T10:00:00Z'), await hasCustomer()]
      const doors = {
        '/api/v3/appointments': { appointment_type_id: type.id, start_time: '2026-11-23T10:00:00Z' },
        [`/api/v3/sessions/${session.id}/attendees`]: {},
      }
      for (const [url, body] of Object.entries(doors)) {
        for (const wrong of [foreign.body.resource.uri, uri.replace(/[^/]+$/, missing), `${ADDRESS}/users/${missing}`, 'nonsense']) {
          const reply = await byKey('POST', url, { ...body, customer_id: customer.id, routing_form_submission: wrong })
          expect([reply.status, reply.body.details[0].parameter]).toEqual([400, 'routing_form_submission'])
        }
        expect((await byKey('GET', url)).body.collection).toEqual([])
      }
    })
  })

  test('name no appointment type of another organization', async () => {
    const { call, hasType, as, hasStranger } = await createWorld()
    const given = { fallback: { type: 'event_type', value: (await hasType()).uri } }
    expect((await as(await hasStranger())('POST', '/routing_forms', form(given))).status).toBe(400)
    expect((await call('POST', '/routing_forms', form(given))).status).toBe(201)
  })
})

function form(given: object = {}) {
  return {
    name: 'Contact',
    questions: [
      { name: 'E-mail', type: 'email', required: true },
      { name: 'Size', type: 'select', answer_choices: ['Small', 'Large'] },
    ],
    fallback: { type: 'external_url', value: 'https://example.com/faq' },
    ...given,
  }
}

function route(value: string, result: object) {
  return { conditions: [{ question: 'Size', operator: 'equals', value }], result }
}
