import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Webhook } from 'standardwebhooks'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { verify } from '../../src/service/delivery/sign.ts'
import { type Business, createHomes, errorOf } from '../support/binary.ts'
import { openReceiver, type ReceiverOptions } from '../support/receiver.ts'

const KEY = `whsec_${Buffer.from('a key of thirty-two random bytes').toString('base64')}`
const homes = createHomes()
let business: Business
let key: string

beforeAll(async () => {
  business = await homes.business()
  key = file('key.txt', `${KEY}\n`)
})

const file = (name: string, text: string): string => {
  const path = join(business.directory, name)
  writeFileSync(path, text)
  return path
}

async function receiver(options?: ReceiverOptions) {
  const opened = await openReceiver(options)
  onTestFinished(opened.close)
  return opened
}

const send = (to: string, ...args: string[]) => ['webhooks', 'send', '--to', to, ...args]

test.each(['invitee.created', 'invitee.canceled', 'routing_form_submission.created', 'invitee_no_show.created', 'invitee_no_show.deleted'])(
  'a sample of %s arrives as the service would send it, and verifies',
  async (event) => {
    const { url, received } = await receiver()
    const sent = await business.json(send(url, '--event', event, '--signing-key-file', key))
    const [{ headers, body }] = received as [(typeof received)[0]]
    expect(sent).toEqual({
      to: url,
      event,
      webhook_id: headers['webhook-id'],
      status: 200,
      milliseconds: expect.any(Number),
      reply: 'thanks',
    })
    expect(headers).toMatchObject({
      'content-type': 'application/json',
      'user-agent': expect.stringMatching(/^bookctl\//),
      'webhook-attempt': '1',
    })
    expect(new Webhook(KEY).verify(body, headers)).toMatchObject({ event })
    expect(verify({ headers, body }, KEY, undefined).map(({ present, fault }) => present && fault)).toEqual([undefined, undefined])
    expect(body).toBe(JSON.stringify(JSON.parse(body)))
  },
)

test('a fresh key is shown, and what was sent verifies with it', async () => {
  const { url, received } = await receiver()
  const { exit, stdout, stderr } = await business.run(send(url, '--event', 'invitee.created'))
  expect(exit).toBe(0)
  const { signing_key } = JSON.parse(stdout)
  expect(signing_key).toMatch(/^whsec_/)
  expect(stderr).not.toContain(signing_key)
  const [{ headers, body }] = received as [(typeof received)[0]]
  expect(new Webhook(signing_key).verify(body, headers)).toMatchObject({ event: 'invitee.created' })
})

test('a body of one’s own is sent byte for byte, from a flag, a file or stdin, and needs no business', async () => {
  const { url, received } = await receiver()
  const nobody = homes.empty()
  const body = '{ "event": "invitee.created",\n "name": "Søren" }\n'
  expect((await nobody.run(send(url, '--body', body))).exit).toBe(0)
  expect((await nobody.run(send(url, '--body', `@${file('body.json', body)}`))).exit).toBe(0)
  expect((await nobody.run(send(url, '--body', '@-', '--webhook-id', 'evt-7'), { stdin: body })).exit).toBe(0)
  expect(received.map((one) => one.body)).toEqual([body, body, body])
  expect(received.at(-1)?.headers['webhook-id']).toBe('evt-7')
})

test.each([500, 404, 302, 410])('an answer of %i is exit 12, and shown', async (status) => {
  const { url, received } = await receiver({
    answer: (_, response) => void response.writeHead(status, { location: '/other' }).end('no, thank you'),
  })
  const { exit, stdout, stderr } = await business.run(send(url, '--event', 'invitee.created', '--signing-key-file', key))
  expect(exit).toBe(12)
  expect(JSON.parse(stdout)).toMatchObject({ status, reply: 'no, thank you' })
  expect(stderr).toContain(`The receiver answered ${status}`)
  expect(received).toHaveLength(1)
})

test('of a long reply the first two kilobytes are shown', async () => {
  const { url } = await receiver({ answer: (_, response) => void response.end('x'.repeat(100_000)) })
  expect((await business.json(send(url, '--body', '{}'))).reply).toBe('x'.repeat(2048))
})

test('a receiver that cannot be reached is exit 8', async () => {
  const { url, close } = await openReceiver()
  await close()
  const ended = await business.run(send(url, '--event', 'invitee.created', '--signing-key-file', key))
  expect(ended).toMatchObject({ exit: 8, stdout: '' })
  expect(errorOf(ended)).toMatchObject({ code: 'unreachable', message: expect.stringContaining('Nothing listens there (ECONNREFUSED)') })
})

test('a recording is sent again in its order, signed afresh, or only one kind of it', async () => {
  const { url, received } = await receiver()
  const line = (event: string, n: number) =>
    JSON.stringify({ received_at: '2026-01-01T00:00:00Z', headers: { 'webhook-id': `old-${n}` }, body: JSON.stringify({ event, n }) })
  const path = file(
    'events.ndjson',
    `${[line('invitee.created', 1), line('invitee.canceled', 2), line('invitee.created', 3)].join('\n')}\n`,
  )
  const { collection } = await business.json(send(url, '--from-recording', path, '--signing-key-file', key))
  expect(collection.map(({ event, status }: { event: string; status: number }) => [event, status])).toEqual([
    ['invitee.created', 200],
    ['invitee.canceled', 200],
    ['invitee.created', 200],
  ])
  for (const { body, headers } of received) expect(new Webhook(KEY).verify(body, headers)).toBeTruthy()
  expect(received.map(({ body }) => JSON.parse(body).n)).toEqual([1, 2, 3])
  expect(new Set(received.map(({ headers }) => headers['webhook-id'])).size).toBe(3)
  await business.json(send(url, '--from-recording', path, '--event', 'invitee.canceled'))
  expect(received.map(({ body }) => JSON.parse(body).n)).toEqual([1, 2, 3, 2])
})

test.each<[string, string[], string]>([
  ['no receiver', ['webhooks', 'send', '--event', 'invitee.created'], '--to'],
  ['nothing to send', send('http://127.0.0.1:9/'), '--event or --body or --from-recording'],
  ['http to another machine', send('http://192.0.2.1/hook', '--body', '{}'), '--insecure-http'],
  ['a password in the address', send('https://me:secret@example.com/', '--body', '{}'), 'must not carry'],
  ['an address that is none', send('localhost:3000', '--body', '{}'), '--to'],
  ['a kind of event that is none', send('http://127.0.0.1:9/', '--event', 'invitee.create'), 'Did you mean invitee.created?'],
  ['a file that is not there', send('http://127.0.0.1:9/', '--body', '@nothing.json'), 'cannot be read'],
  ['two things for stdin', send('http://127.0.0.1:9/', '--body', '@-', '--signing-key-file', '-'), 'Stdin can be read once'],
])('%s is exit 2', async (_, args, sentence) => {
  const ended = await business.run(args)
  expect(ended).toMatchObject({ exit: 2, stdout: '' })
  expect(errorOf(ended).message).toContain(sentence)
})
