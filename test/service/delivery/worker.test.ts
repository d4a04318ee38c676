import { afterEach, describe, expect, test } from 'vitest'
import { sql } from '../../../src/service/store/sql.ts'
import { untrusted } from '../../client/support.ts'
import { bearerOf, type Delivering, type Subscribed, startWorker, subscribe, type WorkerTestOptions } from '../../support/delivering.ts'
import { onEveryEngine } from '../../support/engines.ts'
import { openReceiver, type Receiver, type ReceiverOptions } from '../../support/receiver.ts'
import type { Call, ServiceWorld } from '../../support/service.ts'
import { worldsOn } from '../../support/worlds.ts'

/** Milliseconds a request may take here; the receivers that never answer are given up after it. */
const WHOLE = 400

onEveryEngine('the worker', (engine) => {
  const createWorld = worldsOn(engine)
  const closing: (() => Promise<void>)[] = []
  afterEach(async () => {
    for (const close of closing.splice(0).reverse()) await close()
  })

  async function opened(options?: ReceiverOptions): Promise<Receiver> {
    const receiver = await openReceiver(options)
    closing.push(receiver.close)
    return receiver
  }

  async function worked(world: ServiceWorld, options?: WorkerTestOptions): Promise<Delivering> {
    const delivering = await startWorker(world, options)
    closing.push(() => delivering.worker.stop(0))
    return delivering
  }

  /** A world with a subscription and a worker; `happens` makes an event of it. */
  async function delivering(options?: ReceiverOptions) {
    const world = await createWorld({ allowPrivateWebhooks: true })
    const receiver = await opened(options)
    const subscribed = await subscribe(world, receiver.url)
    const { worker, notices, deliverDue } = await worked(world, { timeouts: { connect: WHOLE, whole: WHOLE } })
    const bearer = bearerOf(world)
    const happens = await somethingHappens(world)
    return { ...world, bearer, receiver, worker, notices, deliverDue, happens, ...about(bearer, subscribed) }
  }

  describe('what arrives', () => {
    test('comes once, with the headers of both conventions, and is listed as delivered', async () => {
      const { receiver, happens, deliverDue, list, read } = await delivering()
      await happens()
      await deliverDue()
      await deliverDue()
      expect(receiver.received.length).toBe(1)
      const [{ headers, body } = { headers: {} as Record<string, string>, body: '' }] = receiver.received
      const [delivery] = await list()
      expect(headers).toMatchObject({
        'content-type': 'application/json',
        'user-agent': 'bookctl/test',
        'webhook-attempt': '1',
        'webhook-id': delivery.event_id,
        'webhook-timestamp': String(Date.parse('2026-11-23T08:00:00Z') / 1000),
        'webhook-signature': expect.stringMatching(/^v1,[A-Za-z0-9+/]{43}=$/),
        'calendly-webhook-signature': expect.stringMatching(/^t=\d+,v1=[\da-f]{64}$/),
      })
      expect(delivery).toMatchObject({ state: 'delivered', attempt_count: 1, last_status: 200, last_error: null, next_attempt_at: null })
      expect(await read(delivery.id)).toMatchObject({
        body,
        attempts: [{ number: 1, status: 200, error: null, reply: 'thanks', started_at: '2026-11-23T08:00:00.000000Z' }],
      })
      expect(JSON.stringify(JSON.parse(body))).toBe(body)
    })

    test('is signed with both keys for a day after the key was changed, the new one first', async () => {
      const { receiver, happens, deliverDue, bearer, uuid, signing_key, clock } = await delivering()
      const rotated = await bearer('POST', `/webhook_subscriptions/${uuid}/rotate_signing_key`, {})
      expect(rotated.body.resource.signing_key).not.toBe(signing_key)
      expect(rotated.body.resource.old_signing_key_until).toBe('2026-11-24T08:00:00.000000Z')
      const holds = async (key: string) => {
        const { verify } = await import('../../../src/service/delivery/sign.ts')
        const { headers, body } = receiver.received.at(-1) as (typeof receiver.received)[0]
        return verify({ headers, body }, key, clock.now() / 1000).map(({ fault }) => fault === undefined)
      }
      await happens()
      await deliverDue()
      expect([await holds(signing_key), await holds(rotated.body.resource.signing_key), await holds('another')]).toEqual([
        [true, true],
        [true, true],
        [false, false],
      ])
      expect(receiver.received.at(-1)?.headers['webhook-signature']?.split(' ').length).toBe(2)
      const third = await bearer('POST', `/webhook_subscriptions/${uuid}/rotate_signing_key`, {})
      expect([third.status, third.body.code]).toEqual([409, 'conflict'])
      clock.advance(24 * 60)
      await happens()
      await deliverDue()
      expect([await holds(signing_key), await holds(rotated.body.resource.signing_key)]).toEqual([
        [false, false],
        [true, true],
      ])
    })
  })

  describe('what does not arrive', () => {
    const receivers: [string, ReceiverOptions, object][] = [
      [
        'is given up when the receiver hangs',
        { answer: () => undefined },
        { status: null, error: `No complete reply within ${WHOLE / 1000} s.` },
      ],
      [
        'is an error where it answers 500, and its reply is kept',
        { answer: (_, response) => response.writeHead(500).end(`broken${'!'.repeat(5000)}`) },
        { status: 500, error: 'The receiver answered 500.', reply: `broken${'!'.repeat(2042)}` },
      ],
      [
        'does not follow a redirect',
        { answer: ({ url }, response) => response.writeHead(url === '/hook' ? 307 : 200, { location: '/elsewhere' }).end() },
        { status: 307, error: 'The receiver answered 307; redirects are not followed.' },
      ],
      [
        'is lost where it closes at once',
        { answer: (_, __, incoming) => incoming.socket.destroy() },
        { status: null, error: 'The connection was closed before a reply came (UND_ERR_SOCKET).' },
      ],
      [
        'is nothing where what answers is not HTTP',
        { answer: (_, __, incoming) => incoming.socket.end('SSH-2.0-OpenSSH\r\n') },
        { status: null, error: expect.stringMatching(/^What came back is not HTTP/) },
      ],
      [
        'is given up when the reply drips without end',
        { answer: (_, response) => drip(response.writeHead(500)) },
        { status: null, error: `No complete reply within ${WHOLE / 1000} s.` },
      ],
      [
        'does not trust a certificate that nobody signed',
        { tls: untrusted },
        { status: null, error: expect.stringMatching(/^The certificate is not trusted \(/) },
      ],
    ]
    test.each(receivers)('%s', async (_, options, attempt) => {
      const { receiver, happens, deliverDue, list, read } = await delivering(options)
      await happens()
      await deliverDue()
      const [delivery] = await list()
      expect(delivery).toMatchObject({ state: 'pending', attempt_count: 1, next_attempt_at: '2026-11-23T08:00:05.000000Z' })
      expect((await read(delivery.id)).attempts).toEqual([expect.objectContaining(attempt)])
      expect(receiver.received.filter(({ url }) => url !== '/hook')).toEqual([])
    })

    test('an endless reply of 200 has arrived; no more than 64 kB of it are read', async () => {
      let sent = 0
      const { happens, deliverDue, list } = await delivering({
        answer: (_, response) => {
          response.writeHead(200)
          const more = () => {
            if (response.destroyed) return
            sent += 16_384
            response.write('x'.repeat(16_384), () => setImmediate(more))
          }
          more()
        },
      })
      await happens()
      await deliverDue()
      expect(await list()).toMatchObject([{ state: 'delivered', last_status: 200 }])
      const before = sent
      await new Promise((resolve) => setTimeout(resolve, 50))
      expect(sent).toBeLessThan(before + 64 * 16_384)
    })

    test('nobody listens', async () => {
      const { receiver, happens, deliverDue, list } = await delivering()
      await receiver.close()
      await happens()
      await deliverDue()
      expect(await list()).toMatchObject([{ state: 'pending', last_error: 'Nothing listens there (ECONNREFUSED).' }])
    })

    test('is sent again by the schedule, under the same id, until it arrives', async () => {
      const { receiver, happens, deliverDue, list, clock, read, subscription } = await delivering({ answer: refuseFirst(2) })
      await happens()
      await deliverDue()
      expect((await subscription()).retry_started_at).toBe('2026-11-23T08:00:00.000000Z')
      clock.advance(4 / 60)
      await deliverDue()
      expect(receiver.received.length, 'not before its time').toBe(1)
      clock.advance(1 / 60)
      await deliverDue()
      clock.advance(0.5)
      await deliverDue()
      const sent = receiver.received.map(({ headers, body }) => [headers['webhook-attempt'], headers['webhook-id'], body])
      expect(sent.map(([attempt]) => attempt)).toEqual(['1', '2', '3'])
      expect(new Set(sent.map(([, id, body]) => `${id}${body}`)).size).toBe(1)
      const [delivery] = await list()
      expect(delivery).toMatchObject({ state: 'delivered', attempt_count: 3, last_error: null })
      expect((await read(delivery.id)).attempts.map(({ status }: { status: number }) => status)).toEqual([503, 503, 200])
      expect((await subscription()).retry_started_at).toBeNull()
    })

    test('a receiver may ask for more time', async () => {
      const answer: ReceiverOptions['answer'] = (_, response) => response.writeHead(429, { 'retry-after': '20' }).end()
      const { happens, deliverDue, list } = await delivering({ answer })
      await happens()
      await deliverDue()
      expect(await list()).toMatchObject([{ next_attempt_at: '2026-11-23T08:00:20.000000Z' }])
    })
  })

  describe('a subscription that nothing reaches', () => {
    test('is disabled after a day, says why, keeps what happens, and gets it once it is enabled again', async () => {
      let isBroken = true
      const { receiver, happens, deliverDue, list, clock, subscription, bearer, uuid, notices } = await delivering({
        answer: (_, response) => response.writeHead(isBroken ? 500 : 204).end(),
      })
      await happens()
      for (let tries = 0; tries < 11; tries += 1) {
        await deliverDue()
        const [{ next_attempt_at }] = await list()
        if (next_attempt_at === null) break
        clock.set(next_attempt_at)
      }
      expect(receiver.received.length).toBe(11)
      expect(await list()).toMatchObject([{ state: 'failed', attempt_count: 11, last_error: 'The receiver answered 500.' }])
      const reason = 'Nothing has arrived for a day; the last attempt: The receiver answered 500.'
      expect(await subscription()).toMatchObject({ state: 'disabled', disabled_reason: reason })
      expect(notices.filter(({ event }) => event === 'subscription_disabled')).toEqual([
        { event: 'subscription_disabled', subscription: uuid, address: new URL(receiver.url).origin, reason },
      ])

      await happens()
      await deliverDue()
      expect(receiver.received.length, 'nothing is sent to it').toBe(11)
      const refused = await bearer('POST', `/webhook_subscriptions/${uuid}/ping`)
      expect([refused.status, refused.body.message]).toEqual([409, `The subscription is disabled: ${reason} Enable it first.`])

      isBroken = false
      const enabled = await bearer('PATCH', `/webhook_subscriptions/${uuid}`, { state: 'active' })
      expect(enabled.body.resource).toMatchObject({ state: 'active', disabled_reason: null, retry_started_at: null })
      await deliverDue()
      expect(receiver.received.length, 'what happened meanwhile').toBe(12)
      const again = await bearer('POST', `/webhook_subscriptions/${uuid}/redeliver`, {})
      expect(again.body.resource).toEqual({ redelivered: 1 })
      await deliverDue()
      expect((await list()).map(({ state, attempt_count }: { state: string; attempt_count: number }) => [state, attempt_count])).toEqual([
        ['delivered', 12],
        ['delivered', 1],
      ])
    })

    test('is not disabled while something arrives in between', async () => {
      const { happens, deliverDue, list, clock, subscription } = await delivering({
        answer: ({ headers }, response) => response.writeHead(headers['webhook-id'] === first ? 500 : 200).end(),
      })
      let first: string | undefined
      await happens()
      first = (await list())[0].event_id
      for (let tries = 0; tries < 11; tries += 1) {
        await deliverDue()
        const [{ next_attempt_at }] = await list()
        if (next_attempt_at === null) break
        await happens()
        clock.set(next_attempt_at)
      }
      expect((await list())[0].state).toBe('failed')
      expect((await subscription()).state).toBe('active')
    })

    test('gets what waited for its next attempt as soon as it is enabled, by a schedule of its own', async () => {
      let status = 500
      const { happens, deliverDue, list, bearer, uuid, clock } = await delivering({
        answer: (_, response) => response.writeHead(status).end(),
      })
      await happens()
      for (let tries = 0; tries < 6; tries += 1) {
        await deliverDue()
        clock.set((await list())[0].next_attempt_at)
      }
      await deliverDue()
      status = 410
      await happens()
      await deliverDue()
      status = 503
      await bearer('PATCH', `/webhook_subscriptions/${uuid}`, { state: 'active' })
      await deliverDue()
      const again = new Date(clock.now() + 5000).toISOString().replace('Z', '000Z')
      expect(await list()).toMatchObject([
        { state: 'pending', attempt_count: 8, next_attempt_at: again },
        { state: 'failed', last_status: 410 },
      ])
    })

    test('is disabled at once by 410', async () => {
      const { happens, deliverDue, list, subscription } = await delivering({ answer: (_, response) => response.writeHead(410).end() })
      await happens()
      await deliverDue()
      expect(await list()).toMatchObject([{ state: 'failed', last_status: 410, next_attempt_at: null }])
      expect(await subscription()).toMatchObject({
        state: 'disabled',
        disabled_reason: 'The receiver answered 410 Gone at 2026-11-23T08:00:00.000000Z.',
      })
    })
  })

  describe('what is asked for', () => {
    test('a ping is sent once, and does no harm to what it pings', async () => {
      const { receiver, deliverDue, bearer, uuid, list, subscription } = await delivering({
        answer: (_, response) => response.writeHead(410).end('go away'),
      })
      const { status, body, headers } = await bearer('POST', `/webhook_subscriptions/${uuid}/ping`)
      expect([status, body.resource.event, body.resource.state, headers.location]).toEqual([
        201,
        'ping',
        'pending',
        body.resource.id && headers.location,
      ])
      await deliverDue()
      expect(receiver.payloads()).toEqual([
        {
          event: 'ping',
          created_at: '2026-11-23T08:00:00.000000Z',
          created_by: expect.stringContaining('/users/'),
          payload: { uri: expect.stringContaining(uuid) },
        },
      ])
      expect(await list()).toMatchObject([{ event: 'ping', state: 'failed', next_attempt_at: null }])
      expect(await subscription()).toMatchObject({ state: 'active', retry_started_at: null })
    })

    test('one that arrived is sent once more, under its id and the next number', async () => {
      const { receiver, happens, deliverDue, bearer, uuid, list } = await delivering()
      await happens()
      await deliverDue()
      const [{ id }] = await list()
      const again = await bearer('POST', `/webhook_subscriptions/${uuid}/deliveries/${id}/redeliver`)
      expect([again.status, again.body.resource.state]).toEqual([200, 'pending'])
      await deliverDue()
      const sent = receiver.received.map(({ headers }) => [headers['webhook-id'], headers['webhook-attempt']])
      expect(sent).toEqual([
        [sent[0]?.[0], '1'],
        [sent[0]?.[0], '2'],
      ])
    })

    test('all that has not arrived, given up or waiting, but no ping', async () => {
      let status = 500
      const { receiver, happens, deliverDue, bearer, uuid } = await delivering({
        answer: (_, response) => response.writeHead(status).end(),
      })
      await bearer('POST', `/webhook_subscriptions/${uuid}/ping`)
      await happens()
      await deliverDue()
      status = 200
      expect((await bearer('POST', `/webhook_subscriptions/${uuid}/redeliver`, {})).body.resource).toEqual({ redelivered: 1 })
      await deliverDue()
      expect(receiver.payloads().map(({ event }) => event)).toEqual(['ping', 'invitee.created', 'invitee.created'])
    })

    test('a range, of those that failed or of all', async () => {
      const { receiver, happens, deliverDue, bearer, uuid, clock } = await delivering()
      for (let times = 0; times < 3; times += 1) {
        await happens()
        await deliverDue()
        clock.advance(60)
      }
      const redeliver = async (body: object) => {
        const reply = await bearer('POST', `/webhook_subscriptions/${uuid}/redeliver`, body)
        return reply.body.resource?.redelivered ?? [reply.status, reply.body.details[0].parameter]
      }
      expect(await redeliver({})).toBe(0)
      expect(await redeliver({ failed: false })).toEqual([400, 'from'])
      expect(await redeliver({ from: '2026-11-23T10:00:00Z', to: '2026-11-23T09:00:00Z' })).toEqual([400, 'to'])
      expect(await redeliver({ failed: false, from: '2026-11-23T09:00:00Z', to: '2026-11-23T10:00:00Z' })).toBe(1)
      await deliverDue()
      expect(await redeliver({ failed: false, from: '2026-11-23T09:00:00Z' })).toBe(2)
      await deliverDue()
      expect(receiver.received.length).toBe(6)
    })
  })

  describe('one subscriber among others', () => {
    test('that is new and hangs has few requests under way, however many there are of its kind', async () => {
      const { worker, happens, receiver, ...world } = await delivering({ answer: () => undefined })
      // Each would have as many under way as it is let, for as long as a request may take: all places together, twice.
      for (let number = 0; number < 129; number += 1) await subscribe(world as never, `${receiver.url}/${number}`)
      for (let times = 0; times < 3; times += 1) await happens()
      worker.wake()
      await receiver.until(200)
      const good = await opened()
      await subscribe(world as never, good.url)
      await happens()
      worker.wake()
      await good.until(1)
      expect(worker.inFlight()).toBeLessThanOrEqual(256)
    })

    test('that hangs delays nobody else, and has few requests under way', async () => {
      let [hanging, most] = [0, 0]
      const { worker, happens, bearer, clock, ...world } = await delivering({
        answer: (_, __, incoming) => {
          hanging += 1
          most = Math.max(most, hanging)
          incoming.socket.once('close', () => {
            hanging -= 1
          })
        },
      })
      const good = await opened()
      await subscribe({ ...world, clock } as ServiceWorld, good.url)
      for (let times = 0; times < 20; times += 1) await happens()
      worker.wake()
      await good.until(20)
      expect([hanging, most]).toEqual([2, 2])
    })

    test('that takes what it gets is trusted with more at once', async () => {
      let [open, most] = [0, 0]
      const { deliverDue, happens } = await delivering({
        answer: (_, response) => {
          open += 1
          most = Math.max(most, open)
          setTimeout(() => {
            open -= 1
            response.writeHead(200).end()
          }, 20)
        },
      })
      for (let times = 0; times < 30; times += 1) await happens()
      await deliverDue()
      expect(most).toBeGreaterThan(2)
      expect(most).toBeLessThanOrEqual(16)
    })

    test('that has a long backlog takes no more than its share', async () => {
      const { deliverDue, happens, receiver, ...world } = await delivering()
      for (let times = 0; times < 60; times += 1) await happens()
      const late = await opened()
      await subscribe(world as never, late.url)
      await happens()
      await deliverDue()
      expect([receiver.received.length, late.received.length]).toEqual([61, 1])
    })
  })

  test('a database that was gone for a while is found again', async () => {
    const { happens, deliverDue, receiver, rows, faults } = await delivering()
    await happens()
    if (engine.name === 'PostgreSQL') {
      await rows(sql`select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`)
    }
    // Each look may still find a connection that is gone, and says so.
    while (receiver.received.length === 0) await deliverDue()
    await deliverDue()
    faults.length = 0
    expect(receiver.received.length).toBe(1)
  })

  describe('several workers', () => {
    test('send each delivery once', async () => {
      const { receiver, happens, worker, ...world } = await delivering()
      const others = [await worked(world as never), await worked(world as never)]
      for (let times = 0; times < 30; times += 1) await happens()
      for (const one of [worker, ...others.map((other) => other.worker)]) one.wake()
      await Promise.all([worker, ...others.map((other) => other.worker)].map((one) => one.idle()))
      const ids = receiver.received.map(({ headers }) => headers['webhook-id'])
      expect([ids.length, new Set(ids).size]).toEqual([30, 30])
    })

    test('one takes over what another one died with, when its lease has run out', async () => {
      const { receiver, happens, deliverDue, service, clock, list } = await delivering()
      await happens()
      const died = { now: clock.instant(), until: '2026-11-23T08:00:30.000000Z', claim: 'died' }
      const [{ id } = { id: 0 }] = await service.store.deliveries.waiting(clock.instant())
      expect(await service.store.transaction((tx) => tx.deliveries.claim([{ id, limit: 10 }], died))).toMatchObject([
        { attempt_count: 1, tries: 1 },
      ])
      await deliverDue()
      expect(receiver.received).toEqual([])
      clock.advance(0.5)
      await deliverDue()
      expect(receiver.received.map(({ headers }) => headers['webhook-attempt'])).toEqual(['2'])
      // Whoever was believed dead and is not has nothing to say any more.
      const late = { id: (await list())[0].id, tries: 1, state: 'pending' as const, due_at: clock.instant() }
      const attempt = { number: 1, started_at: clock.instant(), milliseconds: 1, status: 500, error: 'late', reply: null }
      expect(await service.store.transaction((tx) => tx.deliveries.settle([{ ...late, attempt }], 'died', clock.instant()))).toEqual([])
      expect(await list()).toMatchObject([{ state: 'delivered' }])
    })

    test('one that took over and gives back leaves the attempts of the one that died', async () => {
      const { happens, service, clock, list } = await delivering()
      await happens()
      const [{ id } = { id: 0 }] = await service.store.deliveries.waiting(clock.instant())
      const claim = (now: string, until: string, who: string) =>
        service.store.transaction((tx) => tx.deliveries.claim([{ id, limit: 1 }], { now, until, claim: who }))
      await claim(clock.instant(), '2026-11-23T08:00:30.000000Z', 'died')
      await claim('2026-11-23T08:00:30.000000Z', '2026-11-23T08:01:00.000000Z', 'stops')
      expect(await list()).toMatchObject([{ attempt_count: 2 }])
      await service.store.transaction((tx) => tx.deliveries.release('stops'))
      expect(await list()).toMatchObject([{ attempt_count: 1, next_attempt_at: clock.instant() }])
      const again = await claim(clock.instant(), '2026-11-23T08:00:30.000000Z', 'next')
      expect(again).toMatchObject([{ attempt_count: 2, tries: 2 }])
    })

    test('one that stops gives back what it has not sent, as if it had never claimed it', async () => {
      const { receiver, happens, worker, list, ...world } = await delivering({ answer: () => undefined })
      await happens()
      worker.wake()
      await receiver.until(1)
      await worker.stop(0)
      expect(await list()).toMatchObject([{ state: 'pending', attempt_count: 0, next_attempt_at: world.clock.instant() }])
    })
  })

  test('a subscription remembers whether it was made where private addresses are welcome, until it has another address', async () => {
    const { rows, bearer, uuid, ...world } = await delivering()
    const marks = async () =>
      (await rows<{ is_private: number }>(sql`select is_private from webhook_subscriptions`)).map((row) => row.is_private)
    expect(await marks()).toEqual([1])
    await bearer('PATCH', `/webhook_subscriptions/${uuid}`, { events: ['invitee.created'] })
    expect(await marks()).toEqual([1])
    world.service.world.allowsPrivate = false
    await bearer('PATCH', `/webhook_subscriptions/${uuid}`, { url: 'https://hooks.example.com/' })
    expect(await marks()).toEqual([0])
  })

  test('an event goes to every subscription, however many there are', async () => {
    const world = await createWorld({ allowPrivateWebhooks: true })
    const receiver = await opened()
    for (let number = 1; number <= 120; number += 1) await subscribe(world, `${receiver.url}/${number}`)
    const { deliverDue } = await worked(world)
    await (await somethingHappens(world))()
    await deliverDue()
    expect(receiver.received.length).toBe(120)
    expect(new Set(receiver.received.map(({ url }) => url)).size).toBe(120)
  })

  test('a subscription that is busy can be removed at once', async () => {
    const { happens, worker, bearer, uuid, rows, receiver } = await delivering({
      answer: (_, response) => void setTimeout(() => response.writeHead(200).end(), 5),
    })
    for (let times = 0; times < 60; times += 1) await happens()
    worker.wake()
    await receiver.until(5)
    expect((await bearer('DELETE', `/webhook_subscriptions/${uuid}`)).status).toBe(204)
    await worker.idle()
    expect(await rows(sql`select id from deliveries`)).toEqual([])
  })

  test('a subscription that is removed takes its deliveries with it, sent or not', async () => {
    const { receiver, happens, deliverDue, bearer, uuid, rows } = await delivering()
    await happens()
    await deliverDue()
    await happens()
    expect((await bearer('DELETE', `/webhook_subscriptions/${uuid}`)).status).toBe(204)
    await deliverDue()
    expect(receiver.received.length).toBe(1)
    expect([...(await rows(sql`select id from deliveries`)), ...(await rows(sql`select number from delivery_attempts`))]).toEqual([])
  })

  test('what was settled long ago is swept away: what arrived after 30 days, what failed after 90', async () => {
    const { happens, deliverDue, clock, service, rows, bearer, uuid } = await delivering({ answer: refuseFirst(1, 410) })
    await happens()
    await deliverDue()
    await bearer('PATCH', `/webhook_subscriptions/${uuid}`, { state: 'active' })
    await happens()
    await deliverDue()
    const states = async () => (await rows<{ state: string }>(sql`select state from deliveries order by id`)).map(({ state }) => state)
    const sweep = async () => {
      const [now, day] = [clock.now(), 86_400_000]
      const before = { delivered: stamp(now - 30 * day), failed: stamp(now - 90 * day) }
      while (await service.store.transaction((tx) => tx.deliveries.sweep(before, stamp(now), 1)));
    }
    await sweep()
    expect(await states()).toEqual(['failed', 'delivered'])
    clock.advance(30 * 24 * 60 + 1)
    await sweep()
    expect(await states()).toEqual(['failed'])
    clock.advance(60 * 24 * 60)
    await sweep()
    expect(await states()).toEqual([])
    expect(await rows(sql`select id from webhook_events`)).toEqual([])
  })

  test('a worker that has stopped is idle, whoever wakes it', async () => {
    const { worker } = await delivering()
    await worker.stop(0)
    worker.wake()
    await worker.idle()
  })

  test('nobody but who may see the subscription sees its deliveries', async () => {
    const { hasUser, hasStranger, uuid, happens, callBare, owner } = await delivering()
    await happens()
    const paths = ['/deliveries', '/deliveries/1', '/ping', '/redeliver', '/deliveries/1/redeliver', '/rotate_signing_key']
    const method = (path: string) => (path === '/deliveries' || path === '/deliveries/1' ? 'GET' : 'POST')
    for (const [caller, expected] of [
      [await hasUser('member'), 403],
      [await hasStranger(), 404],
    ] as const) {
      const call = bearerOf({ callBare, owner }, caller)
      for (const path of paths) {
        const body = path === '/redeliver' || path === '/rotate_signing_key' ? {} : undefined
        expect([path, (await call(method(path), `/webhook_subscriptions/${uuid}${path}`, body)).status]).toEqual([path, expected])
      }
    }
  })
})

const stamp = (time: number) => new Date(time).toISOString().replace('Z', '000Z')

/** Makes an event each time it is called: an appointment of somebody. */
async function somethingHappens({ call, hasStaff, hasService }: ServiceWorld): Promise<() => Promise<void>> {
  const service_id = (await hasService()).id
  const staff_member_ids = [(await hasStaff()).id]
  const day = { duration: 15, booking_window: 365 }
  const type = (await call('POST', '/api/v3/appointment_types', { name: 'Visit', service_id, staff_member_ids, ...day })).body.resource
  let times = 0
  return async () => {
    const start = Date.parse('2026-11-24T09:00:00Z') + Math.floor(times / 30) * 86_400_000 + (times % 30) * 15 * 60_000
    times += 1
    const body = { appointment_type_id: type.id, start_time: new Date(start).toISOString(), customer: { name: 'Ada' }, force: true }
    const { status, body: said } = await call('POST', '/api/v3/appointments', { ...body, staff_member_id: staff_member_ids[0] })
    expect(status, JSON.stringify(said)).toBe(201)
  }
}

/** What the log of a subscription says. */
function about(bearer: Call, { uuid, signing_key }: Subscribed) {
  const path = `/webhook_subscriptions/${uuid}`
  return {
    uuid,
    signing_key,
    subscription: async () => (await bearer('GET', path)).body.resource,
    list: async () => (await bearer('GET', `${path}/deliveries?count=100`)).body.collection,
    read: async (id: number) => (await bearer('GET', `${path}/deliveries/${id}`)).body.resource,
  }
}

function refuseFirst(times: number, status = 503): NonNullable<ReceiverOptions['answer']> {
  let refused = 0
  return (_, response) => {
    refused += 1
    response.writeHead(refused <= times ? status : 200).end()
  }
}

/** A byte now and then, for ever. */
function drip(response: import('node:http').ServerResponse): void {
  const timer = setInterval(() => {
    if (response.destroyed) clearInterval(timer)
    else response.write('.')
  }, 20)
}
