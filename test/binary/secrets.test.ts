import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { signedHeaders } from '../../src/service/delivery/sign.ts'
import { type Business, createHomes, type Ended, type Home } from '../support/binary.ts'
import { openReceiver } from '../support/receiver.ts'

const homes = createHomes()
const keyOf = (letter: string) => `whsec_${Buffer.from(letter.repeat(32)).toString('base64')}`
/** Each by itself, so that whoever tells one is found by it. */
const OWN = {
  subscribe: 'demo-own-key-of-subscribe',
  rotate: keyOf('r'),
  send: keyOf('s'),
  verify: keyOf('v'),
  listen: keyOf('l'),
  wrong: 'whsec_too-short',
}

/** A business behind a port, whose log is read too, and everything that its tool said. */
async function watched() {
  const business: Business = await homes.business()
  const serving = await business.serve(['--allow-private-webhooks'])
  onTestFinished(async () => void (await serving.stop()))
  const home = business.remote(serving.url)
  const receiver = await openReceiver()
  onTestFinished(receiver.close)
  const secrets = new Set<string>([...Object.values(OWN), business.api_key, business.access_token])
  const said: string[] = []
  const note = (ended: Ended): Ended => {
    said.push(ended.stderr)
    return ended
  }
  const run = async (args: string[], stdin = ''): Promise<Ended> =>
    note(await home.run(['webhooks', ...args, '--debug', '-o', 'json'], { stdin }))
  const keyFile = (name: keyof typeof OWN): string => {
    writeFileSync(join(home.directory, `${name}.key`), `${OWN[name]}\n`)
    return `${name}.key`
  }
  return { business, serving, home, receiver, secrets, said, note, run, keyFile }
}

/** Which secrets a text tells, whole or without what tells their kind. */
const toldBy = (text: string, secrets: Iterable<string>): string[] =>
  [...secrets].filter((secret) => text.includes(secret) || text.includes(secret.replace(/^(?:whsec|bk|pat)_/, '')))

const uuidOf = ({ uri }: { uri: string }): string => uri.split('/').at(-1) as string
const listening = (home: Home, args: string[]) => home.start(['webhooks', 'listen', ...args, '--debug', '-o', 'ndjson'])

test('no signing key and no credential is told but where it is meant to be: not by --debug, errors, logs, the audit log or the delivery log', async () => {
  const { business, serving, home, receiver, secrets, said, note, run, keyFile } = await watched()
  const about = ['--url', receiver.url, '--events', 'invitee.canceled', '--scope', 'organization']

  const made = await run(['subscribe', ...about, '--signing-key-stdin'], OWN.subscribe)
  expect([made.exit, JSON.parse(made.stdout).signing_key]).toEqual([0, OWN.subscribe])
  const uuid = uuidOf(JSON.parse(made.stdout))
  const fresh = await run(['subscribe', ...about.with(1, `${receiver.url}/fresh`)])
  secrets.add(JSON.parse(fresh.stdout).signing_key)
  for (const wrong of [
    await run(['subscribe', ...about.with(1, `${receiver.url}/wrong`), '--signing-key-stdin'], OWN.wrong),
    await run(['rotate-key', uuid, '--signing-key-stdin'], OWN.wrong),
  ])
    expect([wrong.exit, toldBy(wrong.stdout, secrets)]).toEqual([2, []])
  const again = await run(['subscribe', ...about, '--signing-key-stdin'], OWN.subscribe)
  expect([again.exit, toldBy(again.stdout, secrets)]).toEqual([5, []])
  for (const way of [['--dry-run'], ['--generate', 'curl']]) {
    const shown = await run(['subscribe', ...about, '--signing-key-stdin', ...way], OWN.subscribe)
    expect([way, shown.exit, toldBy(shown.stdout, secrets)]).toEqual([way, 0, []])
  }

  const rotated = await run(['rotate-key', uuid, '--signing-key-stdin'], OWN.rotate)
  expect([rotated.exit, JSON.parse(rotated.stdout).signing_key]).toEqual([0, OWN.rotate])
  const early = await run(['rotate-key', uuid, '--signing-key-stdin'], OWN.rotate)
  expect([early.exit, toldBy(early.stdout, secrets)]).toEqual([5, []])

  const file = {
    subscriptions: ['applied', 'too'].map((name) => ({
      url: `${receiver.url}/${name}`,
      events: ['invitee.canceled'],
      scope: 'organization',
    })),
  }
  writeFileSync(join(home.directory, 'hooks.json'), JSON.stringify(file))
  const applied = await run(['apply', '-f', 'hooks.json', '--keys-file', 'keys.jsonl'])
  const kept = readFileSync(join(home.directory, 'keys.jsonl'), 'utf8').trimEnd().split('\n')
  for (const line of kept) secrets.add(JSON.parse(line).signing_key)
  expect([applied.exit, kept.length, toldBy(applied.stdout, secrets)]).toEqual([0, 4, []])

  const sent = await run(['send', '--to', receiver.url, '--event', 'invitee.created', '--signing-key-file', keyFile('send')])
  expect([sent.exit, toldBy(sent.stdout, secrets)]).toEqual([0, []])
  const lost = await run(['send', '--to', 'http://127.0.0.1:9/', '--event', 'invitee.created', '--signing-key-file', keyFile('send')])
  expect([lost.exit, toldBy(lost.stdout, secrets)]).toEqual([8, []])

  const body = '{"event":"invitee.created"}'
  const headers = JSON.stringify(signedHeaders({ id: 'evt', timestamp: 1_767_225_600, body }, [OWN.verify]))
  writeFileSync(join(home.directory, 'headers.json'), headers)
  for (const [name, exit] of [
    ['verify', 0],
    ['send', 12],
  ] as const) {
    const verified = await run(['verify', '--signing-key-file', keyFile(name), '--headers-file', 'headers.json', '--ignore-age'], body)
    expect([verified.exit, toldBy(verified.stdout, secrets)], verified.stderr).toEqual([exit, []])
  }

  const running = listening(home, [
    '--forward',
    receiver.url,
    '--signing-key-file',
    keyFile('listen'),
    '--record',
    'events.ndjson',
    '--exit-after',
    '1',
  ])
  await running.says('Ready')
  const { stdout: ids } = await home.run(['events', 'list', '--status', 'active', '--from', 'tomorrow', '--limit', '1', '-o', 'ids'])
  await home.json(['events', 'cancel', ids.trim(), '--yes'])
  const heard = note(await running.ended)
  expect([heard.exit, toldBy(heard.stdout, secrets)], heard.stderr).toEqual([0, []])
  expect(toldBy(readFileSync(join(home.directory, 'events.ndjson'), 'utf8'), secrets)).toEqual([])

  // The owner's credentials are in each request, and each key was in one: what is masked was there to be told.
  expect(said.join('\n')).toMatch(/> authorization: Bearer pat_…/)
  expect(said.join('\n')).toMatch(/> .*"signing_key":"…"/)
  expect(said.join('\n')).toMatch(/< .*"signing_key":"…"/)
  expect(toldBy(said.join('\n'), secrets)).toEqual([])

  const pinged = await run(['ping', uuid])
  expect(pinged.exit, pinged.stderr).toBe(0)
  const listed = await home.json(['webhooks', 'deliveries', uuid, '--all'])
  expect(listed.collection.length).toBeGreaterThan(1)
  const read = await Promise.all(
    listed.collection.map(({ id }: { id: number }) => home.json(['webhooks', 'deliveries', uuid, '--delivery', `${id}`])),
  )
  expect(toldBy(JSON.stringify([listed, read, JSON.parse(pinged.stdout)]), secrets)).toEqual([])
  const audited = await home.json(['audit', 'list', '--all'])
  expect(audited.collection.map(({ action }: { action: string }) => action)).toEqual(
    expect.arrayContaining(['POST /webhook_subscriptions', 'POST /webhook_subscriptions/{webhook_uuid}/rotate_signing_key']),
  )
  expect(toldBy(JSON.stringify(audited), secrets)).toEqual([])
  const { stderr } = await serving.stop()
  expect(stderr + serving.log()).toContain('"event":"request"')
  expect(toldBy(stderr + serving.log(), secrets)).toEqual([])
  expect(secrets.size, 'each key that was given or made').toBe(Object.keys(OWN).length + 2 + 3)
  expect(business.access_token).toMatch(/^pat_/)
})
