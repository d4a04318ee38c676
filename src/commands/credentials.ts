import type { Group } from '../cli/command.ts'
import { endpointCommand } from '../cli/endpoint-command.ts'
import { credentials } from '../contract/credentials.ts'
import { credentialView as view } from './views.ts'

export const group: Group = {
  name: 'credentials',
  summary: 'API keys and access tokens: make, list, revoke',
  commands: [
    endpointCommand('list', credentials.list, {
      view,
      flags: { user_id: 'user' },
      examples: [
        { line: 'credentials list', why: 'Your own; those of everybody for admins and owners' },
        { line: 'credentials list --revoked any', why: 'Those that ended too' },
      ],
    }),
    endpointCommand('get', credentials.get, { view, examples: [{ line: 'credentials get 4', why: 'One record, without its text' }] }),
    endpointCommand('create', credentials.create, {
      view,
      flags: { user_id: 'user', expires_at: 'expires' },
      message: (_, { id }) => `Created credential ${id}. Its text is in the field secret and is shown only this once: keep it now.`,
      examples: [
        { line: 'credentials create --kind api_key --name CI --expires "in 90 days"', why: 'For a script' },
        { line: 'credentials create --kind access_token --name webhooks --fields secret -o csv', why: 'The text alone, under its header' },
      ],
    }),
    endpointCommand('revoke', credentials.delete, {
      aliases: ['delete', 'rm'],
      destroys: ({ params }) => `revoke credential ${params?.credential_id}`,
      message: ({ params }) => `Revoked credential ${params?.credential_id}.`,
      examples: [{ line: 'credentials revoke 4 --yes', why: 'At once and for good' }],
    }),
  ],
}
