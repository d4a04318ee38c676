/** What commands tell of subscriptions and deliveries: records of the tool itself, which never cross the wire. */
import * as v from 'valibot'
import { deliveryStates } from './deliveries.ts'
import { described, instant, oneOf, record } from './fields.ts'
import { eventKindNames, scopes } from './webhooks.ts'

/** What came of a signed test: `webhooks ping`. */
export const Pinged = record({
  delivery: described(v.number(), 'The id of its delivery'),
  event_id: described(v.string(), 'The webhook-id of its request'),
  state: oneOf(deliveryStates),
  status: described(v.nullable(v.number()), 'Of the reply; null where none came'),
  milliseconds: v.nullable(v.number()),
  error: described(v.nullable(v.string()), 'Why it did not arrive; null where it did'),
  reply: described(v.nullable(v.string()), 'The first 2 kB of the reply'),
})
export type Pinged = v.InferOutput<typeof Pinged>

/** What became of deliveries that were sent once more: `webhooks redeliver --wait`. */
export const Redelivered = record({
  redelivered: described(v.number(), 'How many deliveries were sent again'),
  arrived: described(v.number(), 'With --wait: how many of them arrived'),
  failed: described(v.number(), 'With --wait: how many failed for good'),
  pending: described(v.number(), 'With --wait: how many are still on their way'),
})
export type Redelivered = v.InferOutput<typeof Redelivered>

const events = v.array(oneOf(eventKindNames))

/** One subscription, and what `webhooks apply` did about it. */
export const Applied = record({
  action: oneOf(['create', 'update', 'delete', 'unchanged', 'untouched']),
  url: v.string(),
  scope: oneOf(scopes),
  events: described(events, 'Those it has behind the change, or had'),
  added: events,
  removed: events,
  enabled: described(v.boolean(), 'Whether it was disabled, and is enabled again'),
  uri: described(v.nullable(v.string()), 'Of the subscription; null until it is created'),
  status: described(
    oneOf(['planned', 'done', 'failed', 'unknown', 'not_tried', 'none']),
    'unknown where the change may have been made or not; none where there is nothing to change',
  ),
  error: v.nullable(v.string()),
  signing_key: described(v.nullable(v.string()), 'Of one that was just created, unless it went to --keys-file'),
})
export type Applied = v.InferOutput<typeof Applied>

/** The most serious first. */
export const severities = ['error', 'warning', 'info'] as const
export type Severity = (typeof severities)[number]

/** Something about the subscriptions that somebody should know: `webhooks audit`. */
export const Finding = record({
  subscription: described(v.nullable(v.string()), 'UUID; null for what is about none of them'),
  severity: oneOf(severities),
  finding: oneOf(['disabled', 'unreachable', 'failing', 'undelivered', 'plain_http', 'told_twice', 'uncovered']),
  url: v.nullable(v.string()),
  why: v.string(),
  remedy: described(v.string(), 'What to do'),
})
export type Finding = v.InferOutput<typeof Finding>

/** A delivery that `webhooks listen` forwarded. */
export const Forwarded = record({
  received_at: instant,
  event: described(v.nullable(v.string()), 'The kind of event'),
  webhook_id: v.nullable(v.string()),
  attempt: described(v.nullable(v.number()), 'Which attempt of the service it was'),
  name: described(v.nullable(v.string()), 'Of the invitee'),
  uri: described(v.nullable(v.string()), 'Of the invitee, or of the submission'),
  status: described(v.nullable(v.number()), 'What the receiver answered; null where it was not reached'),
  milliseconds: v.number(),
  error: described(v.nullable(v.string()), 'Why the receiver did not take it; null where it did'),
})
export type Forwarded = v.InferOutput<typeof Forwarded>

/** What `webhooks send` posted. */
export const Sent = record({
  to: v.string(),
  event: described(v.nullable(v.string()), 'The kind of event'),
  webhook_id: v.string(),
  status: v.number(),
  milliseconds: v.number(),
  reply: described(v.string(), 'The first 2 kB of it'),
  signing_key: described(v.optional(v.string()), 'What it was signed with, where a fresh key was made'),
})
export type Sent = v.InferOutput<typeof Sent>

/** Whether a payload holds by one convention. */
export const Verified = record({
  webhook_id: v.nullable(v.string()),
  convention: v.string(),
  present: described(v.boolean(), 'Whether its headers are there'),
  holds: v.boolean(),
  why: described(v.nullable(v.string()), 'Why it does not hold; null where it does'),
})
export type Verified = v.InferOutput<typeof Verified>
