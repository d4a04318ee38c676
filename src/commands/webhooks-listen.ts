import type { Command, Context, Given } from '../cli/command.ts'
import { flagsOf, readFlags } from '../cli/endpoint-flags.ts'
import { createFeed } from '../cli/feed.ts'
import { eventIn, keepSigningKey, objectIn, openRecording, type Recorded, type Recording } from '../cli/payload-files.ts'
import { timeoutOf } from '../cli/settings.ts'
import { faultOfUrl } from '../contract/callback-url.ts'
import { fail } from '../contract/errors.ts'
import { fieldsOf } from '../contract/shape.ts'
import { type EventKind, eventKindNames, isWithin, type Scope, webhooks } from '../contract/webhooks.ts'
import { Forwarded } from '../contract/webhooks-results.ts'
import { type Proof, prove } from './webhooks-proof.ts'
import { receiverFrom } from './webhooks-send.ts'
import { newPath, removeStale, type Session, subscribeForNow, type Temporary } from './webhooks-temporary.ts'
import { arrivalView as view } from './webhooks-views.ts'
import { whoAmI, widestScope } from './whose.ts'

const READY_TIMEOUT = '30'

const fields = fieldsOf(Forwarded)

const aboutEvents = flagsOf(webhooks.create)
  .filter(({ name }) => name === 'events' || name === 'scope')
  .map((flag) => ({ ...flag, required: false, description: descriptionOf(flag.name) }))

function descriptionOf(flag: string): string {
  if (flag === 'events') return `Which ones: ${eventKindNames.join(', ')}; all that the scope allows when left out`
  return 'Your own events, or those of the whole organization; as much as your role allows when left out'
}

export const listen: Command = {
  name: 'listen',
  summary: 'Forward events to a receiver on this machine, as they happen',
  description:
    'Makes a temporary subscription to a port of this machine, proves with a ping that deliveries arrive, and then forwards each whose signature holds: body and headers as they came, and back the status. When it ends, by Ctrl-C or otherwise, the subscription is removed; what a killed run left is removed by the next. A service elsewhere reaches this machine through a tunnel that --url names. On a local profile it delivers itself while it listens.',
  flags: [
    { name: 'forward', placeholder: 'URL', description: 'Your receiver: http to this machine, or https', required: true },
    ...aboutEvents,
    { name: 'port', placeholder: 'N', description: 'Port to listen on; a free one when left out' },
    { name: 'url', placeholder: 'URL', description: 'Where the service reaches that port: the https address of a tunnel' },
    {
      name: 'signing-key-file',
      placeholder: 'FILE',
      description: 'What deliveries are signed with, for a receiver that checks; made when it is not there',
    },
    { name: 'record', placeholder: 'FILE', description: 'Add every event to a file, for webhooks send and webhooks verify' },
    { name: 'exit-after', placeholder: 'N', description: 'End once the receiver took so many events with 2xx' },
    { name: 'timeout', placeholder: 'SECONDS', description: 'End after that long; exit 12 when --exit-after was not reached' },
    { name: 'ready-timeout', placeholder: 'SECONDS', description: `How long the ping may take; ${READY_TIMEOUT} when left out` },
  ],
  fields,
  exits: [3, 6, 7, 8, 9, 12, 130, 143],
  examples: [
    { line: 'webhooks listen --forward http://localhost:3000/hook', why: 'All events, until Ctrl-C' },
    {
      line: 'webhooks listen --forward http://localhost:3000/hook --signing-key-file key.txt --record events.ndjson',
      why: 'For a receiver that checks signatures; kept for webhooks send --from-recording',
    },
    {
      line: 'webhooks listen --forward http://localhost:3000/hook --port 4243 --url https://desk.example.com',
      why: 'From a service elsewhere, through a tunnel to port 4243',
    },
    { line: 'webhooks listen --forward http://localhost:3000/hook --exit-after 1 --timeout 60 -o ndjson', why: 'In CI' },
  ],
  async run(given, context) {
    const wish = await wishFrom(given, context)
    const count = { taken: 0 }
    return {
      kind: 'stream',
      rows: happenings(wish, count, context),
      view,
      goesOnUnread: wish.exitAfter !== undefined,
      async after() {
        const { exitAfter, timeout } = wish
        if (exitAfter === undefined || count.taken >= exitAfter || context.env.interrupt.aborted) return
        fail('check_failed', `Within ${(timeout ?? 0) / 1000} s the receiver took ${count.taken} of ${exitAfter} events.`)
      },
    }
  },
}

interface Wish {
  forward: string
  events: EventKind[] | undefined
  scope: Scope | undefined
  port: number
  url: string | undefined
  keyFile: string | undefined
  record: string | undefined
  exitAfter: number | undefined
  /** Milliseconds. */
  timeout: number | undefined
  readyTimeout: number
}

async function wishFrom(given: Given, context: Context): Promise<Wish> {
  const text = (name: string) => given.flags[name] as string | undefined
  const url = text('url')
  const fault = url === undefined ? undefined : faultOfUrl(url)
  if (fault !== undefined) fail('usage', `--url ${fault}.`)
  if (url !== undefined && text('port') === undefined) fail('usage', '--url needs --port too: the port that the tunnel leads to.')
  const unknown = context.look.fields?.find((field) => !(field in fields))
  if (unknown !== undefined) fail('usage', `There is no field "${unknown}". The fields are: ${Object.keys(fields).join(', ')}.`)
  const { events, scope } = (await readFlags(aboutEvents, given, context)).body as Pick<Wish, 'events' | 'scope'>
  const timeout = text('timeout')
  return {
    forward: receiverFrom(given, 'forward', context.globals.insecureHttp),
    events,
    scope,
    port: wholeNumber(given, 'port', { least: 0, most: 65_535 }) ?? 0,
    url,
    keyFile: text('signing-key-file'),
    record: text('record'),
    exitAfter: wholeNumber(given, 'exit-after', { least: 1, most: 1_000_000 }),
    timeout: timeout === undefined ? undefined : timeoutOf(timeout),
    readyTimeout: timeoutOf(text('ready-timeout') ?? READY_TIMEOUT),
  }
}

function wholeNumber({ flags }: Given, name: string, { least, most }: { least: number; most: number }): number | undefined {
  if (flags[name] === undefined) return undefined
  const text = String(flags[name])
  const value = Number(text)
  if (/^\d{1,7}$/.test(text) && value >= least && value <= most) return value
  return fail('usage', `--${name} must be a whole number from ${least} to ${most}; "${text}" is not.`)
}

/** What came, until a signal, the time-out or the number of events ends it. */
async function* happenings(wish: Wish, count: { taken: number }, context: Context): AsyncGenerator<Forwarded> {
  const { env } = context
  const over = new AbortController()
  const end = () => over.abort()
  env.interrupt.addEventListener('abort', end, { once: true })
  if (env.interrupt.aborted) end()
  const record = wish.record === undefined ? undefined : openRecording(wish.record, env)
  if (wish.timeout !== undefined) void env.sleep(wish.timeout, over.signal).then(end)
  try {
    yield* forwarding(wish, { count, record }, over.signal, context)
  } finally {
    end()
    record?.close()
  }
}

interface Tally {
  count: { taken: number }
  record: Recording | undefined
}

/** What is made here is taken away here, whichever way this is left. */
async function* forwarding(wish: Wish, { count, record }: Tally, over: AbortSignal, context: Context): AsyncGenerator<Forwarded> {
  const { env, globals } = context
  const say = (sentence: string) => context.say(sentence).catch(() => undefined)
  const feed = createFeed<Forwarded>()
  over.addEventListener('abort', () => feed.end(), { once: true })
  if (over.aborted) feed.end()
  const { newSigningKey } = await import('../service/desk.ts')
  const key = wish.keyFile === undefined ? newSigningKey() : await keepSigningKey(wish.keyFile, newSigningKey, env)
  const client = await context.client({ delivering: true })
  const session: Session = { client, context, me: await whoAmI(context) }
  const proof: Proof = { arrival: new AbortController(), ready: false }
  const path = newPath(env.newId())
  let unrecorded: unknown
  const { openListening } = await import('../service/listening.ts')
  const listening = await openListening({
    ...{ port: wish.port, path, key, forward: wish.forward, anyHttp: globals.insecureHttp },
    now: env.now,
    newRequestId: env.newRequestId,
    isOwn(body) {
      if (proof.ready || eventIn(body) !== 'ping') return false
      proof.arrival.abort()
      return true
    },
    onArrival({ received_at, headers, body, ...result }) {
      feed.push(rowOf({ received_at, headers, body }, result))
      try {
        record?.add({ received_at, headers, body })
      } catch (error) {
        unrecorded = error
        feed.end(error)
      }
    },
    onRefused: (fault) => void say(`Refused a request that does not verify; it was not forwarded. ${fault}`),
    onFault: (error) => feed.end(error),
  })
  let temporary: Temporary | undefined
  try {
    await removeStale(session)
    const scope = wish.scope ?? widestScope(session.me)
    const events = wish.events ?? eventKindNames.filter((event) => isWithin(event, scope))
    const url = under(wish.url ?? listening.url, path)
    temporary = await subscribeForNow({ url, events, scope, signing_key: key }, session)
    if (!(await prove(temporary.uuid, url, proof, { client, env, over, timeout: wish.readyTimeout }))) return
    await say(`Ready: ${scope === 'user' ? 'your own' : 'all'} events go to ${wish.forward}. Ctrl-C ends it.\n  ${events.join(', ')}`)
    const taken = new Set<string | null>()
    for await (const row of feed.items) {
      yield row
      if (row.error === null) taken.add(row.webhook_id)
      count.taken = taken.size
      if (row.status === 410) await say(gone)
      if (unrecorded !== undefined) throw unrecorded
      if (count.taken === wish.exitAfter) return
    }
  } finally {
    try {
      await temporary?.remove()
    } finally {
      await listening.close()
    }
  }
}

function under(address: string, path: string): string {
  const url = new URL(address)
  url.pathname = url.pathname.replace(/\/+$/, '') + path
  return url.href
}

const gone = 'By 410 Gone the receiver ended the subscription: the service disables it, and sends nothing more.'

function rowOf(
  { received_at, headers, body }: Recorded,
  { status, milliseconds, error }: Pick<Forwarded, 'status' | 'milliseconds' | 'error'>,
): Forwarded {
  const { payload } = objectIn(body)
  const attempt = Number(headers['webhook-attempt'])
  return {
    received_at,
    event: eventIn(body) ?? null,
    webhook_id: headers['webhook-id'] ?? null,
    attempt: Number.isInteger(attempt) ? attempt : null,
    name: textIn(payload?.name),
    uri: textIn(payload?.uri),
    status,
    milliseconds,
    error,
  }
}

const textIn = (value: unknown): string | null => (typeof value === 'string' ? value : null)
