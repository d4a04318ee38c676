import type { Located, LocatedEntry } from '../cli/yaml.ts'
import { addressOf, faultOfUrl, LONGEST_URL } from '../contract/callback-url.ts'
import { AppError, type ErrorDetail } from '../contract/errors.ts'
import { type EventKind, eventKindNames, eventKinds, isWithin, type Scope, scopes } from '../contract/webhooks.ts'

/** A subscription as a file wants it. */
export interface Wanted {
  /** Where in the file it begins. */
  line: number
  url: string
  events: EventKind[]
  scope: Scope
  /** URI; left out, it is whoever applies the file. */
  user?: string
}

const keys = ['url', 'events', 'scope', 'user'] as const
const needed = ['url', 'events', 'scope'] as const

/**
 * What a file of subscriptions says.
 * @param name of the file, for messages
 * @throws AppError `usage` with a detail for each fault, such as `webhooks.yaml:4`; it names all of them at once
 */
export function readSubscriptions(tree: Located, name: string): Wanted[] {
  const details: ErrorDetail[] = []
  const wrong = (line: number, message: string): undefined => {
    details.push({ parameter: `${name}:${line}`, message })
    return undefined
  }
  const wanted = listIn(tree, wrong).flatMap((item) => readOne(item, wrong) ?? [])
  refuseTwice(wanted, wrong)
  if (details.length > 0) {
    const count = details.length === 1 ? 'a fault' : `${details.length} faults`
    throw new AppError('usage', `${name} has ${count}. Nothing was sent.`, { details: details.sort((a, b) => lineOf(a) - lineOf(b)) })
  }
  return wanted
}

const lineOf = ({ parameter = '' }: ErrorDetail): number => Number(parameter.split(':').at(-1))

type Wrong = (line: number, message: string) => undefined

function listIn(tree: Located, wrong: Wrong): Located[] {
  if (tree.kind !== 'map') {
    wrong(tree.line, 'The file must begin with "subscriptions:", and list them below.')
    return []
  }
  for (const { key, line } of tree.entries)
    if (key !== 'subscriptions') wrong(line, `There is no key "${key}" here; subscriptions is the only one.`)
  const list = tree.entries.find(({ key }) => key === 'subscriptions')
  if (!list) wrong(tree.line, 'The key subscriptions is missing.')
  else if (list.value.kind !== 'list') wrong(list.line, 'subscriptions must be a list; write [] for none.')
  else return list.value.items
  return []
}

function readOne(item: Located, wrong: Wrong): Wanted | undefined {
  if (item.kind !== 'map') return wrong(item.line, `A subscription must have ${keys.slice(0, 3).join(', ')}; this is none.`)
  const { line, entries } = item
  for (const { key, line: at } of entries) {
    if (!(keys as readonly string[]).includes(key)) wrong(at, `There is no key "${key}" here; the keys are ${keys.join(', ')}.`)
  }
  const entry = (name: (typeof keys)[number]) => entries.find(({ key }) => key === name)
  const missing = needed.filter((name) => !entry(name))
  if (missing.length > 0) return wrong(line, `This subscription has no ${missing.join(', no ')}.`)
  const url = readUrl(entry('url') as LocatedEntry, wrong)
  const scope = readScope(entry('scope') as LocatedEntry, wrong)
  const events = readEvents(entry('events') as LocatedEntry, scope, wrong)
  const given = entry('user')
  const user = given && readUser(given, scope, wrong)
  if (url === undefined || scope === undefined || events === undefined) return undefined
  return { line, url, events, scope, ...(user !== undefined && { user }) }
}

const textIn = ({ value }: LocatedEntry): string | undefined =>
  value.kind === 'scalar' && typeof value.value === 'string' ? value.value.trim() : undefined

function readUrl(entry: LocatedEntry, wrong: Wrong): string | undefined {
  const url = textIn(entry)
  if (url === undefined) return wrong(entry.line, 'url must be a text.')
  const fault = url.length > LONGEST_URL ? `must have at most ${LONGEST_URL} characters` : faultOfUrl(url)
  return fault === undefined ? url : wrong(entry.line, `url ${fault}.`)
}

function readScope(entry: LocatedEntry, wrong: Wrong): Scope | undefined {
  const scope = textIn(entry)
  return scopes.find((one) => one === scope) ?? wrong(entry.line, `scope must be ${scopes.join(' or ')}.`)
}

function readEvents({ line, value }: LocatedEntry, scope: Scope | undefined, wrong: Wrong): EventKind[] | undefined {
  if (value.kind !== 'list' || value.items.length === 0) return wrong(line, 'events must be a list of at least one kind of event.')
  const events: EventKind[] = []
  let isSound = true
  for (const item of value.items) {
    const name = item.kind === 'scalar' ? String(item.value) : ''
    const event = eventKindNames.find((one) => one === name)
    const fault =
      event === undefined
        ? `"${name}" is no kind of event; the kinds are ${eventKindNames.join(', ')}.`
        : events.includes(event)
          ? `${event} is here twice.`
          : scope !== undefined && !isWithin(event, scope)
            ? `${event} needs the scope ${eventKinds[event].scopes.join(' or ')}.`
            : undefined
    if (event === undefined || fault !== undefined) {
      wrong(item.line, fault as string)
      isSound = false
    } else events.push(event)
  }
  return isSound ? events : undefined
}

function readUser(entry: LocatedEntry, scope: Scope | undefined, wrong: Wrong): string | undefined {
  const user = textIn(entry)
  if (scope === 'organization') return wrong(entry.line, 'user goes with the scope user only; leave it out.')
  return user !== undefined && URL.canParse(user) ? user : wrong(entry.line, 'user must be a URI.')
}

/** Which subscription is meant: told by scope and address. */
export const keyOf = (scope: Scope, url: string): string => `${scope} ${addressOf(url)}`

/** Each subscription is there once. */
function refuseTwice(wanted: Wanted[], wrong: Wrong): void {
  const first = new Map<string, number>()
  for (const { line, url, scope } of wanted) {
    const key = keyOf(scope, url)
    const before = first.get(key)
    if (before !== undefined) wrong(line, `Line ${before} has this address and scope already; put all of the events there.`)
    else first.set(key, line)
  }
}
