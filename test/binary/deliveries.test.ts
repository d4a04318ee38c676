import { afterEach, expect, test } from 'vitest'
import { createHomes, type Ended, type Home, until } from '../support/binary.ts'
import { openReceiver, type Receiver, type ReceiverOptions } from '../support/receiver.ts'

const homes = createHomes()
const receivers: Receiver[] = []
afterEach(async () => {
  for (const receiver of receivers.splice(0)) await receiver.close()
})

async function opened(options?: ReceiverOptions): Promise<Receiver> {
  const receiver = await openReceiver(options)
  receivers.push(receiver)
  return receiver
}

const subscribe = (home: Home, url: string) =>
  home.json(['webhooks', 'subscribe', '--url', url, '--events', 'invitee.created,invitee.canceled', '--scope', 'organization', '--json'])

/** The sample's "Nutrition check", which asks no questions. */
const TYPE = '5'

const uuidOf = ({ collection }: { collection: { uri: string }[] }): string => collection[0]?.uri.split('/').at(-1) as string

/** Books the first time there is; what is said of the appointment itself is left out. */
async function book(home: Home): Promise<Ended> {
  const { collection } = await home.json(['staff', 'available', '--type', TYPE, '--from', 'tomorrow', '--to', 'in 7 days'])
  const ended = await home.run(['appointments', 'create', '--type', TYPE, '--customer', '1', '--start', collection[0].start_time, '--json'])
  expect(ended.exit, ended.stderr).toBe(0)
  return { ...ended, stderr: ended.stderr.replace(/^(?:Start: |Booked ).*\n/gm, '') }
}

const pending = expect.stringMatching(
  /^1 webhook delivery is still pending, due again in \d+ s\. A command that changes something after that tries it, or "bookctl serve" does; .*\n$/,
)

test('a command on the local profile delivers what it did, and says nothing of it', async () => {
  const home = await homes.business()
  const receiver = await opened()
  await subscribe(home, receiver.url)
  const { exit, stdout, stderr } = await book(home)
  expect([exit, stderr]).toEqual([0, ''])
  expect(receiver.payloads()).toMatchObject([{ event: 'invitee.created', payload: { uri: JSON.parse(stdout).invitee } }])
})

test('what does not arrive in a few seconds is left for later, and told; the command has done its work', async () => {
  const home = await homes.business()
  const receiver = await opened({ answer: () => undefined })
  await subscribe(home, receiver.url)
  const { exit, stdout, stderr } = await book(home)
  expect([exit, stderr]).toEqual([0, pending])
  expect(JSON.parse(stdout).status).toBe('scheduled')
  const [delivery] = (await home.json(['webhooks', 'deliveries', uuidOf(await home.json(['webhooks', 'list'])), '--json'])).collection
  expect(delivery).toMatchObject({ state: 'pending', attempt_count: 1, last_error: 'No complete reply within 3 s.' })
})

test('what nobody took is sent by the next command, once it is due, and by serve', async () => {
  const home = await homes.business()
  const receiver = await opened()
  await subscribe(home, receiver.url)
  await receiver.close()
  const { stderr, stdout } = await book(home)
  expect(stderr).toEqual(pending)
  const again = await openReceiver({ port: Number(new URL(receiver.url).port) })
  receivers.push(again)
  await home.serve(['--quiet', '--allow-private-webhooks'])
  await again.until(1)
  expect(again.received[0]?.headers['webhook-attempt']).toBe('2')
  expect(again.payloads()[0].payload.uri).toBe(JSON.parse(stdout).invitee)
})

test('a command that only reads waits for nobody', async () => {
  const home = await homes.business()
  const receiver = await opened({ answer: () => undefined })
  await subscribe(home, receiver.url)
  await book(home)
  expect((await home.run(['customers', 'list', '--json'])).stderr).toBe('')
  expect(receiver.received.length).toBe(1)
})

test('serve tells its figures, and logs a subscription that is disabled, without a secret', async () => {
  const business = await homes.business()
  const receiver = await opened({ answer: (_, response) => response.writeHead(410).end() })
  const { signing_key } = await subscribe(business, receiver.url)
  const serving = await business.serve(['--allow-private-webhooks'])
  const figures = async () => {
    const reply = await fetch(`${serving.url}/metrics`)
    expect(reply.headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/)
    const lines = (await reply.text()).split('\n').filter((line) => line.startsWith('bookctl_'))
    return Object.fromEntries(lines.map((line) => line.split(/ (?=[^ ]+$)/) as [string, string]))
  }
  expect(await figures()).toMatchObject({
    'bookctl_delivery_attempts_total{outcome="delivered"}': '0',
    'bookctl_delivery_attempts_total{outcome="failed"}': '0',
    bookctl_deliveries_pending: '0',
    bookctl_delivery_oldest_undelivered_seconds: '0',
    bookctl_webhook_subscriptions_disabled: '0',
    bookctl_deliveries_in_flight: '0',
  })
  await book(business.remote(serving.url))
  await until(() => serving.log().includes('subscription_disabled'))
  await until(async () => (await figures()).bookctl_webhook_subscriptions_disabled === '1')
  expect(await figures()).toMatchObject({
    'bookctl_delivery_attempts_total{outcome="failed"}': '1',
    'bookctl_http_replies_total{method="POST",status="201"}': '1',
  })
  expect(serving.log()).not.toContain(signing_key)
  const { exit, stderr } = await serving.stop()
  expect(exit).toBe(143)
  expect(stderr).toContain('"event":"stopped"')
})

test('serve without --allow-private-webhooks sends nothing to this machine, whoever subscribed it before', async () => {
  const business = await homes.business()
  const receiver = await opened()
  const { uri } = await subscribe(business, receiver.url)
  const serving = await business.serve(['--quiet'])
  const remote = business.remote(serving.url)
  await book(remote)
  const path = `${new URL(uri).pathname}/deliveries`
  const listed = async () => (await remote.json(['api', 'GET', path])).collection
  await until(async () => (await listed())[0]?.attempt_count > 0)
  expect(await listed()).toMatchObject([{ state: 'pending', last_error: 'The address must begin with https://.' }])
  expect(receiver.received).toEqual([])
})
