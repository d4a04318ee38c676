import type { Command, Context, Given, Result } from '../cli/command.ts'
import { endpointCommand, readId } from '../cli/endpoint-command.ts'
import { deliveries } from '../contract/deliveries.ts'
import { fail } from '../contract/errors.ts'
import { renderPage, renderRecord } from '../output/render.ts'
import { jsonText } from '../output/view.ts'
import { attemptView, deliveryView as view } from './webhooks-views.ts'
import { uuidOf } from './whose.ts'

const example = '5f0c0b5e-9d0e-4c0e-8a52-6b3f8a0d2c11'

const many = endpointCommand('deliveries', deliveries.list, {
  view,
  sort: 'id:desc',
  summary: 'What was or will be delivered to a subscription',
  description:
    'The newest first, unless --sort says otherwise. With --delivery one of them, with every attempt, the beginning of each reply and the body that is sent.',
  examples: [
    { line: `webhooks deliveries ${example} --state failed --from yesterday`, why: 'What did not arrive since yesterday' },
    { line: `webhooks deliveries ${example} --delivery 512`, why: 'Why one of them did not' },
  ],
})

export const list: Command = {
  ...many,
  flags: [...many.flags, { name: 'delivery', placeholder: 'ID', description: 'Show this one, with its body and every attempt' }],
  run: (given, context) => (given.flags.delivery === undefined ? many.run(given, context) : showOne(given, context)),
}

/** The id of a delivery, typed as a number or as a URI. */
export function readDelivery({ flags }: Given): number {
  return readId({ id: uuidOf(String(flags.delivery)), flags: {} }, 'delivery_id') as number
}

async function showOne(given: Given, context: Context): Promise<Result> {
  const stray = ['state', 'event', 'from', 'to', 'sort'].find((name) => given.flags[name] !== undefined)
  if (stray) fail('usage', `--${stray} chooses among many, and --delivery shows one; give one of the two.`)
  const params = { webhook_uuid: readId(given, 'webhook_uuid') as string, delivery_id: readDelivery(given) }
  const record = await (await context.client()).call(deliveries.get, { params })
  const { look } = context
  if (look.format !== 'table' || look.fields) return { kind: 'record', record, view }
  const { attempts, body, ...own } = record
  const parts = [await renderRecord(own, view, look)]
  if (attempts.length > 0) parts.push(await renderPage({ collection: attempts }, attemptView, look))
  return { kind: 'text', text: [...parts, `${jsonText(JSON.parse(body), 2)}\n`].join('\n') }
}
