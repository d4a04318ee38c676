import { describe, expect, test } from 'vitest'
import { sql } from '../../src/service/store/sql.ts'
import { onEveryEngine } from '../support/engines.ts'
import { worldsOn } from '../support/worlds.ts'

const URL = '/api/v3/credentials'

onEveryEngine('credentials', (engine) => {
  const createWorld = worldsOn(engine)

  test('are made, told once, work, and end when they are revoked', async () => {
    const { call, callBare, clock } = await createWorld()
    const made = await call('POST', URL, { kind: 'api_key', name: 'CI' })
    expect(made.status).toBe(201)
    const { secret, ...known } = made.body.resource
    expect(made.headers.location).toBe(`${URL}/${known.id}`)
    expect(secret.startsWith(known.prefix)).toBe(true)
    expect(known).toMatchObject({ kind: 'api_key', name: 'CI', expires_at: null, last_used_at: null, revoked_at: null })
    expect((await call('GET', `${URL}/${known.id}`)).body.resource).toEqual(known)
    const status = async () => (await callBare('GET', '/api/v3/me', undefined, { 'api-key': secret })).status
    expect(await status()).toBe(200)
    expect((await call('DELETE', `${URL}/${known.id}`)).status).toBe(204)
    expect(await status()).toBe(401)
    const revoked_at = clock.instant()
    clock.advance(1)
    expect((await call('DELETE', `${URL}/${known.id}`)).status).toBe(204)
    expect((await call('GET', `${URL}/${known.id}`)).body.resource.revoked_at).toBe(revoked_at)
  })

  test('expire when they should, and cannot expire in the past', async () => {
    const { call, callBare, clock } = await createWorld()
    const make = (expires_at: string) => call('POST', URL, { kind: 'access_token', name: 'short', expires_at })
    expect((await make(clock.instant())).body.details[0].parameter).toBe('expires_at')
    const { secret } = (await make('2026-11-23T08:01:00Z')).body.resource
    const status = async () => (await callBare('GET', '/users/me', undefined, { authorization: `Bearer ${secret}` })).status
    expect(await status()).toBe(200)
    clock.advance(1)
    expect(await status()).toBe(401)
  })

  test('are not told again for the same idempotency-key, and the text is kept nowhere', async () => {
    const { call, rows } = await createWorld()
    const make = () => call('POST', URL, { kind: 'api_key', name: 'CI' }, { 'idempotency-key': 'k1' })
    const { secret } = (await make()).body.resource
    expect((await make()).body.code).toBe('conflict')
    expect((await call('GET', `${URL}?kind=api_key`)).body.collection).toHaveLength(2)
    const kept = await rows<{ body: string }>(sql`select body from idempotency_keys`)
    expect(JSON.stringify(kept)).not.toContain(secret)
  })

  test('are listed by kind, user and being revoked', async () => {
    const { call, owner, hasUser } = await createWorld()
    const member = await hasUser('member')
    const ids = async (query: string) => (await call('GET', `${URL}?${query}`)).body.collection.map(({ id }: { id: number }) => id)
    const all = await ids('')
    expect(all).toHaveLength(4)
    expect(await ids('sort=id:desc')).toEqual(all.toReversed())
    expect(await ids(`user_id=${member.user_id}`)).toEqual(all.slice(2))
    expect(await ids(`user_id=${owner.user_id}&kind=access_token`)).toEqual([all[1]])
    await call('DELETE', `${URL}/${all[3]}`)
    expect([await ids(''), await ids('revoked=true'), await ids('revoked=any')]).toEqual([all.slice(0, 3), [all[3]], all])
  })

  test('of others are the business of admins and owners only, and nobody makes them for somebody above', async () => {
    const { owner, hasUser, hasStranger } = await createWorld()
    const [member, admin, stranger] = [await hasUser('member'), await hasUser('admin'), await hasStranger()]
    const [first] = (await owner.call('GET', `${URL}?user_id=${owner.user_id}`)).body.collection
    expect(first.user).toMatchObject({ id: owner.user_id, email: 'olga@example.com' })
    for (const who of [member, stranger]) {
      expect((await who.call('GET', `${URL}/${first.id}`)).status).toBe(404)
      expect((await who.call('DELETE', `${URL}/${first.id}`)).status).toBe(404)
    }
    expect((await admin.call('GET', `${URL}/${first.id}`)).status).toBe(200)
    const mine = (await member.call('GET', URL)).body.collection
    expect(mine.map(({ user }: { user: { id: number } }) => user.id)).toEqual([member.user_id, member.user_id])
    expect((await member.call('GET', `${URL}?user_id=${owner.user_id}`)).status).toBe(403)
    expect((await member.call('DELETE', `${URL}/${mine[1].id}`)).status).toBe(204)
    const make = (who: typeof member, user_id: number) => who.call('POST', URL, { kind: 'api_key', name: 'x', user_id })
    expect((await make(member, member.user_id)).status).toBe(201)
    expect((await make(member, admin.user_id)).status).toBe(403)
    expect((await make(admin, owner.user_id)).status).toBe(403)
    const forMember = await make(admin, member.user_id)
    expect([forMember.status, forMember.body.resource.user.id]).toEqual([201, member.user_id])
    expect((await make(owner, stranger.user_id)).body.details[0].parameter).toBe('user_id')
  })

  test('say when they were last used, to five minutes', async () => {
    const { call, callBare, clock, owner, service } = await createWorld()
    const { secret, id } = (await call('POST', URL, { kind: 'api_key', name: 'CI' })).body.resource
    const use = () => callBare('GET', '/api/v3/me', undefined, { 'api-key': secret })
    const lastUsed = async () => (await service.store.credentials.find(owner.organization_id, id))?.last_used_at
    const first = clock.instant()
    await use()
    await expect.poll(lastUsed).toBe(first)
    clock.advance(4)
    await use()
    await new Promise((resolve) => setTimeout(resolve, 50))
    expect(await lastUsed()).toBe(first)
    clock.advance(1)
    await use()
    await expect.poll(lastUsed).toBe(clock.instant())
  })
})

onEveryEngine('users', (engine) => {
  const createWorld = worldsOn(engine)
  const url = '/api/v3/users'

  test('are made with a role and sign in with their password, which is never shown', async () => {
    const { call, callBare } = await createWorld()
    const made = await call('POST', url, { name: 'Ada Lovelace', email: 'ada@example.com', role: 'admin', password: 'correct horse' })
    expect(made.status).toBe(201)
    expect(made.body.resource).toMatchObject({ name: 'Ada Lovelace', role: 'admin', timezone: 'Europe/Berlin', slug: 'ada-lovelace' })
    expect(JSON.stringify(made.body)).not.toContain('password')
    const signedIn = await callBare('POST', '/api/v3/authenticate', { email: 'ADA@example.com', password: 'correct horse' })
    expect(signedIn.body.resource.user.role).toBe('admin')
    const again = await call('POST', url, { name: 'A', email: 'Ada@example.com' })
    expect(again.body).toMatchObject({ code: 'already_exists', details: [{ parameter: 'email' }] })
    expect((await call('POST', url, { name: 'A', email: 'b@example.com', password: 'short' })).body.details[0].parameter).toBe('password')
    expect((await call('GET', `${url}/${made.body.resource.id}`)).body.resource).toEqual(made.body.resource)
    expect((await call('GET', `${url}?role=admin`)).body.collection).toEqual([made.body.resource])
  })

  test('are managed by admins and owners, and owners by owners', async () => {
    const { owner, hasUser, hasStranger } = await createWorld()
    const [member, admin, stranger] = [await hasUser('member'), await hasUser('admin'), await hasStranger()]
    expect((await member.call('GET', url)).status).toBe(403)
    expect((await member.call('POST', url, {})).status).toBe(403)
    const make = (role: string) => admin.call('POST', url, { name: 'N', email: `${role}@example.com`, role })
    expect([(await make('member')).status, (await make('admin')).status, (await make('owner')).status]).toEqual([201, 201, 403])
    const change = (id: number, role: string, by = admin) => by.call('PATCH', `${url}/${id}`, { role })
    expect((await change(member.user_id, 'admin')).body.resource.role).toBe('admin')
    expect((await change(member.user_id, 'owner')).status).toBe(403)
    expect((await change(owner.user_id, 'member')).status).toBe(403)
    expect((await change(member.user_id, 'owner', owner)).status).toBe(200)
    expect((await change(owner.user_id, 'admin', owner)).status).toBe(200)
    expect((await change(member.user_id, 'member', stranger)).status).toBe(404)
  })

  test('always have an owner among them, even when two owners unmake each other at once', async () => {
    const { owner, hasUser } = await createWorld()
    const refused = await owner.call('PATCH', `${url}/${owner.user_id}`, { role: 'admin' })
    expect(refused.body).toMatchObject({ code: 'conflict', message: 'Olga Owner is the only owner. Make somebody else an owner first.' })
    const other = await hasUser('owner')
    const unmake = (by: typeof other, id: number) => by.call('PATCH', `${url}/${id}`, { role: 'admin' })
    const replies = await Promise.all([unmake(owner, other.user_id), unmake(other, owner.user_id)])
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1)
    const users = (await owner.call('GET', url)).body.collection
    expect(users.filter(({ role }: { role: string }) => role === 'owner')).toHaveLength(1)
  })
})

onEveryEngine('the audit log', (engine) => {
  const createWorld = worldsOn(engine)
  const url = '/api/v3/audit_log'

  describe('is read', () => {
    test('by admins and owners: who did what, when, and from where; by user and window', async () => {
      const { call, clock, owner, hasUser } = await createWorld()
      const [member, admin] = [await hasUser('member'), await hasUser('admin')]
      await call('POST', '/api/v3/customers', { name: 'Ada' })
      clock.advance(10)
      await member.call('POST', '/api/v3/customers', { name: 'Eve' })
      const list = async (query = '') => (await admin.call('GET', `${url}${query}`)).body.collection
      const all = await list()
      expect(all).toHaveLength(2)
      expect(all[0]).toMatchObject({
        user: { id: owner.user_id, email: 'olga@example.com' },
        action: 'POST /api/v3/customers',
        target: '/api/v3/customers',
        remote_address: '192.0.2.7',
        created_at: '2026-11-23T08:00:00.000000Z',
      })
      expect(await list(`?user_id=${member.user_id}`)).toEqual([all[1]])
      expect(await list('?from=2026-11-23T08:05:00Z')).toEqual([all[1]])
      expect(await list('?to=2026-11-23T08:05:00Z')).toEqual([all[0]])
      expect(await list('?sort=id:desc&count=1')).toEqual([all[1]])
      expect((await member.call('GET', url)).status).toBe(403)
    })

    test('by nobody else’s admins', async () => {
      const { call, hasStranger } = await createWorld()
      await call('POST', '/api/v3/customers', { name: 'Ada' })
      expect((await (await hasStranger()).call('GET', url)).body.collection).toEqual([])
    })
  })
})
