import { endpointCommand } from '../cli/endpoint-command.ts'
import { account } from '../contract/account.ts'
import { userView as view } from './views.ts'

export const command = endpointCommand('me', account.me, {
  view,
  summary: 'The user whose credential is used',
  examples: [{ line: 'me --json', why: 'With the URIs of user and organization' }],
})
