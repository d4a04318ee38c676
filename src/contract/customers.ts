import * as v from 'valibot'
import { endpoint } from './endpoint.ts'
import { clearable, described, email, flag, id, input, instant, mapOf, name, oneOf, paging, record, stamps, text, zone } from './fields.ts'

const customFields = mapOf(v.pipe(v.string(), v.nonEmpty(), v.maxLength(100)), text(2000))

export const Customer = record({
  id,
  name: described(v.string(), 'Full name; "Deleted customer" once erased'),
  email: described(v.nullable(v.string()), 'Unique among live customers, compared without case'),
  phone: v.nullable(v.string()),
  notes: v.nullable(v.string()),
  time_zone: v.nullable(zone),
  custom_fields: described(v.record(v.string(), v.string()), 'Names and values of your own'),
  deleted_at: described(v.nullable(instant), 'When it was hidden by a soft delete'),
  ...stamps,
})
export type Customer = v.InferOutput<typeof Customer>

const details = {
  email: clearable(described(email, 'E-mail address')),
  phone: clearable(described(text(50), 'Phone number, as people write it')),
  notes: clearable(described(text(10_000), 'Notes for the staff')),
  time_zone: clearable(described(zone, 'The zone the customer lives in')),
  custom_fields: v.optional(described(customFields, 'Names and values of your own')),
}

const params = v.strictObject({ customer_id: id })

export const customers = {
  list: endpoint({
    method: 'GET',
    base: 'base_url',
    path: '/api/v3/customers',
    auth: 'api_key',
    summary: 'List customers',
    query: input({
      search: v.optional(described(text(200), 'Match a part of name, e-mail or phone')),
      email: v.optional(described(text(254), 'Exactly this e-mail address, whatever its case')),
      deleted: v.optional(described(oneOf(['true', 'false', 'any']), 'Hidden customers too (any) or only (true); false when left out')),
      ...paging(['id', 'name', 'created_at', 'updated_at']),
    }),
    success: { status: 200, page: Customer },
    origin: 'given',
    note: 'The path is given; method, parameters and fields are ours.',
  }),
  get: endpoint({
    method: 'GET',
    base: 'base_url',
    path: '/api/v3/customers/{customer_id}',
    auth: 'api_key',
    summary: 'Read a customer',
    params,
    success: { status: 200, record: Customer },
    errors: ['not_found'],
    origin: 'given',
    note: 'The path is given; method and fields are ours.',
  }),
  create: endpoint({
    method: 'POST',
    base: 'base_url',
    path: '/api/v3/customers',
    auth: 'api_key',
    summary: 'Create a customer',
    body: input({ name: described(name(), 'Full name'), ...details }),
    success: { status: 201, record: Customer },
    errors: ['already_exists'],
    origin: 'given',
    note: 'The path is given; method and fields are ours.',
  }),
  update: endpoint({
    method: 'PATCH',
    base: 'base_url',
    path: '/api/v3/customers/{customer_id}',
    auth: 'api_key',
    summary: 'Change a customer',
    params,
    body: input({ name: v.optional(described(name(), 'Full name')), ...details }),
    success: { status: 200, record: Customer },
    errors: ['not_found', 'already_exists', 'precondition_failed'],
    origin: 'given',
    note: 'The path is given; method and fields are ours. PUT does the same.',
  }),
  delete: endpoint({
    method: 'DELETE',
    base: 'base_url',
    path: '/api/v3/customers/{customer_id}',
    auth: 'api_key',
    summary: 'Hide or erase a customer',
    params,
    query: input({
      soft_delete: v.optional(described(flag, 'Hide the record and keep it; otherwise the personal data is erased for good')),
      cancel_appointments: v.optional(described(flag, 'Cancel the upcoming appointments instead of refusing')),
    }),
    success: { status: 204 },
    errors: ['not_found', 'conflict', 'precondition_failed'],
    origin: 'given',
    note: 'The path and soft_delete are given; what they do is ours.',
  }),
  restore: endpoint({
    method: 'POST',
    base: 'base_url',
    path: '/api/v3/customers/{customer_id}/restore',
    auth: 'api_key',
    summary: 'Bring a hidden customer back',
    params,
    success: { status: 200, record: Customer },
    errors: ['not_found', 'already_exists', 'illegal_transition'],
    origin: 'ours',
  }),
}
