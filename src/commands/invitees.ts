import type { Command, Context, Given, Group } from '../cli/command.ts'
import { perform } from '../cli/endpoint-command.ts'
import { failMissing } from '../cli/endpoint-flags.ts'
import { fail } from '../contract/errors.ts'
import { invitees } from '../contract/events.ts'
import { fieldsOf } from '../contract/shape.ts'
import { inviteeView as view } from './views.ts'
import { uuidOf } from './whose.ts'

const lookup: Command = {
  name: 'lookup',
  aliases: ['get'],
  summary: 'Read an invitee: name, e-mail and answers',
  description: 'Takes the invitee URI that a webhook payload carries, the two UUIDs of it, or the payload itself on stdin.',
  positional: { name: 'URI', description: 'URI of the invitee, or - to read a webhook payload from stdin', required: false },
  flags: [
    { name: 'event', placeholder: 'UUID', description: 'The event, instead of a URI' },
    { name: 'invitee', placeholder: 'UUID', description: 'The invitee of it' },
  ],
  fields: fieldsOf(invitees.get.success.record),
  exits: [3, 4, 6, 7, 8, 9],
  examples: [
    { line: 'invitees lookup https://booking.example.com/scheduled_events/5f0c…/invitees/91ab…', why: 'By URI' },
    { line: 'invitees lookup --event 5f0c… --invitee 91ab…', why: 'By the two UUIDs' },
    { line: 'invitees lookup - < payload.json', why: 'Whoever a webhook payload is about' },
  ],
  async run(given, context) {
    return perform(invitees.get, { params: await uuids(given, context) }, { view }, context)
  },
}

type Uuids = { event_uuid: string; invitee_uuid: string }

async function uuids({ id, flags }: Given, context: Context): Promise<Uuids> {
  if (id === undefined) {
    const { event, invitee } = flags as { event?: string; invitee?: string }
    if (event === undefined && invitee === undefined)
      fail('usage', 'Which invitee? Give its URI, --event and --invitee, or - for a webhook payload on stdin.')
    failMissing([...(event === undefined ? ['event'] : []), ...(invitee === undefined ? ['invitee'] : [])])
    return { event_uuid: uuidOf(event as string), invitee_uuid: uuidOf(invitee as string) }
  }
  if (flags.event !== undefined || flags.invitee !== undefined) fail('usage', 'Give a URI, or --event and --invitee, not both.')
  return id === '-' ? inPayload(await context.env.stdin.read()) : inUri(id, `"${id}"`)
}

/** Only the UUIDs are taken: the request goes to the address of the profile, wherever the URI leads. */
function inUri(uri: string, what: string): Uuids {
  const [, event, invitee] = /\/scheduled_events\/([^/?#]+)\/invitees\/([^/?#]+)\/?$/.exec(uri) ?? []
  if (!event || !invitee) fail('usage', `${what} is not the URI of an invitee: it must end in /scheduled_events/UUID/invitees/UUID.`)
  return { event_uuid: event, invitee_uuid: invitee }
}

function inPayload(text: string): Uuids {
  let sent: { payload?: { uri?: unknown }; uri?: unknown } | null
  try {
    sent = JSON.parse(text)
  } catch (error) {
    return fail('usage', `What is on stdin is not JSON: ${(error as Error).message}.`, { cause: error })
  }
  const uri = sent?.payload?.uri ?? sent?.uri
  if (typeof uri !== 'string') fail('usage', 'What is on stdin is no webhook payload: it has no payload.uri.')
  return inUri(uri, `payload.uri ("${uri}")`)
}

export const group: Group = { name: 'invitees', summary: 'Who booked an event, and what they answered', commands: [lookup] }
