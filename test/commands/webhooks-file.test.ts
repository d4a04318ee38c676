import { describe, expect, test } from 'vitest'
import { parseYaml } from '../../src/cli/yaml.ts'
import { readSubscriptions } from '../../src/commands/webhooks-file.ts'
import { AppError } from '../../src/contract/errors.ts'

const read = (text: string) => readSubscriptions(parseYaml(text, 'hooks.yaml'), 'hooks.yaml')

/** The faults of a file, a line each. */
function faultsOf(text: string): string[] {
  try {
    read(text)
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    expect([error.exit, error.message]).toEqual([2, expect.stringMatching(/^hooks\.yaml .*Nothing was sent\.$/)])
    return error.details.map(({ parameter, message }) => `${parameter}: ${message}`)
  }
  return []
}

describe('a file of subscriptions', () => {
  test('is YAML, with anchors where somebody likes them', () => {
    const text = `# ours
subscriptions:
  - url: https://example.com/hooks
    events: &both [invitee.created, invitee.canceled]
    scope: organization
  - { url: "https://example.com/hooks", events: *both, scope: user, user: "https://api.example.com/users/1" }
`
    const events = ['invitee.created', 'invitee.canceled']
    expect(read(text)).toEqual([
      { line: 3, url: 'https://example.com/hooks', events, scope: 'organization' },
      { line: 6, url: 'https://example.com/hooks', events, scope: 'user', user: 'https://api.example.com/users/1' },
    ])
  })

  test('may be JSON, and may name none', () => {
    const one = { url: 'https://example.com/', events: ['invitee.created'], scope: 'user' }
    expect(read(JSON.stringify({ subscriptions: [one] }))).toEqual([{ line: 1, ...one }])
    expect(read('subscriptions: []')).toEqual([])
  })

  test.each([
    ['', 'hooks.yaml:1: The file must begin with "subscriptions:", and list them below.'],
    ['- 1', 'hooks.yaml:1: The file must begin with "subscriptions:", and list them below.'],
    ['{}', 'hooks.yaml:1: The key subscriptions is missing.'],
    ['\nsubscriptions:', 'hooks.yaml:2: subscriptions must be a list; write [] for none.'],
    ['subscriptions: []\nversion: 1', 'hooks.yaml:2: There is no key "version" here; subscriptions is the only one.'],
    ['subscriptions:\n- hello', 'hooks.yaml:2: A subscription must have url, events, scope; this is none.'],
    ['subscriptions:\n- scope: user', 'hooks.yaml:2: This subscription has no url, no events.'],
    ['subscriptions: []\nsubscriptions: []', expect.stringMatching(/^hooks\.yaml:2: .*unique/)],
    ['subscriptions: [', expect.stringMatching(/^hooks\.yaml:1: /)],
    ['a: 1\n---\nb: 2', expect.stringMatching(/^hooks\.yaml:\d: .*multiple documents/)],
  ])('%j is refused', (text, fault) => expect(faultsOf(text)).toEqual([fault]))

  test('is told all of its faults at once, each with its line', () => {
    const text = `subscriptions:
  - url: http://example.com/
    events: [invitee.created]
    scope: user
  - url: 7
    events: [invitee.cancelled, invitee.created, invitee.created]
    scope: team
  - url: https://example.com/a
    events: [routing_form_submission.created]
    scope: user
    hook: yes
  - url: https://example.com/b
    events: invitee.created
    scope: organization
    user: https://api.example.com/users/1
`
    expect(faultsOf(text)).toEqual([
      'hooks.yaml:2: url must begin with https://.',
      'hooks.yaml:5: url must be a text.',
      expect.stringMatching(/^hooks\.yaml:6: "invitee\.cancelled" is no kind of event; the kinds are invitee\.created, /),
      'hooks.yaml:6: invitee.created is here twice.',
      'hooks.yaml:7: scope must be user or organization.',
      'hooks.yaml:9: routing_form_submission.created needs the scope organization.',
      'hooks.yaml:11: There is no key "hook" here; the keys are url, events, scope, user.',
      'hooks.yaml:13: events must be a list of at least one kind of event.',
      'hooks.yaml:15: user goes with the scope user only; leave it out.',
    ])
  })

  test('names an address once for each scope, however it is spelled', () => {
    const one = (url: string, scope: string) => `  - {url: "${url}", events: [invitee.created], scope: ${scope}}\n`
    const faults = faultsOf(`subscriptions:\n${one('https://example.com', 'user')}${one('https://EXAMPLE.com:443/', 'user')}`)
    expect(faults).toEqual(['hooks.yaml:3: Line 2 has this address and scope already; put all of the events there.'])
    expect(faultsOf(`subscriptions:\n${one('https://example.com', 'user')}${one('https://example.com', 'organization')}`)).toEqual([])
  })

  test('cannot be made to hold more than a machine can: aliases of aliases', () => {
    const levels = Array.from({ length: 9 }, (_, index) => `l${index + 1}: &l${index + 1} [${Array(10).fill(`*l${index}`)}]`)
    expect(() => parseYaml(`l0: &l0 x\n${levels.join('\n')}`, 'hooks.yaml')).toThrow('holds more than 10000 values')
    expect(() => parseYaml('subscriptions: &a [*a]', 'hooks.yaml')).toThrow('nested more than 100 levels')
  })

  test('may name an anchor as often as it likes: an alias is the last one before it', () => {
    const text = `a: &a [x]\nb: *a\nc: &a [y]\nd: [${Array(4000).fill('*a')}]`
    const begin = process.cpuUsage().user
    const parsed = parseYaml(text, 'hooks.yaml')
    expect(process.cpuUsage().user - begin, 'as many walks as aliases take many seconds').toBeLessThan(5_000_000)
    const [, b, , d] = parsed.kind === 'map' ? parsed.entries : []
    expect(b?.value).toMatchObject({ items: [{ value: 'x' }] })
    expect(d?.value).toMatchObject({
      items: expect.arrayContaining([expect.objectContaining({ items: [expect.objectContaining({ value: 'y' })] })]),
    })
  })

  test.each([
    ['brackets', '['.repeat(100_000)],
    ['closed brackets', `${'['.repeat(150)}${']'.repeat(150)}`],
    ['lists', '- '.repeat(50_000)],
    ['maps', Array.from({ length: 3000 }, (_, index) => `${' '.repeat(index)}a:`).join('\n')],
  ])('is told of %s without end by a sentence of ours', (_, text) => {
    expect(() => parseYaml(text, 'hooks.yaml')).toThrow('hooks.yaml is nested more than 100 levels deep. Nothing was sent.')
  })
})
