import { scrypt } from 'node:crypto'
import { createSocket, type Socket } from 'node:dgram'
import type { LookupAddress, LookupAllOptions } from 'node:dns'
import type { AddressInfo } from 'node:net'
import { promisify } from 'node:util'
import { afterEach, expect, test } from 'vitest'
import { createLookup, type LookupOptions } from '../../../src/service/delivery/lookup.ts'

const sockets: Socket[] = []
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.close()
})

/** A name server on this machine; `answer` makes its reply to a question, or keeps silent. */
async function nameServer(answer: (question: Buffer) => Buffer | undefined): Promise<{ servers: string[]; asked: () => number }> {
  const socket = createSocket('udp4')
  sockets.push(socket)
  let asked = 0
  socket.on('message', (question, { port, address }) => {
    asked += 1
    const reply = answer(question)
    if (reply) socket.send(reply, port, address)
  })
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve))
  return { servers: [`127.0.0.1:${(socket.address() as AddressInfo).port}`], asked: () => asked }
}

/** A reply to a question: addresses of the kind that was asked for, or that there is no such name. */
function replyTo(question: Buffer, addresses: { four: number[][] } | 'unknown'): Buffer {
  const end = question.indexOf(0, 12) + 5
  const isFour = question.readUInt16BE(end - 4) === 1
  const found = addresses !== 'unknown' && isFour ? addresses.four : []
  const head = Buffer.from(question.subarray(0, end))
  head.writeUInt16BE(addresses === 'unknown' ? 0x8183 : 0x8180, 2)
  head.writeUInt16BE(found.length, 6)
  head.writeUInt16BE(0, 8)
  head.writeUInt16BE(0, 10)
  const records = found.map((bytes) => Buffer.from([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 60, 0, 4, ...bytes]))
  return Buffer.concat([head, ...records])
}

function lookUp(hostname: string, options: LookupOptions): Promise<LookupAddress[]> {
  const all: LookupAllOptions = { all: true }
  return new Promise((resolve, reject) => {
    createLookup(options).lookup(hostname, all, (error, found) => (error ? reject(error) : resolve(found as LookupAddress[])))
  })
}

test('a name has the addresses that a name server says', async () => {
  const { servers } = await nameServer((question) => replyTo(question, { four: [[192, 0, 2, 7]] }))
  expect(await lookUp('hooks.example.com', { asksSystem: false, servers })).toEqual([{ address: '192.0.2.7', family: 4 }])
})

test('a name that nobody knows has none, and the system is asked only where names may be private', async () => {
  const { servers } = await nameServer((question) => replyTo(question, 'unknown'))
  await expect(lookUp('nowhere.invalid', { asksSystem: false, servers })).rejects.toMatchObject({ code: 'ENOTFOUND' })
  await expect(lookUp('nowhere.invalid', { asksSystem: true, servers })).rejects.toMatchObject({ syscall: 'getaddrinfo' })
})

test('localhost is this machine, whatever a name server would say', async () => {
  const { servers, asked } = await nameServer((question) => replyTo(question, { four: [[192, 0, 2, 7]] }))
  const found = [
    ...(await lookUp('localhost', { asksSystem: false, servers })),
    ...(await lookUp('a.localhost', { asksSystem: false, servers })),
  ]
  expect(found.every(({ address }) => address === '127.0.0.1' || address === '::1')).toBe(true)
  expect(asked()).toBe(0)
})

test('name servers that keep silent hold up nothing else of the process', async () => {
  const { servers } = await nameServer(() => undefined)
  let ended = 0
  const silent = Array.from({ length: 16 }, () =>
    lookUp('hooks.example.com', { asksSystem: false, servers }).catch((error: NodeJS.ErrnoException) => {
      ended += 1
      return error.code
    }),
  )
  // It needs one of the threads that the system's way of looking up would hold.
  await promisify(scrypt)('password', 'salt', 32)
  expect(ended).toBe(0)
  expect(new Set(await Promise.all(silent))).toEqual(new Set(['ETIMEOUT']))
})
