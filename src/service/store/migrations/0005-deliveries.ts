import type { Migration } from '../engine.ts'

/** What happened, on its way to the subscriptions that want to know. */
export const deliveries: Migration = {
  number: 5,
  name: 'deliveries',
  statements: ({ id, text }) => [
    // The payload is kept as it was when the event happened. `customer_id` says whose personal data it holds.
    `create table webhook_events (
      id ${id}, organization_id bigint not null references organizations (id), uuid ${text} not null unique,
      kind ${text} not null, payload ${text} not null, customer_id bigint references customers (id), created_at ${text} not null
    )`,
    'create index webhook_events_customer on webhook_events (customer_id) where customer_id is not null',
    'create index webhook_events_created on webhook_events (created_at, id)',

    // `due_at` is when it may be sent, or, while `claim` names who sends it, when another worker may take over; null once settled.
    // `tries` counts the attempts of the schedule that runs, `attempt_count` those of all.
    `create table deliveries (
      id ${id}, organization_id bigint not null references organizations (id),
      subscription_id bigint not null references webhook_subscriptions (id), event_id bigint not null references webhook_events (id),
      created_by ${text} not null, state ${text} not null, attempt_count integer not null, tries integer not null,
      due_at ${text}, claim ${text}, last_status integer, last_error ${text}, created_at ${text} not null, settled_at ${text}
    )`,
    'create index deliveries_due on deliveries (subscription_id, due_at, id) where due_at is not null',
    'create index deliveries_listed on deliveries (subscription_id, id)',
    'create index deliveries_states on deliveries (subscription_id, state, id)',
    'create index deliveries_event on deliveries (event_id)',
    'create index deliveries_claimed on deliveries (claim) where claim is not null',
    'create index deliveries_settled on deliveries (settled_at, id) where settled_at is not null',

    `create table delivery_attempts (
      delivery_id bigint not null references deliveries (id), number integer not null, started_at ${text} not null,
      milliseconds integer not null, status integer, error ${text}, reply ${text}, primary key (delivery_id, number)
    )`,

    // Whether it was made where private addresses are welcome.
    'alter table webhook_subscriptions add column is_private integer not null default 0',
    `alter table webhook_subscriptions add column disabled_reason ${text}`,
    `alter table webhook_subscriptions add column old_signing_key ${text}`,
    `alter table webhook_subscriptions add column old_signing_key_until ${text}`,
  ],
}
