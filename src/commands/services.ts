import type { Group } from '../cli/command.ts'
import { endpointCommand } from '../cli/endpoint-command.ts'
import { services } from '../contract/services.ts'
import { serviceView as view } from './views.ts'

export const group: Group = {
  name: 'services',
  summary: 'What the business sells; groups appointment types',
  commands: [
    endpointCommand('list', services.list, { view, examples: [{ line: 'services list', why: 'All services' }] }),
    endpointCommand('get', services.get, { view, examples: [{ line: 'services get 2', why: 'One record' }] }),
    endpointCommand('create', services.create, {
      view,
      message: (_, { id }) => `Created service ${id}.`,
      examples: [{ line: 'services create --name Massage --category Wellness', why: 'A new service' }],
    }),
    endpointCommand('update', services.update, {
      view,
      message: (_, { id }) => `Changed service ${id}.`,
      examples: [{ line: 'services update 2 --no-active', why: 'Offer it no more, and keep it' }],
    }),
    endpointCommand('delete', services.delete, {
      destroys: ({ params }) => `remove service ${params?.service_id}`,
      message: ({ params }) => `Removed service ${params?.service_id}.`,
      examples: [{ line: 'services delete 2 --yes', why: 'Remove a service without appointment types' }],
    }),
  ],
}
