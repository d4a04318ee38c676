import { describe, expect, test } from 'vitest'
import { instantOf } from '../../src/contract/time.ts'
import { onEveryEngine } from '../support/engines.ts'
import { worldsOn } from '../support/worlds.ts'

onEveryEngine('access', (engine) => {
  const createWorld = worldsOn(engine)

  test('without a credential, or with a wrong one, is refused in a sentence that names the header', async () => {
    const { callBare, owner } = await createWorld()
    const said = async (url: string, headers: Record<string, string> = {}) => {
      const { status, body } = await callBare('GET', url, undefined, headers)
      return [status, body.message]
    }
    const key = 'The API key in the header api-key is unknown, expired or revoked.'
    const token = 'The access token in the header authorization is unknown, expired or revoked.'
    expect(await said('/api/v3/me')).toEqual([401, 'Send an API key in the header api-key.'])
    expect(await said('/users/me')).toEqual([401, 'Send an access token in the header authorization, as "Bearer …".'])
    expect(await said('/api/v3/me', { 'api-key': 'bk_nonsense' })).toEqual([401, key])
    expect(await said('/api/v3/me', { 'api-key': owner.access_token })).toEqual([401, key])
    expect(await said('/users/me', { authorization: 'Bearer pat_nonsense' })).toEqual([401, token])
    expect(await said('/users/me', { authorization: `Bearer ${owner.api_key}` })).toEqual([401, token])
    expect((await said('/users/me', { 'api-key': owner.api_key }))[0]).toBe(401)
    expect((await said('/api/v3/me', { authorization: `Bearer ${owner.access_token}` }))[0]).toBe(401)
  })

  test('ends when the credential expires', async () => {
    const { callBare, clock, owner, service } = await createWorld()
    const { secret, prefix, hash } = (await service.world.secrets()).newCredential('api_key')
    const { user_id, organization_id } = owner
    const lives = { expires_at: instantOf(clock.now() + 60_000), created_at: clock.instant() }
    await service.store.account.insertCredential({ organization_id, user_id, kind: 'api_key', name: 'short', prefix, hash, ...lives })
    const status = async () => (await callBare('GET', '/api/v3/me', undefined, { 'api-key': secret })).status
    expect(await status()).toBe(200)
    clock.advance(1)
    expect(await status()).toBe(401)
  })

  test('depends on the role: members book and keep customers, admins and owners arrange the business', async () => {
    const { hasUser, hasType, hasCustomer } = await createWorld()
    const type = await hasType()
    const { id } = await hasCustomer()
    const [member, admin] = [await hasUser('member'), await hasUser('admin')]
    const refused = await member.call('POST', '/api/v3/services', { name: 'X' })
    expect(refused.body).toMatchObject({ code: 'permission_denied', message: 'This needs the role admin; yours is member.' })
    expect((await admin.call('POST', '/api/v3/services', { name: 'X' })).status).toBe(201)
    for (const [method, url] of [
      ['PATCH', `/api/v3/appointment_types/${type.id}`],
      ['DELETE', `/api/v3/appointment_types/${type.id}`],
      ['DELETE', `/api/v3/services/${type.service_id}`],
      ['PATCH', `/api/v3/staff_members/${type.staff_member_ids[0]}`],
      ['POST', '/api/v3/staff_members'],
    ] as const) {
      expect([url, (await member.call(method, url, {})).status]).toEqual([url, 403])
    }
    const body = { appointment_type_id: type.id, customer_id: id, start_time: '2026-11-23T10:00:00Z' }
    expect((await member.call('POST', '/api/v3/appointments', body)).status).toBe(201)
    expect((await member.call('PATCH', `/api/v3/customers/${id}`, { notes: 'x' })).status).toBe(200)
  })

  test('ends at the organization: the ids of another are not found, nor can they be booked', async () => {
    const { call, hasStranger, hasType, hasAppointment } = await createWorld()
    const type = await hasType()
    const appointment = await hasAppointment(type, '2026-11-23T10:00:00Z')
    const [staff] = type.staff_member_ids
    const stranger = await hasStranger()
    const customer = `/api/v3/customers/${appointment.customer.id}`
    for (const url of [
      customer,
      `/api/v3/appointments/${appointment.id}`,
      `/api/v3/appointment_types/${type.id}`,
      `/api/v3/services/${type.service_id}`,
      `/api/v3/staff_members/${staff}`,
    ]) {
      expect([url, (await stranger.call('GET', url)).status]).toEqual([url, 404])
      expect([url, (await stranger.call('PATCH', url, {})).status]).toEqual([url, 404])
      expect([url, (await stranger.call('DELETE', url)).status]).toEqual([url, 404])
      expect([url, (await call('GET', url)).status]).toEqual([url, 200])
    }
    for (const move of ['cancel', 'complete', 'no_show', 'reschedule']) {
      const body = move === 'reschedule' ? { start_time: '2026-11-23T11:00:00Z' } : {}
      expect((await stranger.call('POST', `/api/v3/appointments/${appointment.id}/${move}`, body)).status).toBe(404)
    }
    for (const list of ['customers', 'appointments', 'appointment_types', 'services', 'staff_members']) {
      expect((await stranger.call('GET', `/api/v3/${list}`)).body.collection).toEqual([])
    }
    const window = 'start_time=2026-11-23T10:00:00Z&end_time=2026-11-24T10:00:00Z'
    expect((await stranger.call('GET', `/customers/available_time?appointment_type_id=${type.id}&${window}`)).status).toBe(404)

    const service = await stranger.call('POST', '/api/v3/services', { name: 'Theirs' })
    const theirs = { name: 'T', duration: 30, service_id: service.body.resource.id }
    expect((await stranger.call('POST', '/api/v3/appointment_types', { ...theirs, staff_member_ids: [staff] })).status).toBe(400)
    const own = await stranger.call('POST', '/api/v3/appointment_types', theirs)
    const start_time = '2026-11-23T11:00:00Z'
    const book = (body: object) => stranger.call('POST', '/api/v3/appointments', { start_time, customer: { name: 'X' }, ...body })
    expect((await book({ appointment_type_id: type.id })).status).toBe(400)
    expect((await book({ appointment_type_id: own.body.resource.id, staff_member_id: staff, force: true })).status).toBe(400)
    const ours = { appointment_type_id: own.body.resource.id, customer: undefined, customer_id: appointment.customer.id }
    expect((await book(ours)).body.details[0].parameter).toBe('customer_id')
  })

  describe('by e-mail and password', () => {
    const signIn = { email: 'OLGA@example.com', password: 'correct horse' }

    test('gives a fresh pair of credentials that work', async () => {
      const { callBare } = await createWorld({ password: 'correct horse' })
      const { status, body } = await callBare('POST', '/api/v3/authenticate', signIn, { 'user-agent': 'bookctl/1' })
      expect(status).toBe(201)
      expect(body.resource).toMatchObject({ user: { name: 'Olga Owner' }, organization: body.resource.user.current_organization })
      expect(body.resource.api_key).toMatch(/^bk_/)
      expect((await callBare('GET', '/api/v3/me', undefined, { 'api-key': body.resource.api_key })).status).toBe(200)
      const headers = { authorization: `Bearer ${body.resource.access_token}` }
      expect((await callBare('GET', '/users/me', undefined, headers)).status).toBe(200)
    })

    test('answers a wrong password and an unknown e-mail address the same', async () => {
      const { callBare, hasUser, service } = await createWorld({ password: 'correct horse' })
      const withoutPassword = await hasUser('member')
      const { email } = (await service.store.account.findUser(withoutPassword.user_id)) as { email: string }
      const said = async (body: object) => {
        const reply = await callBare('POST', '/api/v3/authenticate', body)
        return { status: reply.status, ...reply.body, request_id: undefined }
      }
      const wrong = await said({ ...signIn, password: 'wrong' })
      expect(wrong).toMatchObject({ status: 401, message: 'E-mail and password do not fit.' })
      expect(await said({ ...signIn, email: 'nobody@example.com' })).toEqual(wrong)
      expect(await said({ email, password: 'anything' })).toEqual(wrong)
    })

    test('is limited to ten attempts a minute, right ones included, and says when to try again', async () => {
      const { callBare, clock } = await createWorld({ password: 'correct horse' })
      const attempt = () => callBare('POST', '/api/v3/authenticate', { ...signIn, password: 'wrong' })
      const statuses = (await Promise.all(Array.from({ length: 10 }, attempt))).map(({ status }) => status)
      expect(statuses).toEqual(Array(10).fill(401))
      const refused = await callBare('POST', '/api/v3/authenticate', signIn)
      expect([refused.body.code, refused.headers['retry-after']]).toEqual(['rate_limited', '60'])
      clock.advance(1)
      expect((await callBare('POST', '/api/v3/authenticate', signIn)).status).toBe(201)
    })
  })
})
