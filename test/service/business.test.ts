import { afterEach, expect, test } from 'vitest'
import { createBusiness } from '../../src/service/business.ts'
import { openService } from '../../src/service/open.ts'
import { fillSample } from '../../src/service/sample.ts'
import { onEveryEngine, type TestDatabase } from '../support/engines.ts'
import { createServiceWorld, type ServiceWorld } from '../support/service.ts'

onEveryEngine('a business', (engine) => {
  const opened: (ServiceWorld | TestDatabase)[] = []
  afterEach(async () => {
    for (const one of opened.splice(0)) await ('close' in one ? one.close() : one.drop())
  })

  const worlds = async (password?: string) => {
    const world = await createServiceWorld(engine, password === undefined ? {} : { password })
    opened.push(world)
    return world
  }
  const another = {
    organization: { name: 'Second', time_zone: 'UTC' },
    owner: { name: 'S', email: 's@example.com' },
    credentials: { name: 'x' },
  }

  test('has an owner whose two credentials work, each at its own address', async () => {
    const { callBare, owner } = await worlds()
    const me = await callBare('GET', '/api/v3/me', undefined, { 'api-key': owner.api_key })
    expect(me.body.resource).toMatchObject({ name: 'Olga Owner', slug: 'olga-owner', role: 'owner', timezone: 'Europe/Berlin' })
    const same = await callBare('GET', '/users/me', undefined, { authorization: `Bearer ${owner.access_token}` })
    expect(same.body).toEqual(me.body)
  })

  test('remembers its public address', async () => {
    const { service } = await worlds()
    expect(await service.store.settings.get('public_url')).toBe('http://127.0.0.1:4242')
  })

  test('is refused a second time, and nothing is changed', async () => {
    const { service, call } = await worlds()
    await expect(createBusiness(service, another)).rejects.toMatchObject({ code: 'already_exists', exit: 5 })
    expect((await call('GET', '/api/v3/me')).body.resource.name).toBe('Olga Owner')
    expect(await service.store.account.findLogin('s@example.com')).toBeUndefined()
  })

  test('is made once when two make it at the same time', async () => {
    const database = await engine.fresh()
    opened.push(database)
    const ids = Array.from({ length: 20 }, (_, index) => `00000000-0000-4000-8000-0000000000${index + 10}`)
    const newId = () => ids.pop() as string
    const open = () => openService({ database: database.address, create: true, now: () => 0, newId, newRequestId: newId, onFault: () => 0 })
    const one = await open()
    // Two connections to one SQLite file must not wait for each other in one thread; there, one service takes turns.
    const two = engine.name === 'SQLite' ? one : await open()
    const made = await Promise.allSettled([createBusiness(one, another), createBusiness(two, another)])
    expect(made.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    expect(made.find(({ status }) => status === 'rejected')).toMatchObject({ reason: { code: 'already_exists' } })
    for (const service of new Set([one, two])) await service.close()
  })

  test('can be filled with a sample, which is the same for the same moment', async () => {
    const fill = async () => {
      const world = await worlds()
      const app = (request: Parameters<typeof world.service.app>[0]) =>
        world.service.app({ ...request, headers: { ...request.headers, 'api-key': world.owner.api_key } })
      await fillSample(app, world.clock.now(), 'Europe/Berlin')
      const appointments = (await world.call('GET', '/api/v3/appointments?count=100')).body.collection
      return { world, shown: appointments.map(({ uri, invitee, ...shown }: Record<string, unknown>) => shown) }
    }
    const { world, shown } = await fill()
    const count = (status: string) => shown.filter((one: { status: string }) => one.status === status).length
    expect(shown.length).toBeGreaterThan(45)
    expect(count('canceled')).toBe(3)
    expect(count('no_show')).toBeGreaterThan(0)
    expect(count('completed')).toBeGreaterThan(5)
    expect((await world.call('GET', '/api/v3/customers?count=100')).body.collection).toHaveLength(30)
    const types = (await world.call('GET', '/api/v3/appointment_types')).body.collection
    expect(types).toHaveLength(6)
    for (const day of ['2026-11-24', '2026-11-25', '2026-11-26', '2026-11-27', '2026-11-30', '2026-12-01', '2026-12-02']) {
      const free = await Promise.all(types.map((type: never) => world.offered(type, day)))
      expect(free.flat().length, `free times on ${day}`).toBeGreaterThan(20)
    }
    expect((await fill()).shown).toEqual(shown)
  })

  test.each([
    ['2026-11-23T08:00:00Z', 'Europe/Berlin'],
    ['2026-03-28T23:30:00Z', 'Europe/London'],
    ['2026-10-31T05:00:00Z', 'America/New_York'],
    ['2026-12-31T18:00:00Z', 'Pacific/Apia'],
  ])(
    'has in its sample two classes with the sessions of two weeks, one of them full, with a waiting list: %s, %s',
    async (moment, zone) => {
      const world = await worlds()
      const { call } = world
      world.clock.set(moment)
      const app = (request: Parameters<typeof world.service.app>[0]) =>
        world.service.app({ ...request, headers: { ...request.headers, 'api-key': world.owner.api_key } })
      await fillSample(app, world.clock.now(), zone)
      const classes = (await call('GET', '/api/v3/classes')).body.collection
      expect(classes.map(({ name, recurrence }: { name: string; recurrence: object }) => [name, recurrence !== null])).toEqual([
        ['Yoga', true],
        ['Back class', true],
      ])
      const sessions: { class_id: number; seats: object }[] = (await call('GET', '/api/v3/sessions?sort=id:asc')).body.collection
      const seatsOf = (id: number) => sessions.filter(({ class_id }) => class_id === id).map(({ seats }) => seats)
      expect(seatsOf(classes[0].id)).toHaveLength(4)
      expect(seatsOf(classes[1].id)).toEqual([
        { total: 4, taken: 4, remaining: 0, waiting: 2 },
        { total: 4, taken: 2, remaining: 2, waiting: 0 },
      ])
    },
  )

  test('is not filled halfway in silence: the request that failed is named', async () => {
    const { service, clock } = await worlds()
    await expect(fillSample(service.app, clock.now(), 'UTC')).rejects.toThrow('POST /api/v3/staff_members was answered with 401')
  })
})
