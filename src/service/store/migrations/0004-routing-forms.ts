import type { Migration } from '../engine.ts'

/** Routing forms and their submissions; and what the lists of credentials and of the audit log go by. */
export const routingForms: Migration = {
  number: 4,
  name: 'routing-forms',
  statements: ({ id, text }) => [
    // A result that names an appointment type holds its UUID, not its URI: the address of the service may change.
    `create table routing_forms (
      id ${id}, organization_id bigint not null references organizations (id), uuid ${text} not null unique,
      name ${text} not null, status ${text} not null, questions ${text} not null, routes ${text} not null, fallback ${text} not null,
      created_at ${text} not null, updated_at ${text} not null
    )`,
    'create index routing_forms_created on routing_forms (organization_id, created_at, id)',

    `create table routing_form_submissions (
      id ${id}, organization_id bigint not null references organizations (id),
      routing_form_id bigint not null references routing_forms (id), uuid ${text} not null unique,
      questions_and_answers ${text} not null, tracking ${text} not null, result ${text} not null,
      event_uuid ${text}, invitee_uuid ${text}, created_at ${text} not null, updated_at ${text} not null
    )`,
    'create index routing_form_submissions_created on routing_form_submissions (routing_form_id, created_at, id)',

    'create index credentials_id on credentials (organization_id, id)',
    'create index credentials_created on credentials (organization_id, created_at, id)',
    'create index audit_log_user on audit_log (user_id, id)',
  ],
}
