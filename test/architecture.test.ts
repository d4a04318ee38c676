/** The rules of the house: who may import whom, where a package lives, who may know the time. Read from the text of src/. */
import { readdirSync, readFileSync } from 'node:fs'
import { join, posix, relative, sep } from 'node:path'
import { describe, expect, test } from 'vitest'

const src = join(__dirname, '..', 'src')

interface Import {
  kind: 'type' | 'static' | 'lazy'
  /** As written. */
  from: string
  /** The room, for what is ours. */
  room: string | undefined
}

interface File {
  /** As it is. */
  text: string
  /** Below src/, with slashes. */
  path: string
  room: string
  /** Without comments and without the text of strings. */
  code: string
  imports: Import[]
}

const files: File[] = readdirSync(src, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
  .map((entry) => fileAt(relative(src, join(entry.parentPath, entry.name)).split(sep).join('/')))

function fileAt(path: string): File {
  const text = readFileSync(join(src, path), 'utf8')
  const code = text
    .replace(/\/\*[\s\S]*?\*\//g, '')
    .replace(/^\s*\/\/.*$/gm, '')
    .replace(/'(?:[^'\\\n]|\\.)*'/g, "''")
  return { path, text, room: roomOf(path), code, imports: importsOf(path, text) }
}

function importsOf(path: string, text: string): Import[] {
  const direct = [...text.matchAll(/^(?:import|export)\s+(type\s)?(?:[^;'"]*?\sfrom\s+)?'([^']+)'/gm)]
  const lazy = [...text.matchAll(/\bimport\('([^']+)'\)(?!\))/g), ...text.matchAll(/\brequire\('([^']+)'\)/g)]
  const room = (from: string) => (from.startsWith('.') ? roomOf(posix.join(posix.dirname(path), from)) : undefined)
  return [
    ...direct.map(([, type, from = '']) => ({ kind: type ? ('type' as const) : ('static' as const), from, room: room(from) })),
    ...lazy.map(([, from = '']) => ({ kind: 'lazy' as const, from, room: room(from) })),
  ]
}

/** The folder; of the service its folder within. */
function roomOf(path: string): string {
  const [first = '', second, third] = path.split('/')
  if (second === undefined) return first.replace(/\.ts$/, '')
  return first === 'service' && third !== undefined ? `service/${second}` : first
}

/** Every import that breaks a rule, as a line to read. */
const broken = (breaks: (item: Import, file: File) => boolean): string[] =>
  files.flatMap((file) =>
    file.imports.filter((item) => breaks(item, file)).map(({ from, kind }) => `${file.path} imports ${from} (${kind})`),
  )

/** What a room may import of ours, beside itself. `type …` and `lazy …` allow no more than that kind. */
const table: Record<string, string[]> = {
  contract: [],
  client: ['contract'],
  output: ['contract'],
  cli: ['contract', 'client', 'type output', 'lazy output'],
  'service/domain': ['contract'],
  'service/store': ['contract', 'service/domain'],
  // The port of the store, never a driver; and the app and its defaults, for the socket in front of it.
  'service/http': ['contract', 'service/domain', 'type service/store', 'service'],
  'service/pages': ['contract', 'service/domain', 'type service/store', 'service/http'],
  'service/delivery': ['contract', 'client', 'type service/store'],
  service: ['contract', 'client', 'service/domain', 'service/store', 'service/http', 'service/pages', 'service/delivery'],
  commands: ['contract', 'output', 'cli', 'type client', 'lazy service'],
  main: ['cli', 'commands'],
}

/** What the build puts beside src/, read as data. */
const outside = ['../../../docs/openapi.json']

describe('the rooms', () => {
  test('import only what the table allows', () => {
    const wrong = broken(({ kind, from, room }, file) => {
      if (room === undefined || room === file.room || outside.includes(from)) return false
      const allowed = table[file.room] ?? []
      return !allowed.includes(room) && !allowed.includes(`${kind} ${room}`)
    })
    expect(wrong).toEqual([])
  })

  // esbuild takes a file without one for CommonJS, and then wraps every module of ours in a function: a tenth of a start.
  test('hold files that export something', () => {
    expect(files.filter(({ text }) => !/^export /m.test(text)).map(({ path }) => path)).toEqual([])
  })

  test('export what stays as it is, since the build copies it from piece to piece', () => {
    expect(files.filter(({ text }) => /^export (?:let|var) /m.test(text)).map(({ path }) => path)).toEqual([])
  })

  test('are those of the table', () => {
    expect(files.map(({ room }) => room).filter((room) => !(room in table))).toEqual([])
  })

  test('of data and rules do without node', () => {
    const pure = ['contract', 'output', 'service/domain']
    expect(broken(({ from }, { room }) => from.startsWith('node:') && pure.includes(room))).toEqual([])
  })

  test('have no drawer for odds and ends', () => {
    expect(files.filter(({ path }) => /(?:^|\/)(?:utils?|helpers?|common|shared)(?:\/|\.ts$)/.test(path))).toEqual([])
  })
})

/** The one file of each package. */
const homes: Record<string, string[]> = {
  '@photostructure/sqlite': ['service/store/sqlite.ts'],
  '@valibot/to-json-schema': ['contract/json-schema.ts'],
  chalk: ['output/paint.ts'],
  'chrono-node': ['cli/chrono.ts'],
  'cli-progress': ['cli/progress-bar.ts'],
  'cli-table3': ['output/table.ts'],
  commander: ['cli/parse.ts'],
  conf: ['cli/conf.ts'],
  'csv-stringify/sync': ['output/csv.ts'],
  'fast-string-width': ['output/cells.ts'],
  inquirer: ['cli/inquirer.ts'],
  'ipaddr.js': ['service/delivery/guard.ts'],
  leven: ['cli/suggest.ts'],
  pg: ['service/store/postgres.ts'],
  'prom-client': ['service/delivery/metrics.ts'],
  'proper-lockfile': ['cli/conf.ts'],
  rou3: ['service/app.ts'],
  'rrule-temporal': ['service/domain/recurrence.ts'],
  'sql-template-tag': ['service/store/sql.ts'],
  'temporal-polyfill': ['service/domain/recurrence.ts'],
  undici: ['client/undici.ts'],
  yaml: ['cli/yaml.ts'],
}

/** Loaded when they are needed, since each costs a start more than our own code does. */
const heavy = Object.keys(homes).filter((name) => !['fast-string-width', 'rou3', 'sql-template-tag'].includes(name))

const isPackage = ({ from }: Import): boolean => !from.startsWith('.') && !from.startsWith('node:')

describe('a package', () => {
  test('has one home', () => {
    const wrong = broken((item, { path, room }) => {
      if (!isPackage(item)) return false
      // The schema library is the language of the contract; check.ts is where the service reads by it.
      if (item.from === 'valibot') return room !== 'contract' && path !== 'service/http/check.ts'
      return !homes[item.from]?.includes(path)
    })
    expect(wrong).toEqual([])
  })

  test('is loaded by its home alone, not by name, and a heavy one only when its home is awaited', () => {
    expect(broken((item) => isPackage(item) && item.kind === 'lazy')).toEqual([])
    const eager = reachedAtOnce('main.ts')
    expect(heavy.filter((name) => homes[name]?.some((home) => eager.has(home)))).toEqual([])
  })
})

/** Every file that a file brings with it without an `await import`. */
function reachedAtOnce(start: string): Set<string> {
  const reached = new Set<string>()
  const visit = (path: string) => {
    if (reached.has(path)) return
    reached.add(path)
    const file = files.find((other) => other.path === path)
    for (const { from, kind } of file?.imports ?? []) {
      if (kind === 'static' && from.startsWith('.')) visit(posix.join(posix.dirname(path), from))
    }
  }
  visit(start)
  return reached
}

describe('the outside world', () => {
  // The snippet is text for somebody else's program.
  const doors = ['cli/env.ts', 'service/serve.ts', 'main.ts', 'commands/webhooks-snippet.ts']
  const inside = files.filter(({ path }) => !doors.includes(path))

  test.each([
    ['the process', /(?<![\w.])process\.\w/],
    ['the clock', /\bDate\.now\(|\bnew Date\(\s*\)|\bperformance\.now\(/],
    ['chance', /\bMath\.random\(|\brandomUUID\(/],
    ['the console', /\bconsole\.\w/],
  ])('%s is known in its doors only', (_, pattern) => {
    expect(inside.filter(({ code }) => pattern.test(code)).map(({ path }) => path)).toEqual([])
  })
})
