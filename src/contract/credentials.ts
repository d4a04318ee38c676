import * as v from 'valibot'
import { endpoint } from './endpoint.ts'
import { described, id, input, instant, name, oneOf, paging, record, uri } from './fields.ts'

export const credentialKinds = ['api_key', 'access_token'] as const

export const Credential = record({
  id,
  kind: oneOf(credentialKinds),
  name: v.string(),
  prefix: described(v.string(), 'How its text begins; the rest is kept nowhere'),
  user: described(record({ id, uri, name: v.string(), email: v.string() }), 'Whose it is'),
  expires_at: described(v.nullable(instant), 'When it ends by itself'),
  last_used_at: described(v.nullable(instant), 'When it was last used, to a few minutes'),
  revoked_at: described(v.nullable(instant), 'When it was revoked'),
  created_at: instant,
})
export type Credential = v.InferOutput<typeof Credential>

export const NewCredential = record({
  ...Credential.entries,
  secret: described(v.string(), 'The text of the credential; shown this once'),
})
export type NewCredential = v.InferOutput<typeof NewCredential>

const params = v.strictObject({ credential_id: id })

export const credentials = {
  list: endpoint({
    method: 'GET',
    base: 'base_url',
    path: '/api/v3/credentials',
    auth: 'api_key',
    summary: 'List API keys and access tokens: your own, and for admins and owners those of everybody',
    query: input({
      kind: v.optional(described(oneOf(credentialKinds), 'Only of this kind')),
      user_id: v.optional(described(id, 'Only of this user')),
      revoked: v.optional(described(oneOf(['true', 'false', 'any']), 'Revoked ones too (any) or only (true); false when left out')),
      ...paging(['id', 'created_at']),
    }),
    success: { status: 200, page: Credential },
    errors: ['permission_denied'],
    origin: 'ours',
  }),
  get: endpoint({
    method: 'GET',
    base: 'base_url',
    path: '/api/v3/credentials/{credential_id}',
    auth: 'api_key',
    summary: 'Read what is known of a credential',
    params,
    success: { status: 200, record: Credential },
    errors: ['not_found'],
    origin: 'ours',
  }),
  create: endpoint({
    method: 'POST',
    base: 'base_url',
    path: '/api/v3/credentials',
    auth: 'api_key',
    summary: 'Make an API key or an access token; its text is shown once',
    body: input({
      kind: described(oneOf(credentialKinds), 'For the address of /api/v3, or for that of webhook subscriptions'),
      name: described(name(), 'What it is for'),
      expires_at: v.optional(described(instant, 'When it ends by itself; never when left out')),
      user_id: v.optional(described(id, 'For another user, whose role is not above yours; for admins and owners')),
    }),
    success: { status: 201, record: NewCredential },
    errors: ['permission_denied'],
    origin: 'ours',
    told: 'once',
  }),
  delete: endpoint({
    method: 'DELETE',
    base: 'base_url',
    path: '/api/v3/credentials/{credential_id}',
    auth: 'api_key',
    summary: 'Revoke a credential, for good and at once',
    params,
    success: { status: 204 },
    errors: ['not_found', 'precondition_failed'],
    origin: 'ours',
  }),
}
