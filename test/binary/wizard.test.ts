import { describe, expect, onTestFinished, test } from 'vitest'
import { verify } from '../../src/service/delivery/sign.ts'
import { createHomes, type Home, type Step } from '../support/binary.ts'
import { openReceiver, type ReceiverOptions } from '../support/receiver.ts'

const homes = createHomes()
const HOOK = 'http://localhost:4999/hooks'

const SPACE = ' '
const DOWN = '\x1b[B'
const ENTER = '\r'
const CTRL_C = '\x03'

const events = (...keys: string[]): Step => ({ see: 'Which events?', type: [...keys, ENTER].join('') })
const scope = (...keys: string[]): Step => ({ see: 'Whose events?', type: [...keys, ENTER].join('') })
const address = (text: string): Step => ({ see: 'Address that receives', type: text + ENTER })
const trial = (key: string): Step => ({ see: 'Send a signed test there now?', type: key + ENTER })
const review = (key: string): Step => ({ see: 'Create this subscription?', type: key + ENTER })

const wizard = (home: Home, steps: Step[], args: string[] = []) =>
  home.onTerminal(['webhooks', 'subscribe', ...args], { steps, columns: 120 })
const count = async (home: Home): Promise<number> => (await home.json(['webhooks', 'list', '--json'])).collection.length

describe('webhooks subscribe on a terminal', () => {
  test('asks step by step, shows the signing key once, and prints the one line that does the same', async () => {
    const home = await homes.business()
    const drawn = await wizard(home, [events(SPACE, DOWN, SPACE), scope(DOWN), address(HOOK), trial('n'), review('y')])
    expect(drawn.exit).toBe(0)
    const { collection } = await home.json(['webhooks', 'list', '--json'])
    expect(collection).toEqual([
      expect.objectContaining({
        callback_url: HOOK,
        events: ['invitee.created', 'invitee.canceled'],
        scope: 'organization',
        state: 'active',
      }),
    ])
    expect(drawn.text).toContain('You are Sample Owner <owner@example.com>, owner of the organization.')
    expect(drawn.text).toContain('You may subscribe to your own events, and to those of the whole organization.')
    expect(drawn.text).toContain(
      `Events   invitee.created, invitee.canceled\nScope    organization: the events of everybody\nAddress  ${HOOK}`,
    )
    expect(drawn.text.match(/whsec_[A-Za-z0-9+/]{43}=/g)).toHaveLength(1)
    expect(drawn.text).toContain('function isGenuine(headers, body)')

    const line = /^ +bookctl (webhooks subscribe .*)$/m.exec(drawn.text)?.[1] as string
    expect(line).toBe(`webhooks subscribe --url '${HOOK}' --events invitee.created,invitee.canceled --scope organization`)
    const again = await home.shell(`bookctl ${line}`)
    expect([again.exit, again.stdout]).toEqual([5, ''])
    expect(again.stderr).toContain('Hook with this url already exists')
    await home.run(['webhooks', 'delete', collection[0].uri, '--yes'])
    expect((await home.shell(`bookctl ${line}`)).exit).toBe(0)
    const [made] = (await home.json(['webhooks', 'list', '--json'])).collection
    const { uri: _, created_at: __, updated_at: ___, ...same } = collection[0]
    expect(made).toMatchObject(same)
  })

  test('asks only for what the flags leave open', async () => {
    const home = await homes.business()
    const drawn = await wizard(home, [address(HOOK), trial('n'), review('y')], ['--events', 'invitee.created', '--scope', 'user'])
    expect(drawn.exit).toBe(0)
    expect(drawn.text).not.toContain('Which events?')
    expect(drawn.text).not.toContain('Whose events?')
    expect(await count(home)).toBe(1)
  })

  test('leaves the scope out where the events allow one only', async () => {
    const home = await homes.business()
    const drawn = await wizard(home, [events(DOWN, DOWN, SPACE), address(HOOK), trial('n'), review('y')])
    expect(drawn.exit).toBe(0)
    expect(drawn.text).toContain('Scope: organization: the events of everybody; no other is open to these events.')
    expect((await home.json(['webhooks', 'list', '--json'])).collection[0].scope).toBe('organization')
  })

  test('wants an event, and an address that is one', async () => {
    const home = await homes.business()
    const steps = [
      events(),
      { see: 'Choose at least one event', type: SPACE + ENTER },
      scope(),
      address('localhost'),
      { see: 'The address must be', type: `\x15http://example.com/${ENTER}` },
      { see: 'The address must begin with https://', type: `\x15${HOOK}${ENTER}` },
      trial('n'),
      review('y'),
    ]
    expect((await wizard(home, steps)).exit).toBe(0)
    expect(await count(home)).toBe(1)
  })

  const whole = [events(SPACE), scope(), address(HOOK), trial('n'), review('y')]
  test.each([0, 1, 2, 3, 4])('Ctrl-C at step %i ends it, and changes nothing', async (at) => {
    const home = await homes.business()
    const drawn = await wizard(home, [...whole.slice(0, at), { see: (whole[at] as Step).see, type: CTRL_C }])
    expect(drawn.exit).toBe(130)
    expect(await count(home)).toBe(0)
  })

  test('sends a test that is signed with the key of the subscription, shows the answer, and again when it was refused', async () => {
    const statuses = [401, 200, 200]
    const answer: ReceiverOptions['answer'] = (_, response) => void response.writeHead(statuses.shift() as number).end('who \x1b[31mis it?')
    const receiver = await openReceiver({ answer })
    onTestFinished(receiver.close)
    const home = await homes.business()
    const again = { see: 'Send it again?', type: `y${ENTER}` }
    const drawn = await wizard(home, [events(SPACE), scope(), address(receiver.url), trial('y'), again, review('y')])
    expect(drawn.exit).toBe(0)
    expect(drawn.text).toMatch(/The receiver refused it: 401 in \d+ ms\. It says: who \\x1b\[31mis it\?/)
    expect(drawn.text).toContain('may refuse until it has the key')
    expect(drawn.text).toMatch(/It arrived: 200 in \d+ ms\./)
    const [key = ''] = /whsec_[A-Za-z0-9+/]{43}=/.exec(drawn.text) ?? []
    expect(drawn.text).not.toContain('--signing-key-stdin')
    expect(receiver.payloads().map(({ event }) => event)).toEqual(['ping', 'ping'])
    await home.json(['webhooks', 'ping', (await home.json(['webhooks', 'list', '--json'])).collection[0].uri])
    for (const request of receiver.received) {
      const faults = verify(request, key, Date.now() / 1000).map(({ present, fault }) => ({ present, fault }))
      expect(faults).toEqual([
        { present: true, fault: undefined },
        { present: true, fault: undefined },
      ])
    }
    expect(receiver.received).toHaveLength(3)
  })

  test('says so when nothing answers, and goes on', async () => {
    const home = await homes.business()
    const again = { see: 'Send it again?', type: `n${ENTER}` }
    const drawn = await wizard(home, [events(SPACE), scope(), address('http://127.0.0.1:9/hooks'), trial('y'), again, review('y')])
    expect([drawn.exit, drawn.text]).toEqual([0, expect.stringMatching(/It did not arrive \(\d+ ms\)\. Nothing listens there/)])
    expect(await count(home)).toBe(1)
  })

  test('Ctrl-C while the test is under way ends it, and changes nothing', async () => {
    const receiver = await openReceiver({ answer: () => undefined })
    onTestFinished(receiver.close)
    const home = await homes.business()
    const stop = { see: 'Yes', type: CTRL_C, behind: receiver.until(1) }
    const drawn = await wizard(home, [events(SPACE), scope(), address(receiver.url), trial('y'), stop])
    expect(drawn.exit).toBe(130)
    expect(await count(home)).toBe(0)
  })

  test('a no to the review changes nothing', async () => {
    const home = await homes.business()
    const drawn = await wizard(home, [...whole.slice(0, 4), review('n')])
    expect(drawn.exit).toBe(1)
    expect(await count(home)).toBe(0)
  })

  test('a member is told what the role leaves open, and cannot choose the organization', async () => {
    const home = await homes.business()
    const member = await home.hasUser('member')
    const { url, stop } = await home.serve(['--allow-private-webhooks'])
    const theirs = home.remote(url, member)
    // The third cannot be chosen; the fourth is a no-show.
    const drawn = await wizard(theirs, [events(SPACE, DOWN, DOWN, SPACE, DOWN, SPACE), address(HOOK), trial('n'), review('y')])
    expect(drawn.exit).toBe(0)
    expect(drawn.text).toContain('those of the whole organization are for admins and owners.')
    expect(drawn.text).toContain('A routing form was sent in (admins, owners)')
    expect(drawn.text).toContain('Scope: user: your own events; no other is open to you.')
    const { collection } = await theirs.json(['webhooks', 'list', '--json'])
    expect(collection).toEqual([expect.objectContaining({ scope: 'user', events: ['invitee.created', 'invitee_no_show.created'] })])
    const flags = ['--events', 'routing_form_submission.created']
    const refused = await wizard(theirs, [], flags)
    expect([refused.exit, refused.text]).toEqual([6, expect.stringContaining('which is for admins and owners')])
    const forced = await theirs.run(['webhooks', 'subscribe', ...flags, '--scope', 'organization', '--url', HOOK])
    expect([forced.exit, forced.stderr]).toEqual([6, expect.stringContaining('You do not have permission to access this resource.')])
    await stop()
  })

  test('what there is already is shown first, and an equal one is not made twice', async () => {
    const home = await homes.business()
    const other = 'http://localhost:4999/other'
    for (const url of [HOOK, other]) {
      const { exit } = await home.run(['webhooks', 'subscribe', '--url', url, '--events', 'invitee.created', '--scope', 'user'])
      expect(exit).toBe(0)
    }
    const drawn = await wizard(home, [events(SPACE, DOWN, SPACE), scope(), address('http://LOCALHOST:4999/hooks')])
    expect(drawn.exit).toBe(5)
    const shown = drawn.text.slice(drawn.text.indexOf('there are already:'), drawn.text.lastIndexOf('Address that receives'))
    expect(shown).toContain(HOOK)
    expect(shown).toContain(other)
    expect(drawn.text).toContain('tells this address of invitee.created already. Nothing was changed.')
    expect(drawn.text).toMatch(/bookctl webhooks update [\da-f-]{36} --events invitee\.created,invitee\.canceled/)
    expect(await count(home)).toBe(2)
  })
})

describe('webhooks without a terminal', () => {
  test('names every flag that is missing', async () => {
    const home = await homes.business()
    const { exit, stderr } = await home.run(['webhooks', 'subscribe', '--url', HOOK])
    expect([exit, stderr]).toEqual([2, expect.stringContaining('Flags are missing: --events, --scope.')])
  })

  test('takes a signing key from stdin, and shows none of it in a dry run', async () => {
    const home = await homes.business()
    const line = ['webhooks', 'subscribe', '--url', HOOK, '--events', 'invitee.created', '--scope', 'user', '--signing-key-stdin']
    const dry = await home.run([...line, '--dry-run'], { stdin: 'demo-signing-key\n' })
    expect([dry.exit, dry.stdout + dry.stderr]).toEqual([0, expect.not.stringContaining('demo')])
    expect(await count(home)).toBe(0)
    const made = await home.run(line, { stdin: 'demo-signing-key\n' })
    expect(JSON.parse(made.stdout).signing_key).toBe('demo-signing-key')
  })

  test('subscriptions are listed, read, changed, enabled and deleted, by UUID and by URI', async () => {
    const home = await homes.business()
    const subscribe = ['webhooks', 'subscribe', '--events', 'invitee.created', '--url', HOOK]
    const { uri } = await home.json([...subscribe, '--scope', 'user'])
    await home.json([...subscribe, '--scope', 'organization'])
    expect(await count(home)).toBe(2)
    expect((await home.json(['webhooks', 'list', '--scope', 'user', '--json'])).collection).toHaveLength(1)
    const uuid = uri.split('/').at(-1)
    expect((await home.run(['webhooks', 'list', '--scope', 'user', '-o', 'ids'])).stdout).toBe(`${uuid}\n`)
    const { signing_key: _, ...read } = await home.json(['webhooks', 'get', uri])
    expect(await home.json(['webhooks', 'get', uuid])).toEqual(read)
    expect((await home.json(['webhooks', 'update', uuid, '--events', 'invitee.canceled'])).events).toEqual(['invitee.canceled'])
    expect((await home.json(['webhooks', 'enable', uuid])).state).toBe('active')
    expect((await home.run(['webhooks', 'delete', uuid])).exit).toBe(2)
    expect((await home.run(['webhooks', 'delete', uuid, '--yes'])).exit).toBe(0)
    expect((await home.run(['webhooks', 'get', uuid])).exit).toBe(4)
    const kinds = (await home.json(['webhooks', 'events', '--json'])).collection
    expect(kinds.map(({ event }: { event: string }) => event)).toContain('routing_form_submission.created')
  })

  test('an event is found, its invitee looked up in three ways, and canceled', async () => {
    const home = await homes.business()
    const [event] = (await home.json(['events', 'list', '--from', 'tomorrow', '--status', 'active', '--limit', '1', '--json'])).collection
    const uuid = event.uri.split('/').at(-1)
    expect(await home.json(['events', 'get', event.uri])).toEqual(event)
    const [appointment] = (await home.json(['appointments', 'list', '--json', '--all'])).collection.filter(
      ({ uri }: { uri: string }) => uri === event.uri,
    )
    const invitee = await home.json(['invitees', 'lookup', appointment.invitee])
    expect(invitee).toMatchObject({ uri: appointment.invitee, name: appointment.customer.name, email: appointment.customer.email })
    const parts = ['--event', uuid, '--invitee', appointment.invitee.split('/').at(-1)]
    expect(await home.json(['invitees', 'lookup', ...parts])).toEqual(invitee)
    const payload = JSON.stringify({ event: 'invitee.created', payload: { uri: appointment.invitee } })
    expect(await home.json(['invitees', 'lookup', '-'], { stdin: payload })).toEqual(invitee)
    for (const wrong of [['-'], [event.uri], ['--event', uuid], []]) {
      expect((await home.run(['invitees', 'lookup', ...wrong], { stdin: '{"payload":{}}' })).exit).toBe(2)
    }
    expect((await home.run(['events', 'cancel', uuid])).exit).toBe(2)
    expect(await home.json(['events', 'cancel', uuid, '--reason', 'Ill', '--yes'])).toMatchObject({ reason: 'Ill', canceler_type: 'host' })
    expect((await home.run(['events', 'cancel', uuid, '--yes'])).exit).toBe(6)
  })
})
