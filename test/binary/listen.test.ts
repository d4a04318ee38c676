import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { Webhook } from 'standardwebhooks'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { eventKindNames } from '../../src/contract/webhooks.ts'
import { signedHeaders } from '../../src/service/delivery/sign.ts'
import { type Business, createHomes, type Home, type Running, type RunOptions, type Serving } from '../support/binary.ts'
import { openReceiver, type ReceiverOptions } from '../support/receiver.ts'

const homes = createHomes()
const KEY = `whsec_${Buffer.from('a key of thirty-two random bytes').toString('base64')}`

async function receiver(options?: ReceiverOptions) {
  const opened = await openReceiver(options)
  onTestFinished(opened.close)
  return opened
}

/** Starts to listen; whatever happens, it is gone behind the test. */
function start(home: Home, forward: string, args: string[] = [], options?: RunOptions): Running {
  const running = home.start(['webhooks', 'listen', '--forward', forward, '-o', 'ndjson', ...args], options)
  onTestFinished(() => void running.child.kill('SIGKILL'))
  return running
}

async function listening(home: Home, forward: string, args: string[] = []): Promise<Running> {
  const running = start(home, forward, args)
  await running.says('Ready')
  return running
}

async function interrupted({ child, ended }: Running, signal: NodeJS.Signals = 'SIGINT') {
  child.kill(signal)
  return ended
}

const subscriptions = async (home: Home) => (await home.json(['webhooks', 'list'])).collection
const onlyUrl = async (home: Home): Promise<string> => {
  const found = await subscriptions(home)
  expect(found).toHaveLength(1)
  return found[0].callback_url
}
const rowsOf = ({ stdout }: { stdout: string }) =>
  stdout
    .trim()
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line))
const stateOf = (home: Home) => join(home.directory, '.local', 'state', 'bookctl', 'listening')
const tracesOf = (home: Home) => (existsSync(stateOf(home)) ? readdirSync(stateOf(home)) : [])
const keyFile = (home: Home): string => {
  const path = join(home.directory, 'key.txt')
  writeFileSync(path, `${KEY}\n`)
  return path
}

/** Books the next free time, in a process of its own. */
async function book(home: Home): Promise<{ id: number }> {
  const { collection } = await home.json(['staff', 'available', '--type', '3', '--from', 'tomorrow', '--to', 'in 14 days', '--limit', '1'])
  return home.json(['appointments', 'create', '--type', '3', '--customer', '1', '--start', collection[0].start_time])
}

describe('on a local profile', () => {
  test('what another terminal books arrives as it was sent; Ctrl-C takes the subscription away', async () => {
    const home = await homes.business()
    const { url, received } = await receiver()
    const running = await listening(home, url, ['--signing-key-file', keyFile(home)])
    const [subscription] = await subscriptions(home)
    expect(subscription).toMatchObject({ scope: 'organization', events: eventKindNames, state: 'active' })
    expect(subscription.callback_url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/bookctl-listen\/[0-9a-f-]{36}$/)
    await book(home)
    // It is still running: the line does not wait for its end.
    await running.says('"invitee.created"')
    const [{ headers, body }] = received as [(typeof received)[0]]
    const payload = new Webhook(KEY).verify(body, headers) as { event: string; payload: { name: string; uri: string } }
    expect(headers).toMatchObject({
      'content-type': 'application/json',
      'webhook-attempt': '1',
      'user-agent': expect.stringMatching(/^bookctl\//),
    })
    expect(received).toHaveLength(1)

    const ended = await interrupted(running)
    expect(ended).toMatchObject({ exit: 130, stderr: expect.stringContaining('Removed the temporary subscription.') })
    expect(rowsOf(ended)).toEqual([
      {
        received_at: expect.any(String),
        event: 'invitee.created',
        webhook_id: headers['webhook-id'],
        attempt: 1,
        name: payload.payload.name,
        uri: payload.payload.uri,
        status: 200,
        milliseconds: expect.any(Number),
        error: null,
      },
    ])
    expect(await subscriptions(home)).toEqual([])
    expect(tracesOf(home)).toEqual([])
  })

  test('it keeps delivering: what the receiver did not take comes again, and --exit-after counts what it took', async () => {
    const home = await homes.business()
    let answers = 0
    const { url, received } = await receiver({ answer: (_, response) => void response.writeHead(answers++ === 0 ? 503 : 204).end() })
    const running = await listening(home, url, ['--exit-after', '1'])
    await book(home)
    const ended = await running.ended
    expect(ended.exit).toBe(0)
    expect(rowsOf(ended).map(({ status, attempt, error }) => [status, attempt, error])).toEqual([
      [503, 1, 'The receiver answered 503.'],
      [204, 2, null],
    ])
    expect(new Set(received.map(({ headers }) => headers['webhook-id'])).size).toBe(1)
    expect(await subscriptions(home)).toEqual([])
  })

  test('a line for a person says when, what, who and what became of it', async () => {
    const home = await homes.business()
    const { url } = await receiver()
    const running = await listening(home, url, ['--exit-after', '1', '-o', 'table'])
    await book(home)
    const { stdout } = await running.ended
    expect(stdout).toMatch(/^\d\d:\d\d:\d\d {2}invitee\.created +200 +\d+ ms {2}\S.*\n$/)
  })

  test('on a terminal it goes on until Ctrl-C is typed, and leaves nothing', async () => {
    const home = await homes.business()
    const { url } = await receiver()
    const drawn = await home.onTerminal(['webhooks', 'listen', '--forward', url], { steps: [{ see: 'Ctrl-C ends it', type: '\x03' }] })
    expect(drawn.exit).toBe(130)
    expect(drawn.text).toContain('Removed the temporary subscription.')
    expect(await subscriptions(home)).toEqual([])
  })

  test('a receiver that is not there is said, and the service is told to try again', async () => {
    const home = await homes.business()
    const { url, close } = await openReceiver()
    await close()
    const running = await listening(home, url)
    const [{ uri }] = await subscriptions(home)
    await book(home)
    await running.says('ECONNREFUSED')
    const uuid = uri.split('/').at(-1)
    const { collection } = await home.json(['api', 'GET', `/webhook_subscriptions/${uuid}/deliveries`, '-f', 'event=invitee.created'])
    expect(collection).toMatchObject([{ state: 'pending', last_status: 502 }])
    const [row] = rowsOf(await interrupted(running))
    expect(row).toMatchObject({ status: null, error: expect.stringContaining('Nothing listens there') })
  })
})

describe('with a service on a port', () => {
  let business: Business
  let serving: Serving
  beforeAll(async () => {
    business = await homes.business()
    serving = await business.serve(['--allow-private-webhooks'])
  })

  test('events arrive; SIGTERM takes the subscription away', async () => {
    const { url, until: arrived } = await receiver()
    const home = business.remote(serving.url)
    const running = await listening(home, url)
    await book(business)
    await arrived(1)
    await running.says('"invitee.created"')
    expect((await interrupted(running, 'SIGTERM')).exit).toBe(143)
    expect(await subscriptions(home)).toEqual([])
  })

  test('a member listens to their own events', async () => {
    const { url } = await receiver()
    const home = business.remote(serving.url, await business.hasUser('member'))
    const running = await listening(home, url)
    const [{ scope, events }] = await subscriptions(home)
    expect(scope).toBe('user')
    expect(events).toEqual(eventKindNames.filter((event) => event !== 'routing_form_submission.created'))
    await interrupted(running)
    expect(await subscriptions(home)).toEqual([])
  })

  test('a service that does not deliver to this machine says how it could: exit 2, and nothing is left', async () => {
    const own = await homes.business()
    const { url } = await own.serve()
    const home = own.remote(url)
    const { exit, stderr } = await start(home, 'http://127.0.0.1:9/').ended
    expect(exit).toBe(2)
    expect(stderr).toContain('--url https://YOUR-TUNNEL')
    expect(stderr).toContain('--allow-private-webhooks')
    expect(await subscriptions(home)).toEqual([])
    expect(tracesOf(home)).toEqual([])
  })

  test('a signal while the subscription is being made waits for the answer, and takes it away', async () => {
    const gate = await openGate(serving.url, ({ method, url }) => method === 'POST' && url === '/webhook_subscriptions')
    const home = business.remote(gate.url)
    const running = start(home, 'http://127.0.0.1:9/')
    await gate.held
    expect(await subscriptions(business.remote(serving.url)), 'it is made already').toHaveLength(1)
    running.child.kill('SIGINT')
    gate.open()
    expect((await running.ended).exit).toBe(130)
    expect(await subscriptions(home)).toEqual([])
  })

  test('a second signal ends it at once; the next run takes away what is left', async () => {
    const { url } = await receiver()
    const gate = await openGate(serving.url, ({ method }) => method === 'DELETE', { before: true })
    const home = business.remote(gate.url)
    const running = await listening(home, url)
    running.child.kill('SIGINT')
    await gate.held
    running.child.kill('SIGTERM')
    expect((await running.ended).exit).toBe('SIGTERM')
    expect(await subscriptions(home)).toHaveLength(1)
    gate.open()
    const next = await listening(home, url)
    expect(await subscriptions(home)).toHaveLength(1)
    expect((await interrupted(next)).stderr).toContain('that an earlier run left behind')
    expect(await subscriptions(home)).toEqual([])
    expect(tracesOf(home)).toEqual([])
  })
})

describe('what is left behind', () => {
  test.each<[string, boolean]>([
    ['is removed by the next run', false],
    ['is removed by the next run, although its trace is lost', true],
  ])('by kill -9 %s', async (_, isLost) => {
    const home = await homes.business()
    const { url } = await receiver()
    expect((await interrupted(await listening(home, url), 'SIGKILL')).exit).toBe('SIGKILL')
    const stale = await onlyUrl(home)
    expect(tracesOf(home)).toHaveLength(1)
    if (isLost) rmSync(stateOf(home), { recursive: true })
    const running = await listening(home, url)
    expect(await onlyUrl(home)).not.toBe(stale)
    const { stderr } = await interrupted(running)
    expect(stderr).toContain(`left behind (${stale})`)
    expect(await subscriptions(home)).toEqual([])
    expect(tracesOf(home)).toEqual([])
  })

  test('behind a tunnel that still answers is known by its trace', async () => {
    const home = await homes.business()
    const { url } = await receiver()
    const port = String(await freePort())
    const tunnel = await openGate(`http://127.0.0.1:${port}`, () => false)
    await interrupted(await listening(home, url, ['--port', port, '--url', tunnel.url]), 'SIGKILL')
    const stale = await onlyUrl(home)
    expect((await interrupted(await listening(home, url))).stderr).toContain(`left behind (${stale})`)
    expect(await subscriptions(home)).toEqual([])
  })

  test.each<[string, boolean]>([
    ['stays', false],
    ['stays, although its trace is lost', true],
  ])('that of a run that goes on %s; so does any other subscription', async (_, isLost) => {
    const home = await homes.business()
    const { url } = await receiver()
    // Nobody listens there, yet it is none of ours to remove; the last one looks like ours, and may be at work on another machine.
    const others = ['https://example.com/hook', 'http://127.0.0.1:9/hook', 'https://desk.example.com/bookctl-listen/1']
    for (const other of others) {
      await home.json(['webhooks', 'subscribe', '--url', other, '--events', 'invitee_no_show.deleted', '--scope', 'organization'])
    }
    const first = await listening(home, url)
    const urls = async () => (await subscriptions(home)).map(({ callback_url }: { callback_url: string }) => callback_url)
    const before = await urls()
    if (isLost) rmSync(stateOf(home), { recursive: true })
    const second = await listening(home, url)
    expect(await urls()).toHaveLength(5)
    expect(await urls()).toEqual(expect.arrayContaining(before))
    await interrupted(second)
    expect(await urls()).toEqual(before)
    expect((await interrupted(first)).stderr).toContain('https://desk.example.com/bookctl-listen/1 is of another run')
    expect(await urls()).toEqual(others)
  })
})

describe('what is forwarded', () => {
  const body = JSON.stringify({ event: 'invitee.created', payload: { name: 'Søren' } })
  const signed = (key: string, age = 0) => signedHeaders({ id: 'evt-1', timestamp: Math.floor(Date.now() / 1000) - age, body }, [key])

  test('is what verifies, and nothing else', async () => {
    const home = await homes.business()
    const { url, received } = await receiver({ answer: (_, response) => void response.writeHead(201).end('made') })
    const running = await listening(home, url, ['--signing-key-file', keyFile(home)])
    const address = await onlyUrl(home)
    const post = (headers: Record<string, string>, given = body, to = address) => fetch(to, { method: 'POST', headers, body: given })
    const statuses = [
      await post({}),
      await post(signed('another key')),
      await post(signed(KEY), `${body} `),
      await post(signed(KEY, 301)),
      await post({ ...signed(KEY), 'webhook-id': 'evt-2' }),
      await post(signed(KEY), body, `${new URL(address).origin}/hook`),
      await fetch(address),
    ].map(({ status }) => status)
    expect(statuses).toEqual([401, 401, 401, 401, 401, 404, 405])
    expect(received).toEqual([])
    const reply = await post({ ...signed(KEY), 'content-type': 'application/json', 'x-other': 'stays here', cookie: 'stays here' })
    expect([reply.status, await reply.text()]).toEqual([201, 'made'])
    expect(received).toHaveLength(1)
    expect(received[0]).toMatchObject({ body, headers: { ...signed(KEY), 'content-type': 'application/json' } })
    expect(Object.keys(received[0]?.headers ?? {})).not.toEqual(expect.arrayContaining(['x-other']))
    expect(received[0]?.headers).not.toHaveProperty('cookie')
    const ended = await interrupted(running)
    expect(ended.stderr.match(/Refused a request that does not verify/g)).toHaveLength(5)
    expect(rowsOf(ended)).toMatchObject([{ webhook_id: 'evt-1', name: 'Søren', status: 201 }])
  })

  test('a ping too, once it is ready; what proved the path stays here', async () => {
    const home = await homes.business()
    const { url, received, payloads } = await receiver()
    const running = await listening(home, url, ['--exit-after', '1'])
    const [{ uri }] = await subscriptions(home)
    expect(received).toEqual([])
    await home.json(['api', 'POST', `/webhook_subscriptions/${uri.split('/').at(-1)}/ping`])
    expect((await running.ended).exit).toBe(0)
    expect(payloads()).toMatchObject([{ event: 'ping' }])
  })

  test('is recorded, for verify and for send', async () => {
    const home = await homes.business()
    const { url, received } = await receiver()
    const [record, key] = [join(home.directory, 'events.ndjson'), join(home.directory, 'fresh-key.txt')]
    writeFileSync(record, '', { mode: 0o644 })
    const running = await listening(home, url, ['--record', record, '--signing-key-file', key, '--exit-after', '1'])
    await book(home)
    expect((await running.ended).exit).toBe(0)
    for (const path of [record, key]) expect(statSync(path).mode & 0o777).toBe(0o600)
    const [{ headers, body }] = received as [(typeof received)[0]]
    const line = JSON.parse(readFileSync(record, 'utf8'))
    expect(line).toMatchObject({ received_at: expect.any(String), body, headers: { 'webhook-id': headers['webhook-id'] } })

    const verified = await home.run(['webhooks', 'verify', '--signing-key-file', key, '--recording', record])
    expect(verified.exit).toBe(0)
    const again = await receiver()
    await home.json(['webhooks', 'send', '--to', again.url, '--from-recording', record, '--signing-key-file', key])
    const [repeated] = again.received as [(typeof received)[0]]
    expect(repeated.body).toBe(body)
    expect(new Webhook(readFileSync(key, 'utf8').trim()).verify(repeated.body, repeated.headers)).toMatchObject({
      event: 'invitee.created',
    })
    expect(repeated.headers['webhook-id']).not.toBe(headers['webhook-id'])
  })
})

describe('the way here', () => {
  const silent = async () => new URL((await receiver({ answer: () => undefined })).url).origin

  test('goes through a tunnel that --url names', async () => {
    const home = await homes.business()
    const { url, until: arrived } = await receiver()
    const port = await freePort()
    const tunnel = await openGate(`http://127.0.0.1:${port}`, () => false)
    const running = await listening(home, url, ['--port', String(port), '--url', `${tunnel.url}/`])
    expect(await onlyUrl(home)).toMatch(new RegExp(`^${tunnel.url}/bookctl-listen/`))
    await book(home)
    await arrived(1)
    await interrupted(running)
    expect(await subscriptions(home)).toEqual([])
  })

  test.each<[string, string, string, () => Promise<string>]>([
    [
      'where nothing listens',
      'Nothing listens there (ECONNREFUSED)',
      '--ready-timeout',
      async () => `http://127.0.0.1:${await freePort()}`,
    ],
    [
      'where somebody else answers',
      'Something else took it there, and answered 200',
      '--ready-timeout',
      async () => new URL((await receiver()).url).origin,
    ],
    [
      'where somebody else refuses',
      'The receiver answered 403. It said: not here',
      '--ready-timeout',
      async () => new URL((await receiver({ answer: (_, response) => void response.writeHead(403).end('not here') })).url).origin,
    ],
    ['where nobody answers in time', 'not yet', '--ready-timeout', silent],
    ['where nobody answers before the end', 'not yet', '--timeout', silent],
  ])('that leads to a place %s is exit 12 with the reason, and nothing is left', async (_, reason, timeout, address) => {
    const home = await homes.business()
    const running = start(home, 'http://127.0.0.1:9/', ['--port', '0', '--url', await address(), timeout, '5'])
    const { exit, stdout, stderr } = await running.ended
    expect({ exit, stdout }).toEqual({ exit: 12, stdout: '' })
    expect(stderr).toContain(reason)
    expect(stderr).not.toContain('Ready')
    expect(await subscriptions(home)).toEqual([])
  })

  test('is given up at Ctrl-C, and nothing is left', async () => {
    const home = await homes.business()
    const { url, until: reached } = await receiver({ answer: () => undefined })
    const running = start(home, 'http://127.0.0.1:9/', ['--port', '0', '--url', new URL(url).origin])
    await reached(1)
    expect(await interrupted(running)).toMatchObject({ exit: 130, stdout: '' })
    expect(await subscriptions(home)).toEqual([])
  })
})

describe('the end', () => {
  test('--timeout before --exit-after is exit 12, and exit 0 where nothing was waited for', async () => {
    const home = await homes.business()
    const { url } = await receiver()
    const [missed, over] = [start(home, url, ['--timeout', '8', '--exit-after', '1']), start(home, url, ['--timeout', '8'])]
    expect(await missed.ended).toMatchObject({ exit: 12, stderr: expect.stringContaining('the receiver took 0 of 1 events') })
    expect((await over.ended).exit).toBe(0)
    expect(await subscriptions(home)).toEqual([])
  })

  test('JSON is whole, however it ends', async () => {
    const home = await homes.business()
    const { url } = await receiver()
    const running = home.start(['webhooks', 'listen', '--forward', url, '--json'])
    onTestFinished(() => void running.child.kill('SIGKILL'))
    await running.says('Ready')
    await book(home)
    await running.says('invitee.created"')
    expect(JSON.parse((await interrupted(running)).stdout).collection).toMatchObject([{ event: 'invitee.created' }])
  })

  test('whoever stops reading ends it, and nothing is left', async () => {
    const home = await homes.business()
    const { url } = await receiver()
    const running = await listening(home, url)
    running.child.stdout?.destroy()
    await book(home)
    expect((await running.ended).exit).toBe(0)
    expect(await subscriptions(home)).toEqual([])
  })

  test.each<[string, string[], string]>([
    ['no receiver', [], '--forward'],
    ['http to another machine', ['--forward', 'http://192.0.2.1/'], '--insecure-http'],
    ['a tunnel without a port', ['--forward', 'http://127.0.0.1:9/', '--url', 'https://desk.example.com'], '--port'],
    [
      'a tunnel without encryption',
      ['--forward', 'http://127.0.0.1:9/', '--url', 'http://desk.example.com', '--port', '1'],
      '--url must begin',
    ],
    ['a port that is none', ['--forward', 'http://127.0.0.1:9/', '--port', '70000'], '--port must be'],
    ['no events to wait for', ['--forward', 'http://127.0.0.1:9/', '--exit-after', '0'], '--exit-after must be'],
    ['an event that is none', ['--forward', 'http://127.0.0.1:9/', '--events', 'invitee.made'], 'invitee.created'],
    ['a time-out that is none', ['--forward', 'http://127.0.0.1:9/', '--ready-timeout', 'soon'], 'number of seconds'],
    ['a field that is none', ['--forward', 'http://127.0.0.1:9/', '--fields', 'event,stauts'], 'There is no field'],
    ['a file that cannot be written', ['--forward', 'http://127.0.0.1:9/', '--record', '/nowhere/events'], '--record'],
  ])('%s is exit 2', async (_, args, sentence) => {
    const home = await homes.business()
    const { exit, stderr } = await home.run(['webhooks', 'listen', ...args])
    expect(exit).toBe(2)
    expect(stderr).toContain(sentence)
    expect(await subscriptions(home)).toEqual([])
  })
})

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}

/** A way to an address on which certain requests are held up: their answers, or with `before` the requests themselves. */
async function openGate(target: string, holds: (incoming: IncomingMessage) => boolean, { before = false } = {}) {
  let open = () => {}
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  let hold = () => {}
  const held = new Promise<void>((resolve) => {
    hold = resolve
  })
  const server = createServer(async (incoming, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of incoming) chunks.push(chunk as Buffer)
    const wait = async () => {
      if (!holds(incoming)) return
      hold()
      await opened
    }
    if (before) await wait()
    // Whoever asked is gone by now.
    if (incoming.socket.destroyed) return
    const { method, url, headers } = incoming
    const onward = request(new URL(url ?? '/', target), { method, headers: { ...headers, connection: 'close' } }, async (reply) => {
      if (!before) await wait()
      response.writeHead(reply.statusCode ?? 500, reply.headers)
      reply.pipe(response)
    })
    onward.on('error', () => response.writeHead(502).end())
    onward.end(Buffer.concat(chunks))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    open()
    server.closeAllConnections()
    server.close()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, held, open }
}
