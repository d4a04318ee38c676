import type { Command, Context } from '../cli/command.ts'
import { isOnlyShown, perform, readId } from '../cli/endpoint-command.ts'
import { type DeliveryState, deliveries } from '../contract/deliveries.ts'
import { fieldsOf } from '../contract/shape.ts'
import { webhooks } from '../contract/webhooks.ts'
import { subscriptionView as view } from './webhooks-views.ts'

/** More than these are told as "more than". */
const MOST = 100

export const enable: Command = {
  name: 'enable',
  summary: 'Enable a disabled subscription again',
  description: 'What waited for it goes out at once. What failed for good before it was disabled does not; webhooks redeliver sends that.',
  flags: [],
  fields: fieldsOf(webhooks.update.success.record),
  writes: true,
  exits: [3, 4, 6, 7, 8, 9],
  examples: [{ line: 'webhooks enable 5f0c0b5e-9d0e-4c0e-8a52-6b3f8a0d2c11', why: 'Once the receiver works again' }],
  async run(given, context) {
    const webhook_uuid = readId(given, 'webhook_uuid') as string
    const isShown = isOnlyShown(context)
    const waiting = isShown ? 0 : await count(webhook_uuid, 'pending', context)
    const failed = isShown ? 0 : await count(webhook_uuid, 'failed', context)
    const message = () =>
      [
        `Enabled subscription ${webhook_uuid}.`,
        ...(waiting > 0 ? [`${many(waiting)} waited and ${waiting === 1 ? 'goes' : 'go'} out now.`] : []),
        ...(failed > 0 ? [`${many(failed)} failed for good; bookctl webhooks redeliver ${webhook_uuid} --failed sends them again.`] : []),
      ].join(' ')
    return perform(webhooks.update, { params: { webhook_uuid }, body: { state: 'active' } }, { view, message }, context)
  },
}

/** How many deliveries are in a state; one more than are told, where there are more. */
async function count(webhook_uuid: string, state: DeliveryState, context: Context): Promise<number> {
  let found = 0
  const input = { params: { webhook_uuid }, query: { state } }
  for await (const { collection } of (await context.client()).pages(deliveries.list, input, { limit: MOST + 1 })) found += collection.length
  return found
}

const many = (count: number): string =>
  count > MOST ? `More than ${MOST} deliveries` : `${count} ${count === 1 ? 'delivery' : 'deliveries'}`
