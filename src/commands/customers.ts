import type { Group } from '../cli/command.ts'
import { endpointCommand } from '../cli/endpoint-command.ts'
import { customers } from '../contract/customers.ts'
import { customerView as view } from './views.ts'

export const group: Group = {
  name: 'customers',
  summary: 'Customer records',
  commands: [
    endpointCommand('list', customers.list, {
      view,
      examples: [
        { line: 'customers list', why: 'The first hundred' },
        { line: 'customers list --search ruiz --fields id,name,email', why: 'Find by a part of name, e-mail or phone' },
        { line: 'customers list --all --output csv > customers.csv', why: 'All of them, for a spreadsheet' },
      ],
    }),
    endpointCommand('get', customers.get, { view, examples: [{ line: 'customers get 7', why: 'One record' }] }),
    endpointCommand('create', customers.create, {
      view,
      message: (_, { id }) => `Created customer ${id}.`,
      examples: [
        { line: 'customers create --name "Ada Lovelace" --email ada@example.com', why: 'A new record' },
        { line: 'customers create --input-json customer.json --dry-run', why: 'See the request that a file would make' },
      ],
    }),
    endpointCommand('update', customers.update, {
      view,
      message: (_, { id }) => `Changed customer ${id}.`,
      examples: [
        { line: 'customers update 7 --phone "+1 555 0100"', why: 'Change one field, leave the rest' },
        { line: 'customers update 7 --notes ""', why: 'Clear a field' },
      ],
    }),
    endpointCommand('delete', customers.delete, {
      description:
        'With --soft-delete the record is hidden and can be restored. Without, the personal data is erased for good, and the appointments stay with the customer named "Deleted customer".',
      destroys: ({ params, query }) => `${query?.soft_delete ? 'hide' : 'erase'} customer ${params?.customer_id}`,
      message: ({ params, query }) => `${query?.soft_delete ? 'Hid' : 'Erased'} customer ${params?.customer_id}.`,
      examples: [
        { line: 'customers delete 7 --soft-delete', why: 'Hide; bookctl customers restore 7 brings it back' },
        { line: 'customers delete 7 --cancel-appointments --yes', why: 'Erase without a question, upcoming appointments canceled' },
      ],
    }),
    endpointCommand('restore', customers.restore, {
      view,
      message: (_, { id }) => `Restored customer ${id}.`,
      examples: [{ line: 'customers restore 7', why: 'Bring a hidden record back' }],
    }),
  ],
}
