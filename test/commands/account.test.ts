import { afterEach, describe, expect, test } from 'vitest'
import { onEveryEngine } from '../support/engines.ts'
import { createServiceWorld, type ServiceWorld } from '../support/service.ts'
import { createTool, type Tool } from '../support/tool.ts'

onEveryEngine('on the command line', (engine) => {
  const opened: { tool: Tool; world: ServiceWorld }[] = []
  afterEach(async () => {
    for (const { tool, world } of opened.splice(0)) {
      tool.close()
      await world.close()
    }
  })
  const createWorld = async () => {
    const world = await createServiceWorld(engine)
    const tool = createTool(world)
    opened.push({ tool, world })
    return { ...world, ...tool }
  }

  describe('credentials', () => {
    test('are shown once, with a warning beside the record, and revoked when that is confirmed', async () => {
      const { run, json, callBare } = await createWorld()
      const made = await run(['credentials', 'create', '--kind', 'api_key', '--name', 'CI', '--expires', '2026-12-01'])
      const record = JSON.parse(made.stdout)
      expect(record).toMatchObject({ name: 'CI', expires_at: '2026-12-01T00:00:00.000000Z', secret: expect.stringMatching(/^bk_/) })
      expect(made.stderr).toContain('shown only this once')
      expect(made.stderr).not.toContain(record.secret)
      expect((await callBare('GET', '/api/v3/me', undefined, { 'api-key': record.secret })).status).toBe(200)
      expect((await json(['credentials', 'list', '--user', '1'])).collection.at(-1)).not.toHaveProperty('secret')
      expect((await run(['credentials', 'revoke', `${record.id}`])).exit).toBe(2)
      expect(await run(['credentials', 'revoke', `${record.id}`, '--yes'])).toMatchObject({ exit: 0, stdout: '' })
      expect((await callBare('GET', '/api/v3/me', undefined, { 'api-key': record.secret })).status).toBe(401)
    })
  })

  describe('users', () => {
    test('are made with a password from stdin, never from a flag, and get another role', async () => {
      const { run, json, callBare } = await createWorld()
      const args = ['users', 'create', '--name', 'Ada', '--email', 'ada@example.com']
      const made = await json([...args, '--password-stdin'], 'correct horse\n')
      expect(made.role).toBe('member')
      const login = { email: 'ada@example.com', password: 'correct horse' }
      expect((await callBare('POST', '/api/v3/authenticate', login)).status).toBe(201)
      expect((await run([...args, '--password', 'x'])).exit).toBe(2)
      const shown = await run([...args, '--password-stdin', '--dry-run'], 'correct horse')
      expect(shown.stdout).not.toContain('correct')
      expect((await json(['users', 'update', `${made.id}`, '--role', 'admin'])).role).toBe('admin')
      expect((await json(['users', 'list', '--role', 'admin'])).collection).toHaveLength(1)
      expect((await run(['users', 'update', '1', '--role', 'member'])).exit).toBe(5)
    })
  })

  test('a booking tells by a flag which submission of a routing form led to it', async () => {
    const { json, hasType, hasCustomer, hasSession } = await createWorld()
    const fallback = '{"type":"external_url","value":"https://example.com"}'
    const form = await json(['routing-forms', 'create', '--name', 'F', '--question', '{"name":"Q","type":"text"}', '--fallback', fallback])
    const submission = await json(['routing-forms', 'submit', form.uri, '--answer', 'Q=A'])
    const [type, customer, session] = [await hasType(), await hasCustomer(), await hasSession('2026-11-24T10:00:00Z')]
    const told = ['--customer', `${customer.id}`, '--routing-form-submission', submission.uri]
    const booked = await json(['appointments', 'create', '--type', `${type.id}`, '--start', '2026-11-23T10:00:00Z', ...told])
    expect((await json(['invitees', 'lookup', booked.invitee])).routing_form_submission).toBe(submission.uri)
    const attendee = await json(['attendees', 'add', '--session', `${session.id}`, ...told])
    expect((await json(['invitees', 'lookup', attendee.uri])).routing_form_submission).toBe(submission.uri)
  })

  test('a no-show of an appointment is taken back by its own command, once', async () => {
    const { run, json, hasType, hasAppointment } = await createWorld()
    const { id } = await hasAppointment(await hasType(), '2026-11-23T10:00:00Z')
    expect((await run(['appointments', 'undo-no-show', `${id}`])).exit).toBe(5)
    expect((await json(['appointments', 'no-show', `${id}`])).status).toBe('no_show')
    expect(await run(['appointments', 'undo-no-show', `${id}`])).toEqual({
      exit: 0,
      stdout: '',
      stderr: `Appointment ${id} is completed.\n`,
    })
    expect((await json(['appointments', 'get', `${id}`])).status).toBe('completed')
  })

  describe('the audit log', () => {
    test('is listed, the newest first', async () => {
      const { json } = await createWorld()
      await json(['customers', 'create', '--name', 'Ada'])
      await json(['services', 'create', '--name', 'Massage'])
      const { collection } = await json(['audit', 'list'])
      expect(collection.map(({ action }: { action: string }) => action)).toEqual(['POST /api/v3/services', 'POST /api/v3/customers'])
      expect((await json(['audit', 'list', '--from', '2026-11-24'])).collection).toEqual([])
    })
  })

  describe('routing forms', () => {
    test('are made from flags, sent in, and their submissions read', async () => {
      const { run, json } = await createWorld()
      const question = '{"name":"Size","type":"select","required":true,"answer_choices":["Small","Large"]}'
      const result = '{"type":"custom_message","value":{"headline":"Thanks","body":"We call you."}}'
      const route = `{"conditions":[{"question":"Size","operator":"equals","value":"Large"}],"result":${result}}`
      const fallback = '{"type":"external_url","value":"https://example.com"}'
      const flags = ['--question', question, '--route', route, '--fallback', fallback]
      const form = await json(['routing-forms', 'create', '--name', 'Contact', ...flags])
      expect((await json(['routing-forms', 'list'])).collection).toEqual([form])
      expect(await json(['forms', 'get', form.uri])).toEqual(form)
      const uuid = form.uri.split('/').at(-1)
      const sent = await run(['routing-forms', 'submit', uuid, '--answer', 'Size=Large'])
      expect(sent.stderr).toBe('Sent in; it leads to the message "Thanks".\n')
      const submission = JSON.parse(sent.stdout)
      expect((await json(['routing-forms', 'submissions', '--form', uuid])).collection).toEqual([submission])
      expect((await json(['routing-forms', 'submissions', '--form', form.uri])).collection).toEqual([submission])
      expect(await json(['routing-forms', 'submissions', submission.uri])).toEqual(submission)
      expect((await run(['routing-forms', 'submissions'])).stderr).toContain('--form')
      expect((await run(['routing-forms', 'submit', uuid, '--answer', 'Size=Huge'])).exit).toBe(2)
      expect((await json(['routing-forms', 'update', uuid, '--status', 'draft'])).status).toBe('draft')
      expect((await run(['routing-forms', 'submit', uuid, '--answer', 'Size=Large'])).exit).toBe(5)
    })
  })

  describe('api', () => {
    test('makes any request, on the address that the path belongs to', async () => {
      const { json, run } = await createWorld()
      expect((await json(['api', 'GET', '/api/v3/me'])).resource.role).toBe('owner')
      expect((await json(['api', '/users/me'])).resource.role).toBe('owner')
      const fields = ['-f', 'name=Ada', '-f', 'custom_fields.lens=-2', '-F', 'notes=null']
      const { resource } = await json(['api', 'post', '/api/v3/customers', ...fields])
      expect(resource).toMatchObject({ name: 'Ada', notes: null, custom_fields: { lens: '-2' } })
      const url = `/api/v3/customers/${resource.id}`
      expect((await json(['api', 'PATCH', url, '--input', '-'], '{"notes":"x"}')).resource.notes).toBe('x')
      expect(await run(['api', 'DELETE', url, '-F', 'soft_delete=true'])).toMatchObject({ exit: 0, stdout: '' })
      expect((await json(['api', 'GET', '/api/v3/customers', '-f', 'deleted=true'])).collection).toHaveLength(1)
    })

    test('follows the pages of a list, and prints one JSON', async () => {
      const { json, run, hasCustomer } = await createWorld()
      for (let number = 0; number < 5; number += 1) await hasCustomer()
      const list = await json(['api', 'GET', '/api/v3/customers?count=2&sort=id:desc', '--all'])
      expect(list.collection.map(({ id }: { id: number }) => id)).toEqual([5, 4, 3, 2, 1])
      expect(list.pagination).toMatchObject({ count: 5, next_page_token: null })
      expect((await run(['api', 'GET', '/api/v3/me', '--all'])).exit).toBe(2)
      expect((await run(['api', 'POST', '/api/v3/customers', '--all'])).exit).toBe(2)
    })

    test('fails with the exit code of the error, also when status and headers are shown', async () => {
      const { run } = await createWorld()
      const missing = await run(['api', 'GET', '/api/v3/customers/999'])
      expect(missing).toMatchObject({ exit: 4, stdout: '' })
      expect(JSON.parse(missing.stderr).error).toMatchObject({ code: 'not_found', message: 'There is no customer 999.' })
      const shown = await run(['api', 'GET', '/api/v3/customers/999', '-i'])
      expect(shown.exit).toBe(4)
      expect(shown.stdout).toMatch(/^HTTP 404\n(?:[\w-]+: .*\n)+\n\{"title":"Resource Not Found"/)
      expect((await run(['api', 'GET', '/api/v3/me', '-i'])).stdout).toMatch(/^HTTP 200\n/)
    })

    test('shows the request instead, as JSON or as curl, without a secret', async () => {
      const { run, json } = await createWorld()
      const words = ['api', 'POST', '/webhook_subscriptions', '-f', 'url=https://example.com', '-H', 'X-Note: a']
      const shown = await json([...words, '--dry-run'])
      expect(shown).toMatchObject({ method: 'POST', body: { url: 'https://example.com' }, headers: { 'x-note': 'a' } })
      const { stdout } = await run([...words, '--generate', 'curl'])
      expect(stdout).toContain("curl --request POST 'http://127.0.0.1:4242/webhook_subscriptions'")
      expect(stdout).toContain('"authorization: Bearer $BOOKCTL_ACCESS_TOKEN"')
      expect((await run(['api', 'GET', '/customers/available_time?x=1', '--generate', 'curl'])).stdout).toContain('$BOOKCTL_API_KEY')
    })

    test.each([
      [['api']],
      [['api', 'GET']],
      [['api', 'FETCH', '/api/v3/me']],
      [['api', 'GET', 'https://example.com/']],
      [['api', 'GET', '//example.com/']],
      [['api', 'GET', '/api/v3/../../users/me']],
      [['api', 'GET', '/a', '/b']],
      [['api', 'POST', '/a', '-F', 'x=y']],
      [['api', 'POST', '/a', '-f', 'x']],
      [['api', 'GET', '/a', '-H', 'x']],
    ])('refuses what makes no request: %j', async (args) => {
      const { run } = await createWorld()
      expect(await run(args)).toMatchObject({ exit: 2, stdout: '' })
    })
  })
})

describe('commands', () => {
  test('are told as data, each with its flags, fields and exits', async () => {
    const { command } = await import('../../src/commands/commands.ts')
    const { entries } = await import('../../src/commands/index.ts')
    const result = await command.run({ id: undefined, flags: {} }, { entries } as never)
    if (result.kind !== 'list') throw new Error('not a list')
    const rows: { name: string }[] = []
    for await (const { collection } of result.pages) rows.push(...(collection as { name: string }[]))
    expect(rows.find(({ name }) => name === 'customers delete')).toMatchObject({
      group: 'customers',
      verb: 'delete',
      aliases: ['rm'],
      arguments: [{ name: 'CUSTOMER-ID', required: true }],
      writes: true,
      asks: true,
      flags: expect.arrayContaining([expect.objectContaining({ name: 'soft-delete', type: 'boolean', negatable: true })]),
      exits: expect.arrayContaining([{ code: 4, meaning: 'not found' }]),
    })
    expect(rows.find(({ name }) => name === 'api')).toMatchObject({ arguments: [{ name: 'METHOD' }, { name: 'PATH' }] })
    expect(new Set(rows.map(({ name }) => name)).size).toBe(rows.length)
  })
})
