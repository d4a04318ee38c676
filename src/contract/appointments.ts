import * as v from 'valibot'
import { endpoint } from './endpoint.ts'
import {
  clearable,
  currency,
  described,
  email,
  flag,
  id,
  input,
  instant,
  money,
  name,
  oneOf,
  paging,
  record,
  stamps,
  text,
  uri,
  zone,
} from './fields.ts'

export const appointmentStatuses = ['scheduled', 'canceled', 'completed', 'no_show'] as const

/** A reply to a custom question, as the booking page asked it. */
export const Answer = v.strictObject({
  question: described(name(255), 'The question'),
  answer: described(text(10_000), 'The reply; several choices are parted by line breaks'),
  position: v.optional(described(v.pipe(v.number(), v.integer(), v.minValue(0)), 'Where the question stands, from 0'), 0),
})
export type Answer = v.InferOutput<typeof Answer>

const utm = (sentence: string) => v.optional(v.nullable(described(text(255), sentence)), null)

/** Where a booking came from; always all six. */
export const Tracking = v.strictObject({
  utm_campaign: utm('The campaign it came from'),
  utm_source: utm('Where it came from'),
  utm_medium: utm('By which medium'),
  utm_content: utm('Which link or advertisement'),
  utm_term: utm('The search term'),
  salesforce_uuid: utm('Its record in Salesforce'),
})
export type Tracking = v.InferOutput<typeof Tracking>

export const Cancellation = record({
  canceled_by: described(v.string(), 'The name of who canceled'),
  reason: v.nullable(v.string()),
  canceler_type: oneOf(['host', 'invitee']),
  created_at: instant,
})
export type Cancellation = v.InferOutput<typeof Cancellation>

export const Appointment = record({
  id,
  uri: described(uri, 'The scheduled event, as webhook readers see it'),
  invitee: described(uri, 'The invitee of that event'),
  status: oneOf(appointmentStatuses),
  start_time: instant,
  end_time: instant,
  duration: described(v.number(), 'Minutes'),
  time_zone: described(v.nullable(zone), 'The zone the customer chose'),
  title: v.string(),
  notes: v.nullable(v.string()),
  location: v.nullable(v.string()),
  price: v.nullable(money),
  currency: v.nullable(currency),
  customer: record({ id, name: v.string(), email: v.nullable(v.string()), phone: v.nullable(v.string()) }),
  staff_member: record({ id, name: v.string(), email: v.string(), time_zone: zone }),
  appointment_type: record({ id, name: v.string() }),
  questions_and_answers: v.array(Answer),
  tracking: Tracking,
  cancellation: v.nullable(Cancellation),
  rescheduled: described(v.boolean(), 'Whether it was canceled in favour of a new appointment'),
  old_appointment_id: v.nullable(id),
  new_appointment_id: v.nullable(id),
  ...stamps,
})
export type Appointment = v.InferOutput<typeof Appointment>

/** Of whoever was led to a booking by a routing form. Ours: the public interface has no bookings that a caller makes. */
export const submission = described(uri, 'URI of the routing form submission that led here')

const params = v.strictObject({ appointment_id: id })
const force = v.optional(described(flag, 'Book although the time is taken or not offered; for admins and owners, and audited'))

const changeable = {
  title: v.optional(described(name(), 'What calendars show; customer and type when left out')),
  notes: clearable(described(text(10_000), 'Notes for the staff')),
  location: clearable(described(text(1000), "Where it takes place; the type's when left out")),
  time_zone: clearable(described(zone, 'The zone the customer chose')),
}

export const appointments = {
  list: endpoint({
    method: 'GET',
    base: 'base_url',
    path: '/api/v3/appointments',
    auth: 'api_key',
    summary: 'List appointments',
    query: input({
      start_time_from: v.optional(described(instant, 'Starting at or after')),
      start_time_to: v.optional(described(instant, 'Starting before')),
      staff_member_id: v.optional(described(id, 'Only with this staff member')),
      customer_id: v.optional(described(id, 'Only of this customer')),
      appointment_type_id: v.optional(described(id, 'Only of this type')),
      status: v.optional(described(oneOf(appointmentStatuses), 'Only in this state')),
      ...paging(['start_time', 'id', 'created_at']),
    }),
    success: { status: 200, page: Appointment },
    origin: 'given',
    note: 'The path is given; method, parameters and fields are ours.',
  }),
  get: endpoint({
    method: 'GET',
    base: 'base_url',
    path: '/api/v3/appointments/{appointment_id}',
    auth: 'api_key',
    summary: 'Read an appointment',
    params,
    success: { status: 200, record: Appointment },
    errors: ['not_found'],
    origin: 'given',
    note: 'The path is given; method and fields are ours.',
  }),
  create: endpoint({
    method: 'POST',
    base: 'base_url',
    path: '/api/v3/appointments',
    auth: 'api_key',
    summary: 'Book an appointment',
    body: v.pipe(
      input({
        appointment_type_id: described(id, 'What is booked'),
        start_time: described(instant, 'When it starts'),
        customer_id: v.optional(described(id, 'Who it is for')),
        customer: v.optional(
          described(
            v.strictObject({
              name: described(name(), "A customer's full name, instead of an id"),
              email: v.optional(described(email, 'Their e-mail: found by it, else created')),
              phone: v.optional(described(text(50), 'Their phone number')),
            }),
            'Who it is for: found by e-mail, else created',
          ),
        ),
        staff_member_id: v.optional(described(id, 'With whom; anybody who is free when left out')),
        ...changeable,
        questions_and_answers: v.optional(
          described(v.pipe(v.array(Answer), v.maxLength(50)), 'Replies to the custom questions: [{"question","answer"}]'),
        ),
        tracking: v.optional(described(Tracking, 'Where the booking came from')),
        routing_form_submission: v.optional(submission),
        force,
      }),
      v.forward(
        v.check((given) => (given.customer_id === undefined) !== (given.customer === undefined), 'or customer is needed, and not both'),
        ['customer_id'],
      ),
    ),
    success: { status: 201, record: Appointment },
    errors: ['not_found', 'permission_denied', 'slot_taken'],
    origin: 'given',
    note: 'The path is given; method and fields are ours.',
  }),
  update: endpoint({
    method: 'PATCH',
    base: 'base_url',
    path: '/api/v3/appointments/{appointment_id}',
    auth: 'api_key',
    summary: 'Change what is noted about an appointment',
    params,
    body: input(changeable),
    success: { status: 200, record: Appointment },
    errors: ['not_found', 'precondition_failed'],
    origin: 'given',
    note: 'The path is given; method and fields are ours. Another time is a reschedule.',
  }),
  delete: endpoint({
    method: 'DELETE',
    base: 'base_url',
    path: '/api/v3/appointments/{appointment_id}',
    auth: 'api_key',
    summary: 'Cancel an appointment',
    params,
    success: { status: 204 },
    errors: ['not_found', 'illegal_transition', 'precondition_failed'],
    origin: 'given',
    note: 'The path is given; the method is ours. The same as cancel without a reason.',
  }),
  cancel: endpoint({
    method: 'POST',
    base: 'base_url',
    path: '/api/v3/appointments/{appointment_id}/cancel',
    auth: 'api_key',
    summary: 'Cancel an appointment',
    params,
    body: input({ reason: v.optional(described(text(10_000), 'What the customer is told')) }),
    success: { status: 200, record: Appointment },
    errors: ['not_found', 'illegal_transition', 'precondition_failed'],
    origin: 'ours',
  }),
  reschedule: endpoint({
    method: 'POST',
    base: 'base_url',
    path: '/api/v3/appointments/{appointment_id}/reschedule',
    auth: 'api_key',
    summary: 'Move an appointment to another time',
    params,
    body: input({
      start_time: described(instant, 'The new start'),
      staff_member_id: v.optional(described(id, 'With whom; the same person when left out')),
      reason: v.optional(described(text(10_000), 'What the customer is told')),
      force,
    }),
    success: { status: 201, record: Appointment },
    errors: ['not_found', 'permission_denied', 'slot_taken', 'illegal_transition', 'precondition_failed'],
    origin: 'ours',
    note: 'Cancels the old appointment and books a new one, linked both ways, in one transaction. The reply is the new one.',
  }),
  complete: endpoint({
    method: 'POST',
    base: 'base_url',
    path: '/api/v3/appointments/{appointment_id}/complete',
    auth: 'api_key',
    summary: 'Mark an appointment as completed',
    params,
    success: { status: 200, record: Appointment },
    errors: ['not_found', 'illegal_transition', 'precondition_failed'],
    origin: 'ours',
  }),
  noShow: endpoint({
    method: 'POST',
    base: 'base_url',
    path: '/api/v3/appointments/{appointment_id}/no_show',
    auth: 'api_key',
    summary: 'Mark that the customer did not come',
    params,
    success: { status: 200, record: Appointment },
    errors: ['not_found', 'illegal_transition', 'precondition_failed'],
    origin: 'ours',
  }),
  undoNoShow: endpoint({
    method: 'DELETE',
    base: 'base_url',
    path: '/api/v3/appointments/{appointment_id}/no_show',
    auth: 'api_key',
    summary: 'Take a no-show back; the appointment is completed then',
    params,
    success: { status: 204 },
    errors: ['not_found', 'illegal_transition', 'precondition_failed'],
    origin: 'ours',
  }),
}
