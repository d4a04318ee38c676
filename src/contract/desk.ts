/** What the commands of a desk tell of deliveries: records of the tool itself, which never cross the wire. */
import * as v from 'valibot'
import { described, instant, record } from './fields.ts'

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
