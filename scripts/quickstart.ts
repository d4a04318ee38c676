/** A tour: a throw-away sample business, and an appointment booked in it. Nothing outside of a temporary folder is touched. */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const launcher = join(__dirname, '..', 'bin', 'bookctl.js')
const home = mkdtempSync(join(tmpdir(), 'bookctl-quickstart-'))
const places = { HOME: home, XDG_CONFIG_HOME: join(home, 'config'), XDG_DATA_HOME: join(home, 'data'), XDG_CACHE_HOME: join(home, 'cache') }
const env = {
  ...process.env,
  ...places,
  BOOKCTL_OUTPUT: 'table',
  BOOKCTL_PROFILE: undefined,
  BOOKCTL_BASE_URL: undefined,
  BOOKCTL_CONFIG_DIR: undefined,
}

/** Runs a command for the reader: shows what is typed, and what comes back. */
function show(why: string, ...args: string[]): void {
  process.stdout.write(`\n# ${why}\n$ bookctl ${args.map((arg) => (/[\s"]/.test(arg) ? `"${arg}"` : arg)).join(' ')}\n`)
  const { status } = spawnSync(process.execPath, [launcher, ...args], { env, stdio: 'inherit' })
  if (status !== 0) throw new Error(`bookctl ${args[0]} ended with ${status}`)
}

/** Runs a command for its answer. */
function ask<T>(...args: string[]): T {
  const { status, stdout, stderr } = spawnSync(process.execPath, [launcher, ...args, '-o', 'json'], { env, encoding: 'utf8' })
  if (status !== 0) throw new Error(stderr)
  return JSON.parse(stdout) as T
}

interface Available {
  collection: { start_time: string; staff_member_ids: number[] }[]
}

function tour(): void {
  show('A business on this machine, with sample records', 'init', '--sample')
  show('Its customers', 'customers', 'list', '--limit', '8')
  show(
    'When somebody is free for a first visit',
    'staff',
    'available',
    '--type',
    '1',
    '--from',
    'tomorrow',
    '--to',
    'in 5 days',
    '--limit',
    '6',
  )
  const free = ask<Available>('staff', 'available', '--type', '1', '--from', 'tomorrow', '--to', 'in 5 days').collection[0]
  if (!free) throw new Error('nobody is free')
  show(
    'Book the first of these',
    'appointments',
    'create',
    '--type',
    '1',
    '--customer',
    '3',
    '--start',
    free.start_time,
    '--answer',
    'What brings you here?=A stiff neck',
  )
  const booked = ask<{ collection: { id: number }[] }>('appointments', 'list', '--customer', '3', '--sort', 'id:desc', '--limit', '1')
    .collection[0]
  show('There it is', 'calendar', '--week', free.start_time)
  show(
    'The same as JSON, for a script',
    'appointments',
    'get',
    String(booked?.id),
    '-o',
    'json',
    '--fields',
    'id,status,start_time,customer.name,staff_member.name',
  )
}

try {
  tour()
  process.stdout.write(`
That was a throw-away business; it is gone now. Yours is one command away:

  node bin/bookctl.js init              your own business, asked for step by step
  node bin/bookctl.js init --sample     the sample again, to keep
  node bin/bookctl.js serve             the same service on a port
  node bin/bookctl.js help              everything else

npm install --global .   puts bookctl on your PATH.
`)
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`)
  process.exitCode = 1
} finally {
  rmSync(home, { recursive: true, force: true })
}
