import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { verify } from '../../src/service/delivery/sign.ts'
import { startWorker, subscribe } from '../support/delivering.ts'
import { onEveryEngine } from '../support/engines.ts'
import { openReceiver, type Receiver, type ReceiverOptions } from '../support/receiver.ts'
import { createServiceWorld } from '../support/service.ts'
import { createTool } from '../support/tool.ts'

onEveryEngine('webhooks on the command line', (engine) => {
  const closers: (() => unknown)[] = []
  afterEach(async () => {
    for (const close of closers.splice(0).reverse()) await close()
  })

  /** A world with a worker that is woken as serve's is, and a receiver that is subscribed. */
  const createDesk = async (answer?: ReceiverOptions['answer']) => {
    const world = await createServiceWorld(engine, { allowPrivateWebhooks: true })
    closers.push(world.close)
    const { worker, deliverDue } = await startWorker(world)
    closers.push(worker.stop)
    world.service.world.wake = worker.wake
    const tool = createTool(world, { isPatient: true })
    closers.push(tool.close)
    const receiver: Receiver = await openReceiver(answer && { answer })
    closers.push(receiver.close)
    const subscription = await subscribe(world, receiver.url)
    return { ...world, ...tool, worker, deliverDue, receiver, ...subscription }
  }
  type Desk = Awaited<ReturnType<typeof createDesk>>

  /** As many events, each told once. */
  const book = async ({ hasType, hasAppointment, deliverDue }: Desk, count: number, first = 24) => {
    const type = await hasType()
    for (let day = 0; day < count; day += 1) await hasAppointment(type, `2026-11-${first + day}T09:00:00Z`)
    await deliverDue()
  }
  /** Answers as the word says that is in force; change it with `say`. */
  const moody = (status = 500) => {
    const answer: ReceiverOptions['answer'] = (_, response) => void response.writeHead(status).end(`mood ${status}`)
    return { answer, say: (next: number) => (status = next) }
  }
  describe('deliveries', () => {
    test('are listed, the newest first, and by state, kind and time', async () => {
      const desk = await createDesk()
      const { json, run, uuid, clock } = desk
      await book(desk, 2)
      clock.advance(24 * 60)
      await json(['webhooks', 'ping', uuid])
      const list = async (...flags: string[]) =>
        (await json(['webhooks', 'deliveries', uuid, ...flags])).collection.map(({ id }: { id: number }) => id)
      expect(await list()).toEqual([3, 2, 1])
      expect(await list('--sort', 'id:asc')).toEqual([1, 2, 3])
      expect(await list('--event', 'ping')).toEqual([3])
      expect(await list('--state', 'failed')).toEqual([])
      expect(await list('--from', '2026-11-24')).toEqual([3])
      expect(await list('--to', 'yesterday')).toEqual([2, 1])
      expect((await run(['webhooks', 'deliveries', '00000000-0000-4000-8000-00000000dead'])).exit).toBe(4)
      const { subscription } = (await json(['webhooks', 'deliveries', uuid])).collection[0]
      expect((await json(['webhooks', 'deliveries', subscription])).collection).toHaveLength(3)
    })

    test('one is shown with its body and every attempt, to a program whole and to a person drawn', async () => {
      const { answer, say } = moody()
      const desk = await createDesk(answer)
      const { json, run, uuid, clock, deliverDue, receiver } = desk
      await book(desk, 1)
      say(200)
      clock.advance(1)
      await deliverDue()
      const shown = await json(['webhooks', 'deliveries', uuid, '--delivery', '1'])
      expect(shown.attempts).toEqual([
        expect.objectContaining({ number: 1, status: 500, error: 'The receiver answered 500.', reply: 'mood 500' }),
        expect.objectContaining({ number: 2, status: 200, error: null, reply: 'mood 200' }),
      ])
      expect(shown.body).toBe(receiver.received[0]?.body)
      expect(await json(['webhooks', 'deliveries', uuid, '--delivery', shown.uri])).toEqual(shown)
      const { stdout } = await run(['webhooks', 'deliveries', uuid, '--delivery', '1', '-o', 'table'])
      expect(stdout).toMatch(/^State +delivered$/m)
      expect(stdout).toMatch(/^1 +2026-11-23 08:00 \+00:00 +\d+ +500 /m)
      expect(JSON.parse(stdout.slice(stdout.indexOf('\n{') + 1))).toEqual(JSON.parse(shown.body))
      const both = await run(['webhooks', 'deliveries', uuid, '--delivery', '1', '--state', 'failed'])
      expect([both.exit, JSON.parse(both.stderr).error.message]).toEqual([2, expect.stringContaining('--state')])
      expect((await run(['webhooks', 'deliveries', uuid, '--delivery', '99'])).exit).toBe(4)
    })
  })

  describe('redeliver', () => {
    test('wants to be told which', async () => {
      const { run, uuid } = await createDesk()
      const wrong = [[], ['--all-states'], ['--delivery', '1', '--failed'], ['--failed', '--all-states'], ['--delivery', 'x']]
      for (const flags of wrong) expect((await run(['webhooks', 'redeliver', uuid, ...flags])).exit, flags.join(' ')).toBe(2)
    })

    test('sends one, those of a time, or all that failed once more, and says how many', async () => {
      const { answer, say } = moody(410)
      const desk = await createDesk(answer)
      const { json, run, uuid, receiver } = desk
      await book(desk, 1)
      await json(['webhooks', 'enable', uuid])
      await book(desk, 1, 25)
      expect((await json(['webhooks', 'get', uuid])).state).toBe('disabled')
      expect((await run(['webhooks', 'redeliver', uuid, '--failed'])).exit).toBe(5)
      say(200)
      const enabled = await run(['webhooks', 'enable', uuid])
      expect(enabled.stderr).toContain('2 deliveries failed for good; bookctl webhooks redeliver')
      const sent = receiver.received.length
      const dry = await run(['webhooks', 'redeliver', uuid, '--failed', '--dry-run'])
      expect(JSON.parse(dry.stdout).body).toEqual({ failed: true })
      const one = await json(['webhooks', 'redeliver', uuid, '--delivery', '1', '--wait'])
      expect([one.id, one.state]).toEqual([1, 'delivered'])
      const all = await run(['webhooks', 'redeliver', uuid, '--failed', '--wait'])
      expect([all.exit, JSON.parse(all.stdout)]).toEqual([0, { redelivered: 1, arrived: 1, failed: 0, pending: 0 }])
      expect(all.stderr).toContain('1 of 1 arrived.')
      const range = await run(['webhooks', 'redeliver', uuid, '--from', '2026-11-23', '--all-states', '--wait'])
      expect(JSON.parse(range.stdout)).toEqual({ redelivered: 2, arrived: 2, failed: 0, pending: 0 })
      expect(receiver.received).toHaveLength(sent + 4)
      const none = await run(['webhooks', 'redeliver', uuid, '--failed'])
      expect([none.exit, none.stderr]).toEqual([0, 'There was nothing to send.\n'])
    })

    test('with --wait exits 12 when something did not arrive', async () => {
      const { answer, say } = moody(410)
      const desk = await createDesk(answer)
      const { run, uuid, json } = desk
      await book(desk, 1)
      await json(['webhooks', 'enable', uuid])
      say(500)
      const many = await run(['webhooks', 'redeliver', uuid, '--failed', '--wait', '--timeout', '1'])
      expect([many.exit, JSON.parse(many.stdout)]).toEqual([12, { redelivered: 1, arrived: 0, failed: 0, pending: 1 }])
      expect(many.stderr).toContain('0 of 1 arrived; 1 did not arrive yet and is tried again.')
      const one = await run(['webhooks', 'redeliver', uuid, '--delivery', '1', '--wait', '--timeout', '1'])
      expect([one.exit, one.stderr]).toEqual([12, 'Delivery 1 did not arrive yet, and is tried again. The receiver answered 500.\n'])
    })
  })

  describe('ping', () => {
    test('says what the receiver answered, and exits 12 when it did not take it', async () => {
      const { answer, say } = moody()
      const { run, json, uuid, receiver } = await createDesk(answer)
      const refused = await run(['webhooks', 'ping', uuid])
      expect([refused.exit, refused.stderr]).toEqual([12, 'It did not arrive. The receiver answered 500.\n'])
      say(204)
      const pinged = await json(['webhooks', 'ping', uuid])
      expect(pinged).toMatchObject({ state: 'delivered', status: 204, error: null })
      expect(receiver.payloads().at(-1).event).toBe('ping')
      await receiver.close()
      const dead = await run(['webhooks', 'ping', uuid])
      expect([dead.exit, JSON.parse(dead.stdout).error]).toEqual([12, 'Nothing listens there (ECONNREFUSED).'])
    })

    test('does not wait for ever', async () => {
      const desk = await createDesk()
      await desk.worker.stop()
      const { exit, stderr } = await desk.run(['webhooks', 'ping', desk.uuid, '--timeout', '0.2'])
      expect([exit, stderr]).toEqual([12, expect.stringContaining('not answered yet')])
    })
  })

  test('rotate-key tells the new key once, and until when the one before signs too', async () => {
    const { run, json, uuid, receiver, signing_key, clock } = await createDesk()
    const rotated = await run(['webhooks', 'rotate-key', uuid])
    const made = JSON.parse(rotated.stdout)
    expect(made.signing_key).toMatch(/^whsec_/)
    expect(made.signing_key).not.toBe(signing_key)
    expect(rotated.stderr).toContain('shown this once')
    expect(rotated.stderr).toContain('The key before signs too until 2026-11-24 08:00 +00:00.')
    expect(rotated.stderr).not.toContain(made.signing_key)
    await json(['webhooks', 'ping', uuid])
    const [received] = receiver.received
    const faults = (key: string) => verify(received as never, key, clock.now() / 1000).map(({ fault }) => fault)
    expect([faults(signing_key), faults(made.signing_key)]).toEqual([
      [undefined, undefined],
      [undefined, undefined],
    ])
    expect(faults('another')[0]).toContain('does not match')
    const dry = await run(['webhooks', 'rotate-key', uuid, '--signing-key-stdin', '--dry-run'], 'demo-own-key\n')
    expect(dry.stdout + dry.stderr).not.toContain('demo-own-key')
    const early = await run(['webhooks', 'rotate-key', uuid, '--signing-key-stdin'], 'demo-own-key\n')
    expect([early.exit, early.stdout + early.stderr]).toEqual([5, expect.not.stringContaining('demo-own-key')])
    clock.advance(24 * 60)
    expect((await json(['webhooks', 'rotate-key', uuid, '--signing-key-stdin'], 'demo-own-key\n')).signing_key).toBe('demo-own-key')
    expect((await run(['webhooks', 'rotate-key', uuid, '--signing-key-stdin'], '')).exit).toBe(2)
    expect(await json(['webhooks', 'get', uuid])).not.toHaveProperty('signing_key')
  })

  test('sample prints a body as JSON, on a terminal too', async () => {
    const { json, run } = await createDesk()
    const body = await json(['webhooks', 'sample', '--event', 'invitee.canceled', '-o', 'table'])
    expect(body).toMatchObject({ event: 'invitee.canceled', payload: { status: 'canceled' } })
    expect((await json(['webhooks', 'sample', '--event', 'routing_form_submission.created'])).event).toBe('routing_form_submission.created')
    expect((await run(['webhooks', 'sample'])).exit).toBe(2)
    expect((await run(['webhooks', 'sample', '--event', 'invitee.create'])).exit).toBe(2)
    expect((await run(['webhooks', 'sample', '--event', 'routing_form_submission.created', '--scope', 'user'])).exit).toBe(0)
  })

  test('enable says how many deliveries waited and go out now, and the list why it was disabled', async () => {
    let status = 410
    const desk = await createDesk((_, response) => void response.writeHead(status).end())
    const { run, json, uuid, receiver, hasType, hasAppointment, deliverDue } = desk
    await book(desk, 1)
    const listed = await run(['webhooks', 'list', '-o', 'csv', '--fields', 'state,disabled_reason'])
    expect(listed.stdout).toContain('disabled,The receiver answered 410 Gone')
    const type = await hasType()
    for (const day of [25, 26]) await hasAppointment(type, `2026-11-${day}T09:00:00Z`)
    expect(receiver.received).toHaveLength(1)
    status = 200
    const enabled = await run(['webhooks', 'enable', uuid])
    expect(enabled.stderr).toContain(`Enabled subscription ${uuid}. 2 deliveries waited and go out now. 1 delivery failed for good;`)
    await deliverDue()
    expect(receiver.received).toHaveLength(3)
    expect((await json(['webhooks', 'get', uuid])).disabled_reason).toBeNull()
  })

  describe('apply', () => {
    /** A desk where nothing is subscribed yet, whose service refuses addresses on this machine. */
    const createBareDesk = async () => {
      const world = await createServiceWorld(engine)
      closers.push(world.close)
      const tool = createTool(world)
      closers.push(tool.close)
      const file = join(tool.home, 'hooks.yaml')
      const write = (...subscriptions: object[]) => writeFileSync(file, JSON.stringify({ subscriptions }))
      const apply = async (...flags: string[]) => {
        const { exit, stdout, stderr } = await tool.run(['webhooks', 'apply', '-f', file, ...flags])
        const rows = stdout === '' ? [] : JSON.parse(stdout).collection
        return { exit, rows, stderr, actions: rows.map(({ action, status }: Record<string, string>) => `${action} ${status}`) }
      }
      const urls = async () =>
        (await tool.json(['webhooks', 'list'])).collection.map(({ callback_url }: { callback_url: string }) => callback_url)
      return { ...world, ...tool, file, write, apply, urls }
    }
    const one = (url: string, more: object = {}) => ({ url, events: ['invitee.created'], scope: 'organization', ...more })
    const [OLD, NEW, REFUSED] = ['https://example.com/old', 'https://example.com/new', 'http://localhost:9/refused']

    test('makes what the file says, once, and tells each key once', async () => {
      const { write, apply, json } = await createBareDesk()
      write(one(OLD), one(OLD, { scope: 'user', events: ['invitee.canceled'] }))
      const check = await apply('--check')
      expect([check.exit, check.actions]).toEqual([12, ['create planned', 'create planned']])
      const dry = await apply('--dry-run')
      expect([dry.exit, dry.actions]).toEqual([0, ['create planned', 'create planned']])
      expect((await json(['webhooks', 'list'])).collection).toEqual([])
      const made = await apply()
      expect([made.exit, made.actions]).toEqual([0, ['create done', 'create done']])
      expect(made.rows.map(({ signing_key }: { signing_key: string }) => signing_key.slice(0, 6))).toEqual(['whsec_', 'whsec_'])
      expect(made.stderr).toContain('Subscriptions: 2 created.')
      expect(made.stderr).toContain('shown this once')
      const again = await apply()
      expect([again.exit, again.actions, again.stderr]).toEqual([
        0,
        ['unchanged none', 'unchanged none'],
        'Nothing to change: everything is as the file says.\n',
      ])
      expect((await apply('--check')).exit).toBe(0)
    })

    test('changes events in place, and leaves others alone unless --prune is said, and --yes', async () => {
      const { write, apply, json, urls } = await createBareDesk()
      write(one(OLD), one(NEW))
      const { rows } = await apply()
      write(one(NEW, { events: ['invitee.canceled', 'invitee.created'] }))
      const changed = await apply()
      expect([changed.exit, changed.actions]).toEqual([0, ['update done', 'untouched none']])
      expect(changed.stderr).toContain('1 is not in the file and left alone; --prune deletes it.')
      const [{ events }] = (await json(['webhooks', 'list', '--sort', 'created_at:desc'])).collection.filter(
        ({ uri }: { uri: string }) => uri === rows[1].uri,
      )
      expect(events.toSorted()).toEqual(['invitee.canceled', 'invitee.created'])
      expect((await apply('--check')).exit).toBe(0)
      expect((await apply('--check', '--prune')).exit).toBe(12)
      const unasked = await apply('--prune')
      expect([unasked.exit, unasked.stderr]).toEqual([2, expect.stringContaining(OLD)])
      expect(await urls()).toEqual([OLD, NEW])
      const pruned = await apply('--prune', '--yes')
      expect([pruned.exit, pruned.actions]).toEqual([0, ['delete done', 'unchanged none']])
      expect(await urls()).toEqual([NEW])
    })

    test('a replacement that cannot be created leaves the old one working', async () => {
      const { write, apply, urls } = await createBareDesk()
      write(one(OLD))
      await apply()
      write(one(REFUSED))
      const failed = await apply('--prune', '--yes')
      expect([failed.exit, JSON.parse(failed.stderr).error.code]).toEqual([2, 'invalid_argument'])
      expect(await urls()).toEqual([OLD])
      write(one(NEW), one(REFUSED))
      const partly = await apply('--prune', '--yes')
      expect([partly.exit, partly.actions]).toEqual([11, ['create done', 'create failed', 'delete not_tried']])
      expect(partly.rows[0].signing_key).toMatch(/^whsec_/)
      expect(partly.rows[1].error).toContain('url must')
      expect(partly.stderr).toContain('1 of 3 changes were made; the rest was left as it was.')
      expect(await urls()).toEqual([OLD, NEW])
    })

    test('enables a disabled one again', async () => {
      const desk = await createDesk((_, response) => void response.writeHead(410).end())
      await book(desk, 1)
      const { json, run, receiver, home, uuid } = desk
      const file = join(home, 'hooks.json')
      const events = ['invitee.created', 'invitee.canceled']
      writeFileSync(file, JSON.stringify({ subscriptions: [{ url: receiver.url, events, scope: 'organization' }] }))
      expect((await run(['webhooks', 'apply', '-f', file, '--check'])).exit).toBe(12)
      const { collection } = await json(['webhooks', 'apply', '-f', file])
      expect(collection).toEqual([expect.objectContaining({ action: 'update', enabled: true, added: [], status: 'done' })])
      expect((await json(['webhooks', 'get', uuid])).state).toBe('active')
    })

    test('with --keys-file keys go there, to be read by nobody else, and none is lost', async () => {
      const { write, apply, home, run } = await createBareDesk()
      const keys = join(home, 'keys.jsonl')
      writeFileSync(keys, '{"url":"cut short', { mode: 0o644 })
      write(one(OLD), one(NEW))
      const { rows } = await apply('--keys-file', keys)
      expect(rows.map(({ signing_key }: { signing_key: null }) => signing_key)).toEqual([null, null])
      expect(statSync(keys).mode & 0o777).toBe(0o600)
      const lines = readFileSync(keys, 'utf8').trimEnd().split('\n')
      expect(lines[0]).toBe('{"url":"cut short')
      const told = lines.slice(1).map((line) => JSON.parse(line))
      const scope = 'organization'
      const signing_key = expect.stringMatching(/^whsec_/)
      expect(told).toEqual([
        ...[OLD, NEW].map((url) => ({ url, scope, uri: null, signing_key, state: 'planned' })),
        ...rows.map(({ url, uri }: Record<string, string>) => ({ url, scope, uri, signing_key, state: 'made' })),
      ])
      const made = told.map((line) => line.signing_key)
      expect(made.slice(2), 'the keys that were planned').toEqual(made.slice(0, 2))
      write(one(OLD), one(NEW), one('https://example.com/third'))
      const [ids, fields] = [
        await run(['webhooks', 'apply', '-f', 'hooks.yaml', '-o', 'ids']),
        await run(['webhooks', 'apply', '-f', 'hooks.yaml', '--fields', 'url']),
      ]
      expect([ids.exit, fields.exit]).toEqual([2, 2])
      const nowhere = await apply('--keys-file', join(home, 'no', 'keys.jsonl'))
      expect([nowhere.exit, JSON.parse(nowhere.stderr).error.message]).toEqual([2, expect.stringContaining('--keys-file')])
      expect((await run(['webhooks', 'list', '-o', 'ids'])).stdout.trim().split('\n')).toHaveLength(2)
    })

    test('a file with faults, or none, sends nothing', async () => {
      const { run, write, apply, owner } = await createBareDesk()
      write({ ...one(OLD), event: 'x' })
      const wrong = await apply()
      expect([wrong.exit, JSON.parse(wrong.stderr).error.details]).toEqual([
        2,
        [expect.objectContaining({ message: expect.stringContaining('"event"') })],
      ])
      expect((await run(['webhooks', 'apply'])).exit).toBe(2)
      expect((await run(['webhooks', 'apply', '-f', 'nowhere.yaml'])).exit).toBe(2)
      write(one(OLD, { scope: 'user', user: `https://example.com/users/${owner.user_uuid}` }))
      expect((await apply('--check')).exit).toBe(12)
      write(one(OLD, { scope: 'user', user: 'https://example.com/users/00000000-0000-4000-8000-00000000dead' }))
      expect((await apply('--check')).exit).toBe(6)
      const piped = await run(['webhooks', 'apply', '-f', '-', '--check'], 'subscriptions: []')
      expect(piped.exit).toBe(0)
    })
  })

  describe('audit', () => {
    test('says what is wrong and what to do, to programs and to people, and exits 12', async () => {
      const { answer, say } = moody(500)
      const desk = await createDesk(answer)
      const { run, json, uuid } = desk
      const audit = async (...flags: string[]) => {
        const { exit, stdout, stderr } = await run(['webhooks', 'audit', ...flags])
        return { exit, stderr, found: JSON.parse(stdout).collection.map(({ finding }: { finding: string }) => finding) }
      }
      expect(await audit('--severity', 'error')).toEqual({ exit: 0, stderr: 'Nothing found on 1 subscription.\n', found: [] })
      await book(desk, 1)
      expect(await audit('--severity', 'error')).toMatchObject({ exit: 12, found: ['failing'], stderr: '1 finding.\n' })
      say(200)
      expect(await audit('--severity', 'error', '--probe')).toMatchObject({ exit: 0 })
      say(410)
      await book(desk, 1, 25)
      const all = await audit()
      expect(all.found).toEqual(['disabled', 'undelivered', 'plain_http', ...Array(5).fill('uncovered')])
      const { stdout, exit } = await run(['webhooks', 'audit', '-o', 'table'])
      expect(exit).toBe(12)
      expect(stdout).toContain('error: disabled, http://127.0.0.1')
      expect(stdout).toContain(`\n  Once the receiver works again: bookctl webhooks enable ${uuid}\n`)
      say(200)
      await json(['webhooks', 'enable', uuid])
      await run(['webhooks', 'redeliver', uuid, '--failed', '--wait'])
      expect(await audit('--severity', 'error')).toMatchObject({ exit: 0 })
      expect((await run(['webhooks', 'audit', '--severity', 'worst'])).exit).toBe(2)
    })
  })
})
