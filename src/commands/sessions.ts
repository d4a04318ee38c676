import type { Group } from '../cli/command.ts'
import { endpointCommand } from '../cli/endpoint-command.ts'
import { sessions } from '../contract/classes.ts'
import { sessionView as view } from './views.ts'

export const group: Group = {
  name: 'sessions',
  summary: 'Dated meetings of a class, with their seats',
  commands: [
    endpointCommand('list', sessions.list, {
      view,
      examples: [
        { line: 'sessions list --from today --to "next friday"', why: 'What is ahead' },
        { line: 'sessions list --class 3 --status scheduled', why: 'Of one class' },
      ],
    }),
    endpointCommand('get', sessions.get, {
      view,
      examples: [{ line: 'sessions get 8 --fields id,seats', why: 'How many seats are left' }],
    }),
    endpointCommand('create', sessions.create, {
      view,
      message: (_, { id, class: { name } }) => `Created session ${id} of ${name}.`,
      examples: [
        {
          line: 'sessions create --class 3 --start "tomorrow 18:00"',
          why: 'One more; bookctl classes schedule makes those of a recurrence',
        },
      ],
    }),
    endpointCommand('update', sessions.update, {
      view,
      message: (_, { id }) => `Changed session ${id}.`,
      examples: [
        { line: 'sessions update 8 --capacity 15', why: 'More seats go to those who wait' },
        { line: 'sessions update 8 --staff 4', why: 'Somebody else teaches it' },
      ],
    }),
    endpointCommand('cancel', sessions.cancel, {
      view,
      destroys: ({ params }) => `cancel session ${params?.session_id} and all of its attendees`,
      message: (_, { id }) => `Canceled session ${id}.`,
      examples: [{ line: 'sessions cancel 8 --reason "The teacher is ill" --yes', why: 'Without a question' }],
    }),
  ],
}
