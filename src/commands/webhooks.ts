import type { Command, Group } from '../cli/command.ts'
import { endpointCommand, perform } from '../cli/endpoint-command.ts'
import { limitedList } from '../cli/pages.ts'
import { fail } from '../contract/errors.ts'
import { fieldsOf } from '../contract/shape.ts'
import { eventKinds, type Scope, scopes, webhooks } from '../contract/webhooks.ts'
import { apply } from './webhooks-apply.ts'
import { audit } from './webhooks-audit.ts'
import * as deliveries from './webhooks-deliveries.ts'
import { enable } from './webhooks-enable.ts'
import { listen } from './webhooks-listen.ts'
import { ping } from './webhooks-ping.ts'
import { redeliver } from './webhooks-redeliver.ts'
import { rotateKey } from './webhooks-rotate-key.ts'
import { sample } from './webhooks-sample.ts'
import { send } from './webhooks-send.ts'
import { subscribe } from './webhooks-subscribe.ts'
import { verify } from './webhooks-verify.ts'
import { eventKindView, subscriptionView as view } from './webhooks-views.ts'
import { allSubscriptions, byUri, targetOf, whoAmI } from './whose.ts'

const example = '5f0c0b5e-9d0e-4c0e-8a52-6b3f8a0d2c11'

const list: Command = {
  name: 'list',
  aliases: ['ls'],
  summary: webhooks.list.summary,
  description: 'Your own, and for admins and owners those of the organization too.',
  flags: [
    { name: 'scope', placeholder: 'WORD', description: 'Only of this scope', choices: [...scopes] },
    {
      name: 'sort',
      placeholder: 'WORD',
      description: 'What to sort by; created_at:asc when left out, your own first',
      choices: ['created_at:asc', 'created_at:desc'],
    },
  ],
  fields: fieldsOf(webhooks.list.success.page),
  lists: 'pages',
  exits: [3, 6, 7, 8, 9],
  examples: [
    { line: 'webhooks list', why: 'All you may see' },
    { line: 'webhooks list --scope organization --json', why: 'Those about everybody' },
  ],
  async run({ flags }, context) {
    const { globals } = context
    const me = await whoAmI(context)
    const sort = flags.sort as string | undefined
    const scope = flags.scope as Scope | undefined
    if (scope !== undefined) return perform(webhooks.list, { query: { ...targetOf(scope, me), sort } }, { view }, context)
    if (globals.pageToken !== undefined) fail('usage', 'A page token belongs to one scope: say --scope too.')
    const rows = await allSubscriptions(me, await context.client(), { sort })
    return limitedList(rows, view, globals)
  },
}

const kinds: Command = {
  name: 'events',
  summary: 'The kinds of events that can be subscribed to',
  flags: [],
  lists: 'rows',
  exits: [],
  examples: [{ line: 'webhooks events', why: 'What each means, and which scopes it allows' }],
  async run(_, { globals }) {
    const rows = Object.entries(eventKinds).map(([event, kind]) => ({ event, ...kind }))
    return limitedList(rows, eventKindView, globals)
  },
}

export const group: Group = {
  name: 'webhooks',
  summary: 'Subscriptions that push events to an address',
  description: 'What comes, how to answer and how to check signatures: bookctl help receiving.',
  commands: [
    subscribe,
    list,
    byUri(
      endpointCommand('get', webhooks.get, {
        view,
        examples: [{ line: `webhooks get ${example}`, why: 'One subscription, by UUID or URI' }],
      }),
      'subscription',
    ),
    byUri(
      endpointCommand('update', webhooks.update, {
        view,
        without: ['state'],
        message: ({ params }) => `Changed subscription ${params?.webhook_uuid}.`,
        examples: [
          { line: `webhooks update ${example} --url https://example.com/hooks`, why: 'Another address; nothing is missed in between' },
          { line: `webhooks update ${example} --events invitee.created,invitee.canceled`, why: 'Other events, instead of those there are' },
        ],
      }),
      'subscription',
    ),
    byUri(
      endpointCommand('delete', webhooks.delete, {
        destroys: ({ params }) => `delete webhook subscription ${params?.webhook_uuid}`,
        message: ({ params }) => `Deleted subscription ${params?.webhook_uuid}.`,
        examples: [{ line: `webhooks delete ${example} --yes`, why: 'Without a question' }],
      }),
      'subscription',
    ),
    byUri(enable, 'subscription'),
    byUri(ping, 'subscription'),
    byUri(rotateKey, 'subscription'),
    byUri(deliveries.list, 'subscription'),
    byUri(redeliver, 'subscription'),
    apply,
    audit,
    sample,
    kinds,
    listen,
    send,
    verify,
  ],
}
