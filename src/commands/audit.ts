import type { Command, Group } from '../cli/command.ts'
import { endpointCommand } from '../cli/endpoint-command.ts'
import { audit } from '../contract/audit.ts'
import { auditView as view } from './views.ts'

const oldestFirst = endpointCommand('list', audit.list, {
  view,
  flags: { user_id: 'user' },
  description: 'The newest first, unless --sort says otherwise.',
  examples: [
    { line: 'audit list --from yesterday', why: 'What was done lately' },
    { line: 'audit list --user 2 --all -o csv', why: 'All that one user did, for a spreadsheet' },
  ],
})

const list: Command = {
  ...oldestFirst,
  run: (given, context) => oldestFirst.run({ ...given, flags: { ...given.flags, sort: given.flags.sort ?? 'id:desc' } }, context),
}

export const group: Group = { name: 'audit', summary: 'Who changed what, when and from where', commands: [list] }
