import * as v from 'valibot'
import { endpoint } from './endpoint.ts'
import {
  clearable,
  currency,
  described,
  flag,
  id,
  input,
  minutes,
  money,
  name,
  oneOf,
  paging,
  record,
  stamps,
  text,
  uri,
  whole,
} from './fields.ts'

export const Service = record({
  id,
  name: v.string(),
  category: v.nullable(v.string()),
  description: v.nullable(v.string()),
  active: described(v.boolean(), 'Inactive services are not offered'),
  ...stamps,
})
export type Service = v.InferOutput<typeof Service>

const serviceDetails = {
  category: clearable(described(text(255), 'What it is grouped under')),
  description: clearable(described(text(10_000), 'What customers read about it')),
  active: v.optional(described(flag, 'Whether it is offered')),
}

const serviceParams = v.strictObject({ service_id: id })

export const services = {
  list: endpoint({
    method: 'GET',
    base: 'base_url',
    path: '/api/v3/services',
    auth: 'api_key',
    summary: 'List services',
    query: input({
      active: v.optional(described(flag, 'Only those that are offered, or only those that are not')),
      ...paging(['id', 'name', 'created_at']),
    }),
    success: { status: 200, page: Service },
    origin: 'given',
    note: 'The path is given; method, parameters and fields are ours.',
  }),
  get: endpoint({
    method: 'GET',
    base: 'base_url',
    path: '/api/v3/services/{service_id}',
    auth: 'api_key',
    summary: 'Read a service',
    params: serviceParams,
    success: { status: 200, record: Service },
    errors: ['not_found'],
    origin: 'ours',
  }),
  create: endpoint({
    method: 'POST',
    base: 'base_url',
    path: '/api/v3/services',
    auth: 'api_key',
    role: 'admin',
    summary: 'Create a service',
    body: input({ name: described(name(), 'What the business sells'), ...serviceDetails }),
    success: { status: 201, record: Service },
    origin: 'ours',
  }),
  update: endpoint({
    method: 'PATCH',
    base: 'base_url',
    path: '/api/v3/services/{service_id}',
    auth: 'api_key',
    role: 'admin',
    summary: 'Change a service',
    params: serviceParams,
    body: input({ name: v.optional(described(name(), 'What the business sells')), ...serviceDetails }),
    success: { status: 200, record: Service },
    errors: ['not_found', 'precondition_failed'],
    origin: 'ours',
  }),
  delete: endpoint({
    method: 'DELETE',
    base: 'base_url',
    path: '/api/v3/services/{service_id}',
    auth: 'api_key',
    role: 'admin',
    summary: 'Remove a service that has no appointment types and no classes',
    params: serviceParams,
    success: { status: 204 },
    errors: ['not_found', 'conflict', 'precondition_failed'],
    origin: 'ours',
  }),
}

export const questionKinds = ['text', 'textarea', 'phone', 'select', 'radios', 'checkboxes'] as const

/** A question that is put to the customer when booking. */
export const CustomQuestion = v.pipe(
  v.strictObject({
    name: described(name(255), 'The question'),
    type: described(oneOf(questionKinds), 'How it is answered'),
    required: v.optional(described(flag, 'Whether it must be answered'), false),
    answer_choices: v.optional(
      v.pipe(
        v.array(name(255)),
        v.maxLength(100),
        v.check((given) => new Set(given).size === given.length, 'must differ from each other'),
      ),
      [],
    ),
  }),
  v.check(
    ({ type, answer_choices }) => ['select', 'radios', 'checkboxes'].includes(type) === answer_choices.length > 0,
    'select, radios and checkboxes need answer_choices, and the others take none',
  ),
)
export type CustomQuestion = v.InferOutput<typeof CustomQuestion>

export const AppointmentType = record({
  id,
  uri: described(uri, 'The event type, as scheduled events and routing forms name it'),
  name: v.string(),
  service_id: id,
  duration: described(v.number(), 'Minutes'),
  staff_member_ids: described(v.array(id), 'Who offers it'),
  slot_interval: described(v.number(), 'Minutes between two start times'),
  buffer_before: described(v.number(), 'Minutes kept free before'),
  buffer_after: described(v.number(), 'Minutes kept free after'),
  minimum_notice: described(v.number(), 'Minutes between booking and start, at least'),
  booking_window: described(v.number(), 'How many days ahead it can be booked'),
  daily_limit: described(v.nullable(v.number()), 'How many a staff member takes a day'),
  location: v.nullable(v.string()),
  price: described(v.nullable(money), 'Decimal string'),
  currency: v.nullable(currency),
  custom_questions: v.array(CustomQuestion),
  slug: described(v.string(), 'Its part of the booking page address'),
  color: v.nullable(v.string()),
  active: v.boolean(),
  ...stamps,
})
export type AppointmentType = v.InferOutput<typeof AppointmentType>

const slug = v.pipe(
  v.string(),
  v.regex(/^[a-z0-9]+(?:-[a-z0-9]+)*$/, 'must be lower-case letters, digits and single hyphens'),
  v.maxLength(100),
)
const color = v.pipe(v.string(), v.regex(/^#[0-9a-fA-F]{6}$/, 'must be a colour such as #3b82f6'))
const distinctIds = v.pipe(
  v.array(id),
  v.maxLength(500),
  v.check((given) => new Set(given).size === given.length, 'must differ from each other'),
)

const typeDetails = {
  staff_member_ids: v.optional(described(distinctIds, 'Who offers it')),
  slot_interval: v.optional(described(minutes(5, 1440), 'Minutes between two start times; the duration when left out')),
  buffer_before: v.optional(described(minutes(0, 720), 'Minutes kept free before')),
  buffer_after: v.optional(described(minutes(0, 720), 'Minutes kept free after')),
  minimum_notice: v.optional(described(minutes(0, 525_600), 'Minutes between booking and start, at least')),
  booking_window: v.optional(described(whole(1, 730), 'How many days ahead it can be booked; 60 when left out')),
  daily_limit: clearable(described(whole(1, 1000), 'How many a staff member takes a day')),
  location: clearable(described(text(1000), 'Where it takes place')),
  price: clearable(described(money, 'Decimal string, such as 45.00')),
  currency: clearable(described(currency, 'Three letters, such as EUR')),
  custom_questions: v.optional(
    described(
      v.pipe(
        v.array(CustomQuestion),
        v.maxLength(50),
        v.check((given) => new Set(given.map(({ name }) => name)).size === given.length, 'must have different names'),
      ),
      'Questions put to the customer: [{"name","type","required","answer_choices"}]',
    ),
  ),
  slug: v.optional(described(slug, 'Its part of the booking page address; made from the name when left out')),
  color: clearable(described(color, 'For calendars, such as #3b82f6')),
  active: v.optional(described(flag, 'Whether it is offered')),
}

const typeParams = v.strictObject({ appointment_type_id: id })
const duration = described(minutes(1, 1440), 'Minutes')

export const appointmentTypes = {
  list: endpoint({
    method: 'GET',
    base: 'base_url',
    path: '/api/v3/appointment_types',
    auth: 'api_key',
    summary: 'List appointment types',
    query: input({
      active: v.optional(described(flag, 'Only those that are offered, or only those that are not')),
      service_id: v.optional(described(id, 'Only those of this service')),
      ...paging(['id', 'name', 'created_at']),
    }),
    success: { status: 200, page: AppointmentType },
    origin: 'given',
    note: 'The path is given; method, parameters and fields are ours.',
  }),
  get: endpoint({
    method: 'GET',
    base: 'base_url',
    path: '/api/v3/appointment_types/{appointment_type_id}',
    auth: 'api_key',
    summary: 'Read an appointment type',
    params: typeParams,
    success: { status: 200, record: AppointmentType },
    errors: ['not_found'],
    origin: 'ours',
  }),
  create: endpoint({
    method: 'POST',
    base: 'base_url',
    path: '/api/v3/appointment_types',
    auth: 'api_key',
    role: 'admin',
    summary: 'Create an appointment type',
    body: input({
      name: described(name(), 'What can be booked'),
      service_id: described(id, 'The service it belongs to'),
      duration,
      ...typeDetails,
    }),
    success: { status: 201, record: AppointmentType },
    errors: ['already_exists'],
    origin: 'ours',
  }),
  update: endpoint({
    method: 'PATCH',
    base: 'base_url',
    path: '/api/v3/appointment_types/{appointment_type_id}',
    auth: 'api_key',
    role: 'admin',
    summary: 'Change an appointment type',
    params: typeParams,
    body: input({
      name: v.optional(described(name(), 'What can be booked')),
      service_id: v.optional(described(id, 'The service it belongs to')),
      duration: v.optional(duration),
      ...typeDetails,
    }),
    success: { status: 200, record: AppointmentType },
    errors: ['not_found', 'already_exists', 'precondition_failed'],
    origin: 'ours',
    note: 'Appointments that are booked already stay as they are.',
  }),
  delete: endpoint({
    method: 'DELETE',
    base: 'base_url',
    path: '/api/v3/appointment_types/{appointment_type_id}',
    auth: 'api_key',
    role: 'admin',
    summary: 'Remove an appointment type',
    params: typeParams,
    success: { status: 204 },
    errors: ['not_found', 'precondition_failed'],
    origin: 'ours',
    note: 'Appointments that are booked already stay.',
  }),
}
