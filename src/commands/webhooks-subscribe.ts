import type { Command, Context, Given } from '../cli/command.ts'
import { isOnlyShown, perform } from '../cli/endpoint-command.ts'
import { failMissing, flagsOf, readFlags } from '../cli/endpoint-flags.ts'
import type { Prompt } from '../cli/prompt.ts'
import type { User } from '../contract/account.ts'
import { addressOf, faultOfUrl } from '../contract/callback-url.ts'
import { AppError, fail } from '../contract/errors.ts'
import { fieldsOf } from '../contract/shape.ts'
import { type EventKind, eventKindNames, eventKinds, isWithin, type Scope, type Subscription, webhooks } from '../contract/webhooks.ts'
import { keepKey, signingKeyFlag, signingKeyOnStdin } from './signing-key.ts'
import { snippet } from './webhooks-snippet.ts'
import { subscriptionView as view } from './webhooks-views.ts'
import { allSubscriptions, isAdmin, scopesOf, uuidOf, whoAmI } from './whose.ts'

/** The body of a request, as far as it is known. */
interface Wish {
  url?: string
  events?: EventKind[]
  scope?: Scope
  user?: string
  organization?: string
  signing_key?: string
}
type Complete = Wish & Required<Pick<Wish, 'url' | 'events' | 'scope'>>

const fieldFlags = flagsOf(webhooks.create)
  .filter(({ name }) => name !== 'signing-key')
  .map((flag) => ({ ...flag, required: false }))

export const subscribe: Command = {
  name: 'subscribe',
  aliases: ['create'],
  summary: 'Subscribe to events: asks step by step, or takes flags',
  description:
    'Without flags on a terminal it asks for everything; with some, for the rest. A script gives --url, --events and --scope. The URIs of user and organization are found where they are left out. The signing key is shown once.',
  flags: [...fieldFlags, signingKeyFlag],
  fields: fieldsOf(webhooks.create.success.record),
  writes: true,
  hasBody: true,
  exits: [3, 5, 6, 7, 8, 9, 130],
  examples: [
    { line: 'webhooks subscribe', why: 'Step by step' },
    {
      line: 'webhooks subscribe --url https://example.com/hooks --events invitee.created,invitee.canceled --scope user',
      why: 'Your own events',
    },
    {
      line: 'webhooks subscribe --url https://example.com/hooks --events routing_form_submission.created --scope organization',
      why: "The whole organization's",
    },
  ],
  async run(given, context) {
    const typed: Wish = { ...(await readFlags(fieldFlags, given, context)).body, ...(await signingKeyOnStdin(given, context)) }
    const missing = (['url', 'events', 'scope'] as const).filter((name) => typed[name] === undefined)
    const prompt = missing.length > 0 ? await context.prompt() : undefined
    if (!prompt) {
      failMissing(missing)
      const body = await withUris(typed as Complete, () => whoAmI(context))
      return perform(webhooks.create, { body: { ...body } }, { view, message: (_, made) => `${done(made)}\n${keepKey}` }, context)
    }
    const me = await whoAmI(context)
    const wish = await ask(typed, me, prompt, context)
    const message = (_: unknown, made: Subscription) =>
      [done(made), keepKey, snippet, `The same in one line:\n\n  ${oneLine({ ...wish, signing_key: typed.signing_key }, given)}`].join(
        '\n\n',
      )
    return perform(webhooks.create, { body: { ...(await withUris(wish, async () => me)) } }, { view, message }, context)
  },
}

/** The wish with the URI that its scope needs. */
async function withUris(wish: Complete, me: () => Promise<User>): Promise<Complete> {
  if (wish.scope === 'user') return { ...wish, user: wish.user ?? (await me()).uri }
  return { ...wish, organization: wish.organization ?? (await me()).current_organization }
}

/** The wizard: asks for what is missing, shows what there is already, and asks whether all of it is meant. */
async function ask(typed: Wish, me: User, prompt: Prompt, context: Context): Promise<Complete> {
  const { say } = context
  await say(`You are ${me.name} <${me.email}>, ${me.role} of the organization.`)
  await say(
    isAdmin(me)
      ? 'You may subscribe to your own events, and to those of the whole organization.'
      : 'You may subscribe to your own events; those of the whole organization are for admins and owners.',
  )
  const events = typed.events ?? (await askEvents(typed.scope, me, prompt, context))
  const scope = typed.scope ?? (await askScope(events, me, prompt, context))
  const others = await allSubscriptions(me, await context.client(), { within: [scope] })
  await showSimilar(others, events, context)
  const url = typed.url ?? (await prompt.text('Address that receives payloads', { check: checkUrl }))
  refuseEqual(others, url, events)
  const key = await offerTest(url, typed.signing_key, me, prompt, context)
  await say(`\nEvents   ${events.join(', ')}\nScope    ${meaning[scope]}\nAddress  ${url}\n`)
  if (!(await prompt.confirm('Create this subscription?'))) throw new AppError('declined', 'Nothing was changed.')
  return { ...typed, ...key, events, scope, url }
}

/** Sends a test where that is wanted, until it arrives or nobody wants to try again. Test and subscription have the same key, so it is made here then. */
async function offerTest(
  url: string,
  given: string | undefined,
  me: User,
  prompt: Prompt,
  context: Context,
): Promise<Pick<Wish, 'signing_key'>> {
  if (isOnlyShown(context)) return {}
  let signing_key = given
  let question = 'Send a signed test there now?'
  while (await prompt.confirm(question)) {
    const { tryAddress } = await import('./webhooks-trial.ts')
    signing_key ??= (await import('../service/desk.ts')).newSigningKey()
    if (await tryAddress({ url, created_by: me.uri, signing_key }, context)) break
    question = 'Send it again?'
  }
  return signing_key === undefined ? {} : { signing_key }
}

const meaning: Record<Scope, string> = { user: 'user: your own events', organization: 'organization: the events of everybody' }

async function askEvents(scope: Scope | undefined, me: User, prompt: Prompt, { say }: Context): Promise<EventKind[]> {
  const allowed = scope ? [scope] : scopesOf(me)
  const width = Math.max(...eventKindNames.map(({ length }) => length))
  const choices = eventKindNames.map((event) => {
    const name = `${event.padEnd(width)}  ${eventKinds[event].meaning}`
    const isOpen = allowed.some((one) => isWithin(event, one))
    if (isOpen) return { value: event, name, short: event }
    return {
      value: event,
      name,
      short: event,
      disabled: isAdmin(me) ? '(organization only)' : '(admins, owners)',
    }
  })
  for (;;) {
    const events = await prompt.checkbox('Which events?', choices)
    if (events.length > 0) return events
    await say('Choose at least one event, with the space bar.')
  }
}

async function askScope(events: EventKind[], me: User, prompt: Prompt, { say }: Context): Promise<Scope> {
  const open = scopesOf(me).filter((scope) => events.every((event) => isWithin(event, scope)))
  if (open.length > 1)
    return prompt.select(
      'Whose events?',
      open.map((scope) => ({ value: scope, name: meaning[scope] })),
    )
  const [only] = open
  if (!only) return fail('permission_denied', `${events.join(', ')}: these need the scope organization, which is for admins and owners.`)
  await say(`Scope: ${meaning[only]}; no other is open to ${isAdmin(me) ? 'these events' : 'you'}.`)
  return only
}

async function showSimilar(others: Subscription[], events: EventKind[], { say }: Context): Promise<void> {
  const similar = others.filter((other) => shared(other, events).length > 0)
  if (similar.length === 0) return
  await say('Subscriptions to these events that there are already:')
  for (const { uri, callback_url, events: theirs, state } of similar)
    await say(`  ${uuidOf(uri)}  ${callback_url}  ${theirs.join(', ')}  ${state}`)
}

const shared = ({ events }: Subscription, wanted: EventKind[]): EventKind[] => events.filter((event) => wanted.includes(event))

function checkUrl(given: string): true | string {
  const fault = faultOfUrl(given)
  const home = fault?.endsWith('https://') ? ', or with http:// and lead to the machine of the service' : ''
  return fault === undefined || `The address ${fault}${home}.`
}

/** @throws AppError `already_exists` where the service would refuse, with what to do instead */
function refuseEqual(others: Subscription[], url: string, events: EventKind[]): void {
  if (!URL.canParse(url)) return
  const equal = others.find((other) => addressOf(other.callback_url) === addressOf(url) && shared(other, events).length > 0)
  if (!equal) return
  const uuid = uuidOf(equal.uri)
  const both = [...new Set([...equal.events, ...events])]
  fail('already_exists', `Subscription ${uuid} tells this address of ${shared(equal, events).join(', ')} already. Nothing was changed.`, {
    hints: [
      { command: `bookctl webhooks get ${uuid}`, why: 'shows it' },
      ...(both.length > equal.events.length
        ? [{ command: `bookctl webhooks update ${uuid} --events ${both.join(',')}`, why: 'adds the other events to it' }]
        : []),
    ],
  })
}

const done = ({ uri, callback_url }: Subscription): string => `Subscribed ${callback_url}: ${uuidOf(uri)}.`

function oneLine({ url, events, scope, user, organization, signing_key }: Complete, { flags }: Given): string {
  const parts = ['bookctl webhooks subscribe', `--url ${quoted(url)}`, `--events ${events.join(',')}`, `--scope ${scope}`]
  if (user !== undefined) parts.push(`--user ${quoted(user)}`)
  if (organization !== undefined) parts.push(`--organization ${quoted(organization)}`)
  if (signing_key !== undefined) parts.push('--signing-key-stdin')
  if (flags.profile !== undefined) parts.push(`--profile ${quoted(String(flags.profile))}`)
  return parts.join(' ')
}

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`
