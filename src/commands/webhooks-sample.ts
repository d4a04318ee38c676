import type { Command } from '../cli/command.ts'
import { failMissing } from '../cli/endpoint-flags.ts'
import { deliveries } from '../contract/deliveries.ts'
import { fieldsOf } from '../contract/shape.ts'
import { type EventKind, eventKindNames, eventKinds, type Scope, scopes } from '../contract/webhooks.ts'
import { renderRecord } from '../output/render.ts'
import { targetOf, whoAmI } from './whose.ts'

export const sample: Command = {
  name: 'sample',
  summary: 'What a delivery of a kind of event looks like',
  description: 'The body in the shape of a real one, about records that do not exist: JSON, on a terminal too. Nothing is sent.',
  flags: [
    { name: 'event', placeholder: 'KIND', description: 'Which kind of event', choices: [...eventKindNames], required: true },
    {
      name: 'scope',
      placeholder: 'WORD',
      description: 'Of one user, or of the organization; the narrowest when left out',
      choices: [...scopes],
    },
  ],
  fields: fieldsOf(deliveries.sample.success.bare),
  exits: [3, 6, 7, 8, 9],
  examples: [
    { line: 'webhooks sample --event invitee.created', why: 'To see what comes' },
    { line: 'webhooks sample --event invitee.canceled > test/canceled.json', why: 'For the tests of a receiver' },
  ],
  async run({ flags }, context) {
    if (flags.event === undefined) failMissing(['event'])
    const event = flags.event as EventKind
    const scope = (flags.scope as Scope | undefined) ?? (eventKinds[event].scopes[0] as Scope)
    const query = { event, ...targetOf(scope, await whoAmI(context)) }
    const body = await (await context.client()).call(deliveries.sample, { query })
    const { look } = context
    const text = await renderRecord({ ...body }, { columns: [] }, { ...look, format: look.format === 'table' ? 'json' : look.format })
    return { kind: 'text', text }
  },
}
