import type { LookupAddress } from 'node:dns'
import { type AddressInfo, createServer, type LookupFunction, type Server } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openPost, openPostBySubscription } from '../../../src/service/delivery/post.ts'

/** Listens where nobody may be led, and counts who came anyway. */
let canary: Server
let port = 0
let visitors = 0

beforeAll(async () => {
  canary = createServer((socket) => {
    visitors += 1
    socket.destroy()
  })
  // Both families of this machine.
  await new Promise<void>((resolve) => canary.listen({ port: 0, host: '::', ipv6Only: false }, resolve))
  port = (canary.address() as AddressInfo).port
})
afterAll(() => new Promise((resolve) => canary.close(resolve)))

/** Names of a hostile name server: each time it is asked, the next of its answers. */
function lookupOf(answers: Record<string, string[][]>): LookupFunction {
  const asked: Record<string, number> = {}
  return (hostname, options, callback) => {
    const all = answers[hostname] ?? []
    const now = all[Math.min(asked[hostname] ?? 0, all.length - 1)] ?? []
    asked[hostname] = (asked[hostname] ?? 0) + 1
    const addresses: LookupAddress[] = now.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))
    expect(options.all, 'whoever judges wants to see all of them').toBe(true)
    callback(null, addresses)
  }
}

async function sent(url: string, { lookup, allowPrivate = false }: { lookup?: LookupFunction; allowPrivate?: boolean } = {}) {
  const timeouts = { connect: 300, whole: 600 }
  const post = await openPost({ allowPrivate, now: () => 0, timeouts, ...(lookup && { lookup }) })
  const outcome = await post.send({ url, headers: {}, body: '{}' })
  await post.close()
  return outcome
}

describe('an address that is written down', () => {
  const hosts = [
    '127.0.0.1',
    '127.1',
    '0x7f.1',
    '0x7f000001',
    '2130706433',
    '0177.0.0.1',
    '0.0.0.0',
    '0',
    '[::]',
    '[::1]',
    '[::ffff:127.0.0.1]',
    '[::ffff:7f00:1]',
    '[::127.0.0.1]',
    '[64:ff9b::7f00:1]',
    '[64:ff9b:1::7f00:1]',
    '[2002:7f00:1::]',
    '[2001::7f00:1]',
    '[fe80::1]',
    '[fc00::1]',
    '[ff02::1]',
    '10.0.0.1',
    '172.16.0.1',
    '192.168.0.1',
    '100.64.0.1',
    '169.254.169.254',
    '[fd00:ec2::254]',
    '192.0.2.1',
    '198.18.0.1',
    '224.0.0.1',
    '255.255.255.255',
    'localhost',
    'localhost.',
    'LOCALHOST',
    'a.localhost',
    '127.0.0.1.',
    '１２７.0.0.1',
  ]
  test.each(hosts)('https://%s is never dialled', async (host) => {
    const before = visitors
    expect(await sent(`https://${host}:${port}/`)).toMatchObject({ error: expect.stringMatching(/^The address /) })
    expect(visitors).toBe(before)
  })

  test('http is not spoken, whoever it leads to', async () => {
    expect(await sent(`http://hooks.example.com:${port}/`)).toEqual({ error: 'The address must begin with https://.' })
  })
})

describe('a name', () => {
  const leads = ['127.0.0.1', '::1', '::ffff:127.0.0.1', '169.254.169.254', '10.1.2.3', '64:ff9b::7f00:1', '2002:7f00:1::', '100.64.0.1']
  test.each(leads)('that leads to %s is never dialled', async (address) => {
    const lookup = lookupOf({ 'hooks.example.com': [[address]] })
    const before = visitors
    const error = 'hooks.example.com leads to an address that is not for everybody to reach; nothing was sent.'
    expect(await sent(`https://hooks.example.com:${port}/`, { lookup })).toEqual({ error })
    expect(visitors).toBe(before)
  })

  test('that leads to a public and a private address is dialled at the public one only', async () => {
    const lookup = lookupOf({ 'hooks.example.com': [['2001:4860:4860::8888', '127.0.0.1', '::1']] })
    const before = visitors
    expect((await sent(`https://hooks.example.com:${port}/`, { lookup })).error).toBeDefined()
    expect(visitors).toBe(before)
  })

  test('that is public when it is first asked for and private afterwards is judged each time', async () => {
    const lookup = lookupOf({ 'hooks.example.com': [['2001:4860:4860::8888'], ['127.0.0.1']] })
    const before = visitors
    const post = await openPost({ allowPrivate: false, now: () => 0, lookup, timeouts: { connect: 300, whole: 600 } })
    const posting = { url: `https://hooks.example.com:${port}/`, headers: {}, body: '{}' }
    await post.send(posting)
    expect((await post.send(posting)).error).toMatch(/leads to an address/)
    await post.close()
    expect(visitors).toBe(before)
  })

  test('that leads to this machine is dialled by a desk only for subscriptions that were made on one', async () => {
    const lookup = lookupOf({ 'hooks.example.com': [['127.0.0.1']] })
    const post = await openPostBySubscription({ now: () => 0, lookup, timeouts: { connect: 300, whole: 600 } })
    const posting = { url: `https://hooks.example.com:${port}/`, headers: {}, body: '{}' }
    const before = visitors
    expect((await post.send({ ...posting, isPrivate: false })).error).toMatch(/leads to an address/)
    expect((await post.send(posting)).error).toMatch(/leads to an address/)
    expect(visitors).toBe(before)
    await post.send({ ...posting, isPrivate: true })
    expect(visitors).toBe(before + 1)
    await post.close()
  })

  test('that leads to this machine is dialled where the service runs on a desk: the canary sings when it should', async () => {
    const lookup = lookupOf({ 'hooks.example.com': [['127.0.0.1']] })
    const before = visitors
    await sent(`https://hooks.example.com:${port}/`, { lookup, allowPrivate: true })
    expect(visitors).toBe(before + 1)
  })
})
