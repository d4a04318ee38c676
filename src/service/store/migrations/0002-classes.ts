import type { Migration } from '../engine.ts'

/** Classes, their sessions and who attends them; a session keeps its staff member busy as an appointment does. */
export const classes: Migration = {
  number: 2,
  name: 'classes',
  statements: ({ id, text }) => [
    `create table classes (
      id ${id}, organization_id bigint not null references organizations (id), uuid ${text} not null unique,
      name ${text} not null, duration integer not null, capacity integer not null,
      staff_member_id bigint references staff_members (id), service_id bigint references services (id),
      price ${text}, currency ${text}, location ${text}, time_zone ${text} not null, recurrence ${text},
      custom_questions ${text} not null, waitlist integer not null, active integer not null, version integer not null default 1,
      deleted_at ${text}, created_at ${text} not null, updated_at ${text} not null
    )`,
    'create index classes_id on classes (organization_id, id)',
    'create index classes_staff on classes (staff_member_id)',
    'create index classes_service on classes (service_id)',

    `create table sessions (
      id ${id}, organization_id bigint not null references organizations (id), uuid ${text} not null unique,
      class_id bigint not null references classes (id), status ${text} not null,
      start_time ${text} not null, end_time ${text} not null, duration integer not null,
      staff_member_id bigint references staff_members (id), capacity integer not null, location ${text}, cancellation ${text},
      version integer not null default 1, created_at ${text} not null, updated_at ${text} not null
    )`,
    'create index sessions_start on sessions (organization_id, start_time, id)',
    'create index sessions_id on sessions (organization_id, id)',
    'create index sessions_created on sessions (organization_id, created_at, id)',
    'create index sessions_class on sessions (class_id, start_time, id)',
    'create index sessions_staff on sessions (staff_member_id, start_time, id)',
    // The lock of the class is the first wall.
    `create unique index sessions_once on sessions (class_id, start_time) where status <> 'canceled'`,

    `create table session_attendees (
      id ${id}, organization_id bigint not null references organizations (id), uuid ${text} not null unique,
      session_id bigint not null references sessions (id), customer_id bigint not null references customers (id),
      status ${text} not null, time_zone ${text}, questions_and_answers ${text} not null, tracking ${text} not null, cancellation ${text},
      created_at ${text} not null, updated_at ${text} not null
    )`,
    'create index session_attendees_session on session_attendees (session_id, id)',
    'create index session_attendees_status on session_attendees (session_id, status, id)',
    'create index session_attendees_created on session_attendees (session_id, created_at, id)',
    'create index session_attendees_customer on session_attendees (customer_id)',
    // The lock of the session is the first wall.
    `create unique index session_attendees_once on session_attendees (session_id, customer_id) where status <> 'canceled'`,

    'alter table busy_times add column session_id bigint references sessions (id)',
    'create unique index busy_times_session on busy_times (session_id)',
  ],
}
