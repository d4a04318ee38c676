import type { Migration } from '../engine.ts'

/** Organizations, users and credentials; customers, staff, services, appointment types; appointments and what they keep busy. */
export const business: Migration = {
  number: 1,
  name: 'business',
  statements: ({ id, text }) => [
    `create table settings (name ${text} not null primary key, value ${text} not null)`,

    `create table organizations (
      id ${id}, uuid ${text} not null unique, name ${text} not null, slug ${text} not null, time_zone ${text} not null,
      created_at ${text} not null, updated_at ${text} not null
    )`,

    `create table users (
      id ${id}, organization_id bigint not null references organizations (id), uuid ${text} not null unique,
      name ${text} not null, slug ${text} not null, email ${text} not null, email_key ${text} not null unique,
      time_zone ${text} not null, role ${text} not null, password_hash ${text},
      created_at ${text} not null, updated_at ${text} not null
    )`,

    // An API key or an access token: what is shown of it, and the hash of what is not.
    `create table credentials (
      id ${id}, organization_id bigint not null references organizations (id), user_id bigint not null references users (id),
      kind ${text} not null, name ${text} not null, prefix ${text} not null, hash ${text} not null unique,
      expires_at ${text}, revoked_at ${text}, last_used_at ${text}, created_at ${text} not null
    )`,

    // The keys are what is compared: e-mail and name without case, and all that a search looks through.
    `create table customers (
      id ${id}, organization_id bigint not null references organizations (id),
      name ${text} not null, name_key ${text} not null, email ${text}, email_key ${text}, phone ${text}, notes ${text}, time_zone ${text},
      custom_fields ${text} not null, search_key ${text} not null,
      deleted_at ${text}, erased_at ${text}, created_at ${text} not null, updated_at ${text} not null
    )`,
    'create unique index customers_email on customers (organization_id, email_key) where deleted_at is null and erased_at is null',
    'create index customers_id on customers (organization_id, id)',
    'create index customers_name on customers (organization_id, name_key, id)',
    'create index customers_created on customers (organization_id, created_at, id)',
    'create index customers_updated on customers (organization_id, updated_at, id)',

    `create table staff_members (
      id ${id}, organization_id bigint not null references organizations (id),
      name ${text} not null, email ${text} not null, email_key ${text} not null, time_zone ${text} not null,
      working_hours ${text} not null, extra_hours ${text} not null, time_off ${text} not null,
      user_id bigint references users (id), active integer not null, version integer not null default 1,
      deleted_at ${text}, created_at ${text} not null, updated_at ${text} not null
    )`,
    'create unique index staff_members_email on staff_members (organization_id, email_key) where deleted_at is null',

    `create table services (
      id ${id}, organization_id bigint not null references organizations (id),
      name ${text} not null, category ${text}, description ${text}, active integer not null,
      deleted_at ${text}, created_at ${text} not null, updated_at ${text} not null
    )`,
    'create index services_id on services (organization_id, id)',

    `create table appointment_types (
      id ${id}, organization_id bigint not null references organizations (id), uuid ${text} not null unique,
      service_id bigint not null references services (id), name ${text} not null, duration integer not null,
      slot_interval integer not null, buffer_before integer not null, buffer_after integer not null,
      minimum_notice integer not null, booking_window integer not null, daily_limit integer,
      location ${text}, price ${text}, currency ${text}, custom_questions ${text} not null,
      slug ${text} not null, color ${text}, active integer not null,
      deleted_at ${text}, created_at ${text} not null, updated_at ${text} not null
    )`,
    'create unique index appointment_types_slug on appointment_types (organization_id, slug) where deleted_at is null',

    `create table appointment_type_staff (
      appointment_type_id bigint not null references appointment_types (id),
      staff_member_id bigint not null references staff_members (id),
      position integer not null,
      primary key (appointment_type_id, staff_member_id)
    )`,

    `create table appointments (
      id ${id}, organization_id bigint not null references organizations (id),
      uuid ${text} not null unique, invitee_uuid ${text} not null unique, status ${text} not null,
      start_time ${text} not null, end_time ${text} not null, duration integer not null, time_zone ${text},
      title ${text} not null, notes ${text}, location ${text}, price ${text}, currency ${text},
      customer_id bigint not null references customers (id),
      staff_member_id bigint not null references staff_members (id),
      appointment_type_id bigint not null references appointment_types (id),
      questions_and_answers ${text} not null, tracking ${text} not null, cancellation ${text},
      rescheduled integer not null, forced integer not null,
      old_appointment_id bigint references appointments (id), new_appointment_id bigint references appointments (id),
      created_at ${text} not null, updated_at ${text} not null
    )`,
    'create index appointments_start on appointments (organization_id, start_time, id)',
    'create index appointments_id on appointments (organization_id, id)',
    'create index appointments_created on appointments (organization_id, created_at, id)',
    'create index appointments_staff on appointments (staff_member_id, start_time, id)',
    'create index appointments_customer on appointments (customer_id, start_time, id)',
    'create index appointments_type on appointments (appointment_type_id, start_time, id)',

    // What a staff member cannot be booked for again, buffers included. A row lives as long as its appointment is not canceled.
    `create table busy_times (
      id ${id}, staff_member_id bigint not null references staff_members (id),
      busy_from ${text} not null, busy_to ${text} not null, forced integer not null,
      appointment_id bigint unique references appointments (id)
    )`,
    'create index busy_times_from on busy_times (staff_member_id, busy_from, busy_to)',

    `create table idempotency_keys (
      user_id bigint not null references users (id), key ${text} not null, request ${text} not null,
      status integer not null, headers ${text} not null, body ${text} not null, created_at ${text} not null,
      primary key (user_id, key)
    )`,
    'create index idempotency_keys_created on idempotency_keys (created_at)',

    `create table audit_log (
      id ${id}, organization_id bigint not null references organizations (id), user_id bigint not null references users (id),
      action ${text} not null, target ${text} not null, request_id ${text} not null, remote_address ${text}, created_at ${text} not null
    )`,
    'create index audit_log_id on audit_log (organization_id, id)',
  ],

  // The staff row's lock is the first wall and needs no help; this one stands where the engine can build it.
  postgresOnly: [
    'create extension if not exists btree_gist',
    'create type instant_range as range (subtype = text, collation = "C")',
    `alter table busy_times add constraint busy_times_apart
      exclude using gist (staff_member_id with =, instant_range(busy_from, busy_to) with &&) where (forced = 0)`,
  ],
}
