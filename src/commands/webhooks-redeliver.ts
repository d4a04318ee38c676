import type { Command, Context, Given, Result } from '../cli/command.ts'
import { isOnlyShown, perform, readId } from '../cli/endpoint-command.ts'
import { flagsOf, readFlags } from '../cli/endpoint-flags.ts'
import { inFlags } from '../cli/in-flags.ts'
import { openProgress } from '../cli/progress.ts'
import { lookUntil } from '../cli/wait.ts'
import { type Delivery, type DeliveryState, deliveries } from '../contract/deliveries.ts'
import { AppError, fail } from '../contract/errors.ts'
import { fieldsOf } from '../contract/shape.ts'
import { Redelivered } from '../contract/webhooks-results.ts'
import { readDelivery } from './webhooks-deliveries.ts'
import { deliveryView, redeliveryView } from './webhooks-views.ts'

const example = '5f0c0b5e-9d0e-4c0e-8a52-6b3f8a0d2c11'
const windowFlags = flagsOf(deliveries.redeliverAll).filter(({ name }) => name !== 'failed')

export const redeliver: Command = {
  name: 'redeliver',
  summary: 'Send deliveries once more: one, those of a time range, or all that failed',
  description:
    'They are sent now, and again on the usual schedule where they do not arrive; the body and the webhook-id stay what they were. More than one is asked about on a terminal. With --wait it stays until each arrived or failed, or --timeout is over.',
  flags: [
    { name: 'delivery', placeholder: 'ID', description: 'This one' },
    { name: 'failed', description: 'All that have not arrived: given up, or waiting for their next attempt' },
    ...windowFlags,
    { name: 'all-states', description: 'Those of the time range that arrived, too' },
    { name: 'wait', description: 'Wait and say what arrived; exit 12 when something did not' },
    { name: 'yes', short: 'y', description: 'Do not ask' },
  ],
  fields: fieldsOf(Redelivered),
  writes: true,
  exits: [3, 4, 5, 6, 7, 8, 9, 10, 12],
  examples: [
    { line: `webhooks redeliver ${example} --failed --wait --timeout 120`, why: 'All that did not arrive, and see what becomes of them' },
    {
      line: `webhooks redeliver ${example} --from "yesterday 18:00" --to "today 08:00" --all-states`,
      why: 'An evening that the receiver lost',
    },
    { line: `webhooks redeliver ${example} --delivery 512`, why: 'One' },
  ],
  async run(given, context) {
    const webhook_uuid = readId(given, 'webhook_uuid') as string
    refuseUnclear(given)
    if (given.flags.delivery !== undefined) return redeliverOne(webhook_uuid, given, context)
    try {
      return await redeliverMany(webhook_uuid, given, context)
    } catch (error) {
      throw inFlags(error, windowFlags)
    }
  },
}

/** @throws AppError `usage` where it is not said which are meant, or in two ways */
function refuseUnclear({ flags }: Given): void {
  const many = ['failed', 'from', 'to', 'all-states'].filter((name) => flags[name] !== undefined)
  if (flags.delivery !== undefined && many.length > 0) fail('usage', `--delivery means one, --${many[0]} many; give one of the two.`)
  if (flags.delivery === undefined && many.length === 0) {
    fail('usage', 'Say which to send once more: --delivery ID, --failed, or those --from a time on.', {
      details: [{ parameter: '--failed', message: 'or --delivery or --from is required', code: 'missing' }],
    })
  }
  if (flags['all-states'] === true && flags.failed === true)
    fail('usage', '--failed means those that have not arrived, --all-states the others too; give one of the two.')
  if (flags['all-states'] === true && flags.from === undefined)
    fail('usage', '--all-states needs --from, so that not everything there ever was is sent.')
}

async function redeliverOne(webhook_uuid: string, given: Given, context: Context): Promise<Result> {
  const params = { webhook_uuid, delivery_id: readDelivery(given) }
  const message = () => `Delivery ${params.delivery_id} is on its way again.`
  const result = await perform(deliveries.redeliver, { params }, { view: deliveryView, message }, context)
  if (given.flags.wait !== true || isOnlyShown(context)) return result
  const client = await context.client()
  const {
    attempts: _,
    body: __,
    ...record
  } = await lookUntil(
    () => client.call(deliveries.get, { params }),
    ({ state }) => state !== 'pending',
    context,
  )
  return { kind: 'record', record, view: deliveryView, message: verdictOnOne(record), exit: record.state === 'delivered' ? 0 : 12 }
}

function verdictOnOne({ id, state, last_error }: Delivery): string {
  if (state === 'delivered') return `Delivery ${id} arrived.`
  if (state === 'failed') return `Delivery ${id} failed. ${last_error}`
  return `Delivery ${id} did not arrive yet, and is tried again. ${last_error ?? ''}`.trimEnd()
}

async function redeliverMany(webhook_uuid: string, given: Given, context: Context): Promise<Result> {
  const { from, to } = (await readFlags(windowFlags, given, context)).body as Window
  const window = { ...(from !== undefined && { from }), ...(to !== undefined && { to }) }
  const failed = given.flags['all-states'] !== true
  const input = { params: { webhook_uuid }, body: { failed, ...window } }
  const asked = { view: redeliveryView, message: (_: unknown, { redelivered }: { redelivered: number }) => sentence(redelivered) }
  if (isOnlyShown(context)) return perform(deliveries.redeliverAll, input, asked, context)

  const list = (state: DeliveryState) => idsOf(webhook_uuid, { state, ...window }, context)
  const prompt = context.globals.yes ? undefined : await context.prompt()
  const waits = given.flags.wait === true
  // Counted and remembered only where somebody wants to know: there may be very many.
  const states: DeliveryState[] = failed ? ['failed', 'pending'] : ['failed', 'pending', 'delivered']
  const meant = prompt || waits ? (await Promise.all(states.map(list))).flat() : []
  if (prompt && meant.length > 1 && !(await prompt.confirm(`This will send ${meant.length} deliveries once more. Go ahead?`)))
    throw new AppError('declined', 'Nothing was sent.')
  const result = await perform(deliveries.redeliverAll, input, asked, context)
  return waits ? watch(new Set(meant), list, context) : result
}

interface Window {
  from?: string
  to?: string
}

const sentence = (count: number): string =>
  count === 0 ? 'There was nothing to send.' : `${count} ${count === 1 ? 'delivery is' : 'deliveries are'} on the way again.`

async function idsOf(webhook_uuid: string, query: { state: DeliveryState } & Window, context: Context): Promise<number[]> {
  const ids: number[] = []
  const pages = (await context.client()).pages(deliveries.list, { params: { webhook_uuid }, query })
  for await (const { collection } of pages) ids.push(...collection.filter(({ event }) => event !== 'ping').map(({ id }) => id))
  return ids
}

/** Shows how many have arrived, until none is on its way any more or the time is up. */
async function watch(meant: Set<number>, list: (state: DeliveryState) => Promise<number[]>, context: Context): Promise<Result> {
  if (meant.size === 0) return { kind: 'record', record: outcome(0, 0, 0), view: redeliveryView, message: sentence(0) }
  const count = async (state: DeliveryState) => (await list(state)).filter((id) => meant.has(id)).length
  const progress = await openProgress(meant.size, 'settled', context)
  const look = async () => {
    const pending = await count('pending')
    await progress.at(meant.size - pending)
    return pending
  }
  try {
    const pending = await lookUntil(look, (left) => left === 0, context)
    const failed = await count('failed')
    const record = outcome(meant.size, failed, pending)
    const isWhole = record.arrived === meant.size
    return { kind: 'record', record, view: redeliveryView, message: verdict(record), exit: isWhole ? 0 : 12 }
  } finally {
    progress.end()
  }
}

const outcome = (redelivered: number, failed: number, pending: number): Redelivered => ({
  redelivered,
  arrived: redelivered - failed - pending,
  failed,
  pending,
})

function verdict({ redelivered, arrived, failed, pending }: Redelivered): string {
  const rest = [
    ...(failed > 0 ? [`${failed} failed`] : []),
    ...(pending > 0 ? [`${pending} did not arrive yet and ${pending === 1 ? 'is' : 'are'} tried again`] : []),
  ]
  return `${arrived} of ${redelivered} arrived${rest.length > 0 ? `; ${rest.join(', ')}` : ''}.`
}
