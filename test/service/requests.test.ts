import { describe, expect, test } from 'vitest'
import { sql } from '../../src/service/store/sql.ts'
import { onEveryEngine } from '../support/engines.ts'
import { worldsOn } from '../support/worlds.ts'

onEveryEngine('any request', (engine) => {
  const createWorld = worldsOn(engine)

  describe('with an unusual target', () => {
    test.each([
      ['/api/v3/customers?search=ad%61&count=5', 200],
      ['/api/v3/customers?search=a+d', 200],
      ['/api/v3/customers?', 200],
      ['/api/v3/../v3/customers#part', 200],
      ['/api/v3/%63ustomers', 404],
      ['/api/v3/customers?count=5&count=6', 400],
      ['/api/v3/customers?count=%35&count=6', 400],
      ['/api/v3/customers?=', 400],
      ['/api/v3/customers/1/2/3', 404],
      [`/api/v3/customers${'/1'.repeat(100)}`, 404],
      ['//', 400],
    ])('%s', async (target, status) => {
      const { call } = await createWorld()
      expect((await call('GET', target)).status).toBe(status)
    })

    test('a query says the same plainly and percent-encoded', async () => {
      const { call, hasCustomer } = await createWorld()
      const { id } = await hasCustomer({ name: 'Ada' })
      await hasCustomer({ name: 'Eve' })
      for (const search of ['Ada', '%41da', 'Ad%61'])
        expect((await call('GET', `/api/v3/customers?search=${search}`)).body.collection).toMatchObject([{ id }])
    })
  })

  describe('with an idempotency-key', () => {
    const key = (text: string) => ({ 'idempotency-key': text })

    test('is answered the same again for 24 hours, and acted on once', async () => {
      const { call, clock } = await createWorld()
      const create = () => call('POST', '/api/v3/customers', { name: 'Ada' }, key('k1'))
      const first = await create()
      const again = await create()
      expect({ ...again, headers: {} }).toEqual({ ...first, headers: {} })
      expect([first.headers['idempotent-replayed'], again.headers['idempotent-replayed']]).toEqual([undefined, 'true'])
      expect([again.headers.location, again.headers.etag]).toEqual([first.headers.location, first.headers.etag])
      expect((await call('GET', '/api/v3/customers')).body.collection).toHaveLength(1)
      clock.advance(24 * 60 + 1)
      expect((await create()).body.resource.id).not.toBe(first.body.resource.id)
    })

    test('conflicts with another body or path under the same key, and is nobody else’s', async () => {
      const { call, hasUser } = await createWorld()
      await call('POST', '/api/v3/customers', { name: 'Ada' }, key('k1'))
      expect((await call('POST', '/api/v3/customers', { name: 'Eve' }, key('k1'))).body.code).toBe('conflict')
      expect((await call('POST', '/api/v3/services', { name: 'Ada' }, key('k1'))).body.code).toBe('conflict')
      const other = await hasUser('member')
      expect((await other.call('POST', '/api/v3/customers', { name: 'Eve' }, key('k1'))).status).toBe(201)
      expect((await call('POST', '/api/v3/customers', { name: 'Ada' }, key('x'.repeat(256)))).status).toBe(400)
    })

    test('that failed may be tried again under the same key', async () => {
      const { call, hasCustomer } = await createWorld()
      const { id } = await hasCustomer({ email: 'ada@example.com' })
      const create = () => call('POST', '/api/v3/customers', { name: 'Ada', email: 'ada@example.com' }, key('k1'))
      expect((await create()).status).toBe(409)
      await call('DELETE', `/api/v3/customers/${id}`)
      expect((await create()).status).toBe(201)
    })

    test('sent ten times at once is acted on once, and everybody gets that answer', async () => {
      const { call, hasType, hasCustomer } = await createWorld()
      const type = await hasType()
      const body = { appointment_type_id: type.id, customer_id: (await hasCustomer()).id, start_time: '2026-11-23T10:00:00Z' }
      const replies = await Promise.all(Array.from({ length: 10 }, () => call('POST', '/api/v3/appointments', body, key('k1'))))
      expect(replies.map(({ status }) => status)).toEqual(Array(10).fill(201))
      expect(new Set(replies.map((reply) => reply.body.resource.id)).size).toBe(1)
      expect(replies.filter(({ headers }) => headers['idempotent-replayed'] === 'true')).toHaveLength(9)
    })
  })

  describe('with if-match', () => {
    test('is refused once the record has changed, for change and deletion alike', async () => {
      const { call, hasCustomer } = await createWorld()
      const url = `/api/v3/customers/${(await hasCustomer()).id}`
      const { etag = '' } = (await call('GET', url)).headers
      const change = (tag: string) => call('PATCH', url, { notes: 'x' }, { 'if-match': tag })
      const changed = await change(etag)
      expect([changed.status, changed.headers.etag]).toEqual([200, (await call('GET', url)).headers.etag])
      expect((await change(etag)).body.code).toBe('precondition_failed')
      expect((await call('DELETE', url, undefined, { 'if-match': etag })).status).toBe(412)
      expect((await change('*')).status).toBe(200)
      const current = (await call('GET', url)).headers.etag
      expect((await call('DELETE', url, undefined, { 'if-match': `"other", ${current}` })).status).toBe(204)
    })

    test('by five at once succeeds once', async () => {
      const { call, hasCustomer } = await createWorld()
      const url = `/api/v3/customers/${(await hasCustomer()).id}`
      const { etag = '' } = (await call('GET', url)).headers
      const change = (notes: number) => call('PATCH', url, { notes: `${notes}` }, { 'if-match': etag })
      const statuses = (await Promise.all([1, 2, 3, 4, 5].map(change))).map(({ status }) => status)
      expect(statuses.sort()).toEqual([200, 412, 412, 412, 412])
    })

    test('means nothing to a create', async () => {
      const { call } = await createWorld()
      expect((await call('POST', '/api/v3/customers', { name: 'Ada' }, { 'if-match': '"x"' })).status).toBe(201)
    })
  })

  describe('that is wrong', () => {
    test.each([
      ['an unknown field', { name: 'A', nmae: 'B' }, 'nmae', 'is not a known field'],
      ['a missing field', {}, 'name', 'is required'],
      ['a number for a text', { name: 5 }, 'name', 'must be string'],
      ['an empty name', { name: '  ' }, 'name', 'must not be empty'],
      ['an e-mail that is none', { name: 'A', email: 'a@' }, 'email', 'must be an e-mail address'],
      ['a number within an object', { name: 'A', custom_fields: { a: 1 } }, 'custom_fields.a', 'must be string'],
    ])('in its body is told by name: %s', async (_, body, parameter, message) => {
      const { call } = await createWorld()
      const { details } = (await call('POST', '/api/v3/customers', body)).body
      expect(details.find((one: { parameter: string }) => one.parameter === parameter)).toMatchObject({ parameter, message })
    })

    test('in several ways is told of all of them at once', async () => {
      const { call } = await createWorld()
      const { body } = await call('POST', '/api/v3/customers?x=1', { email: 1, time_zone: 'Nowhere' })
      expect(body.details.map(({ parameter }: { parameter: string }) => parameter).sort()).toEqual(['email', 'name', 'time_zone', 'x'])
    })

    test.each(['count=0', 'count=101', 'count=ten', 'count=1.5', 'sort=email:asc', 'deleted=maybe', 'nope=1', 'count=1&count=2'])(
      'in its query is told by name: %s',
      async (query) => {
        const { call } = await createWorld()
        const refused = await call('GET', `/api/v3/customers?${query}`)
        expect(refused.body).toMatchObject({ code: 'invalid_argument', details: [{ parameter: query.split('=')[0] }] })
      },
    )

    test.each(['0', '-1', 'abc', '1.5', '99999999999999999999', '%00'])('in its path is a 400: %s', async (id) => {
      const { call } = await createWorld()
      expect((await call('GET', `/api/v3/customers/${id}`)).body.code).toBe('invalid_argument')
    })

    test.each([
      ['not JSON', '{"name":', {}, 400],
      ['a list', '[]', {}, 400],
      ['null', 'null', {}, 400],
      ['a NUL in a text', '{"name":"a\\u0000b"}', {}, 400],
      ['a form', 'name=Ada', { 'content-type': 'application/x-www-form-urlencoded' }, 415],
      ['JSON under another name', '{"name":"Ada"}', { 'content-type': 'text/plain' }, 415],
      ['more than a mebibyte', JSON.stringify({ name: 'é'.repeat(600_000) }), {}, 413],
    ])('in what its body is made of gets its status: %s', async (_, body, headers, status) => {
      const { call } = await createWorld()
      expect((await call('POST', '/api/v3/customers', body, headers as Record<string, string>)).status).toBe(status)
    })

    test('in its place is a 404, in its method a 405 that names the right ones, and in its target a 400', async () => {
      const { call } = await createWorld()
      expect((await call('GET', '/api/v3/nowhere')).body).toMatchObject({
        code: 'not_found',
        message: 'There is nothing at /api/v3/nowhere.',
      })
      expect((await call('GET', '/api/v3/customers/999')).body).toMatchObject({ code: 'not_found', message: 'There is no customer 999.' })
      expect((await call('DELETE', '/api/v3/customers')).body.message).toBe('DELETE is not offered here; GET, POST are.')
      expect((await call('POST', '/api/v3/customers/1', {})).body.code).toBe('method_not_allowed')
      expect((await call('GET', '//[')).body.code).toBe('invalid_argument')
      expect((await call('GET', '/api/v3/customers/%E0%A4%A')).body.code).toBe('invalid_argument')
    })
  })

  test('that changes something is in the audit log, with who, what, when and from where; one that fails is not', async () => {
    const { call, clock, owner, hasUser, rows } = await createWorld()
    const made = await call('POST', '/api/v3/customers', { name: 'Ada' })
    const url = `/api/v3/customers/${made.body.resource.id}`
    const member = await hasUser('member')
    clock.advance(1)
    await member.call('DELETE', `${url}?soft_delete=true`)
    await call('GET', url)
    await call('POST', '/api/v3/customers', {})
    const log = await rows<Record<string, unknown>>(
      sql`select user_id, action, target, request_id, remote_address, created_at from audit_log order by id`,
    )
    expect(log).toEqual([
      {
        user_id: owner.user_id,
        action: 'POST /api/v3/customers',
        target: '/api/v3/customers',
        request_id: made.headers['x-request-id'],
        remote_address: '192.0.2.7',
        created_at: '2026-11-23T08:00:00.000000Z',
      },
      expect.objectContaining({
        user_id: member.user_id,
        action: 'DELETE /api/v3/customers/{customer_id}',
        target: url,
        created_at: clock.instant(),
      }),
    ])
  })
})
