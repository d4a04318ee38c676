import type { Migration } from '../engine.ts'

/** Claims leave the deliveries: a claim is written for each attempt, and the indexes of a long log are dear to write. */
export const claims: Migration = {
  number: 7,
  name: 'claims',
  statements: ({ key, text }) => [
    // Who sends a delivery at present, and from when on another worker may. `times` counts the claims since something was settled.
    `create table delivery_claims (
      delivery_id ${key} references deliveries (id), claim ${text} not null, until ${text} not null, times integer not null
    )`,
    `insert into delivery_claims (delivery_id, claim, until, times)
      select id, claim, due_at, 1 from deliveries where claim is not null and due_at is not null`,
    // From here on an attempt is counted when it is settled.
    `update deliveries set attempt_count = attempt_count - 1, tries = tries - 1, due_at = created_at
      where claim is not null and due_at is not null`,
    'drop index deliveries_claimed',
    'alter table deliveries drop column claim',
    // What is pending is found by deliveries_due, and what is delivered is nearly all.
    'drop index deliveries_states',
    "create index deliveries_failed on deliveries (subscription_id, id) where state = 'failed'",
  ],
}
