import * as v from 'valibot'
import { endpoint } from './endpoint.ts'
import { described, id, input, instant, paging, record, uri } from './fields.ts'

export const AuditEntry = record({
  id,
  user: described(record({ id, uri, name: v.string(), email: v.string() }), 'Who'),
  action: described(v.string(), 'What: method and path of the endpoint'),
  target: described(v.string(), 'On what: the path that was called'),
  forced: described(v.boolean(), 'Whether a time was booked by force: though it is taken or not offered'),
  request_id: v.string(),
  remote_address: described(v.nullable(v.string()), 'From where; null for the database file itself'),
  created_at: instant,
})
export type AuditEntry = v.InferOutput<typeof AuditEntry>

export const audit = {
  list: endpoint({
    method: 'GET',
    base: 'base_url',
    path: '/api/v3/audit_log',
    auth: 'api_key',
    role: 'admin',
    summary: 'List who changed what, when and from where',
    query: input({
      user_id: v.optional(described(id, 'Only what this user did')),
      from: v.optional(described(instant, 'Done at or after')),
      to: v.optional(described(instant, 'Done before')),
      ...paging(['id']),
    }),
    success: { status: 200, page: AuditEntry },
    origin: 'ours',
  }),
}
