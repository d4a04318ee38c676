/** Subscriptions that are there for as long as a command listens, and no longer, however it ends. */
import type { Context } from '../cli/command.ts'
import { isLocal } from '../cli/connection.ts'
import { type Left, leaveTrace, readTraces } from '../cli/traces.ts'
import type { Client } from '../client/client.ts'
import type { User } from '../contract/account.ts'
import { leadsHome } from '../contract/callback-url.ts'
import { AppError, type ErrorCode } from '../contract/errors.ts'
import { type EventKind, type Scope, type Subscription, webhooks } from '../contract/webhooks.ts'
import { allSubscriptions, targetOf, uuidOf } from './whose.ts'

/** What tells such a subscription from others, should every trace of it be lost. */
const MARK = '/bookctl-listen/'

/** For calls that a signal to us does not end. */
const unhurried = () => ({ signal: new AbortController().signal })

/** How long to try to take one away, once somebody wants to leave. Milliseconds. */
const PATIENCE = 10_000

export const newPath = (id: string): string => `${MARK}${id}`

export interface Wanted {
  url: string
  events: EventKind[]
  scope: Scope
  signing_key: string
}

/** Whoever makes and removes: the caller, and how the service is reached. */
export interface Session {
  client: Client
  me: User
  context: Context
}

export interface Temporary {
  uuid: string
  /** Takes it away; says so where that fails. */
  remove(): Promise<void>
}

/**
 * Makes a subscription that is taken away again. A trace is left first, and the request is not given up at a signal: at any moment
 * either it is known what was made, or there is a trace of it.
 */
export async function subscribeForNow({ url, events, scope, signing_key }: Wanted, session: Session): Promise<Temporary> {
  const { client, me, context } = session
  const trace = tracing(url, session)
  try {
    const body = { url, events, signing_key, ...targetOf(scope, me) }
    const made = await client.call(webhooks.create, { body }, unhurried())
    return {
      uuid: uuidOf(made.uri),
      async remove() {
        if (!(await removeOne(made, client, context))) return
        trace?.erase()
        await context.say('Removed the temporary subscription.')
      },
    }
  } catch (error) {
    // What may have been made after all is looked for; where even that fails, the trace stays.
    if (error instanceof AppError && doubtful.includes(error.code)) await removeStale(session, url).catch(() => undefined)
    else trace?.erase()
    throw explained(error, url, client)
  }
}

const doubtful: ErrorCode[] = ['outcome_unknown', 'bad_reply', 'internal', 'unavailable']

function tracing(url: string, session: Session): Left | undefined {
  const { paths, env, profile } = session.context
  try {
    return leaveTrace(paths.state, env.newId(), { profile: profile.name, service: serviceOf(session), url, pid: env.pid })
  } catch {
    // The mark in the address is there still.
    return undefined
  }
}

const serviceOf = ({ client, context }: Session): string =>
  isLocal(context) ? String(context.profile.values?.database) : client.address.api_url

/** A refusal of the address, with the two ways out. */
function explained(error: unknown, url: string, { address }: Client): unknown {
  if (!(error instanceof AppError) || error.code !== 'invalid_argument' || !error.details.some(({ parameter }) => parameter === 'url')) {
    return error
  }
  const [detail] = error.details
  return new AppError(error.code, `${address.api_url} does not deliver to ${url}: the address ${detail?.message}.`, {
    cause: error,
    request_id: error.request_id,
    hints: [
      {
        command: 'bookctl webhooks listen --port 4243 --url https://YOUR-TUNNEL --forward URL',
        why: 'is reached through a tunnel that leads to port 4243 of this machine',
      },
      { command: 'bookctl serve --allow-private-webhooks', why: 'for a service of your own: delivers to its own machine too' },
    ],
  })
}

/** @returns false where it may still be there; that is said */
async function removeOne({ uri, callback_url }: Subscription, client: Client, { say, env }: Context): Promise<boolean> {
  const late = new AbortController()
  const done = new AbortController()
  void env.sleep(PATIENCE, done.signal).then(() => late.abort())
  try {
    await client.call(webhooks.delete, { params: { webhook_uuid: uuidOf(uri) } }, { signal: late.signal })
    return true
  } catch (error) {
    if (error instanceof AppError && error.code === 'not_found') return true
    await say(
      `The temporary subscription to ${callback_url} could not be removed. The next "bookctl webhooks listen" tries again, or: bookctl webhooks delete ${uuidOf(uri)} --yes`,
    )
    return false
  } finally {
    done.abort()
  }
}

/**
 * Takes away what earlier runs left behind: those whose process is gone, and those of this machine where nobody listens any more.
 * @param own an address of this run, whose subscription may have been made or not
 */
export async function removeStale(session: Session, own?: string): Promise<void> {
  const { client, me, context } = session
  const { paths, env, say } = context
  const service = serviceOf(session)
  const traces = readTraces(paths.state).filter((trace) => trace.service === service)
  const isLeft = ({ url, pid }: Left) => url === own || pid === env.pid || !env.isRunning(pid)
  const running = new Set(traces.filter((trace) => !isLeft(trace)).map(({ url }) => url))
  const left = new Set(traces.filter(isLeft).map(({ url }) => url))
  const kept = new Set<string>()
  for (const subscription of await marked(session, own === undefined ? {} : unhurried())) {
    const { callback_url: url, uri } = subscription
    if (running.has(url)) continue
    if (left.has(url) || (await isAbandoned(url, session))) {
      if (!(await removeOne(subscription, client, context))) kept.add(url)
      else if (url !== own) await say(`Removed the temporary subscription that an earlier run left behind (${url}).`)
    } else if (subscription.creator === me.uri && !leadsHome(url)) {
      await say(`${url} is of another run, elsewhere or left behind. To remove it: bookctl webhooks delete ${uuidOf(uri)} --yes`)
    }
  }
  for (const trace of traces) if (isLeft(trace) && !kept.has(trace.url)) trace.erase()
}

/** The subscriptions that one may see and that such a command made. */
async function marked({ client, me }: Session, extra: { signal?: AbortSignal }): Promise<Subscription[]> {
  return (await allSubscriptions(me, client, extra)).filter(({ callback_url }) => new URL(callback_url).pathname.includes(MARK))
}

/** Whether an address leads to a port of this machine where nobody listens. A service elsewhere means another machine by it. */
async function isAbandoned(url: string, { client, context }: Session): Promise<boolean> {
  const isHere = isLocal(context) || leadsHome(client.address.api_url)
  if (!isHere || !leadsHome(url)) return false
  const { isListening } = await import('../service/listening.ts')
  return !(await isListening(Number(new URL(url).port)))
}
