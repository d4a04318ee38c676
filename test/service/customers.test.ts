import { describe, expect, test } from 'vitest'
import { onEveryEngine } from '../support/engines.ts'
import { worldsOn } from '../support/worlds.ts'

onEveryEngine('customers', (engine) => {
  const createWorld = worldsOn(engine)

  test('a customer is created with what is given, and everything else is null', async () => {
    const { call, clock } = await createWorld()
    const made = await call('POST', '/api/v3/customers', {
      name: '  Ada Lovelace ',
      email: 'Ada@Example.com',
      custom_fields: { vip: 'yes' },
    })
    const { resource } = made.body
    expect(resource).toEqual({
      id: resource.id,
      name: 'Ada Lovelace',
      email: 'Ada@Example.com',
      phone: null,
      notes: null,
      time_zone: null,
      custom_fields: { vip: 'yes' },
      deleted_at: null,
      created_at: clock.instant(),
      updated_at: clock.instant(),
    })
    expect(made.headers.location).toBe(`/api/v3/customers/${resource.id}`)
    expect((await call('GET', made.headers.location as string)).body).toEqual(made.body)
  })

  test('a change touches what is sent and leaves the rest; null clears; PUT does the same', async () => {
    const { call, clock, hasCustomer } = await createWorld()
    const customer = await hasCustomer({ name: 'Ada', email: 'ada@example.com', phone: '+1 555 0100', notes: 'old' })
    clock.advance(5)
    const changed = await call('PATCH', `/api/v3/customers/${customer.id}`, { notes: null, time_zone: 'Asia/Tokyo' })
    expect(changed.body.resource).toEqual({ ...customer, notes: null, time_zone: 'Asia/Tokyo', updated_at: clock.instant() })
    const put = await call('PUT', `/api/v3/customers/${customer.id}`, { name: 'Ada L.' })
    expect(put.body.resource).toEqual({ ...changed.body.resource, name: 'Ada L.' })
  })

  test('two changes at the same time both hold', async () => {
    const { call, hasCustomer } = await createWorld()
    const { id } = await hasCustomer()
    const url = `/api/v3/customers/${id}`
    const fields = ['name', 'email', 'phone', 'notes']
    await Promise.all(fields.map((field) => call('PATCH', url, { [field]: field === 'email' ? 'new@example.com' : 'new' })))
    expect((await call('GET', url)).body.resource).toMatchObject({ name: 'new', email: 'new@example.com', phone: 'new', notes: 'new' })
  })

  test('an e-mail address belongs to one live customer, whatever its case', async () => {
    const { call, hasCustomer } = await createWorld()
    const { id } = await hasCustomer({ email: 'ada@example.com' })
    const other = await hasCustomer({ email: 'other@example.com' })
    const again = await call('POST', '/api/v3/customers', { name: 'Ada', email: 'ADA@example.com' })
    expect(again.body).toMatchObject({ code: 'already_exists', details: [{ parameter: 'email' }] })
    expect(again.body.message).toContain(`Customer ${id}`)
    expect((await call('PATCH', `/api/v3/customers/${other.id}`, { email: 'aDa@example.com' })).status).toBe(409)
    expect((await call('PATCH', `/api/v3/customers/${id}`, { email: 'ADA@EXAMPLE.COM' })).status).toBe(200)
  })

  test('of twenty who create the same e-mail address at once, one succeeds', async () => {
    const { call } = await createWorld()
    const create = () => call('POST', '/api/v3/customers', { name: 'Ada', email: 'ada@example.com' })
    const statuses = (await Promise.all(Array.from({ length: 20 }, create))).map(({ status }) => status)
    expect(statuses.sort()).toEqual([201, ...Array(19).fill(409)])
  })

  test('the list is searched by name, e-mail and phone, and by an exact e-mail address', async () => {
    const { call, hasCustomer } = await createWorld()
    const ada = await hasCustomer({ name: 'Ada Löwe', email: 'ada@example.com', phone: '+1 555 0100' })
    await hasCustomer({ name: 'Grace', email: 'grace@example.org', phone: '+1 555 0199' })
    const ids = async (query: string) =>
      (await call('GET', `/api/v3/customers?${query}`)).body.collection.map(({ id }: { id: number }) => id)
    for (const search of ['LÖWE', 'ada@', '0100', 'a']) expect(await ids(`search=${encodeURIComponent(search)}`)).toContain(ada.id)
    expect(await ids('search=0100')).toEqual([ada.id])
    expect(await ids('email=ADA@example.com')).toEqual([ada.id])
    expect(await ids('email=ada')).toEqual([])
  })

  test('the pages of the list lead on and back by their addresses', async () => {
    const { call, hasCustomer } = await createWorld()
    for (let index = 0; index < 5; index += 1) await hasCustomer()
    const first = (await call('GET', '/api/v3/customers?count=2&sort=id:desc')).body
    expect(first.pagination).toMatchObject({ count: 2, previous_page: null, previous_page_token: null })
    const { pathname, search } = new URL(first.pagination.next_page)
    const second = (await call('GET', pathname + search)).body
    expect(second.collection[0].id).toBe(first.collection[1].id - 1)
    const back = new URL(second.pagination.previous_page)
    expect((await call('GET', back.pathname + back.search)).body.collection).toEqual(first.collection)
  })

  describe('deletion', () => {
    test('a soft one hides the customer, keeps the record, frees the e-mail address, and can be undone', async () => {
      const { call, clock, hasCustomer } = await createWorld()
      const customer = await hasCustomer({ email: 'ada@example.com' })
      const url = `/api/v3/customers/${customer.id}`
      expect((await call('DELETE', `${url}?soft_delete=true`)).status).toBe(204)
      const hidden = { ...customer, deleted_at: clock.instant() }
      expect((await call('GET', url)).body.resource).toEqual(hidden)
      const list = async (deleted: string) => (await call('GET', `/api/v3/customers?deleted=${deleted}`)).body.collection
      expect([await list('false'), await list('true'), await list('any')]).toEqual([[], [hidden], [hidden]])

      const other = await hasCustomer({ email: 'ada@example.com' })
      expect((await call('POST', `${url}/restore`)).body.code).toBe('already_exists')
      await call('DELETE', `/api/v3/customers/${other.id}`)
      expect((await call('POST', `${url}/restore`)).body.resource).toEqual(customer)
      expect((await call('POST', `${url}/restore`)).body.code).toBe('illegal_transition')
    })

    test('a hard one erases the person, and the appointments stay', async () => {
      const { call, clock, hasType, hasCustomer, hasAppointment } = await createWorld()
      const customer = await hasCustomer({ name: 'Ada', email: 'ada@example.com', phone: '+1 555 0100' })
      const appointment = await hasAppointment(await hasType(), '2026-11-23T10:00:00Z', { customer_id: customer.id })
      clock.set('2026-11-24T08:00:00Z')
      expect((await call('DELETE', `/api/v3/customers/${customer.id}`)).status).toBe(204)
      expect((await call('GET', `/api/v3/customers/${customer.id}`)).status).toBe(404)
      expect((await call('GET', '/api/v3/customers?deleted=any')).body.collection).toEqual([])
      expect((await call('GET', '/api/v3/customers?deleted=any&search=ada')).body.collection).toEqual([])
      const kept = (await call('GET', `/api/v3/appointments/${appointment.id}`)).body.resource
      expect(kept.customer).toEqual({ id: customer.id, name: 'Deleted customer', email: null, phone: null })
      expect((await call('DELETE', `/api/v3/customers/${customer.id}`)).status).toBe(404)
      expect((await call('POST', `/api/v3/customers/${customer.id}/restore`)).status).toBe(404)
    })

    test.each(['soft_delete=true', 'soft_delete=false'])(
      'with %s is refused while there are upcoming appointments, unless they go too',
      async (query) => {
        const { call, hasType, hasCustomer, hasAppointment } = await createWorld()
        const { id } = await hasCustomer()
        const type = await hasType()
        const upcoming = await hasAppointment(type, '2026-11-23T10:00:00Z', { customer_id: id })
        await hasAppointment(type, '2026-11-23T11:00:00Z', { customer_id: id })
        const refused = await call('DELETE', `/api/v3/customers/${id}?${query}`)
        expect(refused.body).toMatchObject({
          code: 'conflict',
          message: expect.stringContaining('There are 2 upcoming appointments. Cancel them first'),
        })
        expect((await call('GET', `/api/v3/customers/${id}`)).body.resource.deleted_at).toBeNull()
        expect((await call('DELETE', `/api/v3/customers/${id}?${query}&cancel_appointments=true`)).status).toBe(204)
        expect((await call('GET', `/api/v3/appointments/${upcoming.id}`)).body.resource).toMatchObject({
          status: 'canceled',
          cancellation: { canceled_by: 'Olga Owner', canceler_type: 'host' },
        })
      },
    )

    test('with any other value of soft_delete is refused', async () => {
      const { call, hasCustomer } = await createWorld()
      const { id } = await hasCustomer()
      const refused = await call('DELETE', `/api/v3/customers/${id}?soft_delete=1`)
      expect(refused.body).toMatchObject({
        code: 'invalid_argument',
        details: [{ parameter: 'soft_delete', message: 'must be true or false' }],
      })
    })
  })
})
