import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Endpoint, HttpRequest } from '../../src/contract/endpoint.ts'
import { contract } from '../../src/contract/index.ts'
import { fieldsOf, type Shape } from '../../src/contract/shape.ts'
import { sql } from '../../src/service/store/sql.ts'
import { onEveryEngine, type TestEngine } from '../support/engines.ts'
import { type Caller, createServiceWorld, type Reply, type ServiceWorld } from '../support/service.ts'

/** Every endpoint, and what is wrong with a request to it: generated from the contract, so that a new endpoint is walked too. */
const endpoints = (Object.values(contract) as Record<string, Endpoint>[]).flatMap((area) => Object.values(area))
const named = endpoints.map((endpoint) => [`${endpoint.method} ${endpoint.path}`, endpoint] as const)

const UUID = '00000000-0000-4000-8000-ffffffffffff'
const ADDRESS = 'http://127.0.0.1:4242'
const LONG = 'x'.repeat(20_000)

type Fields = Record<string, unknown>

interface Wrong {
  what: string
  params?: Fields
  query?: Fields
  body?: unknown
  headers?: Record<string, string>
}

const formats: Record<string, unknown> = {
  instant: '2026-12-01T09:00:00Z',
  date: '2026-12-01',
  local_time: '09:00',
  zone: 'UTC',
  uri: `${ADDRESS}/users/${UUID}`,
  uuid: UUID,
  email: 'somebody@example.com',
  money: '1.00',
  currency: 'EUR',
  id: 999_999_999,
}

/** A value that fits a shape, as little of it as must be. */
function sampleOf({ kind, format, choices, item, fields }: Shape): unknown {
  if (format) return formats[format]
  if (kind === 'enum') return choices[0]
  if (kind === 'number') return 1
  if (kind === 'boolean') return true
  if (kind === 'array') return [sampleOf(item as Shape)]
  if (kind === 'object') return samplesOf(fields)
  if (kind === 'map') return {}
  return kind === 'any' ? { type: 'custom_message', value: { headline: 'h', body: 'b' } } : 'text'
}

function samplesOf(fields: Record<string, Shape>): Fields {
  const required = Object.entries(fields).filter(([, shape]) => shape.required)
  return Object.fromEntries(required.map(([name, shape]) => [name, sampleOf(shape)]))
}

/** Values of the wrong kind, and of the right kind but too long. */
function wrongValues({ kind, nullable }: Shape): unknown[] {
  const scalar = ['string', 'number', 'boolean', 'enum'].includes(kind)
  const other = kind === 'boolean' ? ['true', 1] : kind === 'number' ? ['1', 1.5, -1e300] : kind === 'array' ? [{}] : [[]]
  const long = kind === 'string' || kind === 'enum' ? [LONG] : kind === 'array' ? [Array(2000).fill(null)] : []
  return [...(scalar ? [{ wrong: true }] : ['wrong', 5]), ...other, ...long, ...(nullable ? [] : [null])]
}

/** The same for a query, where everything is a text. */
function wrongTexts({ kind, format, choices }: Shape): string[] {
  if (kind === 'string' && format === undefined) return [LONG]
  return choices.length > 0 || kind !== 'string' ? ['nonsense', LONG, ''] : ['nonsense', LONG]
}

function wrongBodies(endpoint: Endpoint): Wrong[] {
  if (!endpoint.body) return []
  const fields = fieldsOf(endpoint.body)
  const body = samplesOf(fields)
  const required = Object.keys(body)
  return [
    ...['{"name":', '[]', '"text"', 'null', '{"a":"\\u0000"}', '\u0000'].map((text) => ({
      what: `the body ${JSON.stringify(text)}`,
      body: text,
    })),
    { what: 'a body that is no JSON by its type', body: JSON.stringify(body), headers: { 'content-type': 'text/plain' } },
    { what: 'an unknown field', body: { ...body, nonsense: 1 } },
    { what: 'an unknown field that JSON gives a meaning', body: `{"__proto__":1,${JSON.stringify(body).slice(1)}`.replace(',}', '}') },
    ...(required.length > 1 ? [{ what: 'no fields', body: {} }] : []),
    ...required.map((name) => ({ what: `no ${name}`, body: Object.fromEntries(Object.entries(body).filter(([other]) => other !== name)) })),
    ...Object.entries(fields).flatMap(([name, shape]) =>
      wrongValues(shape).map((value) => ({ what: `${name} as ${JSON.stringify(value)?.slice(0, 40)}`, body: { ...body, [name]: value } })),
    ),
  ]
}

function wrongQueries({ query }: Endpoint): Wrong[] {
  const fields = fieldsOf(query)
  const given = samplesOf(fields)
  const cursors =
    'page_token' in fields ? ['broken', 'W10', btoa('["nope:asc","",1,0]'), btoa('["created_at:asc",{},1,0]'), btoa('[1,2,3,4]')] : []
  return [
    { what: 'an unknown parameter', query: { ...given, nonsense: 'x' } },
    ...Object.keys(given).map((name) => ({
      what: `no parameter ${name}`,
      query: Object.fromEntries(Object.entries(given).filter(([other]) => other !== name)),
    })),
    ...cursors.map((page_token) => ({ what: `the cursor ${page_token}`, query: { ...given, page_token } })),
    ...Object.entries(fields).flatMap(([name, shape]) =>
      wrongTexts(shape).map((text) => ({ what: `${name}=${text.slice(0, 20)}`, query: { ...given, [name]: text } })),
    ),
  ]
}

/** Ids that are none, and ids that nobody has. */
function wrongParams({ params }: Endpoint): Wrong[] {
  return Object.entries(fieldsOf(params)).flatMap(([name, shape]) => {
    const values = shape.format === 'id' ? ['0', '-1', '1.5', 'abc', '99999999999999999999', '999999999'] : ['abc', 'x'.repeat(3000), UUID]
    return values.map((value) => ({ what: `${name} ${value.slice(0, 40)}`, params: { [name]: value } }))
  })
}

onEveryEngine('bad input', (engine) => {
  let world: Walked
  beforeAll(async () => {
    world = await createWalked(engine)
  })
  afterAll(() => world.close())

  describe('gets a 4xx in the one error shape, whatever is wrong', () => {
    test.each(named)('%s', async (_, endpoint) => {
      for (const wrong of [...wrongBodies(endpoint), ...wrongQueries(endpoint), ...wrongParams(endpoint)]) {
        const { status } = await world.send(endpoint, wrong)
        expect.soft(status, wrong.what).toBeGreaterThanOrEqual(400)
        expect.soft(status, wrong.what).toBeLessThan(500)
      }
    })
  })

  describe('with a credential that is none, or is for the other address, gets a 401', () => {
    test.each(named.filter(([, { auth }]) => auth !== 'none'))('%s', async (_, endpoint) => {
      const { api_key, access_token } = world.owner
      const wrong: Record<string, string>[] = [
        {},
        { 'api-key': '' },
        { 'api-key': 'bk_nonsense' },
        { 'api-key': access_token },
        { authorization: `Bearer ${api_key}` },
        { authorization: 'Bearer ' },
        { authorization: access_token },
        { authorization: `Basic ${access_token}` },
        ...(endpoint.auth === 'access_token' ? [{ 'api-key': api_key }] : []),
        ...(endpoint.auth === 'api_key' ? [{ authorization: `Bearer ${access_token}` }] : []),
      ]
      for (const headers of wrong) {
        const { status } = await world.sendBare(endpoint, { what: 'credential' }, headers)
        expect.soft(status, JSON.stringify(headers).slice(0, 40)).toBe(401)
      }
    })
  })

  describe('with the id of another organization finds nothing there', () => {
    test.each(named.filter(([, { params }]) => params))('%s', async (_, endpoint) => {
      const foreign = world.foreign(endpoint)
      const { status } = await world.send(endpoint, { what: 'foreign', params: foreign, body: sound[endpoint.path] })
      expect([status, foreign]).toEqual([404, foreign])
    })

    test.each(named.filter(([, { body, query }]) => refersIn(body) || refersIn(query)))('%s, in what it refers to', async (_, endpoint) => {
      for (const part of ['body', 'query'] as const) {
        const fields = fieldsOf(endpoint[part])
        for (const [name, { format }] of Object.entries(fields).filter(([, one]) => one.format === 'id' || one.format === 'uri')) {
          const foreign = {
            ...samplesOf(fields),
            [name]: format === 'id' ? world.foreignId(name) : `${ADDRESS}/${name}s/${world.stranger.user_uuid}`,
          }
          const { status } = await world.send(endpoint, { what: name, [part]: foreign })
          expect.soft(status, name).toBeLessThan(500)
          // A filter for what is not there finds nothing, and that is no mistake.
          if (part === 'body' && format === 'id') expect.soft(status, name).toBeGreaterThanOrEqual(400)
        }
      }
    })
  })
})

/** Bodies that are sound, where the least that the shapes ask for is not. */
const sound: Record<string, Fields> = {
  '/api/v3/sessions/{session_id}/attendees': { customer: { name: 'Ada' } },
  '/api/v3/classes/{class_id}/schedule': { from: '2026-12-01T00:00:00Z', to: '2026-12-08T00:00:00Z' },
}

const refersIn = (schema: Endpoint['body']): boolean =>
  Object.values(fieldsOf(schema)).some(({ format }) => format === 'id' || format === 'uri')

interface Walked {
  owner: Caller
  stranger: Caller
  send(endpoint: Endpoint, wrong: Wrong): Promise<Reply>
  sendBare(endpoint: Endpoint, wrong: Wrong, credential: Record<string, string>): Promise<Reply>
  /** The parameters of a path, as they are of a record that another organization has. */
  foreign(endpoint: Endpoint): Fields
  foreignId(name: string): number
  close(): Promise<void>
}

/** A business of which nothing is asked that it has, beside one that has one of everything. */
async function createWalked(engine: TestEngine): Promise<Walked> {
  const world = await createServiceWorld(engine)
  const stranger = await world.hasStranger()
  const theirs = await recordsOf(world, stranger)
  const foreignOf = (name: string): unknown => {
    const known = theirs[name]
    if (known === undefined) throw new Error(`Say which record of another organization ${name} names.`)
    return known
  }

  const sendBare: Walked['sendBare'] = (endpoint, wrong, credential) => {
    const params = { ...samplesOf(fieldsOf(endpoint.params)), ...wrong.params }
    const path = endpoint.path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(params[name])))
    const query = new URLSearchParams((wrong.query ?? samplesOf(fieldsOf(endpoint.query))) as Record<string, string>)
    const body = endpoint.body ? (wrong.body ?? samplesOf(fieldsOf(endpoint.body))) : undefined
    const url = query.size > 0 ? `${path}?${query}` : path
    return world.callBare(endpoint.method as HttpRequest['method'], url, body, { ...credential, ...wrong.headers })
  }

  return {
    owner: world.owner,
    stranger,
    sendBare,
    send: (endpoint, wrong) => {
      const { api_key, access_token } = world.owner
      return sendBare(
        endpoint,
        wrong,
        endpoint.auth === 'access_token' ? { authorization: `Bearer ${access_token}` } : { 'api-key': api_key },
      )
    },
    foreign: ({ params }) => Object.fromEntries(Object.keys(fieldsOf(params)).map((name) => [name, foreignOf(name)])),
    foreignId: (name) => Number(foreignOf(name === 'id' ? 'class_id' : name)),
    close: world.close,
  }
}

/** One record of each kind, of another organization, by the name of the parameter that names it. */
async function recordsOf({ rows, callBare }: ServiceWorld, stranger: Caller): Promise<Record<string, unknown>> {
  const made = async (reply: Promise<Reply>): Promise<{ id: number; uri: string; class_id: number }> => {
    const { status, body } = await reply
    expect(status, JSON.stringify(body)).toBe(201)
    return body.resource
  }
  const make = (url: string, body: object) => made(stranger.call('POST', url, body))
  const authorization = `Bearer ${stranger.access_token}`
  const makeBearer = (url: string, body?: object) => made(callBare('POST', url, body, { authorization }))
  const uuidOf = ({ uri }: { uri: string }) => uri.split('/').at(-1) as string

  const customer = await make('/api/v3/customers', { name: 'Theirs' })
  const service = await make('/api/v3/services', { name: 'Theirs' })
  const staff = await make('/api/v3/staff_members', { name: 'Theirs', email: 'theirs@example.com' })
  const type = await make('/api/v3/appointment_types', { name: 'T', duration: 30, service_id: service.id, staff_member_ids: [staff.id] })
  const start_time = '2026-12-01T09:00:00Z'
  const booked = { appointment_type_id: type.id, staff_member_id: staff.id, customer_id: customer.id, start_time, force: true }
  const appointment = await make('/api/v3/appointments', booked)
  const course = await make('/api/v3/classes', { name: 'Yoga', duration: 60, capacity: 2 })
  const session = await make('/api/v3/sessions', { class_id: course.id, start_time })
  const attendee = await make(`/api/v3/sessions/${session.id}/attendees`, { customer_id: customer.id })
  const [event] = await rows<{ uuid: string; invitee_uuid: string }>(
    sql`select uuid, invitee_uuid from appointments where id = ${appointment.id}`,
  )
  const invitee = `${ADDRESS}/scheduled_events/${event?.uuid}/invitees/${event?.invitee_uuid}`
  // A no-show is of what has begun, so the event comes first.
  await stranger.call('POST', `/api/v3/appointments/${appointment.id}/no_show`, {})
  const [noShow] = await rows<{ uuid: string }>(sql`select uuid from invitee_no_shows where invitee_uuid = ${event?.invitee_uuid}`)
  const me = (await callBare('GET', '/users/me', undefined, { authorization })).body.resource
  const subscription = { url: 'https://example.com/hook', events: ['invitee.created'], scope: 'user', user: me.uri }
  const webhook = await makeBearer('/webhook_subscriptions', subscription)
  const delivery = await makeBearer(`/webhook_subscriptions/${uuidOf(webhook)}/ping`)
  const fallback = { type: 'external_url', value: 'https://example.com' }
  const form = await makeBearer('/routing_forms', { name: 'F', questions: [{ name: 'Q', type: 'text' }], fallback })
  const submission = await makeBearer(`/routing_forms/${uuidOf(form)}/submissions`, {})
  const [credential] = (await stranger.call('GET', '/api/v3/credentials')).body.collection
  expect([invitee, noShow, credential]).not.toContain(undefined)

  return {
    customer_id: customer.id,
    service_id: service.id,
    staff_member_id: staff.id,
    appointment_type_id: type.id,
    appointment_id: appointment.id,
    class_id: course.id,
    session_id: session.id,
    attendee_id: attendee.id,
    user_id: stranger.user_id,
    user_uuid: stranger.user_uuid,
    membership_uuid: stranger.user_uuid,
    event_uuid: event?.uuid,
    invitee_uuid: event?.invitee_uuid,
    no_show_uuid: noShow?.uuid,
    webhook_uuid: uuidOf(webhook),
    delivery_id: delivery.id,
    // Of the second door to webhook subscriptions.
    id: uuidOf(webhook),
    routing_form_uuid: uuidOf(form),
    submission_uuid: uuidOf(submission),
    credential_id: credential.id,
  }
}
