import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { type Business, createHomes, type Ended, errorOf, type Home, until } from '../support/binary.ts'
import { openReceiver, type Receiver, type ReceiverOptions } from '../support/receiver.ts'

const homes = createHomes()
const NOBODY = '00000000-0000-4000-8000-000000000000'
const ENTER = '\r'

const receiver = async (answer?: ReceiverOptions['answer']): Promise<Receiver> => {
  const opened = await openReceiver(answer && { answer })
  onTestFinished(opened.close)
  return opened
}
/** Subscribes an address to appointments of everybody. */
const subscribe = async (home: Home, url: string): Promise<string> => {
  const made = await home.json([
    'webhooks',
    'subscribe',
    '--url',
    url,
    '--events',
    'invitee.created,invitee.canceled',
    '--scope',
    'organization',
  ])
  return made.uri.split('/').at(-1)
}
/** Cancels so many of the sample's events, and so tells of them. */
const cancel = async (home: Home, count: number): Promise<void> => {
  const listed = await home.run(['events', 'list', '--status', 'active', '--from', 'tomorrow', '--limit', `${count}`, '-o', 'ids'])
  const uuids = listed.stdout.trim().split('\n')
  expect(uuids).toHaveLength(count)
  for (const uuid of uuids) await home.json(['events', 'cancel', uuid, '--yes'])
}

/** The same business in this process, and behind a port. */
const ways: [string, (serve?: string[]) => Promise<Home>][] = [
  ['on the local profile', () => homes.business()],
  [
    'against serve',
    async () => {
      const business: Business = await homes.business()
      const { url, stop } = await business.serve(['--allow-private-webhooks', '--quiet'])
      onTestFinished(async () => void (await stop()))
      return business.remote(url)
    },
  ],
]

describe.each(ways)('%s', (_, open) => {
  test('ping says what came back, and exits 12 with the reason when it did not arrive', async () => {
    const home = await open()
    const listening = await receiver()
    const uuid = await subscribe(home, listening.url)
    const arrived = await home.run(['webhooks', 'ping', uuid])
    expect([arrived.exit, JSON.parse(arrived.stdout)]).toEqual([
      0,
      expect.objectContaining({ state: 'delivered', status: 200, reply: 'thanks' }),
    ])
    expect(arrived.stderr).toMatch(/^It arrived: 200 in \d+ ms\.\n$/)
    await listening.close()
    const dead = await home.run(['webhooks', 'ping', uuid])
    expect([dead.exit, JSON.parse(dead.stdout)]).toEqual([
      12,
      expect.objectContaining({ state: 'failed', status: null, error: 'Nothing listens there (ECONNREFUSED).' }),
    ])
    expect(dead.stderr).toBe('It did not arrive. Nothing listens there (ECONNREFUSED).\n')
  })

  test('what did not arrive is found, and sent once more', async () => {
    const home = await open()
    let status = 410
    const once: number[] = []
    const { url, received } = await receiver((_, response) => void response.writeHead(once.shift() ?? status).end())
    const uuid = await subscribe(home, url)
    await cancel(home, 1)
    const failed = ['webhooks', 'deliveries', uuid, '--state', 'failed', '-o', 'ids']
    await until(async () => (await home.run(failed)).stdout === '1\n')
    const found = await home.run(['webhooks', 'audit', '--severity', 'error'])
    expect([found.exit, JSON.parse(found.stdout).collection]).toEqual([
      12,
      [expect.objectContaining({ subscription: uuid, finding: 'disabled' })],
    ])
    expect(errorOf(await home.run(['webhooks', 'ping', uuid]))).toMatchObject({ code: 'conflict', exit_code: 5 })
    await cancel(home, 2)
    status = 200
    const enabled = await home.run(['webhooks', 'enable', uuid])
    expect(enabled.stderr).toContain('2 deliveries waited and go out now. 1 delivery failed for good;')
    const sent = await home.run(['webhooks', 'redeliver', uuid, '--failed', '--wait'])
    expect([sent.exit, JSON.parse(sent.stdout)]).toEqual([0, { redelivered: 1, arrived: 1, failed: 0, pending: 0 }])
    const all = await home.run(['webhooks', 'redeliver', uuid, '--from', 'yesterday', '--all-states', '--wait'])
    expect([all.exit, JSON.parse(all.stdout)]).toEqual([0, { redelivered: 3, arrived: 3, failed: 0, pending: 0 }])
    expect(new Set(received.map(({ headers }) => headers['webhook-id'])).size).toBe(3)
    expect((await home.run(['webhooks', 'audit', '--severity', 'error'])).exit).toBe(0)
    once.push(500)
    const second = await home.run(['webhooks', 'redeliver', uuid, '--delivery', '1', '--wait', '--timeout', '60'])
    expect([second.exit, JSON.parse(second.stdout)]).toEqual([0, expect.objectContaining({ state: 'delivered', attempt_count: 5 })])
    status = 500
    const again = await home.run(['webhooks', 'redeliver', uuid, '--delivery', '1', '--wait', '--timeout', '1'])
    expect([again.exit, JSON.parse(again.stdout)]).toEqual([12, expect.objectContaining({ state: 'pending', last_status: 500 })])
  })

  test('what is not there is 4, what is not said is 2, and both are JSON', async () => {
    const home = await open()
    const uuid = await subscribe(home, 'http://localhost:9/hooks')
    const lines: [string[], number][] = [
      [['ping', NOBODY], 4],
      [['deliveries', NOBODY], 4],
      [['deliveries', uuid, '--delivery', '1'], 4],
      [['redeliver', uuid, '--delivery', '1'], 4],
      [['redeliver', NOBODY, '--failed'], 4],
      [['rotate-key', NOBODY], 4],
      [['ping'], 2],
      [['redeliver', uuid], 2],
      [['redeliver', uuid, '--from', 'whenever'], 2],
      [['deliveries', uuid, '--state', 'lost'], 2],
      [['sample', '--event', 'invitee'], 2],
      [['apply'], 2],
      [['audit', '--severity', 'worst'], 2],
    ]
    for (const [args, exit] of lines) {
      const ended = await home.run(['webhooks', ...args])
      expect([args, ended.exit, ended.stdout, errorOf(ended).exit_code]).toEqual([args, exit, '', exit])
    }
  })

  test('apply makes what the file says, once; --check tells of a difference with 12', async () => {
    const home = await open()
    const file = join(home.directory, 'hooks.yaml')
    const write = (events: string, more = '') =>
      writeFileSync(file, `subscriptions:\n  - url: http://localhost:9/hooks\n    events: [${events}]\n    scope: organization\n${more}`)
    const apply = (...flags: string[]): Promise<Ended> => home.run(['webhooks', 'apply', '-f', 'hooks.yaml', ...flags])
    write('invitee.created')
    expect((await apply('--check')).exit).toBe(12)
    const made = await apply('-o', 'ndjson')
    expect([made.exit, JSON.parse(made.stdout)]).toEqual([
      0,
      expect.objectContaining({ action: 'create', status: 'done', signing_key: expect.stringMatching(/^whsec_/) }),
    ])
    const again = await apply()
    expect([again.exit, again.stderr]).toEqual([0, 'Nothing to change: everything is as the file says.\n'])
    expect((await apply('--check')).exit).toBe(0)
    write('invitee.created, invitee.canceled')
    const drift = await apply('--check', '-o', 'csv', '--fields', 'action,added')
    expect([drift.exit, drift.stdout]).toEqual([12, 'action,added\nupdate,"[""invitee.canceled""]"\n'])
    write('invitee.created', '    colour: red\n')
    const wrong = await apply()
    expect([wrong.exit, errorOf(wrong).details]).toEqual([
      2,
      [{ parameter: 'hooks.yaml:5', message: 'There is no key "colour" here; the keys are url, events, scope, user.' }],
    ])
  })
})

test('apply: a replacement that the service refuses leaves the old subscription working', async () => {
  const business = await homes.business()
  const { url, stop } = await business.serve(['--quiet'])
  onTestFinished(async () => void (await stop()))
  const home = business.remote(url)
  const old = 'https://example.com/old'
  await subscribe(home, old)
  const wanted = { url: 'http://localhost:9/new', events: ['invitee.created'], scope: 'organization' }
  const ended = await home.run(['webhooks', 'apply', '-f', '-', '--prune', '--yes'], { stdin: JSON.stringify({ subscriptions: [wanted] }) })
  expect([ended.exit, errorOf(ended).code]).toEqual([2, 'invalid_argument'])
  const { collection } = await home.json(['webhooks', 'list'])
  expect(collection).toEqual([expect.objectContaining({ callback_url: old, state: 'active' })])
})

describe('on a terminal', () => {
  test('more than one delivery is asked about, and a bar shows how they arrive', async () => {
    const home = await homes.business()
    const { url, received } = await receiver()
    const uuid = await subscribe(home, url)
    await cancel(home, 2)
    const line = ['webhooks', 'redeliver', uuid, '--from', 'yesterday', '--all-states', '--wait']
    const question = 'This will send 2 deliveries once more.'
    const declined = await home.onTerminal(line, { steps: [{ see: question, type: `n${ENTER}` }] })
    expect([declined.exit, received.length]).toEqual([1, 2])
    const stopped = await home.onTerminal(line, { steps: [{ see: question, type: '\x03' }] })
    expect([stopped.exit, received.length]).toEqual([130, 2])
    const agreed = await home.onTerminal(line, { steps: [{ see: question, type: `y${ENTER}` }] })
    expect([agreed.exit, received.length]).toEqual([0, 4])
    expect(agreed.text).toContain('2 of 2 settled')
    // The cursor that the bar hid is there again.
    expect(agreed.raw.lastIndexOf('\x1b[?25h')).toBeGreaterThan(agreed.raw.lastIndexOf('\x1b[?25l'))
    const unasked = await home.onTerminal([...line, '--yes', '--accessible'])
    expect([unasked.exit, unasked.text]).toEqual([0, expect.stringContaining('2 of 2 settled.')])
    expect(unasked.raw).not.toContain('\x1b[?25l')
  })
})

test('Ctrl-C while ping waits for the answer ends it with 130', async () => {
  const business = await homes.business()
  const { url, stop } = await business.serve(['--allow-private-webhooks', '--quiet'])
  onTestFinished(async () => void (await stop()))
  const home = business.remote(url)
  const silent = await receiver(() => undefined)
  const uuid = await subscribe(home, silent.url)
  const running = home.start(['webhooks', 'ping', uuid])
  await silent.until(1)
  running.child.kill('SIGINT')
  expect(await running.ended).toMatchObject({ exit: 130, stdout: '' })
})
