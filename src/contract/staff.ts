import * as v from 'valibot'
import { endpoint } from './endpoint.ts'
import {
  clearable,
  date,
  described,
  email,
  flag,
  id,
  input,
  instant,
  localTime,
  name,
  oneOf,
  paging,
  record,
  stamps,
  text,
  uri,
  zone,
} from './fields.ts'

export const weekdays = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'] as const

const endsAfterItStarts = 'must end after it starts'

/** A weekly interval of wall-clock time in the staff member's zone; a break is the gap between two. */
export const WorkingHours = v.pipe(
  v.strictObject({
    day: described(oneOf(weekdays), 'The day of the week'),
    start: described(localTime, 'From, as HH:MM'),
    end: described(localTime, 'To, as HH:MM; 24:00 for midnight'),
  }),
  v.check((given) => given.start < given.end, endsAfterItStarts),
)

/** Hours on one date besides the weekly ones, in the staff member's zone. */
export const ExtraHours = v.pipe(
  v.strictObject({ date: described(date, 'The date'), start: described(localTime, 'From'), end: described(localTime, 'To') }),
  v.check((given) => given.start < given.end, endsAfterItStarts),
)

/** When a staff member cannot be booked, whatever the working hours say. */
export const TimeOff = v.pipe(
  v.strictObject({
    start_time: described(instant, 'From'),
    end_time: described(instant, 'To'),
    reason: v.optional(described(text(255), 'Why')),
  }),
  v.check((given) => given.start_time < given.end_time, endsAfterItStarts),
)

export const StaffMember = record({
  id,
  name: v.string(),
  email: v.string(),
  time_zone: described(zone, 'The zone of the working hours'),
  working_hours: described(v.array(WorkingHours), 'Weekly intervals; a break is the gap between two of a day'),
  extra_hours: described(v.array(ExtraHours), 'Hours on single dates besides the weekly ones'),
  time_off: described(v.array(TimeOff), 'When nothing can be booked'),
  user: described(v.nullable(uri), 'The user who signs in as this staff member'),
  active: described(v.boolean(), 'Inactive staff members are not offered'),
  ...stamps,
})
export type StaffMember = v.InferOutput<typeof StaffMember>

const plan = {
  working_hours: v.optional(described(v.pipe(v.array(WorkingHours), v.maxLength(100)), 'Weekly intervals: [{"day","start","end"}]')),
  extra_hours: v.optional(described(v.pipe(v.array(ExtraHours), v.maxLength(1000)), 'Single dates: [{"date","start","end"}]')),
  time_off: v.optional(described(v.pipe(v.array(TimeOff), v.maxLength(1000)), 'Exceptions: [{"start_time","end_time","reason"}]')),
  user: clearable(described(uri, 'URI of the user who signs in as this staff member')),
  active: v.optional(described(flag, 'Whether this person can be booked')),
}

const params = v.strictObject({ staff_member_id: id })

export const AvailableTime = record({
  start_time: instant,
  end_time: instant,
  staff_member_ids: described(v.array(id), 'Who is free then'),
})

export const staff = {
  list: endpoint({
    method: 'GET',
    base: 'base_url',
    path: '/api/v3/staff_members',
    auth: 'api_key',
    summary: 'List staff members',
    query: input({
      active: v.optional(described(flag, 'Only those who can be booked, or only those who cannot')),
      email: v.optional(described(text(254), 'Exactly this e-mail address, whatever its case')),
      ...paging(['id', 'name', 'created_at']),
    }),
    success: { status: 200, page: StaffMember },
    origin: 'given',
    note: 'The path is given; method, parameters and fields are ours.',
  }),
  get: endpoint({
    method: 'GET',
    base: 'base_url',
    path: '/api/v3/staff_members/{staff_member_id}',
    auth: 'api_key',
    summary: 'Read a staff member',
    params,
    success: { status: 200, record: StaffMember },
    errors: ['not_found'],
    origin: 'ours',
  }),
  create: endpoint({
    method: 'POST',
    base: 'base_url',
    path: '/api/v3/staff_members',
    auth: 'api_key',
    role: 'admin',
    summary: 'Create a staff member',
    body: input({
      name: described(name(), 'Full name'),
      email: described(email, 'E-mail address, unique among the staff'),
      time_zone: v.optional(described(zone, "The zone of the working hours; the organization's when left out")),
      ...plan,
    }),
    success: { status: 201, record: StaffMember },
    errors: ['already_exists'],
    origin: 'ours',
  }),
  update: endpoint({
    method: 'PATCH',
    base: 'base_url',
    path: '/api/v3/staff_members/{staff_member_id}',
    auth: 'api_key',
    role: 'admin',
    summary: 'Change a staff member',
    params,
    body: input({
      name: v.optional(described(name(), 'Full name')),
      email: v.optional(described(email, 'E-mail address, unique among the staff')),
      time_zone: v.optional(described(zone, 'The zone of the working hours')),
      ...plan,
    }),
    success: { status: 200, record: StaffMember },
    errors: ['not_found', 'already_exists', 'precondition_failed'],
    origin: 'ours',
  }),
  delete: endpoint({
    method: 'DELETE',
    base: 'base_url',
    path: '/api/v3/staff_members/{staff_member_id}',
    auth: 'api_key',
    role: 'admin',
    summary: 'Remove a staff member who has no upcoming appointments',
    params,
    success: { status: 204 },
    errors: ['not_found', 'conflict', 'precondition_failed'],
    origin: 'ours',
    note: 'Past appointments keep the name.',
  }),
  available: endpoint({
    method: 'GET',
    base: 'base_url',
    path: '/customers/available_time',
    auth: 'either',
    summary: 'List available times',
    query: input({
      appointment_type_id: described(id, 'What is to be booked'),
      start_time: described(instant, 'From'),
      end_time: described(instant, 'To, at most 31 days after'),
      staff_member_id: v.optional(described(id, 'Only this staff member')),
      time_zone: v.optional(described(zone, 'The zone to show the times in; it changes no instant')),
    }),
    success: { status: 200, rows: AvailableTime },
    errors: ['not_found'],
    origin: 'given',
    note: 'The path is given; method, parameters and rows are ours. Not paged: at most 31 days.',
  }),
}
