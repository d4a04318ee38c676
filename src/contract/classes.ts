import * as v from 'valibot'
import { Answer, Cancellation, submission, Tracking } from './appointments.ts'
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
  zone,
} from './fields.ts'
import { CustomQuestion } from './services.ts'
import { isCivilDate } from './time.ts'

/** Wall-clock date and time, `2026-12-01T18:00`; a space instead of the `T` is taken too. */
const localStart = v.pipe(
  v.string(),
  v.transform((given) => given.trim().replace(' ', 'T')),
  v.check(
    (given) => /^\d{4}-\d{2}-\d{2}T(?:[01]\d|2[0-3]):[0-5]\d$/.test(given) && isCivilDate(given.slice(0, 10)),
    'must be a local date and time without an offset, such as 2026-12-01T18:00',
  ),
)

/** When the sessions of a class are: an RFC 5545 `RRULE` on the wall clock of the class's zone. */
export const Recurrence = v.strictObject({
  start: described(localStart, "First date and time on the clocks of the class's zone (DTSTART), such as 2026-12-01T18:00"),
  rrule: described(name(500), 'Which dates after it: an RFC 5545 RRULE, such as FREQ=WEEKLY;BYDAY=TU'),
})
export type Recurrence = v.InferOutput<typeof Recurrence>

export const Class = record({
  id,
  name: v.string(),
  duration: described(v.number(), 'Minutes'),
  capacity: described(v.number(), 'Seats of a session'),
  staff_member_id: described(v.nullable(id), 'Who teaches it'),
  service_id: v.nullable(id),
  price: described(v.nullable(money), 'Decimal string'),
  currency: v.nullable(currency),
  location: v.nullable(v.string()),
  time_zone: described(zone, 'The zone of the recurrence'),
  recurrence: v.nullable(Recurrence),
  custom_questions: v.array(CustomQuestion),
  waitlist: described(v.boolean(), 'Whether people may wait for a seat of a full session'),
  active: v.boolean(),
  ...stamps,
})
export type Class = v.InferOutput<typeof Class>

const classDetails = {
  staff_member_id: clearable(described(id, 'Who teaches it; sessions keep this person busy')),
  service_id: clearable(described(id, 'The service it belongs to')),
  price: clearable(described(money, 'Decimal string, such as 15.00')),
  currency: clearable(described(currency, 'Three letters, such as EUR')),
  location: clearable(described(text(1000), 'Where it takes place')),
  time_zone: v.optional(described(zone, "The zone of the recurrence; the organization's when left out")),
  recurrence: clearable(described(Recurrence, 'When its sessions are; classes schedule makes them')),
  custom_questions: v.optional(
    described(
      v.pipe(v.array(CustomQuestion), v.maxLength(50)),
      'Questions put to the customer: [{"name","type","required","answer_choices"}]',
    ),
  ),
  waitlist: v.optional(described(flag, 'Whether people may wait for a seat of a full session')),
  active: v.optional(described(flag, 'Whether it is offered')),
}

const capacity = whole(1, 100_000)
const classParams = v.strictObject({ class_id: id })
const required = {
  name: described(name(), 'What is taught'),
  duration: described(minutes(1, 1440), 'Minutes'),
  capacity: described(capacity, 'Seats of a session'),
}

/** What a schedule did, in the order of the occurrences. */
export const Schedule = record({
  class_id: id,
  created: described(v.number(), 'How many sessions were made'),
  existing: described(v.number(), 'How many occurrences had a session already, which was left alone'),
  conflicts: described(v.array(instant), 'The occurrences without a session because the staff member is busy then'),
  session_ids: described(v.array(id), 'The sessions that were made'),
})
export type Schedule = v.InferOutput<typeof Schedule>

/** No schedule makes more sessions than this, nor any that is farther ahead. */
export const MOST_SESSIONS = 500
export const MOST_YEARS_AHEAD = 2

export const classes = {
  list: endpoint({
    method: 'GET',
    base: 'base_url',
    path: '/api/v3/classes',
    auth: 'api_key',
    summary: 'List classes',
    query: input({
      active: v.optional(described(flag, 'Only those that are offered, or only those that are not')),
      service_id: v.optional(described(id, 'Only those of this service')),
      ...paging(['id', 'name', 'created_at']),
    }),
    success: { status: 200, page: Class },
    origin: 'given',
    note: 'The path is given; method, parameters and fields are ours.',
  }),
  get: endpoint({
    method: 'GET',
    base: 'base_url',
    path: '/api/v3/classes/{class_id}',
    auth: 'api_key',
    summary: 'Read a class',
    params: classParams,
    success: { status: 200, record: Class },
    errors: ['not_found'],
    origin: 'given',
    note: 'The path is given; method and fields are ours.',
  }),
  create: endpoint({
    method: 'POST',
    base: 'base_url',
    path: '/api/v3/classes',
    auth: 'api_key',
    role: 'admin',
    summary: 'Create a class',
    body: input({ ...required, ...classDetails }),
    success: { status: 201, record: Class },
    origin: 'given',
    note: 'The path is given; method and fields are ours.',
  }),
  update: endpoint({
    method: 'PATCH',
    base: 'base_url',
    path: '/api/v3/classes/{class_id}',
    auth: 'api_key',
    role: 'admin',
    summary: 'Change a class',
    params: classParams,
    body: input({
      name: v.optional(required.name),
      duration: v.optional(required.duration),
      capacity: v.optional(required.capacity),
      ...classDetails,
    }),
    success: { status: 200, record: Class },
    errors: ['not_found', 'precondition_failed'],
    origin: 'given',
    note: 'The path is given; method and fields are ours. Sessions that are there already stay as they are.',
  }),
  delete: endpoint({
    method: 'DELETE',
    base: 'base_url',
    path: '/api/v3/classes/{class_id}',
    auth: 'api_key',
    role: 'admin',
    summary: 'Remove a class that has no upcoming sessions',
    params: classParams,
    success: { status: 204 },
    errors: ['not_found', 'conflict', 'precondition_failed'],
    origin: 'given',
    note: 'The path is given; the method is ours. Past sessions stay.',
  }),
  schedule: endpoint({
    method: 'POST',
    base: 'base_url',
    path: '/api/v3/classes/{class_id}/schedule',
    auth: 'api_key',
    role: 'admin',
    summary: "Make the sessions of a class's recurrence",
    params: classParams,
    body: v.pipe(
      input({
        from: v.optional(described(instant, 'Starting at or after; now when left out')),
        to: v.optional(described(instant, `Starting before; at most ${MOST_YEARS_AHEAD} years ahead`)),
        count: v.optional(described(whole(1, MOST_SESSIONS), 'How many occurrences, instead of an end')),
        skip_conflicts: v.optional(described(flag, 'Leave out occurrences at which the staff member is busy, instead of making none')),
      }),
      v.forward(
        v.check((given) => (given.to === undefined) !== (given.count === undefined), 'give either to or count'),
        ['to'],
      ),
    ),
    success: { status: 200, record: Schedule },
    errors: ['not_found', 'slot_taken'],
    origin: 'ours',
    note: `All of them or none, at most ${MOST_SESSIONS}. An occurrence that has a session already, be it canceled, is left alone, so it may be repeated.`,
  }),
}

export const sessionStatuses = ['scheduled', 'canceled'] as const

export const Session = record({
  id,
  uri: described(uri, 'The scheduled event, as webhook readers see it'),
  class_id: id,
  class: record({ id, name: v.string() }),
  status: oneOf(sessionStatuses),
  start_time: instant,
  end_time: instant,
  duration: described(v.number(), 'Minutes'),
  staff_member_id: v.nullable(id),
  staff_member: described(v.nullable(record({ id, name: v.string(), email: v.string(), time_zone: zone })), 'Who teaches it'),
  capacity: described(v.number(), 'Seats'),
  location: v.nullable(v.string()),
  seats: described(
    record({
      total: described(v.number(), 'The capacity'),
      taken: described(v.number(), 'Seats that somebody has'),
      remaining: described(v.number(), 'Seats that are free'),
      waiting: described(v.number(), 'Who waits for one'),
    }),
    'taken and remaining are total together, always',
  ),
  cancellation: v.nullable(Cancellation),
  ...stamps,
})
export type Session = v.InferOutput<typeof Session>

const sessionParams = v.strictObject({ session_id: id })
const reason = v.optional(described(text(10_000), 'What the customers are told'))
const sessionDetails = {
  staff_member_id: clearable(described(id, "Who teaches it; the class's when left out")),
  capacity: v.optional(described(capacity, "Seats; the class's when left out")),
  location: clearable(described(text(1000), "Where it takes place; the class's when left out")),
}

export const sessions = {
  list: endpoint({
    method: 'GET',
    base: 'base_url',
    path: '/api/v3/sessions',
    auth: 'api_key',
    summary: 'List sessions',
    query: input({
      class_id: v.optional(described(id, 'Only of this class')),
      staff_member_id: v.optional(described(id, 'Only with this staff member')),
      start_time_from: v.optional(described(instant, 'Starting at or after')),
      start_time_to: v.optional(described(instant, 'Starting before')),
      status: v.optional(described(oneOf(sessionStatuses), 'Only in this state')),
      ...paging(['start_time', 'id', 'created_at']),
    }),
    success: { status: 200, page: Session },
    origin: 'given',
    note: 'The path is given; method, parameters and fields are ours.',
  }),
  get: endpoint({
    method: 'GET',
    base: 'base_url',
    path: '/api/v3/sessions/{session_id}',
    auth: 'api_key',
    summary: 'Read a session',
    params: sessionParams,
    success: { status: 200, record: Session },
    errors: ['not_found'],
    origin: 'ours',
  }),
  create: endpoint({
    method: 'POST',
    base: 'base_url',
    path: '/api/v3/sessions',
    auth: 'api_key',
    role: 'admin',
    summary: 'Create a session of a class',
    body: input({
      class_id: described(id, 'The class it is of'),
      start_time: described(instant, 'When it starts'),
      ...sessionDetails,
    }),
    success: { status: 201, record: Session },
    errors: ['already_exists', 'slot_taken'],
    origin: 'given',
    note: 'The path is given; method and fields are ours. Working hours do not bind it; what else its staff member does then, does.',
  }),
  update: endpoint({
    method: 'PATCH',
    base: 'base_url',
    path: '/api/v3/sessions/{session_id}',
    auth: 'api_key',
    role: 'admin',
    summary: 'Change a session',
    params: sessionParams,
    body: input(sessionDetails),
    success: { status: 200, record: Session },
    errors: ['not_found', 'conflict', 'slot_taken', 'illegal_transition', 'precondition_failed'],
    origin: 'ours',
    note: 'More seats go to those who wait; fewer than are taken is a conflict. Another time is another session.',
    repeatable: false,
  }),
  delete: endpoint({
    method: 'DELETE',
    base: 'base_url',
    path: '/api/v3/sessions/{session_id}',
    auth: 'api_key',
    role: 'admin',
    summary: 'Cancel a session',
    params: sessionParams,
    success: { status: 204 },
    errors: ['not_found', 'illegal_transition', 'precondition_failed'],
    origin: 'ours',
    note: 'The same as cancel without a reason.',
    repeatable: false,
  }),
  cancel: endpoint({
    method: 'POST',
    base: 'base_url',
    path: '/api/v3/sessions/{session_id}/cancel',
    auth: 'api_key',
    role: 'admin',
    summary: 'Cancel a session and all of its attendees',
    params: sessionParams,
    body: input({ reason }),
    success: { status: 200, record: Session },
    errors: ['not_found', 'illegal_transition', 'precondition_failed'],
    origin: 'ours',
  }),
}

export const attendeeStatuses = ['active', 'waiting', 'canceled', 'no_show'] as const

export const Attendee = record({
  id,
  uri: described(uri, 'The invitee, as webhook readers see it'),
  session_id: id,
  status: described(oneOf(attendeeStatuses), 'active and no_show have a seat, waiting gets the next one that is free'),
  customer: record({ id, name: v.string(), email: v.nullable(v.string()), phone: v.nullable(v.string()) }),
  time_zone: described(v.nullable(zone), 'The zone the customer chose'),
  questions_and_answers: v.array(Answer),
  tracking: Tracking,
  cancellation: v.nullable(Cancellation),
  ...stamps,
})
export type Attendee = v.InferOutput<typeof Attendee>

const attendeeParams = v.strictObject({ session_id: id, attendee_id: id })

export const attendees = {
  list: endpoint({
    method: 'GET',
    base: 'base_url',
    path: '/api/v3/sessions/{session_id}/attendees',
    auth: 'api_key',
    summary: 'List the attendees of a session',
    params: sessionParams,
    query: input({
      status: v.optional(described(oneOf(attendeeStatuses), 'Only in this state')),
      ...paging(['id', 'created_at']),
    }),
    success: { status: 200, page: Attendee },
    errors: ['not_found'],
    origin: 'ours',
  }),
  get: endpoint({
    method: 'GET',
    base: 'base_url',
    path: '/api/v3/sessions/{session_id}/attendees/{attendee_id}',
    auth: 'api_key',
    summary: 'Read an attendee',
    params: attendeeParams,
    success: { status: 200, record: Attendee },
    errors: ['not_found'],
    origin: 'ours',
  }),
  create: endpoint({
    method: 'POST',
    base: 'base_url',
    path: '/api/v3/sessions/{session_id}/attendees',
    auth: 'api_key',
    summary: 'Give a customer a seat of a session',
    params: sessionParams,
    body: v.pipe(
      input({
        customer_id: v.optional(described(id, 'Who comes')),
        customer: v.optional(
          described(
            v.strictObject({
              name: described(name(), "A customer's full name, instead of an id"),
              email: v.optional(described(email, 'Their e-mail: found by it, else created')),
              phone: v.optional(described(text(50), 'Their phone number')),
            }),
            'Who comes: found by e-mail, else created',
          ),
        ),
        time_zone: clearable(described(zone, 'The zone the customer chose')),
        questions_and_answers: v.optional(
          described(v.pipe(v.array(Answer), v.maxLength(50)), 'Replies to the custom questions: [{"question","answer"}]'),
        ),
        tracking: v.optional(described(Tracking, 'Where it came from')),
        routing_form_submission: v.optional(submission),
      }),
      v.forward(
        v.check((given) => (given.customer_id === undefined) !== (given.customer === undefined), 'give either customer_id or customer'),
        ['customer_id'],
      ),
    ),
    success: { status: 201, record: Attendee },
    errors: ['not_found', 'already_exists', 'session_full', 'illegal_transition'],
    origin: 'ours',
    note: 'Of a full session: a place on the waiting list where the class has one, else session_full.',
  }),
  delete: endpoint({
    method: 'DELETE',
    base: 'base_url',
    path: '/api/v3/sessions/{session_id}/attendees/{attendee_id}',
    auth: 'api_key',
    summary: 'Cancel an attendee',
    params: attendeeParams,
    success: { status: 204 },
    errors: ['not_found', 'illegal_transition', 'precondition_failed'],
    origin: 'ours',
    note: 'The same as cancel without a reason.',
    repeatable: false,
  }),
  cancel: endpoint({
    method: 'POST',
    base: 'base_url',
    path: '/api/v3/sessions/{session_id}/attendees/{attendee_id}/cancel',
    auth: 'api_key',
    summary: 'Cancel an attendee; the seat goes to the head of the waiting list',
    params: attendeeParams,
    body: input({ reason: v.optional(described(text(10_000), 'What the customer is told')) }),
    success: { status: 200, record: Attendee },
    errors: ['not_found', 'illegal_transition', 'precondition_failed'],
    origin: 'ours',
  }),
  noShow: endpoint({
    method: 'POST',
    base: 'base_url',
    path: '/api/v3/sessions/{session_id}/attendees/{attendee_id}/no_show',
    auth: 'api_key',
    summary: 'Mark that the customer did not come',
    params: attendeeParams,
    success: { status: 200, record: Attendee },
    errors: ['not_found', 'illegal_transition', 'precondition_failed'],
    origin: 'ours',
  }),
  undoNoShow: endpoint({
    method: 'DELETE',
    base: 'base_url',
    path: '/api/v3/sessions/{session_id}/attendees/{attendee_id}/no_show',
    auth: 'api_key',
    summary: 'Take a no-show back',
    params: attendeeParams,
    success: { status: 204 },
    errors: ['not_found', 'illegal_transition', 'precondition_failed'],
    origin: 'ours',
    repeatable: false,
  }),
}
