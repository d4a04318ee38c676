import type { Command, Context } from '../cli/command.ts'
import { limitedList } from '../cli/pages.ts'
import { type Delivery, deliveries } from '../contract/deliveries.ts'
import { fieldsOf } from '../contract/shape.ts'
import type { Subscription } from '../contract/webhooks.ts'
import { Finding, type Severity, severities } from '../contract/webhooks-results.ts'
import { type Look, safe, showInstant } from '../output/view.ts'
import { type Examined, findingsOn } from './webhooks-findings.ts'
import { sendPing } from './webhooks-ping.ts'
import { findingView as view } from './webhooks-views.ts'
import { allSubscriptions, uuidOf, whoAmI } from './whose.ts'

/** How much of the log is read for the last attempt. */
const LATEST = 20

export const audit: Command = {
  name: 'audit',
  summary: 'What is wrong with the subscriptions, and what to do',
  description:
    'Disabled and failing ones and why, deliveries that failed for good, addresses that cannot be reached or are not encrypted, addresses that are told twice, and kinds of events nobody is told of. It looks at the last attempts; with --probe it sends a signed test to each active subscription instead. Exit 12 when there is anything.',
  flags: [
    { name: 'probe', description: 'Send a signed test to each active subscription, and go by that' },
    {
      name: 'severity',
      placeholder: 'WORD',
      description: 'Only findings at least so serious; info when left out',
      choices: [...severities],
    },
  ],
  fields: fieldsOf(Finding),
  lists: 'rows',
  exits: [3, 6, 7, 8, 9, 12],
  examples: [
    { line: 'webhooks audit', why: 'Everything there is to say' },
    { line: 'webhooks audit --probe --severity warning', why: 'For a nightly check: exit 12 when somebody should look' },
  ],
  async run({ flags }, context) {
    const me = await whoAmI(context)
    const subscriptions = await allSubscriptions(me, await context.client())
    // One after the other for the log, at once for the tests, which wait for others.
    const read: Omit<Examined, 'probe'>[] = []
    for (const subscription of subscriptions) read.push(await examine(subscription, context))
    const probes = await Promise.all(
      subscriptions.map((one) => (flags.probe === true && one.state === 'active' ? probe(one, context) : undefined)),
    )
    const least = severities.indexOf((flags.severity as Severity | undefined) ?? 'info')
    const findings = findingsOn(
      read.map((one, index) => ({ ...one, probe: probes[index] })),
      (instant) => showInstant(instant, {}, context.look),
    ).filter(({ severity }) => severities.indexOf(severity) <= least)
    const { globals, look } = context
    const said = {
      message:
        findings.length === 0 ? `Nothing found on ${many(subscriptions.length, 'subscription')}.` : `${many(findings.length, 'finding')}.`,
      exit: findings.length === 0 ? 0 : 12,
    }
    // Sentences are too long for cells: a person reads them below each other.
    if (look.format === 'table' && !look.fields) return { kind: 'text', text: await paragraphs(findings, look), ...said }
    return { ...limitedList(findings, view, globals), ...said }
  },
}

async function paragraphs(findings: Finding[], { color }: Look): Promise<string> {
  const paint = color ? (await import('../output/paint.ts')).paint : undefined
  const told = findings.map(({ severity, finding, url, why, remedy }) => {
    const word = paint ? paint[tints[severity]](severity) : severity
    return `${word}: ${finding}${url === null ? '' : `, ${safe(url)}`}\n  ${safe(why)}\n  ${safe(remedy)}\n`
  })
  return told.join('\n')
}

const tints = { error: 'red', warning: 'yellow', info: 'dim' } as const

const many = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`

const probe = ({ uri }: Subscription, context: Context) => sendPing(uuidOf(uri), context)

async function examine(subscription: Subscription, context: Context): Promise<Examined> {
  const client = await context.client()
  const params = { webhook_uuid: uuidOf(subscription.uri) }
  // While a subscription fails the oldest are the ones that are tried.
  const query = subscription.retry_started_at === null ? { sort: 'id:desc' as const } : { state: 'pending' as const }
  const latest: Delivery[] = []
  for await (const { collection } of client.pages(deliveries.list, { params, query }, { limit: LATEST })) latest.push(...collection)
  let failed = 0
  for await (const { collection } of client.pages(deliveries.list, { params, query: { state: 'failed' as const } })) {
    failed += collection.filter(({ event }) => event !== 'ping').length
  }
  return { subscription, latest, failed }
}
