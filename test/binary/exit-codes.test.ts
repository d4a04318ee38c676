import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import type { RequestListener } from 'node:http'
import { join } from 'node:path'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { sql } from '../../src/service/store/sql.ts'
import { openSqlite } from '../../src/service/store/sqlite.ts'
import { answering, type Business, createHomes, errorOf, OWNER, PASSWORD, type Serving, until } from '../support/binary.ts'
import { fetchChecked } from '../support/document.ts'

const homes = createHomes()
let business: Business
let serving: Serving

beforeAll(async () => {
  business = await homes.business()
  serving = await business.serve()
})

/** A port with a listener of the test's own, gone behind the test. */
async function fake(listener: RequestListener) {
  const made = await answering(listener)
  onTestFinished(made.close)
  return made
}

const remote = (url: string) => business.remote(url)

describe('0: done', () => {
  test('a list, an empty list and help are all successes', async () => {
    expect(await business.run(['customers', 'list'])).toMatchObject({ exit: 0, stderr: '' })
    const empty = await business.run(['customers', 'list', '--search', 'nobody at all'])
    expect(empty).toMatchObject({ exit: 0, stderr: 'No customers found.\n' })
    expect(JSON.parse(empty.stdout).collection).toEqual([])
    expect(await business.run(['customers', '--help'])).toMatchObject({ exit: 0, stderr: '' })
  })

  test('a dry run sends nothing', async () => {
    const { url, requests } = await fake((_, response) => response.end('{}'))
    const ended = await remote(url).run(['customers', 'create', '--name', 'Ada', '--dry-run'])
    expect(ended).toMatchObject({ exit: 0, stderr: 'Dry run: nothing was sent.\n' })
    expect(JSON.parse(ended.stdout)).toMatchObject({ method: 'POST', url: `${url}/api/v3/customers`, body: { name: 'Ada' } })
    expect(requests).toEqual([])
  })
})

describe('1: declined, or unexpected', () => {
  test('a "no" at the question leaves the record alone', async () => {
    const drawn = await business.onTerminal(['customers', 'delete', '2'], { steps: [{ see: 'Go ahead?', type: 'n\r' }] })
    expect(drawn.exit).toBe(1)
    expect(drawn.text).toContain('This will erase customer 2. Go ahead?')
    expect(drawn.text).toContain('Nothing was changed.')
    expect(await business.json(['customers', 'get', '2'])).toMatchObject({ deleted_at: null })
  })

  test('return alone means no', async () => {
    const drawn = await business.onTerminal(['customers', 'delete', '2'], { steps: [{ see: 'Go ahead?', type: '\r' }] })
    expect(drawn.exit).toBe(1)
  })

  test('a "yes" goes ahead', async () => {
    const { id } = await business.json(['customers', 'create', '--name', 'Brief Visitor'])
    const drawn = await business.onTerminal(['customers', 'delete', String(id)], { steps: [{ see: 'Go ahead?', type: 'y\r' }] })
    expect(drawn.exit).toBe(0)
    expect(drawn.text).toContain(`Erased customer ${id}.`)
  })

  test('a fault of our own is told in one sentence without a stack', async () => {
    const home = await homes.business()
    await change(home.database, 'alter table customers rename to gone')
    const ended = await home.run(['customers', 'list'])
    expect(ended.exit).not.toBe(0)
    expect(ended.stdout).toBe('')
    expect(ended.stderr).not.toMatch(/\n {4}at /)
    expect(errorOf(ended).exit_code).toBe(ended.exit)
    expect((await home.run(['customers', 'list', '--debug'])).stderr, 'which --debug shows').toMatch(/no such table: customers.*\n {4}at /)
  })
})

describe('2: usage', () => {
  test.each([
    ['an unknown command', ['custmers', 'list'], 'There is no command custmers. Did you mean customers?'],
    ['an unknown verb', ['customers', 'lst'], 'There is no customers command lst. Did you mean list?'],
    ['an unknown flag', ['customers', 'list', '--serch', 'x'], 'There is no flag --serch. Did you mean --search?'],
    ['a word that is no choice', ['appointments', 'list', '--status', 'schedule'], 'Did you mean scheduled?'],
    ['an output that is none', ['customers', 'list', '-o', 'jsn'], 'Did you mean json?'],
    ['an id that is no number', ['customers', 'get', 'seven'], 'The id of a customer is a whole number; "seven" is not.'],
    [
      'a number that is none',
      ['appointment-types', 'create', '--name', 'x', '--duration', 'long'],
      '--duration must be a whole number; "long" is not.',
    ],
    ['a date that does not exist', ['appointments', 'list', '--from', '2026-02-30'], '--from: 2026-02-30 is not a date that exists.'],
    ['a time that the clocks skip', ['appointments', 'list', '--from', '2026-03-29 02:30', '--tz', 'Europe/Berlin'], 'the clocks skip it'],
    ['a zone that does not exist', ['appointments', 'list', '--tz', 'Europe/Atlantis'], 'There is no time zone Europe/Atlantis'],
    ['a limit of none', ['customers', 'list', '--limit', '0'], '--limit must be a whole number, at least 1; "0" is not.'],
    ['a flag without its value', ['customers', 'list', '--search'], '--search needs a value.'],
    ['one argument too many', ['customers', 'get', '1', '2'], 'bookctl customers get takes one argument, the id.'],
    ['a value the service refuses', ['customers', 'create', '--name', 'Ada', '--email', 'ada@'], 'must be an e-mail address'],
    ['a time-out that is none', ['customers', 'list', '--timeout', 'soon'], 'The time-out must be a number of seconds'],
    ['a body that is no JSON', ['customers', 'create', '--input-json', '-'], '--input-json: this is not JSON'],
  ])('%s', async (_, args, sentence) => {
    const ended = await business.run(args, { stdin: 'no json' })
    expect(ended).toMatchObject({ exit: 2, stdout: '' })
    expect(errorOf(ended)).toMatchObject({ exit_code: 2, message: expect.stringContaining(sentence) })
  })

  test('all missing flags are named at once', async () => {
    const ended = await business.run(['appointments', 'create'])
    expect(ended.exit).toBe(2)
    const { message, details } = errorOf(ended)
    expect(message).toContain('--type, --start')
    expect(details.map(({ parameter }: { parameter: string }) => parameter)).toEqual(expect.arrayContaining(['--type', '--start']))
  })

  test('what destroys is refused without --yes where nobody can be asked, and nothing is sent', async () => {
    const { url, requests } = await fake((_, response) => response.end('{}'))
    const ended = await remote(url).run(['customers', 'delete', '7'])
    expect(ended.exit).toBe(2)
    expect(errorOf(ended).message).toContain('--yes')
    expect(requests).toEqual([])
  })

  test('nothing is asked in CI or with --no-input, although there is a terminal', async () => {
    expect((await business.onTerminal(['customers', 'delete', '2', '--no-input'])).exit).toBe(2)
    expect((await business.onTerminal(['customers', 'delete', '2'], { env: { CI: 'true' } })).exit).toBe(2)
  })

  test('no business yet: the error says how to make one', async () => {
    const ended = await homes.empty().run(['customers', 'list'])
    expect(ended.exit).toBe(2)
    expect(errorOf(ended).hints.map(({ command }: { command: string }) => command)).toContain('bookctl init --sample')
  })

  test('a configuration that is no JSON is left as it was', async () => {
    const home = await homes.business()
    writeFileSync(home.configFile, '{"profiles": {')
    for (const args of [
      ['customers', 'list'],
      ['config', 'set', 'output', '--value', 'csv'],
      ['init', '--sample'],
    ]) {
      const ended = await home.run(args)
      expect(ended.exit).toBe(2)
      expect(errorOf(ended)).toMatchObject({ code: 'bad_file', message: expect.stringContaining(home.configFile) })
    }
    expect(readFileSync(home.configFile, 'utf8')).toBe('{"profiles": {')
  })

  test.each([
    ['is not there', () => undefined],
    ['is a directory', (path: string) => void mkdirSync(path)],
    ['is something else', (path: string) => writeFileSync(path, 'This is no database, however long it goes on.\n'.repeat(100))],
  ])('a database that %s', async (_, make) => {
    const home = await homes.business()
    const path = join(home.directory, 'other.db')
    make(path)
    writeFileSync(home.configFile, readFileSync(home.configFile, 'utf8').replace(home.database, path))
    const ended = await home.run(['customers', 'list'])
    expect(ended.exit).toBe(2)
    expect(errorOf(ended)).toMatchObject({ code: 'bad_file', message: expect.stringContaining(path) })
  })

  test('a database that a newer bookctl has written', async () => {
    const home = await homes.business()
    await change(home.database, "insert into schema_migrations (number, name) values (999, 'from the future')", 'pragma user_version = 999')
    const ended = await home.run(['customers', 'list'])
    expect(ended.exit).toBe(2)
    expect(errorOf(ended).message).toContain('was written by a newer bookctl')
  })
})

describe('3: credentials', () => {
  test('none at all', async () => {
    const ended = await business.remote(serving.url, {}).run(['customers', 'list'])
    expect(ended.exit).toBe(3)
    expect(errorOf(ended)).toMatchObject({
      code: 'no_credential',
      hints: [{ command: 'bookctl auth login' }, { command: 'bookctl auth status' }],
    })
  })

  test('one that the service does not know', async () => {
    const ended = await business.remote(serving.url, { api_key: 'bk_wrong' }).run(['customers', 'list'])
    expect(ended.exit).toBe(3)
    expect(errorOf(ended)).toMatchObject({ code: 'unauthenticated', status: 401, request_id: expect.any(String) })
  })

  test('a profile’s own is not sent to another address', async () => {
    const { url, requests } = await fake((_, response) => response.end('{}'))
    for (const home of [remote(serving.url), business]) {
      const ended = await home.run(['customers', 'list'], { env: { BOOKCTL_BASE_URL: url } })
      expect(ended.exit).toBe(3)
      expect(errorOf(ended)).toMatchObject({ code: 'no_credential', message: expect.stringContaining(url) })
    }
    expect(requests).toEqual([])
  })

  test('a password that does not fit', async () => {
    const ended = await remote(serving.url).run(['auth', 'login', '--email', OWNER, '--password-stdin'], { stdin: 'guess' })
    expect(ended.exit).toBe(3)
    expect(errorOf(ended)).toMatchObject({ code: 'unauthenticated', message: 'E-mail and password do not fit.' })
  })
})

test('4: a record that is not there, here and over the network', async () => {
  for (const home of [business, remote(serving.url)]) {
    const ended = await home.run(['customers', 'get', '99999'])
    expect(ended.exit).toBe(4)
    expect(errorOf(ended)).toMatchObject({ code: 'not_found', status: 404, exit_code: 4 })
  }
})

describe('5: conflicts', () => {
  test('an e-mail address that somebody has', async () => {
    const { email } = await business.json(['customers', 'get', '1'])
    const ended = await remote(serving.url).run(['customers', 'create', '--name', 'Double', '--email', email.toUpperCase()])
    expect(ended.exit).toBe(5)
    expect(errorOf(ended)).toMatchObject({ code: 'already_exists', status: 409 })
  })

  test('a time that is taken', async () => {
    const { collection } = await business.json(['staff', 'available', '--type', '3', '--from', 'tomorrow', '--to', 'in 7 days'])
    const { start_time, staff_member_ids } = collection[0]
    const book = ['appointments', 'create', '--type', '3', '--customer', '1', '--staff', String(staff_member_ids[0]), '--start', start_time]
    expect((await business.run(book)).exit).toBe(0)
    const ended = await business.run(book)
    expect(ended.exit).toBe(5)
    expect(errorOf(ended).code).toBe('slot_taken')
  })

  test('a profile that is there already', async () => {
    const ended = await business.run(['init', '--sample'])
    expect(ended.exit).toBe(5)
    expect(errorOf(ended).code).toBe('already_exists')
  })
})

test('6: what the role of a member does not allow', async () => {
  const member = business.remote(serving.url, await business.hasUser('member'))
  expect((await member.run(['customers', 'list'])).exit).toBe(0)
  const ended = await member.run(['staff', 'create', '--name', 'Noor', '--email', 'noor@example.com', '--time-zone', 'UTC'])
  expect(ended.exit).toBe(6)
  expect(errorOf(ended)).toMatchObject({ code: 'permission_denied', status: 403 })
})

test('7: too many attempts to sign in', async () => {
  const signIn = { method: 'POST', headers: { 'content-type': 'application/json' } }
  const body = JSON.stringify({ email: 'limited@example.com', password: 'guess' })
  for (let tries = 0; tries < 10; tries += 1) await fetchChecked(`${serving.url}/api/v3/authenticate`, { ...signIn, body })
  const ended = await remote(serving.url).run(['auth', 'login', '--email', 'limited@example.com', '--password-stdin'], { stdin: PASSWORD })
  expect(ended.exit).toBe(7)
  expect(errorOf(ended)).toMatchObject({
    code: 'rate_limited',
    status: 429,
    retryable: true,
    message: expect.stringMatching(/try again in \d+ s/),
  })
})

describe('8: nothing was reached', () => {
  test('nothing listens', async () => {
    const { url, close } = await answering(() => undefined)
    await close()
    const ended = await remote(url).run(['customers', 'create', '--name', 'Ada', '--timeout', '1'])
    expect(ended.exit).toBe(8)
    expect(errorOf(ended)).toMatchObject({
      code: 'unreachable',
      retryable: true,
      message: expect.stringContaining(`Could not reach ${url}`),
    })
  })

  test('a read that is never answered ends at the time-out', async () => {
    const { url } = await fake(() => undefined)
    const ended = await remote(url).run(['customers', 'list', '--timeout', '1'])
    expect(ended.exit).toBe(8)
    expect(errorOf(ended).message).toContain('did not answer within 1 second')
  })
})

describe('9: the service failed', () => {
  test.each<[string, RequestListener, string]>([
    ['with a 500', (_, response) => void response.writeHead(500).end('Oops'), 'internal'],
    ['with a page instead of JSON', (_, response) => void response.end('<html>Hello</html>'), 'bad_reply'],
    ['with JSON of another kind', (_, response) => void response.end('{"hello": "there"}'), 'bad_reply'],
    ['with something that is not HTTP', (_, response) => void response.socket?.end('220 smtp.example.com ESMTP\r\n'), 'bad_reply'],
    ['with a redirect', (_, response) => void response.writeHead(302, { location: 'https://elsewhere.example.com/' }).end(), 'bad_reply'],
  ])('%s', async (_, listener, code) => {
    const { url } = await fake(listener)
    const ended = await remote(url).run(['customers', 'list'])
    expect(ended.exit).toBe(9)
    expect(errorOf(ended)).toMatchObject({ code, message: expect.stringMatching(/./) })
  })

  test('a port that is taken stops serve with a clear sentence', async () => {
    const { url } = await fake(() => undefined)
    const { port } = new URL(url)
    const ended = await business.run(['serve', '--port', port, '-o', 'json'])
    expect(ended).toMatchObject({ exit: 9, stdout: '' })
    expect(errorOf(ended).message).toBe(`Cannot listen on 127.0.0.1: port ${port} is taken; choose another with --port.`)
  })
})

test('10: a change whose reply never came, with the command to check', async () => {
  const { url, requests } = await fake((request) => void request.on('end', () => request.socket.destroy()).resume())
  const ended = await remote(url).run(['customers', 'update', '7', '--notes', 'x'])
  expect(ended.exit).toBe(10)
  expect(errorOf(ended)).toMatchObject({ code: 'outcome_unknown', retryable: false })
  expect(errorOf(ended).hints[0].command).toContain('/api/v3/customers/7')
  expect(requests).toEqual(['PATCH /api/v3/customers/7'])
})

test('10 is spared a create, which is repeated with its key', async () => {
  let count = 0
  const { url, requests } = await fake((request, response) => {
    count += 1
    if (count === 1) request.on('end', () => request.socket.destroy()).resume()
    else response.writeHead(201).end(JSON.stringify({ resource: { id: 7, name: request.headers['idempotency-key'] } }))
  })
  expect(await remote(url).json(['customers', 'create', '--name', 'Ada'])).toMatchObject({ id: 7, name: expect.any(String) })
  expect(requests).toHaveLength(2)
})

test('12: --require-complete, and there was more', async () => {
  const ended = await business.run(['customers', 'list', '--limit', '2', '--require-complete'])
  expect(ended).toMatchObject({ exit: 12, stderr: expect.stringMatching(/^Showing 2 of (?:more|\d+)\./) })
  expect(JSON.parse(ended.stdout).collection).toHaveLength(2)
  expect((await business.run(['customers', 'list', '--all', '--require-complete'])).exit).toBe(0)
})

describe('130: Ctrl-C', () => {
  test.each([
    ['Ctrl-C', '\x03'],
    ['Ctrl-D', '\x04'],
  ])('%s at a question changes nothing and gives the terminal back', async (_, key) => {
    const drawn = await business.onTerminal(['customers', 'delete', '2'], { steps: [{ see: 'Go ahead?', type: key }] })
    expect(drawn.exit).toBe(130)
    expect(drawn.text).toContain('Interrupted; nothing was changed.')
    expect(drawn.raw.lastIndexOf('\x1b[?25h'), 'the cursor is shown').toBeGreaterThanOrEqual(drawn.raw.lastIndexOf('\x1b[?25l'))
    expect((await business.run(['customers', 'get', '2'])).exit).toBe(0)
  })

  test('at a question with JSON output, the error is JSON', async () => {
    const drawn = await business.onTerminal(['customers', 'delete', '2', '-o', 'json'], { steps: [{ see: 'Go ahead?', type: '\x03' }] })
    expect(drawn.exit).toBe(130)
    expect(JSON.parse(drawn.text.slice(drawn.text.indexOf('{"error"')))).toMatchObject({ error: { code: 'interrupted', exit_code: 130 } })
  })

  test('while a reply is awaited', async () => {
    const { url, requests } = await fake(() => undefined)
    const { child, ended } = remote(url).start(['customers', 'list'])
    await until(() => requests.length > 0)
    child.kill('SIGINT')
    expect((await ended).exit).toBe(130)
    expect(errorOf(await ended)).toMatchObject({ code: 'interrupted', message: 'Interrupted.', exit_code: 130 })
  })

  test('while a change is under way, it says that the change may have been made', async () => {
    const { url, requests } = await fake(() => undefined)
    const { child, ended } = remote(url).start(['customers', 'update', '7', '--notes', 'x'])
    await until(() => requests.length > 0)
    child.kill('SIGTERM')
    expect((await ended).exit).toBe(143)
    expect(errorOf(await ended)).toMatchObject({ code: 'terminated', message: expect.stringContaining('may or may not have been made') })
    expect(errorOf(await ended).hints[0].command).toContain('/api/v3/customers/7')
  })

  test('while stdin is awaited, it does not wait for the end of stdin', async () => {
    const { child, ended } = remote(serving.url).start(['auth', 'login', '--with-api-key'])
    // More than a pipe holds: once it is written, somebody is reading.
    await new Promise((resolve) => child.stdin?.write('x'.repeat(1_000_000), resolve))
    child.kill('SIGINT')
    expect((await ended).exit).toBe(130)
    expect(errorOf(await ended).code).toBe('interrupted')
  })
})

describe('143: SIGTERM', () => {
  test.each([
    ['SIGTERM', 143],
    ['SIGINT', 130],
  ] as const)('%s stops serve in order', async (signal, exit) => {
    const { signal: send, ended } = await business.serve()
    send(signal)
    const { exit: code, stderr } = await ended
    expect(code).toBe(exit)
    const events = stderr
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).event)
    expect(events).toEqual(['listening', 'stopping', 'stopped'])
  })
})

describe('the shape of an error', () => {
  const keys = ['code', 'message', 'status', 'request_id', 'retryable', 'exit_code', 'details', 'hints']

  test.each([
    ['of usage', ['custmers']],
    ['of the service', ['customers', 'get', '99999']],
    ['with -o ndjson', ['customers', 'get', '99999', '-o', 'ndjson']],
  ])('%s is one line of JSON in a pipe, with these keys and no others', async (_, args) => {
    const { stderr } = await business.run(args)
    expect(stderr.trim().split('\n')).toHaveLength(1)
    expect(Object.keys(JSON.parse(stderr))).toEqual(['error'])
    expect(Object.keys(JSON.parse(stderr).error)).toEqual(keys)
  })

  test('it is sentences on a terminal, with commands that can be pasted', async () => {
    const { lines, exit } = await business.onTerminal(['custmers', 'list'])
    expect(exit).toBe(2)
    expect(lines.slice(0, 3)).toEqual([
      'There is no command custmers. Did you mean customers?',
      'Try:',
      '  bookctl --help   shows the commands there are',
    ])
  })

  test('it is JSON on a terminal with --json', async () => {
    const { text } = await business.onTerminal(['customers', 'get', '99999', '--json'])
    expect(JSON.parse(text)).toMatchObject({ error: { code: 'not_found', exit_code: 4 } })
  })
})

/** Changes a database behind the tool's back. */
async function change(database: string, ...statements: string[]): Promise<void> {
  const engine = openSqlite(database)
  for (const statement of statements) await engine.run({ ...sql``, sql: statement, values: [] } as never)
  await engine.close()
}
