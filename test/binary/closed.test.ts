import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { contract } from '../../src/contract/index.ts'
import { fieldsOf } from '../../src/contract/shape.ts'
import { onceFields } from '../../src/output/told-once.ts'
import { answering, type Business, createHomes, errorOf, type Running } from '../support/binary.ts'
import { openReceiver } from '../support/receiver.ts'

const homes = createHomes()
let business: Business

beforeEach(async () => {
  business = await homes.business()
})

/** A line for a shell in which 9 is a pipe whose reader is gone before anything is written. */
const withClosed = (line: string) => business.shell(`exec 9> >(:); wait $!; ${line}`)

/** A run whose stdout is closed before it has begun. */
function unread(args: string[]): Running {
  const running = business.start(args)
  onTestFinished(() => void running.child.kill('SIGKILL'))
  running.child.stdout?.destroy()
  return running
}

/** A start time in two weeks, in words: what it came to is said on stderr before anything is done. */
async function freeStart(): Promise<string> {
  const { collection } = await business.json(['staff', 'available', '--type', '5', '--from', 'in 14 days', '--to', 'in 20 days'])
  return (collection[0].start_time as string).slice(0, 16).replace('T', ' ')
}

describe('nobody listens on stderr', () => {
  test('what is asked for is done all the same', async () => {
    const create = `bookctl appointments create --type 5 --customer 1 --start '${await freeStart()}' --tz UTC -o ids`
    const { exit, stdout } = await withClosed(`${create} 2>&9`)
    expect({ exit, stdout }).toEqual({ exit: 0, stdout: expect.stringMatching(/^\d+\n$/) })
    expect(await business.json(['appointments', 'get', stdout.trim()])).toMatchObject({ id: Number(stdout) })
  })

  test.each(['2>&9', '2>/dev/full'])('a failure keeps its exit code: %s', async (closed) => {
    expect((await withClosed(`bookctl customers get 99999 ${closed}`)).exit).toBe(4)
    expect((await withClosed(`bookctl customers list --debug --limit 1 --require-complete ${closed}`)).exit).toBe(12)
  })
})

const SUBSCRIPTION = 'https://example.com/hook --events invitee.created --scope organization'
const WANTED = 'subscriptions:\n  - url: https://example.com/hook\n    events: [invitee.created]\n    scope: organization\n'

describe('nobody reads stdout', () => {
  test.each(['table', 'ndjson', 'json', 'csv', 'ids'])('a check keeps its verdict as %s', async (format) => {
    writeFileSync(join(business.directory, 'wanted.yaml'), WANTED)
    for (const [line, exit] of [
      ['webhooks audit --severity info', 12],
      ['webhooks apply -f wanted.yaml --check', 12],
      ['customers list --limit 1 --require-complete', 12],
      ['customers list', 0],
      ['customers get 1', 0],
      ['customers get 99999', 4],
    ] as const) {
      expect([line, (await withClosed(`bookctl ${line} -o ${format} >&9`)).exit]).toEqual([line, exit])
    }
  })

  test('pages are no longer fetched', async () => {
    let page = 0
    const endless = await answering((_, response) => {
      page += 1
      const collection = Array.from({ length: 100 }, (_row, index) => ({ id: page * 100 + index }))
      const pagination = { count: 100, next_page: null, previous_page: null, next_page_token: `page-${page}`, previous_page_token: null }
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ collection, pagination }))
    })
    onTestFinished(endless.close)
    const { directory, variables } = business.remote(endless.url)
    const env = { ...variables, HOME: directory }
    const { exit, stderr } = await business.shell('exec 9> >(:); wait $!; bookctl customers list --all -o ndjson >&9', { env })
    expect({ exit, stderr }).toEqual({ exit: 0, stderr: '' })
    expect(endless.requests.length).toBeGreaterThan(0)
  })

  test('listen does its work, and ends with what became of it', async () => {
    const receiver = await openReceiver()
    onTestFinished(receiver.close)
    const listen = ['webhooks', 'listen', '--forward', receiver.url, '--exit-after', '1', '-o', 'ndjson']
    expect((await withClosed(`bookctl ${listen.join(' ')} --timeout 1 >&9 2>&9`)).exit).toBe(12)
    const { ended, says } = unread(listen)
    await says('Ready')
    const [uuid = ''] = (await business.run(['events', 'list', '--status', 'active', '--from', 'tomorrow', '-o', 'ids'])).stdout.split('\n')
    expect((await business.run(['events', 'cancel', uuid, '--yes'])).exit).toBe(0)
    expect((await ended).exit).toBe(0)
    expect(receiver.payloads()).toMatchObject([{ event: 'invitee.canceled' }])
  })

  test('serve keeps serving', async () => {
    const { child, ended, says } = unread(['serve', '--port', '0'])
    let log = ''
    child.stderr?.on('data', (text) => (log += text))
    await says('"url"')
    const { url } = JSON.parse(log.split('\n').find((line) => line.includes('"url"')) as string)
    expect((await fetch(`${url}/readyz`)).status).toBe(200)
    child.kill('SIGTERM')
    expect((await ended).exit).toBe(143)
  })

  test.each([
    ['credentials create --kind api_key --name CI', /^bookctl credentials (?:create --kind api_key|revoke \d+)/],
    [`webhooks subscribe --url ${SUBSCRIPTION}`, /^bookctl webhooks rotate-key [0-9a-f-]{36}$/],
    ['webhooks apply -f wanted.yaml', /^bookctl webhooks rotate-key [0-9a-f-]{36}$/],
    ['api POST /api/v3/credentials -i -f kind=api_key -f name=CI', /^bookctl credentials (?:create --kind api_key|revoke \d+)/],
  ])('a secret that is told once is said to be lost: %s', async (line, remedy) => {
    writeFileSync(join(business.directory, 'wanted.yaml'), WANTED)
    const ended = await withClosed(`bookctl ${line} --json >&9`.replace(/^(bookctl api .*) --json/, '$1'))
    expect(ended.exit).toBe(1)
    const { message, hints } = errorOf(ended)
    expect(message).toMatch(/^Stdout was closed before (?:secret|signing_key) was written/)
    expect(hints.length).toBeGreaterThan(0)
    for (const { command } of hints) expect(command).toMatch(remedy)
  })

  test('what was not asked for is not lost', async () => {
    expect((await withClosed('bookctl credentials create --kind api_key --name CI --fields id >&9')).exit).toBe(0)
  })

  test('what the contract tells once is in the fields that are watched', () => {
    const telling = Object.values(contract)
      .flatMap((group) => Object.values(group))
      .filter(({ told }) => told === 'once')
    expect(telling.length).toBeGreaterThan(0)
    for (const { path, success } of telling) {
      const fields = Object.keys(fieldsOf(success.record))
      expect(
        onceFields.some((field) => fields.includes(field)),
        path,
      ).toBe(true)
    }
  })
})
