import type { Migration } from '../engine.ts'

/** Which submission of a routing form led to a booking, and which writes forced one. */
export const bookings: Migration = {
  number: 6,
  name: 'bookings',
  statements: ({ text }) => [
    `alter table appointments add column submission_uuid ${text}`,
    `alter table session_attendees add column submission_uuid ${text}`,
    'alter table audit_log add column forced integer not null default 0',
  ],
}
