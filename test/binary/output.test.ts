import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { beforeAll, describe, expect, test } from 'vitest'
import { cellsOf } from '../../src/output/cells.ts'
import { type Business, createHomes } from '../support/binary.ts'
import { fetchChecked } from '../support/document.ts'

const homes = createHomes()
let business: Business

beforeAll(async () => {
  business = await homes.business()
})

const ESCAPE = '\x1b['

describe('in a pipe', () => {
  test.each(['table', 'ndjson', 'json', 'csv', 'ids'])('a reader of %s that leaves early, as head does, is no failure', async (format) => {
    const line = `set -o pipefail; bookctl customers list --all -o ${format} | head -1; echo "\${PIPESTATUS[@]}" >&2`
    const { exit, stdout, stderr } = await business.shell(line)
    expect({ exit, stderr }).toEqual({ exit: 0, stderr: '0 0\n' })
    expect(stdout).not.toBe('')
  })

  test('a reader that never reads is no failure', async () => {
    const { stderr } = await business.shell('set -o pipefail; bookctl customers list --all -o ndjson | true; echo $? >&2')
    expect(stderr).toBe('0\n')
  })

  test('results are JSON, and a table on a terminal', async () => {
    expect((await business.json(['customers', 'list'])).collection[0]).toHaveProperty('email')
    expect(await business.json(['customers', 'get', '1'])).toHaveProperty('email')
    const { exit, lines } = await business.onTerminal(['customers', 'list'])
    expect(exit).toBe(0)
    expect(lines[0]).toMatch(/ID.*Name.*E-mail/)
  })

  test('ids are one a line, and go into xargs', async () => {
    const { exit, stdout } = await business.shell(
      'bookctl customers list --limit 3 -o ids | xargs -n1 node -e "console.log(process.argv[1])"',
    )
    expect({ exit, stdout }).toEqual({ exit: 0, stdout: '1\n2\n3\n' })
  })

  test('a slow reader gets every byte of ten megabytes', async () => {
    const home = await homes.business()
    const notes = 'n'.repeat(9_900)
    const serving = await home.serve(['--quiet'])
    const headers = { 'api-key': home.api_key, 'content-type': 'application/json' }
    for (let index = 0; index < 1_050; index += 50) {
      const bodies = Array.from({ length: 50 }, (_, offset) => JSON.stringify({ name: `Customer ${index + offset}`, notes }))
      await Promise.all(bodies.map((body) => fetchChecked(`${serving.url}/api/v3/customers`, { method: 'POST', headers, body })))
    }
    // Half a kilobyte at a time is slow enough to fill the pipe again and again.
    const count = 'dd bs=512 status=none | wc -c'
    await home.shell('bookctl customers list --all -o ndjson > all.ndjson')
    const { stdout } = await home.shell(`bookctl customers list --all -o ndjson | ${count}`)
    const { size } = statSync(join(home.directory, 'all.ndjson'))
    expect(size).toBeGreaterThan(10_000_000)
    expect(Number(stdout)).toBe(size)
    const { stdout: json } = await home.shell(`bookctl customers list --all -o json | ${count}`)
    expect(Number(json)).toBeGreaterThan(size)
  })
})

describe('formats', () => {
  test('CSV goes into a file, with a header and nothing else', async () => {
    const { exit, stdout, stderr } = await business.shell('bookctl customers list --output csv > customers.csv; cat customers.csv')
    expect({ exit, stderr }).toEqual({ exit: 0, stderr: '' })
    const [header, first] = stdout.split(/\r?\n/)
    expect(header).toMatch(/^id,name,email/)
    expect(first).toMatch(/^1,/)
  })

  test('--fields chooses, and keeps its order', async () => {
    const { stdout } = await business.run(['customers', 'list', '--fields', 'id,email', '-o', 'ndjson', '--limit', '1'])
    expect(Object.keys(JSON.parse(stdout))).toEqual(['id', 'email'])
    const { stdout: csv } = await business.run(['appointments', 'list', '--fields', 'customer.name,id', '-o', 'csv', '--limit', '1'])
    expect(csv.split(/\r?\n/)[0]).toBe('customer.name,id')
  })

  test('a field that does not exist is refused with a suggestion, or at least by name', async () => {
    const ended = await business.run(['customers', 'list', '--fields', 'id,emial'])
    expect(ended.exit).toBe(2)
    expect(ended.stderr).toContain('emial')
  })

  test('BOOKCTL_OUTPUT decides, and a flag wins over it', async () => {
    const env = { BOOKCTL_OUTPUT: 'ids' }
    expect((await business.run(['customers', 'get', '2'], { env })).stdout).toBe('2\n')
    expect(JSON.parse((await business.run(['customers', 'get', '2', '--json'], { env })).stdout)).toMatchObject({ id: 2 })
    expect((await business.run(['customers', 'get', '2'], { env: { BOOKCTL_OUTPUT: 'jsn' } })).exit).toBe(2)
  })
})

describe('on a terminal', () => {
  test.each([
    ['customers', 'list'],
    ['appointments', 'list'],
    ['staff', 'list'],
    ['appointment-types', 'list'],
  ])('%s %s fits into forty columns', async (group, verb) => {
    const { lines, exit } = await business.onTerminal([group, verb], { columns: 40 })
    expect(exit).toBe(0)
    expect(lines.filter((line) => cellsOf(line) > 40)).toEqual([])
  })

  test('names of wide characters keep the columns straight', async () => {
    const home = await homes.business()
    await home.run(['customers', 'create', '--name', '王小明', '--email', 'wide@example.com'])
    await home.run(['customers', 'create', '--name', 'Plain Name', '--email', 'wide.too@example.com'])
    const { lines } = await home.onTerminal(['customers', 'list', '--search', 'wide'])
    const rows = lines.filter((line) => line.includes('@example.com'))
    const columns = rows.map((row) => cellsOf(row.slice(0, row.indexOf('wide'))))
    expect(columns).toHaveLength(2)
    expect(columns[0]).toBe(columns[1])
  })

  test('a name cannot move the cursor, change colours, or turn the text around', async () => {
    const home = await homes.business()
    const name = 'Eve\x1b[2J\x1b]0;owned\x07\u202Eevil\u2066\u009b31m'
    const reply = await over(await home.serve(['--quiet']), home, { name, email: 'eve@example.com' })
    const id = String(((await reply.json()) as { resource: { id: number } }).resource.id)
    for (const args of [
      ['customers', 'list', '--search', 'eve'],
      ['customers', 'get', id],
      ...['csv', 'json', 'ndjson'].map((format) => ['customers', 'list', '--search', 'eve', '-o', format]),
      ['customers', 'list', '--search', 'eve', '-o', 'ids', '--fields', 'name'],
      ['customers', 'get', id, '-o', 'csv'],
      ...[[], ['-i'], ['--all']].map((more) => ['api', 'GET', '/api/v3/customers?search=eve', ...more]),
    ]) {
      const { raw, text, exit } = await home.onTerminal(args)
      expect([exit, text]).toEqual([0, expect.stringContaining('Eve')])
      expect(raw, args.join(' ')).not.toMatch(/\x1b\[2J|\x1b\]0|[\x07\u202E\u2066\u009b]/)
    }
    // As data it is what it is, in a pipe and in a file.
    const csv = ['customers', 'list', '--search', 'eve@', '--fields', 'name', '-o', 'csv']
    expect((await home.run(csv)).stdout).toBe(`name\n${name}\n`)
    await home.shell(`bookctl ${csv.join(' ')} > eve.csv`)
    expect(readFileSync(join(home.directory, 'eve.csv'), 'utf8')).toBe(`name\n${name}\n`)
    const { collection } = await home.json(['customers', 'list', '--search', 'eve@'])
    expect(collection[0].name).toBe(name)
  })

  test('nor can a name in a sentence, or a reply that is shown', async () => {
    const home = await homes.business()
    const name = 'Eve\x1b[31m\x1b]0;owned\x07\u202Eevil\u009b31m\u2066'
    const seen = /[\x1b\x07\u202E\u2066\u009b]/
    const serving = await home.serve(['--quiet'])
    await over(serving, home, { name, email: 'eve@example.com' })
    for (const { id } of (await home.json(['staff', 'list'])).collection) await home.json(['staff', 'update', `${id}`, '--name', name])
    const { collection } = await home.json(['staff', 'available', '--type', '5', '--from', 'tomorrow', '--to', 'in 7 days'])
    const book = ['appointments', 'create', '--type', '5', '--customer', '1', '--start', collection[0].start_time, '-o', 'ids']
    const booked = await home.onTerminal(book)
    expect(booked).toMatchObject({ exit: 0, text: expect.stringMatching(/^Booked .*Eve\\x1b\[31m/m) })
    expect(booked.raw).not.toMatch(seen)
    const search = ['customers', 'list', '--search', 'eve@', '-o', 'ids', '--debug']
    for (const place of [home, home.remote(serving.url)]) {
      const shown = await place.onTerminal(search)
      expect(shown).toMatchObject({ exit: 0, text: expect.stringContaining('\\u202e') })
      expect(shown.raw).not.toMatch(seen)
    }
  })

  test('colour can be switched off in every agreed way', async () => {
    const missing = ['customers', 'get', '99999']
    expect((await business.onTerminal(missing)).raw).toContain(`${ESCAPE}31m`)
    for (const env of [{ NO_COLOR: '1' }, { TERM: 'dumb' }, { CLICOLOR: '0' }, { FORCE_COLOR: '0' }]) {
      expect((await business.onTerminal(missing, { env })).raw, JSON.stringify(env)).not.toContain(ESCAPE)
    }
    expect((await business.onTerminal([...missing, '--no-color'])).raw).not.toContain(ESCAPE)
    expect((await business.onTerminal(missing, { env: { NO_COLOR: '' } })).raw, 'an empty NO_COLOR says nothing').toContain(ESCAPE)
  })

  test('a question has no colour either where colour is off', async () => {
    const steps = [{ see: 'Go ahead?', type: 'n\r' }]
    const { raw } = await business.onTerminal(['customers', 'delete', '2'], { steps, env: { NO_COLOR: '1' } })
    expect(raw).not.toMatch(/\x1b\[[0-9;]*[1-9][0-9;]*m/)
  })
})

test('colour can be forced into a pipe', async () => {
  const list = ['appointments', 'list', '-o', 'table', '--limit', '3']
  const plain = (await business.run(list)).stdout
  expect(plain).not.toContain(ESCAPE)
  const forced = (await business.run(list, { env: { FORCE_COLOR: '1' } })).stdout
  expect(forced).toContain(ESCAPE)
  expect(stripVTControlCharacters(forced)).toBe(plain)
})

test('without any terminal, stdin closed and both outputs files, it works as in a pipe', async () => {
  const { exit } = await business.shell('bookctl customers list <&- > out.json 2> err.txt')
  expect(exit).toBe(0)
  expect(JSON.parse(readFileSync(join(business.directory, 'out.json'), 'utf8')).collection.length).toBeGreaterThan(0)
  expect(readFileSync(join(business.directory, 'err.txt'), 'utf8')).toBe('')
})

test('with stdout closed or full, it ends without a stack', async () => {
  const closed = await business.shell('bookctl customers list >&-')
  expect(closed.stderr).not.toMatch(/\n {4}at /)
  const full = await business.shell('bookctl customers list > /dev/full')
  expect(full.stderr).not.toMatch(/\n {4}at /)
  expect(full.exit).not.toBe(0)
})

/** Creates a customer over HTTP: what a command line could not hold. */
const over = ({ url }: { url: string }, { api_key }: Business, body: object) =>
  fetchChecked(`${url}/api/v3/customers`, {
    method: 'POST',
    headers: { 'api-key': api_key, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
