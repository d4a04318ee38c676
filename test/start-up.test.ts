/** What a start loads, and that its code cache can never do harm. Real processes of the built program. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

const launcher = join(__dirname, '..', 'bin', 'bookctl.js')
const hook = join(__dirname, 'support', 'trace-reads.cjs')
const home = mkdtempSync(join(tmpdir(), 'bookctl-start-'))
const caches = join(home, 'cache', 'bookctl')
const list = ['customers', 'list', '--limit', '3']

function bookctl(args: string[], { node = [], env = {} }: { node?: string[]; env?: NodeJS.ProcessEnv } = {}) {
  const places = { HOME: home, USERPROFILE: home, XDG_CACHE_HOME: join(home, 'cache'), PATH: process.env.PATH }
  const { status, stdout, stderr } = spawnSync(process.execPath, [...node, launcher, ...args], {
    env: { ...places, ...env },
    encoding: 'utf8',
  })
  return { status, stdout, stderr }
}

/** The files of dist/ that a run read, without their hashes, and the modules of node that it loaded. */
function loadedBy(args: string[], env: NodeJS.ProcessEnv = {}) {
  const { status, stderr } = bookctl(args, { node: ['--require', hook], env })
  expect(status).toBe(0)
  const { files, builtins } = JSON.parse(/<read>(.*)<\/read>/.exec(stderr)?.[1] ?? '{}') as { files: string[]; builtins: string[] }
  return { files: files.map((file) => file.replace(/-\w{8}\.cjs$/, '')), builtins }
}

/** The cache of node's version: one directory with a file for each word and each file of dist/. */
const cacheFiles = () =>
  readdirSync(caches, { recursive: true, withFileTypes: true }).flatMap((entry) =>
    entry.isFile() ? [join(entry.parentPath, entry.name)] : [],
  )

/** The files of src/ whose code a run used, below it and without `.ts`: its cache tells the pieces. */
function sourcesOf(args: string[], env: NodeJS.ProcessEnv = {}): string[] {
  rmSync(caches, { recursive: true, force: true })
  expect(bookctl(args, { env }).status).toBe(0)
  const [core = ''] = cacheFiles().filter((file) => file.includes('core-'))
  const all = readFileSync(core)
  const end = all.length - 4
  const used = JSON.parse(all.toString('latin1', end - all.readUInt32LE(end), end)) as string[]
  return used.flatMap((piece) => pieces[piece] ?? []).map((path) => path.replace(/^src\/|\.ts$/g, ''))
}

const pieces = JSON.parse(readFileSync(join(__dirname, '..', 'dist', 'pieces.json'), 'utf8')) as Record<string, string[]>

/** The areas: whatever has a file in the contract and a group of commands. */
const areas = readdirSync(join(__dirname, '..', 'src', 'contract')).filter(
  (file) => file !== 'index.ts' && readdirSync(join(__dirname, '..', 'src', 'commands')).includes(file),
)
/** What a run used of the contract, the commands and the handlers of areas. */
const areasIn = (used: string[]): string[] =>
  used.filter((source) => /^(?:contract|commands|service\/http)\//.test(source) && areas.includes(`${source.split('/').at(-1)}.ts`)).sort()

beforeAll(() => {
  expect(bookctl(['init', '--sample']).status).toBe(0)
})
afterAll(() => rmSync(home, { recursive: true, force: true }))

describe('what is loaded', () => {
  test.each([['--version'], ['--help'], ['-h']])('%s reads no program', (flag) => {
    const { files } = loadedBy([flag])
    expect(files.filter((file) => file !== 'start.json')).toEqual(flag === '--version' ? [] : ['help.txt'])
  })

  test('a list as JSON reads our own code and nothing else', () => {
    expect(loadedBy([...list, '-o', 'json']).files).toEqual(['start.json', 'core'])
  })

  test('a list as a table reads the code of tables too, but no conf, undici or inquirer', () => {
    const { files } = loadedBy([...list, '-o', 'table'])
    expect(files).toContain('table')
    for (const heavy of ['conf', 'undici', 'inquirer', 'chrono', 'csv', 'postgres']) expect(files).not.toContain(heavy)
  })

  test('a list on the local profile uses the code of its own area only', () => {
    const used = sourcesOf([...list, '-o', 'json'])
    expect(areas.length).toBeGreaterThan(8)
    expect(areasIn(used)).toEqual(['commands/customers', 'contract/customers', 'service/http/customers'])
    expect(used.filter((source) => /^client\/(?:once|undici)$/.test(source))).toEqual([])
  })

  test('help with a group uses nothing of the service', () => {
    expect(sourcesOf(['customers', '--help']).filter((source) => source.startsWith('service/'))).toEqual([])
  })

  describe('against a service on the network', () => {
    let remote: NodeJS.ProcessEnv
    let server: ChildProcess
    beforeAll(async () => {
      const key = bookctl(['auth', 'token', '--api-key']).stdout.trim()
      server = spawn(process.execPath, [launcher, 'serve', '--port', '0', '--quiet'], {
        env: { HOME: home, USERPROFILE: home, PATH: process.env.PATH },
        stdio: ['ignore', 'pipe', 'ignore'],
      })
      const [ready] = (await once(server.stdout as Readable, 'data')) as [Buffer]
      remote = { BOOKCTL_BASE_URL: /http:\S+/.exec(ready.toString())?.[0], BOOKCTL_API_KEY: key }
    })
    afterAll(async () => {
      server.kill('SIGTERM')
      await once(server, 'exit')
    })

    test('a list as JSON reads our own code and nothing else, and loads no TLS', () => {
      const { files, builtins } = loadedBy([...list, '-o', 'json'], remote)
      expect(files).toEqual(['start.json', 'core'])
      expect(builtins).toContain('http')
      for (const name of ['https', 'tls', 'crypto', 'internal/deps/undici/undici']) expect(builtins).not.toContain(name)
    })

    test('a list uses nothing of the service, and the code of its own area only', () => {
      const used = sourcesOf([...list, '-o', 'json'], remote)
      expect(used).toContain('client/once')
      expect(used.filter((source) => source.startsWith('service/'))).toEqual([])
      expect(areasIn(used)).toEqual(['commands/customers', 'contract/customers'])
    })
  })

  test('a list on the local profile needs no network, no cryptography and no child process of node', () => {
    const { builtins } = loadedBy([...list, '-o', 'json'])
    for (const name of [
      'http',
      'https',
      'net',
      'tls',
      'crypto',
      'child_process',
      'internal/deps/undici/undici',
      'internal/abort_controller',
    ])
      expect(builtins).not.toContain(name)
  })
})

describe('the code cache', () => {
  const expected = () => bookctl([...list, '-o', 'json'], { env: { XDG_CACHE_HOME: join(home, 'none') } })

  test('is written by the first run, and the next runs from it', () => {
    rmSync(caches, { recursive: true, force: true })
    const first = bookctl([...list, '-o', 'json'])
    const written = cacheFiles().map((file) => readFileSync(file))
    expect(written.length).toBeGreaterThan(0)
    expect(bookctl([...list, '-o', 'json'])).toEqual(first)
    expect(cacheFiles().map((file) => readFileSync(file))).toEqual(written)
  })

  test('takes in what a later run of the same word needs beside it', () => {
    rmSync(caches, { recursive: true, force: true })
    bookctl(['customers', '--help'])
    const [core = ''] = cacheFiles().filter((file) => file.includes('core-'))
    const before = readFileSync(core).length
    bookctl([...list, '-o', 'table'])
    expect(readFileSync(core).length).toBeGreaterThan(before)
    expect(cacheFiles().some((file) => file.includes('table-'))).toBe(true)
  })

  test.each<[string, (file: string) => void]>([
    ['deleted', (file) => rmSync(file)],
    ['empty', (file) => truncateSync(file)],
    ['cut short', (file) => truncateSync(file, Math.floor(readFileSync(file).length / 2))],
    ['garbage', (file) => writeFileSync(file, Buffer.alloc(10_000, 'nonsense '))],
    ['a directory', (file) => [rmSync(file), mkdirSync(file)]],
  ])('%s is made anew', (_, spoil) => {
    bookctl([...list, '-o', 'json'])
    for (const file of cacheFiles()) spoil(file)
    expect(bookctl([...list, '-o', 'json'])).toEqual(expected())
    expect(bookctl([...list, '-o', 'json'])).toEqual(expected())
    rmSync(caches, { recursive: true, force: true })
  })

  test('a place that cannot be written is done without', () => {
    const file = join(home, 'file')
    writeFileSync(file, '')
    expect(bookctl([...list, '-o', 'json'], { env: { XDG_CACHE_HOME: file } })).toEqual(expected())
    const closed = join(home, 'closed')
    mkdirSync(closed)
    chmodSync(closed, 0o500)
    expect(bookctl([...list, '-o', 'json'], { env: { XDG_CACHE_HOME: closed } })).toEqual(expected())
  })
})

test('many first runs at once agree', async () => {
  const { text } = await import('node:stream/consumers')
  const env = { HOME: home, USERPROFILE: home, XDG_CACHE_HOME: join(home, 'many'), PATH: process.env.PATH }
  const runs = Array.from({ length: 6 }, () => text(spawn(process.execPath, [launcher, ...list, '-o', 'json'], { env }).stdout))
  expect(new Set(await Promise.all(runs))).toEqual(new Set([bookctl([...list, '-o', 'json']).stdout]))
  expect(readdirSync(join(home, 'many'), { recursive: true }).filter((name) => /\.\d+$/.test(String(name)))).toEqual([])
})

test('what is written to a pipe that nobody reads is no failure', () => {
  const line = `"${process.execPath}" "${launcher}" customers list -o ndjson | true; "${process.execPath}" "${launcher}" --help | true`
  expect(spawnSync('/bin/sh', ['-c', line], { env: { HOME: home, PATH: process.env.PATH }, encoding: 'utf8' }).stderr).not.toMatch(/EPIPE/)
})

test('a pipe that is read slowly gets all there is', () => {
  const program = `"${process.execPath}" "${launcher}"`
  const line = `(${program} help environment; for i in 1 2 3 4 5 6 7 8; do ${program} customers list --all -o json; done) | (sleep 1; wc -c)`
  const piped = spawnSync('/bin/sh', ['-c', line], { env: { HOME: home, PATH: process.env.PATH }, encoding: 'utf8' }).stdout
  const length = (args: string[]) => bookctl(args).stdout.length
  expect(Number(piped)).toBe(
    length(['help', 'environment']) + 8 * Buffer.byteLength(bookctl(['customers', 'list', '--all', '-o', 'json']).stdout),
  )
})
