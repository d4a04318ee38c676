import type { Group } from '../cli/command.ts'
import { endpointCommand } from '../cli/endpoint-command.ts'
import { attendees } from '../contract/classes.ts'
import { attendeeView as view } from './views.ts'

const paramFlags = { session_id: 'The session' }

export const group: Group = {
  name: 'attendees',
  summary: 'Who has a seat of a session, or waits for one',
  commands: [
    endpointCommand('list', attendees.list, {
      view,
      paramFlags,
      examples: [
        { line: 'attendees list --session 8', why: 'Everybody' },
        { line: 'attendees list --session 8 --status waiting', why: 'The waiting list, its head first' },
      ],
    }),
    endpointCommand('get', attendees.get, {
      view,
      paramFlags,
      examples: [{ line: 'attendees get 31 --session 8', why: 'With the answers to the custom questions' }],
    }),
    endpointCommand('add', attendees.create, {
      view,
      paramFlags,
      message: ({ params }, { id, status, customer: { name } }) =>
        status === 'waiting'
          ? `${name} waits for a seat of session ${params?.session_id}, as attendee ${id}.`
          : `${name} has a seat of session ${params?.session_id}, as attendee ${id}.`,
      examples: [
        { line: 'attendees add --session 8 --customer 7', why: 'A customer who is known' },
        {
          line: 'attendees add --session 8 --customer-name "Ada Lovelace" --customer-email ada@example.com',
          why: 'Found by e-mail, or made',
        },
      ],
    }),
    endpointCommand('cancel', attendees.cancel, {
      view,
      paramFlags,
      destroys: ({ params }) => `cancel attendee ${params?.attendee_id} of session ${params?.session_id}`,
      message: (_, { id }) => `Canceled attendee ${id}.`,
      examples: [{ line: 'attendees cancel 31 --session 8 --yes', why: 'The seat goes to the head of the waiting list' }],
    }),
    endpointCommand('no-show', attendees.noShow, {
      view,
      paramFlags,
      message: (_, { id }) => `Attendee ${id} is a no-show.`,
      examples: [{ line: 'attendees no-show 31 --session 8', why: 'The customer did not come' }],
    }),
    endpointCommand('undo-no-show', attendees.undoNoShow, {
      paramFlags,
      message: ({ params }) => `Attendee ${params?.attendee_id} is no no-show any more.`,
      examples: [{ line: 'attendees undo-no-show 31 --session 8', why: 'The customer came after all' }],
    }),
  ],
}
