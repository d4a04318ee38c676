import type { Command, Context, Given, Group } from '../cli/command.ts'
import { endpointCommand } from '../cli/endpoint-command.ts'
import { events } from '../contract/events.ts'
import { eventView as view } from './views.ts'
import { byUri, isAdmin, whoAmI } from './whose.ts'

const everyField = endpointCommand('list', events.list, {
  view,
  flags: { min_start_time: 'from', max_start_time: 'to' },
  description: 'Admins and owners see the whole organization, members what they host, unless --user or --organization says otherwise.',
  examples: [
    { line: 'events list --from today --status active', why: 'What is ahead' },
    { line: 'events list --invitee-email ada@example.com --sort start_time:desc', why: 'Of one invitee, the last first' },
  ],
})

const list: Command = {
  ...everyField,
  run: async (given, context) => everyField.run({ ...given, flags: { ...given.flags, ...(await whose(given, context)) } }, context),
}

/** What the role allows, where nothing was said. */
async function whose({ flags }: Given, context: Context): Promise<Given['flags']> {
  if (flags.user !== undefined || flags.organization !== undefined) return {}
  const me = await whoAmI(context)
  return isAdmin(me) ? { organization: me.current_organization } : { user: me.uri }
}

export const group: Group = {
  name: 'events',
  summary: 'Scheduled events, as webhook readers see them',
  commands: [
    list,
    byUri(
      endpointCommand('get', events.get, {
        view,
        examples: [{ line: 'events get 5f0c0b5e-9d0e-4c0e-8a52-6b3f8a0d2c11', why: 'One event, by UUID or URI' }],
      }),
      'event',
    ),
    byUri(
      endpointCommand('cancel', events.cancel, {
        destroys: ({ params }) => `cancel event ${params?.event_uuid}`,
        message: ({ params }) => `Canceled event ${params?.event_uuid}.`,
        examples: [
          { line: 'events cancel 5f0c0b5e-9d0e-4c0e-8a52-6b3f8a0d2c11 --reason "The room is flooded" --yes', why: 'Its invitees too' },
        ],
      }),
      'event',
    ),
  ],
}
