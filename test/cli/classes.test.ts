import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { afterEach, describe, expect, test } from 'vitest'
import type { Env, Output } from '../../src/cli/env.ts'
import { run } from '../../src/cli/run.ts'
import { entries } from '../../src/commands/index.ts'
import { sqlite } from '../support/databases.ts'
import { createServiceWorld, type ServiceWorld } from '../support/service.ts'

interface Typed {
  exit: number
  stdout: string
  stderr: string
}

const closers: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closers.splice(0)) await close()
})

/** A world whose owner types; what is typed runs in this process, against the world's own service. */
async function createDesk(): Promise<ServiceWorld & { type(line: string, columns?: number): Promise<Typed> }> {
  const world = await createServiceWorld(sqlite)
  const home = mkdtempSync(join(tmpdir(), 'bookctl-desk-'))
  writeFileSync(join(home, 'config.json'), JSON.stringify({ profile: 'here', settings: {}, profiles: { here: { database: 'here' } } }), {
    mode: 0o600,
  })
  closers.push(world.close, async () => rmSync(home, { recursive: true }))
  const openLocal = async () => ({
    transport: (request: Parameters<typeof world.service.app>[0]) =>
      world.service.app({ ...request, headers: { ...request.headers, 'api-key': world.owner.api_key } }),
    address: world.service.world.address,
    delivered: async () => undefined,
    close: async () => undefined,
  })
  let made = 0
  const type = async (line: string, columns?: number): Promise<Typed> => {
    const written = { stdout: '', stderr: '' }
    const output = (name: 'stdout' | 'stderr'): Output => ({
      write: async (text) => {
        written[name] += text
      },
      isTTY: columns !== undefined && name === 'stdout',
      columns,
      stream: new PassThrough(),
    })
    const env: Env = {
      variables: { BOOKCTL_CONFIG_DIR: home, NO_COLOR: '1' },
      stdin: { isTTY: false, stream: new PassThrough(), read: async () => '' },
      stdout: output('stdout'),
      stderr: output('stderr'),
      cwd: home,
      home,
      platform: 'linux',
      pid: 1,
      isRunning: () => false,
      now: world.clock.now,
      newId: () => {
        made += 1
        return `desk-${made}`
      },
      newRequestId: () => 'req-desk',
      random: () => 0.5,
      sleep: async () => undefined,
      zone: () => 'UTC',
      listen: () => undefined,
      interrupt: new AbortController().signal,
    }
    const words = [...line.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '')
    return { exit: await run(words, env, { entries, openLocal }), ...written }
  }
  return { ...world, type }
}

describe('classes, typed', () => {
  test('from a class with a rule to a session with a waiting list, and back', async () => {
    const { type, hasCustomer } = await createDesk()
    const [ada, bob] = [await hasCustomer({ name: 'Ada' }), await hasCustomer({ name: 'Bob' })]
    const created = await type(
      'classes create --name Yoga --duration 60 --capacity 1 --time-zone UTC --waitlist --starts "2026-12-01 18:00" --rrule "FREQ=WEEKLY;BYDAY=TU"',
    )
    expect([created.exit, created.stderr]).toEqual([0, 'Created class 1. bookctl classes schedule 1 makes its sessions.\n'])
    expect(JSON.parse(created.stdout).recurrence).toEqual({ start: '2026-12-01T18:00', rrule: 'FREQ=WEEKLY;BYDAY=TU' })

    const scheduled = await type('classes schedule 1 --to 2026-12-15')
    expect(scheduled.stderr).toBe('Times to 2026-12-16 00:00 +00:00 (UTC).\nMade 3 sessions of class 1.\n')
    expect((await type('classes schedule 1 --count 4')).stderr).toBe('Made 1 session of class 1; 3 were there already.\n')

    expect((await type('classes sessions 1 --to 2026-12-08', 120)).stdout).toMatchInlineSnapshot(`
      "ID  Start                    Minutes  Class  Taken  Seats  Waiting  Status
      1   2026-12-01 18:00 +00:00  60       Yoga   0      1      0        scheduled
      2   2026-12-08 18:00 +00:00  60       Yoga   0      1      0        scheduled
      "
    `)
    const listed = JSON.parse((await type('sessions list --class 1')).stdout)
    expect(listed.collection).toHaveLength(4)

    expect((await type(`attendees add --session 1 --customer ${ada.id}`)).stderr).toBe('Ada has a seat of session 1, as attendee 1.\n')
    expect((await type(`attendees add --session 1 --customer ${bob.id}`)).stderr).toBe(
      'Bob waits for a seat of session 1, as attendee 2.\n',
    )
    expect((await type('attendees list --session 1', 80)).stdout).toMatchInlineSnapshot(`
      "ID  Customer  Status
      1   Ada       active
      2   Bob       waiting
      "
    `)
    const canceled = await type('attendees cancel 1 --session 1 --reason Ill --yes')
    expect([canceled.exit, canceled.stderr]).toEqual([0, 'Canceled attendee 1.\n'])
    expect((await type('attendees list --session 1 --status active -o ids')).stdout).toBe('2\n')
    expect((await type('attendees no-show 2 --session 1')).stderr).toBe('Attendee 2 is a no-show.\n')
    expect(JSON.parse((await type('attendees get 2 --session 1')).stdout)).toMatchObject({
      id: 2,
      status: 'no_show',
      customer: { name: 'Bob' },
    })
    const undone = await type('attendees undo-no-show 2 --session 1')
    expect(undone).toEqual({ exit: 0, stdout: '', stderr: 'Attendee 2 is no no-show any more.\n' })
    expect((await type('attendees get 2 --session 1', 80)).stdout).toMatch(/Status +active/)
    expect((await type('attendees undo-no-show 2 --session 1')).exit).toBe(5)
    expect((await type('attendees get 2 --session 2')).exit).toBe(4)
    expect((await type('sessions update 1 --capacity 5 --fields seats.remaining')).stderr).toBe('Changed session 1.\n')
    expect((await type('sessions cancel 1 --yes')).stderr).toBe('Canceled session 1.\n')
  })

  test('an empty value clears what can be cleared, a recurrence as a whole, and nothing else', async () => {
    const { type, hasStaff } = await createDesk()
    const { id } = await hasStaff()
    await type(
      `classes create --name Yoga --duration 60 --capacity 1 --staff ${id} --location Hall --price 15.00 --currency EUR --starts 2026-12-01T18:00 --rrule FREQ=DAILY`,
    )
    const cleared = await type('classes update 1 --rrule "" --staff "" --location "" --price ""')
    expect(JSON.parse(cleared.stdout)).toMatchObject({
      recurrence: null,
      staff_member_id: null,
      location: null,
      price: null,
      currency: 'EUR',
    })
    expect((await type('classes update 1 --name ""')).exit).toBe(2)
    expect((await type('classes update 1 --duration ""')).exit).toBe(2)
    expect(JSON.parse((await type('classes get 1')).stdout)).toMatchObject({ name: 'Yoga', duration: 60 })
    const { stdout } = await type('classes update --help')
    expect(stdout.replace(/\s+/g, ' ')).toMatch(/--location TEXT Where it takes place; an empty value clears it .*clears the recurrence/)
    expect((await type('classes create --help')).stdout).not.toContain('clears')
  })

  test('says what is missing, what is full and what is not there, with its exit code', async () => {
    const { type, hasSession, hasAttendee, hasCustomer } = await createDesk()
    const session = await hasSession('2026-12-01T10:00:00Z', { capacity: 1 })
    await hasAttendee(session)
    const { id } = await hasCustomer()
    const missing = await type('attendees list')
    expect([missing.exit, JSON.parse(missing.stderr).error.message]).toEqual([2, 'A flag is missing: --session.'])
    expect((await type('attendees cancel 1 --yes')).exit).toBe(2)
    expect((await type('attendees cancel --session 1 --yes')).exit).toBe(2)
    const full = await type(`attendees add --session ${session.id} --customer ${id}`)
    expect([full.exit, JSON.parse(full.stderr).error.code]).toEqual([5, 'session_full'])
    expect((await type('attendees list --session 99')).exit).toBe(4)
    expect((await type('sessions cancel 1')).exit).toBe(2)
    expect((await type('classes schedule 1')).exit).toBe(2)
    const rule = await type('classes create --name Yoga --duration 60 --capacity 1 --starts 2026-12-01T18:00 --rrule FREQ=HOURLY')
    expect([rule.exit, JSON.parse(rule.stderr).error.details[0].parameter]).toEqual([2, '--rrule'])
  })

  test('the calendar shows what somebody teaches', async () => {
    const { type, hasSession, hasStaff } = await createDesk()
    const staff = await hasStaff({ name: 'Mira' })
    await hasSession('2026-12-01T10:00:00Z', { staff_member_id: staff.id })
    const { lanes } = JSON.parse((await type('calendar --week 2026-12-01')).stdout)
    expect(lanes[0].items).toEqual([
      { start_time: '2026-12-01T10:00:00.000000Z', end_time: '2026-12-01T11:00:00.000000Z', status: 'scheduled', label: 'Yoga — 0 of 2' },
    ])
  })

  test('a dry run shows the path with both of its ids, and sends nothing', async () => {
    const { type } = await createDesk()
    const shown = await type('attendees cancel 31 --session 8 --dry-run')
    expect(JSON.parse(shown.stdout)).toMatchObject({
      method: 'POST',
      url: expect.stringMatching(/\/api\/v3\/sessions\/8\/attendees\/31\/cancel$/),
    })
  })

  test('every command has help that names its positional and its flags', async () => {
    const { type } = await createDesk()
    const help = (await type('attendees cancel --help')).stdout
    expect(help).toContain('ATTENDEE-ID')
    expect(help).toContain('--session')
    expect((await type('classes schedule --help')).stdout).toContain('--skip-conflicts')
  })
})
