import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { answering, type Business, createHomes, type Home, type Serving } from '../support/binary.ts'

const homes = createHomes()
const hasMounts = spawnSync('unshare', ['-rm', 'mount', '-t', 'tmpfs', 'none', '/mnt']).status === 0
const [FIRST, SECOND] = ['https://example.com/first', 'https://example.com/second']

const write = ({ directory }: Home, ...urls: string[]) => {
  const subscriptions = urls.map((url) => ({ url, events: ['invitee.created'], scope: 'organization' }))
  writeFileSync(join(directory, 'hooks.json'), JSON.stringify({ subscriptions }))
}
const APPLY = ['webhooks', 'apply', '-f', 'hooks.json']
const keysIn = ({ directory }: Home) =>
  readFileSync(join(directory, 'keys.jsonl'), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))

describe('a create whose answer never comes', () => {
  let business: Business
  let serving: Serving
  beforeAll(async () => {
    business = await homes.business()
    serving = await business.serve(['--quiet'])
  })

  /** A way to the service on which what is created is made, and its answer lost; the keys that were sent, and a promise of the first. */
  async function losing() {
    const sent: string[] = []
    let tell = () => {}
    const arrived = new Promise<void>((resolve) => {
      tell = resolve
    })
    const way = await answering(async (request, response) => {
      const chunks: Buffer[] = []
      for await (const chunk of request) chunks.push(chunk as Buffer)
      const { method = 'GET', url = '/', headers } = request
      const isCreate = method === 'POST'
      const body = Buffer.concat(chunks).toString()
      const known = ['authorization', 'content-type', 'idempotency-key'].flatMap((name) =>
        headers[name] ? [[name, String(headers[name])]] : [],
      )
      const reply = await fetch(new URL(url, serving.url), { method, headers: Object.fromEntries(known), body: isCreate ? body : null })
      const text = await reply.text()
      if (!isCreate) return void response.writeHead(reply.status, { 'content-type': 'application/json' }).end(text)
      expect(reply.status).toBe(201)
      sent.push(JSON.parse(body).signing_key)
      tell()
    })
    onTestFinished(way.close)
    return { home: business.remote(way.url), sent, arrived }
  }
  const cleared = async () => {
    const home = business.remote(serving.url)
    for (const { uri } of (await home.json(['webhooks', 'list'])).collection)
      await home.run(['webhooks', 'delete', uri.split('/').at(-1), '--yes'])
  }

  test.each<[NodeJS.Signals, number | string]>([
    ['SIGINT', 130],
    ['SIGTERM', 143],
    ['SIGKILL', 'SIGKILL'],
  ])('for %s leaves its key in --keys-file', async (signal, exit) => {
    const { home, sent, arrived } = await losing()
    onTestFinished(cleared)
    write(home, FIRST, SECOND)
    const { child, ended } = home.start([...APPLY, '--keys-file', 'keys.jsonl'])
    await arrived
    child.kill(signal)
    const { exit: found, stdout, stderr } = await ended
    expect(found).toBe(exit)
    const [first, second] = keysIn(home)
    expect(first).toEqual({ url: FIRST, scope: 'organization', uri: null, signing_key: sent[0], state: 'planned' })
    expect(second).toMatchObject({ url: SECOND, state: 'planned' })
    expect(stdout + stderr).not.toContain('whsec_')
    if (signal === 'SIGKILL') return
    expect(JSON.parse(stdout).collection.map(({ status }: { status: string }) => status)).toEqual(['unknown', 'not_tried'])
    expect(stderr).toContain('bookctl webhooks list')
    expect(stderr).toContain('bookctl webhooks rotate-key UUID')
    expect(stderr).not.toContain('the rest was left as it was')
    expect(keysIn(home).slice(2)).toEqual([{ ...second, state: 'not_made' }])
  })

  test('because time is up is unknown, and its key is told', async () => {
    const { home, sent } = await losing()
    onTestFinished(cleared)
    write(home, FIRST)
    const ended = await home.run([...APPLY, '--timeout', '3'])
    expect(ended.exit).toBe(10)
    expect(JSON.parse(ended.stdout).collection).toEqual([expect.objectContaining({ status: 'unknown', signing_key: sent.at(-1) })])
    expect(ended.stderr).toContain('may have been made')
  })
})

test.skipIf(!hasMounts)('a keys file on a full disk ends it with 9 before anything is made, and no key is told', async () => {
  const home = await homes.business()
  write(home, FIRST, SECOND)
  const ended = await home.shell(`declare -f bookctl > tool.sh; mkdir disk; unshare -rm bash -c '. ./tool.sh
    mount -t tmpfs -o size=64k none disk; touch disk/keys; cat /dev/zero > disk/fill 2> /dev/null
    bookctl ${APPLY.join(' ')} --keys-file disk/keys'`)
  expect(ended).toMatchObject({ exit: 9, stdout: '', stderr: expect.stringContaining('disk/keys cannot be written: no space is left') })
  expect(ended.stderr).not.toContain('whsec_')
  expect((await home.json(['webhooks', 'list'])).collection).toEqual([])
})
