import * as v from 'valibot'
import { endpoint } from './endpoint.ts'
import { Invitee, ScheduledEvent } from './events.ts'
import { described, flag, id, input, instant, oneOf, paging, record, uri, uuid } from './fields.ts'
import { Submission } from './routing-forms.ts'
import { eventKindNames, scopes } from './webhooks.ts'

/** What can be on its way to a subscription: the kinds that are subscribed to, and the ping that is asked for. */
export const deliveredKinds = [...eventKindNames, 'ping'] as const
export type DeliveredKind = (typeof deliveredKinds)[number]

export const deliveryStates = ['pending', 'delivered', 'failed'] as const
export type DeliveryState = (typeof deliveryStates)[number]

const fields = {
  id,
  uri,
  subscription: uri,
  event_id: described(uuid, 'The webhook-id of its requests: the same for every attempt'),
  event: oneOf(deliveredKinds),
  state: described(oneOf(deliveryStates), 'pending until it arrived or was tried for the last time'),
  attempt_count: described(v.number(), 'How often it was sent so far'),
  next_attempt_at: described(v.nullable(instant), 'When it is sent next; null when it is settled'),
  last_status: described(v.nullable(v.number()), 'The status of the last reply; null where none came'),
  last_error: described(v.nullable(v.string()), 'What went wrong at the last attempt; null when nothing did'),
  created_at: instant,
  settled_at: described(v.nullable(instant), 'When it arrived, or failed for good'),
}

/** One event on its way to one subscription. */
export const Delivery = record(fields)
export type Delivery = v.InferOutput<typeof Delivery>

/** One try to deliver. */
export const Attempt = record({
  number: v.number(),
  started_at: instant,
  milliseconds: v.number(),
  status: described(v.nullable(v.number()), 'Of the reply; null where none came'),
  error: described(v.nullable(v.string()), 'What went wrong; null when nothing did'),
  reply: described(v.nullable(v.string()), 'The first 2 kB of the reply'),
})
export type Attempt = v.InferOutput<typeof Attempt>

export const DeliveryDetails = record({
  ...fields,
  body: described(v.string(), 'What is sent, byte for byte'),
  attempts: described(v.array(Attempt), 'Every attempt, the first one first'),
})
export type DeliveryDetails = v.InferOutput<typeof DeliveryDetails>

export const Redelivery = record({ redelivered: described(v.number(), 'How many deliveries are on their way again') })
export type Redelivery = v.InferOutput<typeof Redelivery>

/** The payload of the invitee kinds: the invitee, and the event it is of. */
export const InviteePayload = record({ ...Invitee.entries, scheduled_event: ScheduledEvent })
export type InviteePayload = v.InferOutput<typeof InviteePayload>

/** A delivery's body. */
export const DeliveryBody = record({
  event: oneOf(eventKindNames),
  created_at: instant,
  created_by: described(uri, 'The user who made the subscription'),
  payload: described(v.union([InviteePayload, Submission]), 'The invitee with its scheduled event, or the submission'),
})
export type DeliveryBody = v.InferOutput<typeof DeliveryBody>

const params = v.strictObject({ webhook_uuid: uuid })
const one = v.strictObject({ webhook_uuid: uuid, delivery_id: id })

const shared = { base: 'api_url', auth: 'access_token', origin: 'ours' } as const

export const deliveries = {
  list: endpoint({
    ...shared,
    method: 'GET',
    path: '/webhook_subscriptions/{webhook_uuid}/deliveries',
    summary: 'List what was or will be delivered to a subscription',
    params,
    query: input({
      state: v.optional(described(oneOf(deliveryStates), 'Only in this state')),
      event: v.optional(described(oneOf(deliveredKinds), 'Only of this kind')),
      from: v.optional(described(instant, 'Of events at or after')),
      to: v.optional(described(instant, 'Of events before')),
      ...paging(['id']),
    }),
    success: { status: 200, page: Delivery },
    errors: ['not_found', 'permission_denied'],
  }),
  get: endpoint({
    ...shared,
    method: 'GET',
    path: '/webhook_subscriptions/{webhook_uuid}/deliveries/{delivery_id}',
    summary: 'Read a delivery with its body and every attempt',
    params: one,
    success: { status: 200, record: DeliveryDetails },
    errors: ['not_found', 'permission_denied'],
  }),
  redeliver: endpoint({
    ...shared,
    method: 'POST',
    path: '/webhook_subscriptions/{webhook_uuid}/deliveries/{delivery_id}/redeliver',
    summary: 'Send a delivery once more, now',
    params: one,
    success: { status: 200, record: Delivery },
    errors: ['not_found', 'permission_denied', 'conflict', 'precondition_failed'],
  }),
  redeliverAll: endpoint({
    ...shared,
    method: 'POST',
    path: '/webhook_subscriptions/{webhook_uuid}/redeliver',
    summary: 'Send the deliveries of a time range, or all that have not arrived, once more',
    params,
    body: v.pipe(
      input({
        failed: v.optional(described(flag, 'Only those that have not arrived; with false those that have, too, which needs from'), true),
        from: v.optional(described(instant, 'Of events at or after')),
        to: v.optional(described(instant, 'Of events before')),
      }),
      v.forward(
        v.check(({ failed, from }) => failed || from !== undefined, 'is required when failed is false'),
        ['from'],
      ),
      v.forward(
        v.check(({ from, to }) => from === undefined || to === undefined || from < to, 'must be later than from'),
        ['to'],
      ),
    ),
    success: { status: 200, record: Redelivery },
    errors: ['not_found', 'permission_denied', 'conflict', 'precondition_failed'],
  }),
  ping: endpoint({
    ...shared,
    method: 'POST',
    path: '/webhook_subscriptions/{webhook_uuid}/ping',
    summary: 'Send a signed test to a subscription, once',
    params,
    success: { status: 201, record: Delivery },
    errors: ['not_found', 'permission_denied', 'conflict', 'precondition_failed'],
  }),
  sample: endpoint({
    ...shared,
    method: 'GET',
    path: '/sample_webhook_data',
    summary: 'What a delivery of a kind of event looks like',
    query: input({
      event: described(oneOf(eventKindNames), 'Which kind of event'),
      organization: described(uri, 'URI of the organization'),
      scope: described(oneOf(scopes), 'Of one user, or of the organization'),
      user: v.optional(described(uri, 'URI of the user, when scope is user')),
    }),
    success: { status: 200, bare: DeliveryBody },
    errors: ['permission_denied'],
    origin: 'facts',
    note: 'Not signed, and without a resource around it.',
  }),
}
