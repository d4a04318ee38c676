import { describe, expect, test } from 'vitest'
import type { Role } from '../../src/contract/account.ts'
import { eventKindNames } from '../../src/contract/webhooks.ts'
import { sql } from '../../src/service/store/sql.ts'
import { onEveryEngine } from '../support/engines.ts'
import type { Caller, ServiceWorld } from '../support/service.ts'
import { worldsOn } from '../support/worlds.ts'

const URL_ = 'https://hooks.example.com/booking'
const NOBODY = '00000000-0000-4000-8000-00000000dead'

/** Requests through each of the two doors, as one caller. */
function doorsOf({ callBare }: ServiceWorld, { access_token, api_key }: Caller) {
  const bearer = (method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE', path = '', body?: object, headers: Record<string, string> = {}) =>
    callBare(method, `/webhook_subscriptions${path}`, body, { authorization: `Bearer ${access_token}`, ...headers })
  const key: typeof bearer = (method, path = '', body, headers = {}) =>
    callBare(method, `/api/v3/api_subscriptions${path}`, body, { 'api-key': api_key, ...headers })
  return { bearer, key }
}

async function urisOf({ callBare }: ServiceWorld, { access_token }: Caller): Promise<{ user: string; organization: string }> {
  const { resource } = (await callBare('GET', '/users/me', undefined, { authorization: `Bearer ${access_token}` })).body
  return { user: resource.uri, organization: resource.current_organization }
}

const idOf = (uri: string): string => uri.split('/').at(-1) as string

onEveryEngine('webhook subscriptions', (engine) => {
  const createWorld = worldsOn(engine)

  describe.each(['bearer', 'key'] as const)('through the door of the %s', (door) => {
    /** Somebody of a role, the door they use, and their URIs. */
    const entering = async (role: Role) => {
      const world = await createWorld()
      const caller = role === 'owner' ? world.owner : await world.hasUser(role)
      return { world, caller, at: doorsOf(world, caller)[door], ...(await urisOf(world, caller)) }
    }

    describe('the table of roles and scopes', () => {
      const forms = 'routing_form_submission.created'
      const both = ['user', 'organization'] as const
      const denied = { title: 'Permission Denied', message: 'You do not have permission to access this resource.' }
      const cells = (['owner', 'admin', 'member'] as const).flatMap((role) => both.map((scope) => ({ role, scope })))
      test.each(cells)('$role, $scope, and each kind of event', async ({ role, scope }) => {
        const { at, user, organization } = await entering(role)
        const about = scope === 'user' ? { user, organization } : { organization }
        for (const event of eventKindNames) {
          const { status, body } = await at('POST', '', { url: URL_, events: [event], scope, ...about })
          const said = [event, status, body.title, body.message, body.details?.[0]]
          const onlyAdmins = 'The scope organization needs the role admin or owner; yours is member.'
          if (scope === 'user' && event === forms) {
            const message = `${forms} needs the scope organization.`
            expect(said).toEqual([event, 400, 'Invalid Argument', message, { parameter: 'events', message }])
          } else if (scope === 'organization' && role === 'member') {
            expect(said).toEqual([event, 403, denied.title, denied.message, { parameter: 'scope', message: onlyAdmins }])
          } else {
            expect([event, status]).toEqual([event, 201])
            expect(body.resource).toMatchObject({ scope, organization, user: scope === 'user' ? user : null, events: [event] })
          }
        }
      })

      test.each(both)('several events are judged together, with scope %s', async (scope) => {
        const { at, user, organization } = await entering('owner')
        const { status } = await at('POST', '', { url: URL_, events: ['invitee.created', forms], scope, user, organization })
        expect(status).toBe(scope === 'organization' ? 201 : 400)
      })

      test.each(['owner', 'admin', 'member'] as const)('the scope user is for oneself, also for the role %s', async (role) => {
        const { world, at } = await entering(role)
        const other = await urisOf(world, await world.hasUser('member'))
        const stranger = await urisOf(world, await world.hasStranger())
        const create = (about: object) => at('POST', '', { url: URL_, events: ['invitee.created'], scope: 'user', ...about })
        const said = async (about: object) => {
          const { status, body } = await create(about)
          return [status, body.message]
        }
        expect(await said({ user: other.user })).toEqual([403, 'You do not have permission'])
        expect(await said({ user: stranger.user })).toEqual([403, 'You do not have permission'])
        expect(await said({ user: other.user, organization: stranger.organization })).toEqual([403, denied.message])
        expect(await said(stranger)).toEqual([403, denied.message])
      })

      test.each(['owner', 'admin', 'member'] as const)('another organization is closed to the role %s', async (role) => {
        const { world, at } = await entering(role)
        const { organization } = await urisOf(world, await world.hasStranger())
        const { status, body } = await at('POST', '', { url: URL_, events: ['invitee.created'], scope: 'organization', organization })
        expect([status, body.message]).toEqual([403, denied.message])
      })
    })

    test('a new one is told of in full, and its signing key this once', async () => {
      const { at, world, user, organization } = await entering('owner')
      const made = await at('POST', '', { url: URL_, events: ['invitee.created', 'invitee.canceled'], scope: 'user', user })
      const { resource } = made.body
      expect(made.headers.location).toBe(resource.uri)
      expect(resource).toEqual({
        uri: expect.stringMatching(/\/webhook_subscriptions\/[\da-f-]{36}$/),
        callback_url: URL_,
        created_at: world.clock.instant(),
        updated_at: world.clock.instant(),
        retry_started_at: null,
        state: 'active',
        events: ['invitee.created', 'invitee.canceled'],
        scope: 'user',
        organization,
        user,
        group: null,
        disabled_reason: null,
        creator: user,
        signing_key: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/),
      })
      const { signing_key, ...rest } = resource
      const read = await at('GET', `/${idOf(resource.uri)}`)
      expect(read.body.resource).toEqual(rest)
      const listed = await at('GET', `?scope=user&organization=${encodeURIComponent(organization)}&user=${encodeURIComponent(user)}`)
      expect(listed.body.collection).toEqual([rest])
      const changed = await at('PATCH', `/${idOf(resource.uri)}`, { state: 'active' })
      expect(changed.body.resource).toEqual(rest)
      expect(JSON.stringify([read, listed, changed])).not.toContain(signing_key)
      expect(await world.rows(sql`select signing_key from webhook_subscriptions`)).toEqual([{ signing_key }])
    })

    test('a signing key of the caller is kept as it is', async () => {
      const { at, user, world } = await entering('member')
      const body = { url: URL_, events: ['invitee.created'], scope: 'user', user, signing_key: 'demo-signing-key' }
      expect((await at('POST', '', body)).body.resource.signing_key).toBe('demo-signing-key')
      expect(await world.rows(sql`select signing_key from webhook_subscriptions`)).toEqual([{ signing_key: 'demo-signing-key' }])
    })

    test('a key that says it is base64 must be, of 24 to 64 bytes: other libraries would read it another way', async () => {
      const { at, user } = await entering('member')
      const about = { url: URL_, events: ['invitee.created'], scope: 'user', user }
      const message = 'that begins with whsec_ must go on with 24 to 64 bytes in base64'
      const of = (bytes: number) => `whsec_${Buffer.alloc(bytes, 7).toString('base64')}`
      const broken = ['whsec_', 'whsec_my-very-secret!', `whsec_${'A'.repeat(33)}`, of(25).replace('==', ''), of(32).replaceAll('B', '_')]
      for (const signing_key of [...broken, of(21), of(23), of(65), of(66), of(96)]) {
        const { status, body } = await at('POST', '', { ...about, signing_key })
        expect([signing_key, status, body.details[0]]).toEqual([
          signing_key,
          400,
          expect.objectContaining({ parameter: 'signing_key', message }),
        ])
        if (signing_key !== 'whsec_') expect(JSON.stringify(body)).not.toContain(signing_key)
      }
      for (const bytes of [24, 25, 63, 64]) {
        const { status, body } = await at('POST', '', { ...about, url: `${URL_}/${bytes}`, signing_key: of(bytes) })
        expect([bytes, status, body.resource?.signing_key]).toEqual([bytes, 201, of(bytes)])
      }
    })

    test('a key of the caller is judged by the same rule where it takes the place of another', async () => {
      const { world, caller, at, user } = await entering('member')
      const { uri } = (await at('POST', '', { url: URL_, events: ['invitee.created'], scope: 'user', user })).body.resource
      const rotate = (signing_key: string) => doorsOf(world, caller).bearer('POST', `/${idOf(uri)}/rotate_signing_key`, { signing_key })
      const of = (bytes: number) => `whsec_${Buffer.alloc(bytes, 7).toString('base64')}`
      for (const bytes of [23, 65]) expect((await rotate(of(bytes))).body.details[0].parameter).toBe('signing_key')
      expect((await rotate(of(64))).body.resource.signing_key).toBe(of(64))
    })

    test('what is missing or wrong in a new one is named', async () => {
      const { at, user, organization } = await entering('owner')
      const good = { url: URL_, events: ['invitee.created'], scope: 'user', user }
      const said = async (change: object) => {
        const { status, body } = await at('POST', '', { ...good, ...change })
        return [status, body.details?.[0]?.parameter, body.message]
      }
      const allowed = eventKindNames.join(', ')
      expect(await said({ events: ['invitee.moved'] })).toEqual([400, 'events[0]', `events[0] must be one of ${allowed}.`])
      expect(await said({ events: [] })).toEqual([400, 'events', 'events must name at least one event.'])
      expect(await said({ events: ['invitee.created', 'invitee.created'] })).toEqual([
        400,
        'events',
        'events must not name an event twice.',
      ])
      expect(await said({ scope: 'group' })).toEqual([400, 'scope', 'scope must be one of user, organization.'])
      expect(await said({ user: undefined })).toEqual([400, 'user', 'user is required when scope is user.'])
      expect(await said({ scope: 'organization' })).toEqual([400, 'organization', 'organization is required when scope is organization.'])
      expect(await said({ url: undefined })).toEqual([400, 'url', 'url is required.'])
      expect(await said({ url: 'hooks.example.com' })).toEqual([400, 'url', 'url must be a URI.'])
      expect(await said({ url: 'ftp://example.com/' })).toEqual([400, 'url', 'url must begin with https://.'])
      expect(await said({ url: 'http://example.com/' })).toEqual([400, 'url', 'url must begin with https://.'])
      expect(await said({ url: 'https://me:secret@example.com/' })).toEqual([400, 'url', 'url must not carry a user name or password.'])
      expect(await said({ url: 'https://example.com/#top' })).toEqual([400, 'url', 'url must not have a fragment (#).'])
      expect(await said({ url: 'https://169.254.169.254/' })).toEqual([
        400,
        'url',
        'url must be an address that everybody can reach; 169.254.169.254 is not.',
      ])
      expect(await said({ user: organization })).toEqual([400, 'user', 'user must be a URI that ends in /users/ and a UUID.'])
      expect(await said({ callback_url: URL_ })).toEqual([400, 'callback_url', 'callback_url is not a known field.'])
      expect(await said({ signing_key: '' })).toEqual([400, 'signing_key', 'signing_key must not be empty.'])
    })

    test('the same address is told of an event once for each target', async () => {
      const { at, world, user, organization } = await entering('owner')
      const create = (change: object) => at('POST', '', { url: URL_, events: ['invitee.created'], scope: 'user', user, ...change })
      const first = await create({})
      for (const url of [URL_, 'https://HOOKS.example.com:443/booking', 'https://hooks.example.com/x/../booking']) {
        const refused = await create({ url, events: ['invitee.canceled', 'invitee.created'] })
        expect([refused.status, refused.body.code, refused.body.title]).toEqual([409, 'already_exists', 'Already Exists'])
        expect(refused.body.message).toBe('Hook with this url already exists')
        expect(refused.body.details[0].message).toBe(`${first.body.resource.uri} tells this address of invitee.created already.`)
      }
      expect((await create({ events: ['invitee.canceled'] })).status).toBe(201)
      expect((await create({ url: `${URL_}?more` })).status).toBe(201)
      expect((await create({ scope: 'organization', organization })).status).toBe(201)
      const member = await world.hasUser('member')
      const theirs = await doorsOf(world, member)[door]('POST', '', {
        url: URL_,
        events: ['invitee.created'],
        scope: 'user',
        user: (await urisOf(world, member)).user,
      })
      expect(theirs.status).toBe(201)
    })

    test('of several made at once for the same address one is', async () => {
      const { at, user } = await entering('owner')
      const body = { url: URL_, events: ['invitee.created', 'invitee.canceled'], scope: 'user', user }
      const statuses = await Promise.all(Array.from({ length: 6 }, async () => (await at('POST', '', body)).status))
      expect(statuses.sort()).toEqual([201, 409, 409, 409, 409, 409])
    })

    test('a change lays down another address or other events, by the same rules', async () => {
      const { at, user, world } = await entering('member')
      const made = (await at('POST', '', { url: URL_, events: ['invitee.created'], scope: 'user', user })).body.resource
      const other = (await at('POST', '', { url: `${URL_}/2`, events: ['invitee.canceled'], scope: 'user', user })).body.resource
      world.clock.advance(1)
      const path = `/${idOf(made.uri)}`
      const changed = await at('PATCH', path, { events: ['invitee.canceled', 'invitee_no_show.created'] })
      const { signing_key: _, ...rest } = made
      expect(changed.body.resource).toEqual({
        ...rest,
        events: ['invitee.canceled', 'invitee_no_show.created'],
        updated_at: world.clock.instant(),
      })
      expect((await at('PATCH', path, { url: other.callback_url })).status).toBe(409)
      expect((await at('PATCH', path, { url: other.callback_url, events: ['invitee.created'] })).status).toBe(200)
      expect((await at('PATCH', path, { events: ['routing_form_submission.created'] })).status).toBe(400)
      expect((await at('PATCH', path, { url: 'https://10.0.0.1/' })).status).toBe(400)
      expect((await at('PATCH', path, { state: 'disabled' })).status).toBe(400)
      expect((await at('PATCH', path, { scope: 'organization' })).status).toBe(400)
      const { etag } = (await at('GET', path)).headers
      expect((await at('PATCH', path, { events: ['invitee.canceled'], url: URL_ }, { 'if-match': '"stale"' })).status).toBe(412)
      expect((await at('PUT', path, { url: `${URL_}/3` }, { 'if-match': etag as string })).status).toBe(200)
    })

    test('a disabled one is active again once it is enabled', async () => {
      const { at, user, world } = await entering('member')
      const made = (await at('POST', '', { url: URL_, events: ['invitee.created'], scope: 'user', user })).body.resource
      const { store } = world.service
      const row = await store.webhooks.find(world.owner.organization_id, idOf(made.uri))
      const off = { ...(row as NonNullable<typeof row>), state: 'disabled' as const, retry_started_at: world.clock.instant() }
      await store.transaction((tx) => tx.webhooks.update(world.owner.organization_id, off))
      const read = await at('GET', `/${idOf(made.uri)}`)
      expect(read.body.resource).toMatchObject({ state: 'disabled', retry_started_at: world.clock.instant() })
      const enabled = await at('PATCH', `/${idOf(made.uri)}`, { state: 'active' })
      expect(enabled.body.resource).toMatchObject({ state: 'active', retry_started_at: null })
    })

    test('lists need a scope and an organization, and show to nobody what is not theirs', async () => {
      const { at, world, user, organization } = await entering('admin')
      const member = await world.hasUser('member')
      const theirs = doorsOf(world, member)[door]
      const me = await urisOf(world, member)
      await theirs('POST', '', { url: URL_, events: ['invitee.created'], scope: 'user', user: me.user })
      await at('POST', '', { url: URL_, events: ['invitee.created'], scope: 'organization', organization })
      const stranger = await urisOf(world, await world.hasStranger())
      const said = async (call: typeof at, query: Record<string, string>) => {
        const { status, body } = await call('GET', `?${new URLSearchParams(query)}`)
        return status === 200 ? body.collection.length : [status, body.details?.[0]?.parameter, body.message]
      }
      expect(await said(at, { scope: 'user', user })).toEqual([400, 'organization', 'organization is required.'])
      expect(await said(at, { organization })).toEqual([400, 'scope', 'scope is required.'])
      expect(await said(at, { organization, scope: 'user' })).toEqual([400, 'user', 'user is required when scope is user.'])
      expect(await said(at, { organization, scope: 'organization' })).toBe(1)
      expect(await said(at, { organization, scope: 'user', user })).toBe(0)
      expect(await said(at, { organization, scope: 'user', user: me.user })).toEqual([403, 'user', 'Unauthorized'])
      expect(await said(theirs, { ...me, scope: 'user' })).toBe(1)
      expect(await said(theirs, { organization, scope: 'organization' })).toEqual([
        403,
        'scope',
        'You do not have permission to access this resource.',
      ])
      expect(await said(theirs, { organization: stranger.organization, scope: 'user', user: me.user })).toEqual([
        403,
        'organization',
        'You do not have permission',
      ])
    })

    test('one is read, changed and deleted by whom it is about, by admins and owners, and by nobody else', async () => {
      const { at: admin, world, organization } = await entering('admin')
      const member = await world.hasUser('member')
      const theirs = doorsOf(world, member)[door]
      const other = doorsOf(world, await world.hasUser('member'))[door]
      const stranger = doorsOf(world, await world.hasStranger())[door]
      const { user } = await urisOf(world, member)
      const own = (await theirs('POST', '', { url: URL_, events: ['invitee.created'], scope: 'user', user })).body.resource
      const all = (await admin('POST', '', { url: URL_, events: ['invitee.created'], scope: 'organization', organization })).body.resource
      const statuses = async (call: typeof admin, { uri }: { uri: string }) => {
        const path = `/${idOf(uri)}`
        return [(await call('GET', path)).status, (await call('PATCH', path, {})).status, (await call('DELETE', path)).status]
      }
      expect(await statuses(other, own)).toEqual([403, 403, 403])
      expect(await statuses(other, all)).toEqual([403, 403, 403])
      expect(await statuses(theirs, all)).toEqual([403, 403, 403])
      expect(await statuses(stranger, own)).toEqual([404, 404, 404])
      expect(await statuses(admin, own)).toEqual([200, 200, 204])
      expect(await statuses(admin, all)).toEqual([200, 200, 204])
      expect(await statuses(admin, all)).toEqual([404, 404, 404])
      expect((await admin('GET', `/${NOBODY}`)).status).toBe(404)
      expect((await admin('GET', '/7')).status).toBe(400)
      expect(await world.rows(sql`select * from webhook_subscription_events`)).toEqual([])
    })
  })

  test('both doors lead to the same records', async () => {
    const world = await createWorld()
    const { bearer, key } = doorsOf(world, world.owner)
    const { user, organization } = await urisOf(world, world.owner)
    const made = await key('POST', '', { url: URL_, events: ['invitee.created'], scope: 'user', user })
    const path = `/${idOf(made.body.resource.uri)}`
    expect((await bearer('GET', path)).body).toEqual((await key('GET', path)).body)
    const query = `?${new URLSearchParams({ scope: 'user', user, organization })}`
    expect((await bearer('GET', query)).body.collection).toEqual((await key('GET', query)).body.collection)
    expect((await bearer('POST', '', { url: URL_, events: ['invitee.created'], scope: 'user', user })).status).toBe(409)
    expect((await bearer('DELETE', path)).status).toBe(204)
    expect((await key('GET', path)).status).toBe(404)
  })
})
