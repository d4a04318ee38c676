import type { Group } from '../cli/command.ts'
import { endpointCommand } from '../cli/endpoint-command.ts'
import { appointmentTypes } from '../contract/services.ts'
import { appointmentTypeView as view } from './views.ts'

export const group: Group = {
  name: 'appointment-types',
  aliases: ['types'],
  summary: 'What can be booked: name, length, who offers it',
  commands: [
    endpointCommand('list', appointmentTypes.list, {
      view,
      examples: [{ line: 'appointment-types list --service 2', why: 'Those of one service' }],
    }),
    endpointCommand('get', appointmentTypes.get, { view, examples: [{ line: 'appointment-types get 3', why: 'One record' }] }),
    endpointCommand('create', appointmentTypes.create, {
      view,
      message: (_, { id }) => `Created appointment type ${id}.`,
      examples: [
        {
          line: 'appointment-types create --name "First visit" --service 1 --duration 45 --buffer-after 15 --staff 1,2 --price 60.00 --currency EUR',
          why: 'Offered by two people, with a quarter of an hour kept free behind',
        },
      ],
    }),
    endpointCommand('update', appointmentTypes.update, {
      view,
      message: (_, { id }) => `Changed appointment type ${id}.`,
      examples: [
        { line: 'appointment-types update 3 --minimum-notice 1440 --booking-window 90', why: 'A day of notice, three months ahead' },
      ],
    }),
    endpointCommand('delete', appointmentTypes.delete, {
      destroys: ({ params }) => `remove appointment type ${params?.appointment_type_id}`,
      message: ({ params }) => `Removed appointment type ${params?.appointment_type_id}.`,
      examples: [{ line: 'appointment-types delete 3 --yes', why: 'Booked appointments stay' }],
    }),
  ],
}
