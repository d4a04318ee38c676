import type { Migration } from '../engine.ts'

/** Webhook subscriptions with the events each asks for, and no-shows as records of their own. */
export const webhooks: Migration = {
  number: 3,
  name: 'webhooks',
  statements: ({ id, text }) => [
    // The signing key is kept as it is, since deliveries are signed with it. `user_id` is null for the scope organization.
    `create table webhook_subscriptions (
      id ${id}, organization_id bigint not null references organizations (id), uuid ${text} not null unique,
      url ${text} not null, scope ${text} not null, user_id bigint references users (id), target ${text} not null,
      creator_id bigint not null references users (id), state ${text} not null, retry_started_at ${text}, signing_key ${text} not null,
      created_at ${text} not null, updated_at ${text} not null
    )`,
    'create index webhook_subscriptions_created on webhook_subscriptions (organization_id, target, created_at, id)',

    // One row for each event of a subscription, so that no address is told of one thing twice: its key is the second wall.
    `create table webhook_subscription_events (
      subscription_id bigint not null references webhook_subscriptions (id), position integer not null, event ${text} not null,
      organization_id bigint not null references organizations (id), target ${text} not null, address ${text} not null,
      primary key (subscription_id, event)
    )`,
    `create unique index webhook_subscription_events_once
      on webhook_subscription_events (organization_id, event, target, address)`,

    `create table invitee_no_shows (
      uuid ${text} not null primary key, organization_id bigint not null references organizations (id),
      invitee_uuid ${text} not null unique, created_at ${text} not null
    )`,
    `insert into invitee_no_shows (uuid, organization_id, invitee_uuid, created_at)
      select invitee_uuid, organization_id, invitee_uuid, updated_at from appointments where status = 'no_show'`,
  ],
}
