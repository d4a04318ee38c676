import * as v from 'valibot'
import { Answer, Cancellation, Tracking } from './appointments.ts'
import { endpoint } from './endpoint.ts'
import { described, input, instant, oneOf, paging, record, stamps, text, uri, uuid, zone } from './fields.ts'

export const eventStatuses = ['active', 'canceled'] as const

const Location = record({ type: v.literal('custom'), location: v.nullable(v.string()) })

export const ScheduledEvent = record({
  uri,
  name: v.nullable(v.string()),
  status: oneOf(eventStatuses),
  start_time: instant,
  end_time: instant,
  event_type: described(uri, 'The appointment type or class'),
  location: v.nullable(Location),
  invitees_counter: record({
    total: described(v.number(), 'Canceled ones too'),
    active: v.number(),
    limit: v.number(),
  }),
  event_memberships: described(
    v.array(
      record({
        user: described(v.nullable(uri), 'Null where the staff member is linked to no user'),
        user_email: v.string(),
        user_name: v.string(),
        buffered_start_time: v.optional(instant),
        buffered_end_time: v.optional(instant),
      }),
    ),
    'Who hosts it',
  ),
  event_guests: v.array(record({ email: v.string(), ...stamps })),
  calendar_event: v.nullable(record({ kind: v.string(), external_id: v.string() })),
  meeting_notes_plain: v.nullable(v.string()),
  meeting_notes_html: v.nullable(v.string()),
  cancellation: v.optional(described(Cancellation, 'Only when canceled')),
  ...stamps,
})
export type ScheduledEvent = v.InferOutput<typeof ScheduledEvent>

export const Invitee = record({
  uri: described(uri, 'What a cancellation is matched by'),
  event: described(uri, 'The scheduled event'),
  email: described(v.string(), 'Empty where none is known'),
  name: v.string(),
  first_name: v.nullable(v.string()),
  last_name: v.nullable(v.string()),
  status: oneOf(eventStatuses),
  questions_and_answers: described(v.array(Answer), 'Replies to the custom questions of the booking page'),
  timezone: v.nullable(zone),
  tracking: Tracking,
  text_reminder_number: v.nullable(v.string()),
  rescheduled: described(v.boolean(), 'Whether it was canceled in favour of new_invitee'),
  old_invitee: v.nullable(uri),
  new_invitee: v.nullable(uri),
  cancel_url: uri,
  reschedule_url: uri,
  routing_form_submission: described(v.nullable(uri), 'What led to the booking, where that was told'),
  cancellation: v.optional(described(Cancellation, 'Only when canceled')),
  payment: v.null(),
  no_show: v.nullable(record({ uri, created_at: instant })),
  reconfirmation: v.null(),
  scheduling_method: v.null(),
  invitee_scheduled_by: v.nullable(uri),
  ...stamps,
})
export type Invitee = v.InferOutput<typeof Invitee>

const eventParams = v.strictObject({ event_uuid: uuid })

export const events = {
  list: endpoint({
    method: 'GET',
    base: 'api_url',
    path: '/scheduled_events',
    auth: 'access_token',
    summary: 'List scheduled events',
    query: input({
      user: v.optional(described(uri, 'Hosted by this user; members may ask for themselves only')),
      organization: v.optional(described(uri, 'Of this organization; without user for admins and owners only')),
      invitee_email: v.optional(described(text(254), 'With an invitee of this e-mail address')),
      status: v.optional(described(oneOf(eventStatuses), 'Only in this state')),
      min_start_time: v.optional(described(instant, 'Starting at or after')),
      max_start_time: v.optional(described(instant, 'Starting before')),
      ...paging(['start_time']),
    }),
    success: { status: 200, page: ScheduledEvent },
    errors: ['permission_denied'],
    origin: 'facts',
    note: 'One of user and organization is required.',
  }),
  get: endpoint({
    method: 'GET',
    base: 'api_url',
    path: '/scheduled_events/{event_uuid}',
    auth: 'access_token',
    summary: 'Read a scheduled event',
    params: eventParams,
    success: { status: 200, record: ScheduledEvent },
    errors: ['not_found', 'permission_denied'],
    origin: 'facts',
  }),
  cancel: endpoint({
    method: 'POST',
    base: 'api_url',
    path: '/scheduled_events/{event_uuid}/cancellation',
    auth: 'access_token',
    summary: 'Cancel a scheduled event',
    params: eventParams,
    body: input({ reason: v.optional(described(text(10_000), 'What the invitees are told')) }),
    success: { status: 201, record: Cancellation },
    errors: ['not_found', 'permission_denied', 'illegal_transition', 'precondition_failed'],
    origin: 'facts',
    note: 'One that is canceled already, or has begun, is a 403.',
  }),
}

const inviteeParams = v.strictObject({ event_uuid: uuid, invitee_uuid: uuid })

export const invitees = {
  list: endpoint({
    method: 'GET',
    base: 'api_url',
    path: '/scheduled_events/{event_uuid}/invitees',
    auth: 'access_token',
    summary: 'List the invitees of a scheduled event',
    params: eventParams,
    query: input({
      status: v.optional(described(oneOf(eventStatuses), 'Only in this state')),
      email: v.optional(described(text(254), 'Exactly this e-mail address, whatever its case')),
      ...paging(['created_at']),
    }),
    success: { status: 200, page: Invitee },
    errors: ['not_found', 'permission_denied'],
    origin: 'facts',
  }),
  get: endpoint({
    method: 'GET',
    base: 'api_url',
    path: '/scheduled_events/{event_uuid}/invitees/{invitee_uuid}',
    auth: 'access_token',
    summary: 'Read an invitee: name, e-mail and answers',
    params: inviteeParams,
    success: { status: 200, record: Invitee },
    errors: ['not_found', 'permission_denied'],
    origin: 'given',
    note: 'Path and purpose are given; the fields follow the public facts.',
  }),
}

export const NoShow = record({ uri, invitee: uri, created_at: instant })
export type NoShow = v.InferOutput<typeof NoShow>

const noShowParams = v.strictObject({ no_show_uuid: uuid })

export const noShows = {
  create: endpoint({
    method: 'POST',
    base: 'api_url',
    path: '/invitee_no_shows',
    auth: 'access_token',
    summary: 'Mark that an invitee did not come',
    body: input({ invitee: described(uri, 'URI of the invitee') }),
    success: { status: 201, record: NoShow },
    errors: ['permission_denied', 'illegal_transition'],
    origin: 'facts',
  }),
  get: endpoint({
    method: 'GET',
    base: 'api_url',
    path: '/invitee_no_shows/{no_show_uuid}',
    auth: 'access_token',
    summary: 'Read a no-show',
    params: noShowParams,
    success: { status: 200, record: NoShow },
    errors: ['not_found', 'permission_denied'],
    origin: 'facts',
  }),
  delete: endpoint({
    method: 'DELETE',
    base: 'api_url',
    path: '/invitee_no_shows/{no_show_uuid}',
    auth: 'access_token',
    summary: 'Take a no-show back',
    params: noShowParams,
    success: { status: 204 },
    errors: ['not_found', 'permission_denied', 'illegal_transition', 'precondition_failed'],
    origin: 'facts',
  }),
}
