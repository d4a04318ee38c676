/**
 * How long a command takes from its start to its end, as a ratio to `node -e 0` in the same run. A table of ratios
 * compares on any machine; milliseconds do not.
 */
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'

const bookctl = join(__dirname, '..', 'bin', 'bookctl.js')

/** A program to time; `bar` is the ratio it is meant to stay under. */
interface Row {
  name: string
  args: string[]
  bar?: number | undefined
  env: NodeJS.ProcessEnv
}

/**
 * `--runs N` sets how often each row is timed (41), `--only WORD` keeps the rows whose name holds it.
 * Output goes to /dev/null, and the code cache is warm, as after the first run of a word.
 */
export async function startup(options: string[]): Promise<void> {
  const { values } = parseArgs({
    args: options,
    options: { runs: { type: 'string', default: '41' }, only: { type: 'string', default: '' } },
  })
  const runs = Math.max(3, Number.parseInt(values.runs, 10) || 0)
  const home = mkdtempSync(join(tmpdir(), 'bookctl-bench-'))
  try {
    await withBusiness(home, (local, remote) => {
      const wanted = rowsOf(local, remote).filter(({ name }) => name.includes(values.only))
      print(wanted, measure([{ name: 'node -e 0', args: ['-e', '0'], env: local }, ...wanted], runs))
    })
  } finally {
    rmSync(home, { recursive: true, force: true })
  }
}

function rowsOf(local: NodeJS.ProcessEnv, remote: NodeJS.ProcessEnv): Row[] {
  const row = (name: string, bar: number, args: string[], env = local): Row => ({ name, bar, env, args: [bookctl, ...args] })
  return [
    row('--version', 1.2, ['--version']),
    row('--help', 1.2, ['--help']),
    row('customers --help', 1.45, ['customers', '--help']),
    row('customers list, local, JSON', 1.6, ['customers', 'list', '-o', 'json']),
    row('customers list, local, table', 2.5, ['customers', 'list', '-o', 'table']),
    row('customers list, serve, JSON', 2.0, ['customers', 'list', '-o', 'json'], remote),
    row('customers list, serve, table', 2.8, ['customers', 'list', '-o', 'table'], remote),
  ]
}

type Use = (local: NodeJS.ProcessEnv, remote: NodeJS.ProcessEnv) => void

/** A sample business in a home of its own: reached in the process by `local`, and on a port by `remote`. */
async function withBusiness(home: string, use: Use): Promise<void> {
  const local = environmentIn(home)
  answerOf(['init', '--sample'], local)
  const key = answerOf(['auth', 'token', '--api-key'], local).trim()
  const server = spawn(process.execPath, [bookctl, 'serve', '--port', '0', '--quiet'], { env: local, stdio: ['ignore', 'pipe', 'ignore'] })
  try {
    const [ready] = (await once(server.stdout, 'data')) as [Buffer]
    const address = /http:\S+/.exec(ready.toString())?.[0]
    use(local, { ...local, BOOKCTL_BASE_URL: address, BOOKCTL_API_KEY: key })
  } finally {
    server.kill('SIGTERM')
    await once(server, 'exit')
  }
}

/** Nothing of the caller's own settings. With NODE_EXTRA_CA_CERTS node reads that file first, which would flatter every ratio. */
function environmentIn(home: string): NodeJS.ProcessEnv {
  const { PATH, SystemRoot } = process.env
  return { HOME: home, USERPROFILE: home, LOCALAPPDATA: home, APPDATA: home, PATH, ...(SystemRoot ? { SystemRoot } : {}) }
}

function answerOf(args: string[], env: NodeJS.ProcessEnv): string {
  const { status, stdout, stderr } = spawnSync(process.execPath, [bookctl, ...args], { env, encoding: 'utf8' })
  if (status !== 0) throw new Error(`bookctl ${args.join(' ')} ended with ${status}: ${stderr}`)
  return stdout
}

/** Milliseconds by row and round. The rows take turns, so that a busy spell of the machine falls on all of them alike. */
function measure(rows: Row[], runs: number): number[][] {
  for (const row of [...rows, ...rows]) time(row)
  const times: number[][] = rows.map(() => [])
  for (let round = 0; round < runs; round += 1) rows.forEach((row, index) => void times[index]?.push(time(row)))
  return times
}

function time({ name, args, env }: Row): number {
  const from = performance.now()
  const { status } = spawnSync(process.execPath, args, { env, stdio: ['ignore', 'ignore', 'inherit'] })
  const ms = performance.now() - from
  if (status !== 0) throw new Error(`${name} ended with ${status}`)
  return ms
}

function print(rows: Row[], [floor = [], ...times]: number[][]): void {
  console.log(
    `node ${process.version}; node -e 0: ${median(floor).toFixed(1)} ms, at best ${Math.min(...floor).toFixed(1)} ms; ${floor.length} runs`,
  )
  console.log('Ratios to it: of the medians, and of the best runs.\n')
  console.log(`${'command'.padEnd(32)}median   best    bar`)
  for (const [index, { name, bar }] of rows.entries()) {
    const own = times[index] ?? []
    const ratios = [median(own) / median(floor), Math.min(...own) / Math.min(...floor), bar ?? Number.NaN]
    console.log(`${name.padEnd(32)}${ratios.map((ratio) => ratio.toFixed(2).padStart(6)).join(' ')}`)
  }
}

function median(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
}
