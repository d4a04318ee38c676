/** What a start loads, and that its code cache can never do harm. Real processes of the built program. */
import { spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
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
function loadedBy(...args: string[]) {
  const { status, stderr } = bookctl(args, { node: ['--require', hook] })
  expect(status).toBe(0)
  const { files, builtins } = JSON.parse(/<read>(.*)<\/read>/.exec(stderr)?.[1] ?? '{}') as { files: string[]; builtins: string[] }
  return { files: files.map((file) => file.replace(/-\w{8}\.cjs$/, '')), builtins }
}

/** The cache of node's version: one directory with a file for each word and each file of dist/. */
const cacheFiles = () =>
  readdirSync(caches, { recursive: true, withFileTypes: true }).flatMap((entry) =>
    entry.isFile() ? [join(entry.parentPath, entry.name)] : [],
  )

beforeAll(() => {
  expect(bookctl(['init', '--sample']).status).toBe(0)
})
afterAll(() => rmSync(home, { recursive: true, force: true }))

describe('what is loaded', () => {
  test.each([['--version'], ['--help'], ['-h']])('%s reads no program', (flag) => {
    const { files } = loadedBy(flag)
    expect(files.filter((file) => file !== 'start.json')).toEqual(flag === '--version' ? [] : ['help.txt'])
  })

  test('a list as JSON reads our own code and nothing else', () => {
    expect(loadedBy(...list, '-o', 'json').files).toEqual(['start.json', 'core'])
  })

  test('a list as a table reads the code of tables too, but no conf, undici or inquirer', () => {
    const { files } = loadedBy(...list, '-o', 'table')
    expect(files).toContain('table')
    for (const heavy of ['conf', 'undici', 'inquirer', 'chrono', 'csv', 'postgres']) expect(files).not.toContain(heavy)
  })

  test('a list on the local profile needs no network, no cryptography and no child process of node', () => {
    const { builtins } = loadedBy(...list, '-o', 'json')
    for (const name of ['http', 'https', 'net', 'tls', 'crypto', 'child_process', 'internal/deps/undici/undici'])
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
  const { spawn } = await import('node:child_process')
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
  const once = (args: string[]) => bookctl(args).stdout.length
  expect(Number(piped)).toBe(
    once(['help', 'environment']) + 8 * Buffer.byteLength(bookctl(['customers', 'list', '--all', '-o', 'json']).stdout),
  )
})
