import type { Delivery, DeliveryBody } from '../../contract/deliveries.ts'
import { fail, invalid } from '../../contract/errors.ts'
import type { contract } from '../../contract/index.ts'
import { instantOf } from '../../contract/time.ts'
import type { DeliveryRow } from '../store/deliveries.ts'
import type { SubscriptionRow } from '../store/webhooks.ts'
import { found } from './find.ts'
import type { Context, Handlers } from './handler.ts'
import { samplePayload } from './sample-payload.ts'
import { deliveryUri, userUri, webhookUri } from './uris.ts'
import { findSubscription, targetOf } from './webhooks.ts'

export const deliveries: Handlers<typeof contract.deliveries> = {
  async list({ params, query }, context) {
    const { id, uuid } = await findSubscription(context, params.webhook_uuid)
    const page = await context.store.deliveries.list(id, query)
    return { ...page, rows: page.rows.map((row) => shown(row, uuid, context.address)) }
  },

  async get({ params }, context) {
    const { id, uuid } = await findSubscription(context, params.webhook_uuid)
    const delivery = found(await context.store.deliveries.findWithAttempts(id, params.delivery_id), 'delivery', params.delivery_id)
    return { ...shown(delivery, uuid, context.address), body: delivery.body, attempts: delivery.attempts }
  },

  async redeliver({ params }, context) {
    const { store, now, address } = context
    const subscription = await findActive(context, params.webhook_uuid)
    const { id } = await findDelivery(context, subscription.id, params.delivery_id)
    if (!(await store.deliveries.redeliver(id, instantOf(now)))) fail('conflict', `Delivery ${id} is being sent at this moment.`)
    context.queued()
    return shown(await findDelivery(context, subscription.id, id), subscription.uuid, address)
  },

  async redeliverAll({ params, body }, context) {
    const { id } = await findActive(context, params.webhook_uuid)
    const redelivered = await context.store.deliveries.redeliverAll(id, body, instantOf(context.now))
    if (redelivered > 0) context.queued()
    return { redelivered }
  },

  async ping({ params }, context) {
    const { store, principal, now, newId, address, queued } = context
    const { id, uuid, creator_uuid } = await findActive(context, params.webhook_uuid)
    const payload = { uri: webhookUri(address, uuid) }
    const event = { uuid: newId(), kind: 'ping' as const, payload, customer_id: null, created_at: instantOf(now) }
    const to = [{ id, created_by: userUri(address, creator_uuid) }]
    const [delivery = 0] = await store.deliveries.enqueue(principal.organization_id, event, to)
    queued()
    return shown(await findDelivery(context, id, delivery), uuid, address)
  },

  async sample({ query }, context) {
    const { event, ...wish } = query
    if (wish.scope === 'user' && wish.user === undefined) invalid('user', 'user is required when scope is user.', 'missing')
    targetOf(wish, context, { outside: noAccess, otherUser: 'You do not have permission' })
    const { principal, now, address } = context
    const body = {
      event,
      created_at: instantOf(now),
      created_by: userUri(address, principal.user_uuid),
      payload: samplePayload(event, { principal, now, address }),
    }
    return body as DeliveryBody
  },
}

const noAccess = 'You do not have permission to access this resource.'

/** A subscription that something can be sent to. @throws AppError `conflict` for a disabled one */
async function findActive(context: Context, uuid: string): Promise<SubscriptionRow> {
  const subscription = await findSubscription(context, uuid)
  if (subscription.state === 'disabled') {
    fail('conflict', `The subscription is disabled: ${subscription.disabled_reason} Enable it first.`)
  }
  return subscription
}

async function findDelivery({ store }: Context, subscription: number, id: number): Promise<DeliveryRow> {
  return found(await store.deliveries.find(subscription, id), 'delivery', id)
}

function shown(row: DeliveryRow, webhook: string, address: string): Delivery {
  const { id, event_uuid, kind, state, attempt_count, due_at, claim, last_status, last_error, created_at, settled_at } = row
  return {
    id,
    uri: deliveryUri(address, webhook, id),
    subscription: webhookUri(address, webhook),
    event_id: event_uuid,
    event: kind,
    state,
    attempt_count,
    next_attempt_at: claim === null ? due_at : null,
    last_status,
    last_error,
    created_at,
    settled_at,
  }
}
