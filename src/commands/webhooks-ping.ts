import type { Command, Context } from '../cli/command.ts'
import { isOnlyShown, perform, readId } from '../cli/endpoint-command.ts'
import { lookUntil } from '../cli/wait.ts'
import { deliveries } from '../contract/deliveries.ts'
import { fieldsOf } from '../contract/shape.ts'
import { Pinged } from '../contract/webhooks-results.ts'
import { pingView as view } from './webhooks-views.ts'

export const ping: Command = {
  name: 'ping',
  summary: 'Send a signed test to a subscription, and say what came back',
  description:
    'The service sends it, from where it sends everything else, once; the event of the body is ping. Waits for the answer as long as --timeout says.',
  flags: [],
  fields: fieldsOf(Pinged),
  writes: true,
  exits: [3, 4, 5, 6, 7, 8, 9, 12],
  examples: [
    { line: 'webhooks ping 5f0c0b5e-9d0e-4c0e-8a52-6b3f8a0d2c11', why: 'Exit 12 when it did not arrive' },
    { line: 'webhooks ping 5f0c0b5e-9d0e-4c0e-8a52-6b3f8a0d2c11 --timeout 5', why: 'Do not wait longer than five seconds' },
  ],
  async run(given, context) {
    const webhook_uuid = readId(given, 'webhook_uuid') as string
    if (isOnlyShown(context)) return perform(deliveries.ping, { params: { webhook_uuid } }, {}, context)
    const record = await sendPing(webhook_uuid, context)
    return { kind: 'record', record: { ...record }, view, message: verdictOn(record), exit: record.state === 'delivered' ? 0 : 12 }
  },
}

/** Sends a test, and waits until it arrived or did not. */
export async function sendPing(webhook_uuid: string, context: Context): Promise<Pinged> {
  const client = await context.client()
  const { id: delivery, event_id } = await client.call(deliveries.ping, { params: { webhook_uuid } })
  const params = { webhook_uuid, delivery_id: delivery }
  const { state, attempts } = await lookUntil(
    () => client.call(deliveries.get, { params }),
    (seen) => seen.state !== 'pending',
    context,
  )
  const { status = null, milliseconds = null, error = null, reply = null } = attempts.at(-1) ?? {}
  return { delivery, event_id, state, status, milliseconds, error, reply }
}

function verdictOn({ state, status, milliseconds, error }: Pinged): string {
  if (state === 'delivered') return `It arrived: ${status} in ${milliseconds} ms.`
  if (state === 'failed') return `It did not arrive. ${error}`
  return 'It was not answered yet, so nothing can be said. Wait longer with --timeout.'
}
