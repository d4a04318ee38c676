import type { Command, Context, Given, Result } from '../cli/command.ts'
import { failMissing } from '../cli/endpoint-flags.ts'
import { openPrivateLog, pathFrom, readTextFile } from '../cli/files.ts'
import { onePage } from '../cli/pages.ts'
import { confirmDestroying } from '../cli/prompt.ts'
import type { User } from '../contract/account.ts'
import { AppError, fail } from '../contract/errors.ts'
import { fieldsOf } from '../contract/shape.ts'
import { webhooks } from '../contract/webhooks.ts'
import { Applied } from '../contract/webhooks-results.ts'
import { keepKey } from './signing-key.ts'
import { readSubscriptions, type Wanted } from './webhooks-file.ts'
import { planOf, type Step } from './webhooks-plan.ts'
import { applyView } from './webhooks-views.ts'
import { allSubscriptions, isAdmin, targetOf, uuidOf, whoAmI } from './whose.ts'

export const apply: Command = {
  name: 'apply',
  summary: 'Make the subscriptions as a file says',
  description:
    'The file lists them under "subscriptions:", each with url, events and scope; it is YAML or JSON. Which subscription is meant is told by address and scope. What is missing is created first, then events are changed and disabled ones enabled, and with --prune what the file does not name is deleted last; the first failure ends it, so that an old subscription goes only when the new one is there. A second run changes nothing. The signing keys of those that are created are told once: in the result, or in --keys-file, which has them before anything is sent.',
  flags: [
    { name: 'file', short: 'f', placeholder: 'FILE', description: 'What there should be; - for stdin', required: true },
    { name: 'prune', description: 'Delete the subscriptions that the file does not name' },
    { name: 'check', description: 'Change nothing; exit 12 when there is a difference' },
    {
      name: 'keys-file',
      placeholder: 'FILE',
      description: 'Add the new signing keys to this file, a line of JSON each; only you can read it',
    },
    { name: 'dry-run', short: 'n', description: 'Show the differences, change nothing' },
    { name: 'yes', short: 'y', description: 'Do not ask before --prune deletes' },
  ],
  fields: fieldsOf(Applied),
  exits: [3, 5, 6, 7, 8, 9, 10, 11, 12, 130],
  examples: [
    { line: 'webhooks apply -f webhooks.yaml --dry-run', why: 'What would be done' },
    { line: 'webhooks apply -f webhooks.yaml --prune --yes --keys-file keys.jsonl', why: 'The file, and nothing but the file' },
    { line: 'webhooks apply -f webhooks.yaml --check', why: 'In CI: exit 12 when somebody changed something' },
  ],
  async run(given, context) {
    const { flags } = given
    const wanted = await readWanted(given, context)
    const me = await whoAmI(context)
    refuseOthers(wanted, me)
    const steps = planOf(wanted, await allSubscriptions(me, await context.client()), flags.prune === true)
    const changes = steps.filter(isChange)
    if (flags.check === true || context.globals.dryRun || changes.length === 0) {
      return {
        ...listOf(steps.map((step) => rowOf(step))),
        message: tell(steps, false),
        exit: flags.check === true && changes.length > 0 ? 12 : 0,
      }
    }
    refuseLosingKeys(changes, given, context)
    await confirm(changes, context)
    return carryOut(steps, me, given, context)
  },
}

async function readWanted({ flags }: Given, { env }: Context): Promise<Wanted[]> {
  if (flags.file === undefined) failMissing(['file'])
  const path = String(flags.file)
  const text = path === '-' ? await env.stdin.read() : readTextFile(pathFrom(env.cwd, path), '--file')
  const name = path === '-' ? 'stdin' : path
  const { parseYaml } = await import('../cli/yaml.ts')
  return readSubscriptions(parseYaml(text, name), name)
}

/** @throws AppError `permission_denied` for what the service would refuse, before anything is changed */
function refuseOthers(wanted: Wanted[], me: User): void {
  const details = wanted.flatMap(({ line, scope, user }) => {
    if (scope === 'organization' && !isAdmin(me))
      return [{ message: `Line ${line}: the scope organization is for admins and owners; you are ${me.role}.` }]
    if (user !== undefined && uuidOf(user) !== uuidOf(me.uri))
      return [{ message: `Line ${line}: the scope user is for your own events; this is another user.` }]
    return []
  })
  if (details.length > 0) fail('permission_denied', 'The file asks for more than you may have. Nothing was changed.', { details })
}

/** @throws AppError `usage` where new keys would be neither shown nor kept */
function refuseLosingKeys(changes: Step[], { flags }: Given, { look }: Context): void {
  if (flags['keys-file'] !== undefined || !changes.some(({ action }) => action === 'create')) return
  const isShown = look.fields ? look.fields.includes('signing_key') : look.format !== 'ids'
  if (!isShown)
    fail(
      'usage',
      'The new signing keys, which are told once, would not be shown. Name a --keys-file, or signing_key in --fields; nothing was sent.',
    )
}

const isChange = ({ action }: Pick<Step, 'action'>): boolean => action === 'create' || action === 'update' || action === 'delete'

async function confirm(changes: Step[], { env, globals }: Context): Promise<void> {
  const goners = changes.filter(({ action }) => action === 'delete')
  if (goners.length === 0) return
  const named = goners.map(({ url, scope }) => `${url} (${scope})`).join(', ')
  const many = goners.length === 1 ? 'webhook subscription' : `${goners.length} webhook subscriptions`
  await confirmDestroying(`delete the ${many} ${named}`, globals.yes, env, globals.noInput)
}

/** A step, and what became of it. */
function rowOf(step: Step, became: Partial<Applied> = {}): Applied {
  return { ...step, status: isChange(step) ? 'planned' : 'none', error: null, signing_key: null, ...became }
}

/** The signing key is a column only where there is one to keep. */
function listOf(rows: Applied[]): Extract<Result, { kind: 'list' }> {
  const hasKeys = rows.some(({ signing_key }) => signing_key !== null)
  const columns = applyView.columns.filter(({ field }) => field !== 'signing_key' || hasKeys)
  return { kind: 'list', pages: onePage(rows), view: { ...applyView, columns } }
}

/** Takes the steps in their order. The first that fails is the last: what replaces is there before what it replaces goes. */
async function carryOut(steps: Step[], me: User, { flags }: Given, context: Context): Promise<Result> {
  const keys = await makeKeys(steps, flags, context)
  const rows: Applied[] = []
  let failure: AppError | undefined
  try {
    for (const step of steps) {
      const row = !isChange(step) ? rowOf(step) : failure ? rowOf(step, { status: 'not_tried' }) : await attempt(step)
      rows.push(row)
      await keys.settle(step, row)
    }
  } finally {
    keys.close()
  }
  const has = (status: Applied['status']) => rows.some((row) => row.status === status)
  // Where nothing was done there is nothing to keep, and the error says it all.
  if (failure && !has('done') && !has('unknown')) throw failure
  const said = failure ? tellFailure(failure, rows, keys.where) : [tell(steps, true)]
  if (rows.some(({ signing_key }) => signing_key !== null)) said.push(keepKey)
  return { ...listOf(rows), message: said.join('\n'), exit: failure ? exitOf(failure) : 0 }

  async function attempt(step: Step): Promise<Applied> {
    const signing_key = keys.shown(step)
    try {
      return rowOf(step, { status: 'done', signing_key, ...(await take(step, me, keys.of(step), context)) })
    } catch (error) {
      failure = error instanceof AppError ? error : new AppError('unexpected', `${(error as Error).message}.`, { cause: error })
      if (error === context.env.interrupt.reason) return rowOf(step, { status: 'not_tried' })
      const { message } = failure
      return isDoubtful(failure)
        ? rowOf(step, { status: 'unknown', error: message, signing_key })
        : rowOf(step, { status: 'failed', error: message })
    }
  }
}

/** Whoever stands before the service, and does not know what became of it. */
const gateways = [502, 504]

/** Whether a change may have been made although it failed: also where a second try was told that its key made something already. */
function isDoubtful({ code, status }: AppError): boolean {
  if (code === 'bad_reply') return (status ?? 0) < 300
  return ['outcome_unknown', 'interrupted', 'terminated', 'internal', 'conflict'].includes(code) || gateways.includes(status ?? 0)
}

/** What is not known, or was interrupted, stays so; anything else is a success in part. */
const exitOf = (failure: AppError): number => (isDoubtful(failure) ? failure.exit : new AppError('partly_done', '').exit)

function tellFailure(failure: AppError, rows: Applied[], where: string): string[] {
  const done = rows.filter(({ status }) => status === 'done').length
  const count = `${done} of ${rows.filter(isChange).length} changes were made`
  const doubtful = rows.find(({ status }) => status === 'unknown')
  if (!doubtful) return [`${failure.message} ${count}; the rest was left as it was.`]
  const { action, url, scope } = doubtful
  return [
    `${failure.message} To ${action} ${url} (${scope}) was under way: that may have been made. Beside it ${count}; what follows it was not tried.`,
    'To see what there is: bookctl webhooks list',
    ...(action === 'create' ? [`If it is there, its signing key is ${where}. To have another one: bookctl webhooks rotate-key UUID`] : []),
  ]
}

/** The signing keys of what is to be created. */
interface Keys {
  of(step: Step): string | undefined
  /** What the result tells: nothing of a key that is in a file. */
  shown(step: Step): string | null
  /** Writes down what became of a key. */
  settle(step: Step, row: Applied): Promise<void>
  close(): void
  /** Where they are to be found, for a sentence. */
  where: string
}

/**
 * Makes the keys on this side, and has them in the file before anything is sent: however a run ends, there is no subscription
 * whose key nobody knows.
 * @throws AppError where the file cannot be written; nothing was sent
 */
async function makeKeys(steps: Step[], flags: Given['flags'], { env, say }: Context): Promise<Keys> {
  const created = steps.filter(({ action }) => action === 'create')
  const { newSigningKey } = await import('../service/desk.ts')
  const made = new Map(created.map((step) => [step, newSigningKey()]))
  const path = flags['keys-file'] === undefined ? undefined : pathFrom(env.cwd, String(flags['keys-file']))
  const log = path === undefined || created.length === 0 ? undefined : openPrivateLog(path, '--keys-file')
  const add = ({ url, scope }: Step, key: string, uri: string | null, state: string) =>
    log?.add(JSON.stringify({ url, scope, uri, signing_key: key, state }))
  try {
    for (const [step, key] of made) add(step, key, null, 'planned')
  } catch (error) {
    log?.close()
    throw error
  }
  return {
    of: (step) => made.get(step),
    shown: (step) => (log ? null : (made.get(step) ?? null)),
    async settle(step, { uri, status }) {
      const key = made.get(step)
      if (key === undefined || status === 'unknown') return
      try {
        add(step, key, uri, status === 'done' ? 'made' : 'not_made')
      } catch (error) {
        const became = status === 'done' ? `It is of ${uri}` : 'It is of none'
        await say(`${(error as Error).message} The signing key of ${step.url} is there as planned. ${became}.`)
      }
    },
    close: () => log?.close(),
    where: path === undefined ? 'the signing_key above' : `in ${path}, as planned`,
  }
}

/** @param signing_key of what is created */
async function take(step: Step, me: User, signing_key: string | undefined, context: Context): Promise<Partial<Applied>> {
  if (context.env.interrupt.aborted) throw context.env.interrupt.reason
  const client = await context.client()
  const { url, events, scope, added, removed, enabled } = step
  if (step.action === 'create') {
    const { uri } = await client.call(webhooks.create, { body: { url, events, ...targetOf(scope, me), signing_key } })
    return { uri }
  }
  const params = { webhook_uuid: uuidOf(step.uri as string) }
  if (step.action === 'delete') {
    await client.call(webhooks.delete, { params })
    return {}
  }
  const body = { ...(added.length + removed.length > 0 && { events }), ...(enabled && { state: 'active' as const }) }
  await client.call(webhooks.update, { params, body })
  return {}
}

/** What there is to do, or what was done. */
function tell(steps: Step[], isDone: boolean): string {
  const count = (action: Step['action']) => steps.filter((step) => step.action === action).length
  const parts = (['create', 'update', 'delete'] as const).filter((action) => count(action) > 0)
  const [one, untouched] = [count('untouched') === 1, count('untouched')]
  const told = parts.map((action) => (isDone ? `${count(action)} ${action}d` : `${count(action)} to ${action}`)).join(', ')
  return [
    parts.length === 0 ? 'Nothing to change: everything is as the file says.' : `Subscriptions: ${told}.`,
    ...(untouched > 0
      ? [`${untouched} ${one ? 'is' : 'are'} not in the file and left alone; --prune deletes ${one ? 'it' : 'them'}.`]
      : []),
  ].join(' ')
}
