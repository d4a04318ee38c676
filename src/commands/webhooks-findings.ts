import { addressOf, leadsHome } from '../contract/callback-url.ts'
import type { Delivery } from '../contract/deliveries.ts'
import { eventKindNames, eventKinds, type Subscription } from '../contract/webhooks.ts'
import { type Finding, type Pinged, severities } from '../contract/webhooks-results.ts'
import { uuidOf } from './whose.ts'

/** A subscription, and what is known of its deliveries. */
export interface Examined {
  subscription: Subscription
  /** Some deliveries, the one that was tried last before those that were tried earlier. */
  latest: Delivery[]
  /** How many failed for good. */
  failed: number
  /** What came of a test just now. */
  probe?: Pinged | undefined
}

/** What is to be said about subscriptions, the most serious first. */
export function findingsOn(examined: Examined[], showTime: (instant: string) => string): Finding[] {
  const findings = [
    ...examined.flatMap((one) => [...conditionOf(one, showTime), ...undelivered(one), ...plainHttp(one)]),
    ...toldTwice(examined.map(({ subscription }) => subscription)),
    ...uncovered(examined.map(({ subscription }) => subscription)),
  ]
  return findings.sort((a, b) => severities.indexOf(a.severity) - severities.indexOf(b.severity))
}

/** A finding about a subscription, begun. */
const about = ({ uri, callback_url }: Subscription) => ({ subscription: uuidOf(uri), url: callback_url })

/** Whether things arrive: of what is told of the subscription, by a test just now, or by the last attempts. */
function conditionOf(examined: Examined, showTime: (instant: string) => string): Finding[] {
  const { subscription } = examined
  const { state, disabled_reason, retry_started_at } = subscription
  const own = about(subscription)
  if (state === 'disabled') {
    const remedy = `Once the receiver works again: bookctl webhooks enable ${own.subscription}`
    return [{ ...own, severity: 'error', finding: 'disabled', why: `It is disabled. ${disabled_reason ?? ''}`.trimEnd(), remedy }]
  }
  const fault = lastFault(examined)
  if (!fault) return []
  const since = retry_started_at !== null && !examined.probe ? ` Nothing has arrived since ${showTime(retry_started_at)}.` : ''
  const remedy = `See to the receiver, then: bookctl webhooks redeliver ${own.subscription} --failed`
  const finding = fault.isAnswered ? 'failing' : 'unreachable'
  return [{ ...own, severity: 'error', finding, why: `${fault.error}${since}`, remedy }]
}

interface Fault {
  /** Whether a reply came at all. */
  isAnswered: boolean
  error: string
}

/** How the last attempt failed; nothing where it did not, or where the subscription was changed or enabled since. */
function lastFault({ subscription, latest, probe }: Examined): Fault | undefined {
  if (probe) {
    if (probe.state === 'delivered') return undefined
    return { isAnswered: probe.status !== null, error: probe.error ?? 'The test was not answered in time.' }
  }
  const { retry_started_at, updated_at } = subscription
  const isFailing = retry_started_at !== null
  const tried = latest.find(({ last_error, last_status }) => last_error !== null || last_status !== null)
  if (!tried || tried.last_error === null) return isFailing ? { isAnswered: true, error: 'Deliveries fail.' } : undefined
  const isStale = !isFailing && (tried.settled_at ?? '') < updated_at
  return isStale ? undefined : { isAnswered: tried.last_status !== null, error: tried.last_error }
}

function undelivered({ subscription, failed }: Examined): Finding[] {
  if (failed === 0) return []
  const own = about(subscription)
  const why = `${failed === 1 ? 'A delivery' : `${failed} deliveries`} failed for good.`
  const remedy = `To send ${failed === 1 ? 'it' : 'them'} once more: bookctl webhooks redeliver ${own.subscription} --failed`
  return [{ ...own, severity: 'warning', finding: 'undelivered', why, remedy }]
}

function plainHttp({ subscription }: Examined): Finding[] {
  if (new URL(subscription.callback_url).protocol === 'https:') return []
  // To the service's own machine nobody listens in between; for a service on a desk that is as it should be.
  const severity = leadsHome(subscription.callback_url) ? 'info' : 'warning'
  const own = about(subscription)
  const why = `The address is not encrypted${severity === 'info' ? ', and leads to the machine of the service only' : ''}.`
  return [{ ...own, severity, finding: 'plain_http', why, remedy: `bookctl webhooks update ${own.subscription} --url https://…` }]
}

/** One address that is told of one event by two subscriptions, which only two scopes can do. */
function toldTwice(subscriptions: Subscription[]): Finding[] {
  const active = subscriptions.filter(({ state }) => state === 'active')
  return active.flatMap((one, index) =>
    active.slice(index + 1).flatMap((other): Finding[] => {
      const events = one.events.filter((event) => other.events.includes(event))
      if (addressOf(one.callback_url) !== addressOf(other.callback_url) || events.length === 0) return []
      const narrow = one.scope === 'user' ? one : other
      const wide = narrow === one ? other : one
      const own = about(narrow)
      const why = `${uuidOf(wide.uri)} (${wide.scope}) tells this address of ${events.join(', ')} too, so some events come twice.`
      return [{ ...own, severity: 'warning', finding: 'told_twice', why, remedy: `bookctl webhooks delete ${own.subscription}` }]
    }),
  )
}

/** Kinds of events that no active subscription is told of. */
function uncovered(subscriptions: Subscription[]): Finding[] {
  const covered = new Set(subscriptions.filter(({ state }) => state === 'active').flatMap(({ events }) => events))
  return eventKindNames
    .filter((event) => !covered.has(event))
    .map((event) => ({
      subscription: null,
      severity: 'info',
      finding: 'uncovered',
      url: null,
      why: `Nobody is told of ${event}: ${eventKinds[event].meaning}.`,
      remedy: `Where somebody should be: bookctl webhooks subscribe --events ${event}`,
    }))
}
