import type { Group } from '../cli/command.ts'
import { endpointCommand } from '../cli/endpoint-command.ts'
import { appointments } from '../contract/appointments.ts'
import { appointmentView as view } from './views.ts'

export const group: Group = {
  name: 'appointments',
  aliases: ['appts'],
  summary: 'Booked meetings of a customer with a staff member',
  commands: [
    endpointCommand('list', appointments.list, {
      view,
      examples: [
        { line: 'appointments list --from today --to "next friday"', why: 'What is ahead' },
        { line: 'appointments list --staff 2 --status scheduled --sort start_time:desc', why: 'Of one person, the last first' },
        { line: 'appointments list --all -o ndjson', why: 'All of them, a line each, for a script' },
      ],
    }),
    endpointCommand('get', appointments.get, { view, examples: [{ line: 'appointments get 12 --json', why: 'One record' }] }),
    endpointCommand('create', appointments.create, {
      view,
      summary: 'Book an appointment',
      aliases: ['book'],
      needs: [['customer', 'customer-name']],
      message: (_, { id, staff_member }) => `Booked appointment ${id} with ${staff_member.name}.`,
      examples: [
        { line: 'appointments create --type 1 --customer 7 --start "tomorrow 10:00"', why: 'With anybody who is free' },
        {
          line: 'appointments create --type 1 --staff 2 --start 2026-12-01T09:00:00Z --customer-name "Ada Lovelace" --customer-email ada@example.com',
          why: 'With one person, for a customer found by e-mail or made',
        },
      ],
    }),
    endpointCommand('update', appointments.update, {
      view,
      message: (_, { id }) => `Changed appointment ${id}.`,
      examples: [{ line: 'appointments update 12 --notes "Brings the old lenses"', why: 'Another time is a reschedule' }],
    }),
    endpointCommand('reschedule', appointments.reschedule, {
      view,
      message: ({ params }, { id }) => `Moved appointment ${params?.appointment_id}; it is appointment ${id} now.`,
      examples: [{ line: 'appointments reschedule 12 --start "fri 14:00"', why: 'The same person, another time' }],
    }),
    endpointCommand('cancel', appointments.cancel, {
      view,
      destroys: ({ params }) => `cancel appointment ${params?.appointment_id}`,
      message: (_, { id }) => `Canceled appointment ${id}.`,
      examples: [{ line: 'appointments cancel 12 --reason "The practice is closed" --yes', why: 'Without a question' }],
    }),
    endpointCommand('complete', appointments.complete, {
      view,
      message: (_, { id }) => `Appointment ${id} is completed.`,
      examples: [{ line: 'appointments complete 12', why: 'The customer came' }],
    }),
    endpointCommand('no-show', appointments.noShow, {
      view,
      message: (_, { id }) => `Appointment ${id} is a no-show.`,
      examples: [{ line: 'appointments no-show 12', why: 'The customer did not come' }],
    }),
    endpointCommand('undo-no-show', appointments.undoNoShow, {
      message: ({ params }) => `Appointment ${params?.appointment_id} is completed.`,
      examples: [{ line: 'appointments undo-no-show 12', why: 'The customer came after all' }],
    }),
  ],
}
