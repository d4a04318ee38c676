import type { Group } from '../cli/command.ts'
import { endpointCommand } from '../cli/endpoint-command.ts'
import { audit } from '../contract/audit.ts'
import { auditView as view } from './views.ts'

export const group: Group = {
  name: 'audit',
  summary: 'Who changed what, when and from where',
  commands: [
    endpointCommand('list', audit.list, {
      view,
      flags: { user_id: 'user' },
      sort: 'id:desc',
      description: 'The newest first, unless --sort says otherwise.',
      examples: [
        { line: 'audit list --from yesterday', why: 'What was done lately' },
        { line: 'audit list --user 2 --all -o csv', why: 'All that one user did, for a spreadsheet' },
      ],
    }),
  ],
}
