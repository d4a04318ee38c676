import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { signedHeaders } from '../../src/service/delivery/sign.ts'
import { sqlite } from '../support/databases.ts'
import { createServiceWorld, type ServiceWorld } from '../support/service.ts'
import { createTool, type Tool } from '../support/tool.ts'

const KEY = 'a signing key'
const body = '{"event":"invitee.created","payload":{"name":"Søren"}}'
const directory = mkdtempSync(join(tmpdir(), 'bookctl-verify-'))
let world: ServiceWorld
let tool: Tool
let headers: Record<string, string>

const file = (name: string, text: string): string => {
  const path = join(directory, name)
  writeFileSync(path, text)
  return path
}
const key = file('key.txt', `${KEY}\n`)
const payload = file('body.json', body)
const lines = (given: Record<string, string>) => Object.entries(given).flatMap(([name, value]) => ['--header', `${name}: ${value}`])

beforeAll(async () => {
  world = await createServiceWorld(sqlite)
  tool = createTool(world)
  headers = signedHeaders({ id: 'evt-1', timestamp: Math.floor(world.clock.now() / 1000), body }, [KEY])
})
afterAll(async () => {
  tool.close()
  await world.close()
  rmSync(directory, { recursive: true })
})

/** Runs it, and gives back its exit code and its rows. */
async function verified(args: string[], stdin?: string) {
  const { exit, stdout, stderr } = await tool.run(['webhooks', 'verify', '--signing-key-file', key, ...args], stdin)
  return { exit, stderr, rows: stdout ? JSON.parse(stdout).collection : [] }
}

test('a payload from a file or from stdin holds by both conventions', async () => {
  const sound = [
    { webhook_id: 'evt-1', convention: 'Standard Webhooks', present: true, holds: true, why: null },
    { webhook_id: 'evt-1', convention: 't=…,v1=…', present: true, holds: true, why: null },
  ]
  expect(await verified([payload, ...lines(headers)])).toEqual({ exit: 0, stderr: '', rows: sound })
  expect(await verified(lines(headers), body)).toEqual({ exit: 0, stderr: '', rows: sound })
})

test('headers come from a file too, as lines or as JSON, whatever their case', async () => {
  const upper = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toUpperCase(), value]))
  const asLines = file(
    'headers.txt',
    Object.entries(upper)
      .map(([name, value]) => `${name}: ${value}\r\n`)
      .join(''),
  )
  const asJson = file('headers.json', JSON.stringify(upper))
  for (const path of [asLines, asJson]) expect((await verified([payload, '--headers-file', path])).exit).toBe(0)
})

test('one convention alone is enough, none is not', async () => {
  const one = lines({ 'calendly-webhook-signature': headers['calendly-webhook-signature'] as string })
  const { exit, rows } = await verified([payload, ...one])
  expect(exit).toBe(0)
  expect(rows[0]).toMatchObject({ present: false, holds: false, why: 'not there' })
  expect((await verified([payload, '--header', 'webhook-id: evt-1'])).exit).toBe(12)
})

test('one that does not hold is exit 12, although the other does', async () => {
  const { exit, rows, stderr } = await verified([payload, ...lines({ ...headers, 'webhook-id': 'evt-2' })])
  expect(exit).toBe(12)
  expect(rows.map(({ holds }: { holds: boolean }) => holds)).toEqual([false, true])
  expect(rows[0].why).toContain('does not match')
  expect(stderr).toContain('not to be believed')
})

test('it says what an editor or a parser did to the body', async () => {
  const { exit, rows } = await verified([file('edited.json', `${body}\n`), ...lines(headers)])
  expect(exit).toBe(12)
  expect(rows[0].why).toContain('Without the line break at the end it holds.')
  const pretty = await verified([file('pretty.json', JSON.stringify(JSON.parse(body), null, 2)), ...lines(headers)])
  expect(pretty.exit).toBe(12)
  expect(pretty.rows[1].why).toContain('Written as compact JSON it holds.')
  const other = await verified([file('other.json', '{}'), ...lines(headers)])
  expect(other.rows[0].why).toMatch(/say\)\.$/)
})

test('an old payload is checked as of then, or whatever its age', async () => {
  const timestamp = 1_700_000_000
  const old = lines(signedHeaders({ id: 'evt-1', timestamp, body }, [KEY]))
  const { exit, rows } = await verified([payload, ...old])
  expect(exit).toBe(12)
  expect(rows[0].why).toContain('s old')
  expect((await verified([payload, ...old, '--ignore-age'])).exit).toBe(0)
  expect((await verified([payload, ...old, '--at', '2023-11-14T22:13:20Z'])).exit).toBe(0)
  expect((await verified([payload, ...old, '--at', '2023-11-14T23:13:20Z'])).exit).toBe(12)
})

test('every line of a recording is checked, for the moment it came at', async () => {
  const of = (id: string, timestamp: number, given = body) => {
    const signed = signedHeaders({ id, timestamp, body }, [KEY])
    return JSON.stringify({ received_at: new Date(timestamp * 1000).toISOString(), headers: signed, body: given })
  }
  const path = file('events.ndjson', `${of('evt-1', 1_700_000_000)}\n${of('evt-2', 1_600_000_000)}\n`)
  const { exit, rows } = await verified(['--recording', path])
  expect(exit).toBe(0)
  expect(rows.map(({ webhook_id }: { webhook_id: string }) => webhook_id)).toEqual(['evt-1', 'evt-1', 'evt-2', 'evt-2'])
  const forged = file('forged.ndjson', `${of('evt-1', 1_700_000_000)}\n${of('evt-2', 1_600_000_000, '{}')}\n`)
  expect((await verified(['--recording', forged])).exit).toBe(12)
})

test('the key may come on stdin, and never the payload as well', async () => {
  const args = ['webhooks', 'verify', '--signing-key-file', '-', ...lines(headers)]
  expect((await tool.run([...args, payload], KEY)).exit).toBe(0)
  expect(await tool.run(args, KEY)).toMatchObject({ exit: 2, stderr: expect.stringContaining('Stdin can be read once') })
})

test.each<[string, () => string[], string]>([
  ['without headers', () => [payload], 'There are no headers'],
  ['a file that is not there', () => [join(directory, 'nothing'), ...lines(headers)], 'cannot be read'],
  ['a header without a name', () => [payload, '--header', 'v1=00'], 'has no name'],
  ['a moment that is none', () => [payload, ...lines(headers), '--at', 'then'], '--at takes an instant'],
  ['a moment, and none', () => [payload, ...lines(headers), '--at', '2023-11-14T22:13:20Z', '--ignore-age'], 'not both'],
  ['a recording that is none', () => ['--recording', payload], 'line 1'],
  ['a recording beside a payload', () => [payload, '--recording', payload], 'of its own'],
  ['a key of nothing', () => [payload, ...lines(headers), '--signing-key-file', file('empty.txt', '\n')], 'there is no signing key'],
])('%s is exit 2', async (_, args, sentence) => {
  const { exit, stderr, rows } = await verified(args())
  expect({ exit, rows }).toEqual({ exit: 2, rows: [] })
  expect(JSON.parse(stderr).error.message).toContain(sentence)
})
