import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import type { Readable } from 'node:stream'
import { stripVTControlCharacters } from 'node:util'
import { afterAll, expect } from 'vitest'
import type { UserFile } from '../../src/cli/user-file.ts'
import type { Role } from '../../src/contract/account.ts'
import { instantOf } from '../../src/contract/time.ts'
import { issuePair } from '../../src/service/http/account.ts'
import { openService } from '../../src/service/open.ts'
import { type Gate, openGate } from './gate.ts'

/** The tool as it is installed: what `npm run build` made, each run a process of its own. */
const BIN = resolve(__dirname, '../../bin/bookctl.js')

/** How long a condition may take to come true: slow machines are slow. */
export const PATIENCE = 100_000

/** The password of the owner of every sample business. */
export const PASSWORD = 'correct horse battery'
export const OWNER = 'owner@example.com'

export type Variables = Record<string, string | undefined>

export interface Ended {
  exit: number | string
  stdout: string
  stderr: string
}

export interface RunOptions {
  stdin?: string
  env?: Variables
  cwd?: string
}

export interface Step {
  /** Text to wait for, among what has been drawn since the last step. */
  see: string
  /** What to type then; `\x03` is Ctrl-C, `\x04` is Ctrl-D. */
  type: string
  /** What else has to have happened before it is typed. */
  behind?: Promise<unknown>
}

export interface TerminalOptions {
  env?: Variables
  columns?: number
  steps?: Step[]
}

export interface Drawn {
  exit: number | string
  /** Everything that went to the terminal, as it was sent. */
  raw: string
  /** The same without colours and movements. */
  text: string
  lines: string[]
}

export interface Serving {
  url: string
  /** The same service, its replies held against the document. */
  gate: Gate
  pid: number
  /** Everything on stderr so far. */
  log(): string
  signal(name: NodeJS.Signals): void
  ended: Promise<Ended>
  stop(): Promise<Ended>
}

export interface Home {
  directory: string
  variables: Variables
  /** Where the user file is. */
  configFile: string
  readConfig(): UserFile
  run(args: string[], options?: RunOptions): Promise<Ended>
  /** Runs and reads stdout as JSON; expects exit 0. */
  // biome-ignore lint/suspicious/noExplicitAny: a test says what it expects of a reply
  json(args: string[], options?: RunOptions): Promise<any>
  /** A line for a shell, in which `bookctl` is the tool. */
  shell(line: string, options?: RunOptions): Promise<Ended>
  /** A process that goes on while the test does. */
  start(args: string[], options?: RunOptions): Running
  onTerminal(args: string[], options?: TerminalOptions): Promise<Drawn>
  serve(args?: string[], options?: RunOptions): Promise<Serving>
}

export interface Running {
  child: ChildProcess
  ended: Promise<Ended>
  /** Resolves once stdout or stderr hold the text; rejects when the process ends without it. */
  says(text: string): Promise<void>
}

/** A local business with sample records, its file, and the credentials of its owner. */
export interface Business extends Home {
  database: string
  api_key: string
  access_token: string
  /** A user of the business with this role, and credentials of theirs. */
  hasUser(role: Role): Promise<{ api_key: string; access_token: string }>
  /** A home with a profile for an address, and the credentials of a user. The replies of a service of ours are checked on their way. */
  remote(url: string, credentials?: { api_key?: string; access_token?: string }): Home
}

/** Homes for the tests of one file; taken away behind the last of them. */
export function createHomes() {
  const root = mkdtempSync(join(tmpdir(), 'bookctl-binary-'))
  const running: Serving[] = []
  let counted = 0
  let sample: Promise<Home> | undefined
  const inFront = (url: string): string => running.find((one) => one.url === url)?.gate.url ?? url

  afterAll(async () => {
    await Promise.all(running.map((one) => one.stop()))
    await Promise.all(running.map(({ gate }) => gate.close()))
    rmSync(root, { recursive: true, force: true })
    expect(running.flatMap(({ gate }) => gate.findings)).toEqual([])
  })

  /** A person's home with nothing in it. */
  function empty(): Home {
    counted += 1
    const directory = join(root, `home-${counted}`)
    mkdirSync(directory)
    // What V8 compiled may be shared: it holds nothing of anybody.
    return homeAt(directory, join(root, 'cache'), running)
  }

  /** A home with a business; made once, and copied. */
  async function business(): Promise<Business> {
    sample ??= makeSample(empty())
    const made = await sample
    const home = empty()
    cpSync(made.directory, home.directory, { recursive: true })
    const { database = '', api_key = '', access_token = '' } = made.readConfig().profiles.local ?? {}
    const copied = database.replace(made.directory, home.directory)
    writeFileSync(home.configFile, readFileSync(home.configFile, 'utf8').replace(database, copied))
    return {
      ...home,
      database: copied,
      api_key,
      access_token,
      hasUser: (role) => insertUser(copied, role),
      remote: (url, credentials = { api_key, access_token }) => remoteHome(empty(), inFront(url), credentials),
    }
  }

  return { root, empty, business }
}

async function makeSample(home: Home): Promise<Home> {
  const { exit, stderr } = await home.run(['init', '--sample', '--password-stdin'], { stdin: PASSWORD })
  if (exit !== 0) throw new Error(`bookctl init: ${exit}\n${stderr}`)
  return home
}

function remoteHome(home: Home, base_url: string, credentials: object): Home {
  mkdirSync(join(home.configFile, '..'), { recursive: true, mode: 0o700 })
  const file = { profile: 'shop', settings: {}, profiles: { shop: { base_url, ...credentials } } }
  writeFileSync(home.configFile, JSON.stringify(file), { mode: 0o600 })
  return home
}

async function insertUser(database: string, role: Role) {
  const service = await openService({
    database,
    now: () => Date.now(),
    newId: () => crypto.randomUUID(),
    newRequestId: () => 'none',
    onFault: () => undefined,
  })
  try {
    const { store, world } = service
    const now = Date.now()
    const organization_id = (await store.account.findLogin(OWNER))?.organization_id as number
    const stamps = { created_at: instantOf(now), updated_at: instantOf(now) }
    const user = {
      uuid: crypto.randomUUID(),
      organization_id,
      role,
      name: role,
      slug: role,
      email: `${role}@example.com`,
      time_zone: 'UTC',
    }
    const user_id = await store.account.insertUser({ ...user, password_hash: null, ...stamps })
    return await issuePair(store, await world.secrets(), { user_id, organization_id }, { name: 'tests', now })
  } finally {
    await service.close()
  }
}

function homeAt(directory: string, cache: string, running: Serving[]): Home {
  const { PATH } = process.env
  // Nothing of the machine the tests run on: no CI, no proxies, no settings of ours.
  const variables: Variables = { PATH, HOME: directory, XDG_CACHE_HOME: cache, TZ: 'UTC', TERM: 'xterm-256color', LANG: 'C.UTF-8' }
  const configFile = join(directory, '.config', 'bookctl', 'config.json')
  const spawned = (command: string, args: string[], { env = {}, cwd = directory }: RunOptions, more: SpawnOptions = {}) =>
    spawn(command, args, { env: { ...variables, ...env } as NodeJS.ProcessEnv, cwd, ...more })

  const start = (args: string[], options: RunOptions = {}): Running => {
    const child = spawned(process.execPath, [BIN, ...args], options)
    // A process that ends before it has read everything is no fault of the test.
    child.stdin?.on('error', () => undefined)
    return watch(child)
  }
  const run = (args: string[], options: RunOptions = {}): Promise<Ended> => {
    const { child, ended } = start(args, options)
    child.stdin?.end(options.stdin ?? '')
    return ended
  }

  return {
    directory,
    variables,
    configFile,
    readConfig: () => JSON.parse(readFileSync(configFile, 'utf8')),
    run,
    async json(args, options) {
      const ended = await run(args, options)
      if (ended.exit !== 0) throw new Error(`bookctl ${args.join(' ')}: exit ${ended.exit}\n${ended.stderr}`)
      return JSON.parse(ended.stdout)
    },
    shell(line, options = {}) {
      const program = `bookctl() { '${process.execPath}' '${BIN}' "$@"; }; ${line}`
      const { child, ended } = watch(spawned('bash', ['-c', program], options))
      child.stdin?.end(options.stdin ?? '')
      return ended
    },
    start,
    onTerminal: (args, options = {}) => drive(spawned('script', scriptArguments(args, options), options), options.steps ?? []),
    async serve(args = [], options = {}) {
      const { child, ended, says } = start(['serve', '--port', '0', '-o', 'json', ...args], options)
      let [line, log] = ['', '']
      child.stdout?.on('data', (chunk) => (line += chunk))
      child.stderr?.on('data', (chunk) => (log += chunk))
      await says('"pid"')
      const { url, pid } = JSON.parse(line)
      const signal = (name: NodeJS.Signals) => void child.kill(name)
      const stop = () => {
        signal('SIGTERM')
        return ended
      }
      const serving = { url, gate: await openGate(url), pid, log: () => log, signal, ended, stop }
      running.push(serving)
      return serving
    },
  }
}

/** Gathers what a process says, and how it ends: its exit code, or the signal that killed it. */
function watch(child: ChildProcess): Running {
  const said = { stdout: '', stderr: '' }
  const listeners = new Set<() => void>()
  const tell = () => {
    for (const listener of listeners) listener()
  }
  for (const name of ['stdout', 'stderr'] as const) {
    const stream = child[name] as Readable | null
    stream?.setEncoding('utf8')
    stream?.on('data', (text: string) => {
      said[name] += text
      tell()
    })
  }
  const ended = new Promise<Ended>((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code, signal) => resolve({ exit: code ?? (signal as string), ...said }))
  })
  const says = (text: string) =>
    new Promise<void>((resolve, reject) => {
      const look = () => {
        if ((said.stdout + said.stderr).includes(text)) resolve()
      }
      listeners.add(look)
      look()
      void ended.then(({ exit, stderr }) => reject(new Error(`The process ended (${exit}) before it said ${text}: ${stderr}`)))
    })
  return { child, ended, says }
}

/** `script` gives the command a terminal of its own: a real one, of the system. */
function scriptArguments(args: string[], { columns = 80 }: TerminalOptions): string[] {
  const words = [process.execPath, BIN, ...args].map((word) => `'${word.replaceAll("'", "'\\''")}'`)
  return ['-qefc', `stty cols ${columns} rows 40; exec ${words.join(' ')}`, '/dev/null']
}

/** Types what the steps say, each once its text is on the screen. The keyboard stays connected until the end. */
async function drive(child: ChildProcess, steps: Step[]): Promise<Drawn> {
  let seen = 0
  const left = [...steps]
  let raw = ''
  child.stdin?.on('error', () => undefined)
  const { ended } = watch(child)
  child.stdout?.on('data', (text: string) => {
    raw += text
    const [next] = left
    const found = next ? raw.indexOf(next.see, seen) : -1
    if (!next || found < 0) return
    left.shift()
    seen = raw.length
    void Promise.resolve(next.behind).then(() => child.stdin?.write(next.type))
  })
  const { exit } = await ended
  if (left.length > 0) throw new Error(`The terminal never showed ${left[0]?.see}:\n${raw}`)
  const text = stripVTControlCharacters(raw).replaceAll('\r', '')
  return { exit, raw, text, lines: text.split('\n') }
}

/** The error on stderr, where it is JSON. */
// biome-ignore lint/suspicious/noExplicitAny: a test says what it expects of an error
export function errorOf({ stderr }: Ended): any {
  return JSON.parse(stderr.trim().split('\n').at(-1) as string).error
}

/** A port where something answers that is no booking service, or an ill one. */
export async function answering(listener: RequestListener): Promise<{ url: string; requests: string[]; close(): Promise<void> }> {
  const requests: string[] = []
  const server = createServer((request, response) => {
    requests.push(`${request.method} ${request.url}`)
    listener(request, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const close = async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
  return { url: `http://127.0.0.1:${port}`, requests, close }
}

/** Resolves once a condition holds. */
export async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  const end = Date.now() + PATIENCE
  while (!(await holds())) {
    if (Date.now() > end) throw new Error(`This never came true: ${holds}`)
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}
