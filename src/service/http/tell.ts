import type { InviteePayload } from '../../contract/deliveries.ts'
import { instantOf } from '../../contract/time.ts'
import type { EventKind } from '../../contract/webhooks.ts'
import type { Subscriber } from '../store/deliveries.ts'
import type { EventRow, InviteeRow } from '../store/events.ts'
import { noTracking } from './booker.ts'
import { shownEvent, shownInvitee } from './events.ts'
import type { Context } from './handler.ts'
import { userUri } from './uris.ts'

/*
 * What happened is written down for those who want to know in the transaction in which it happened: neither is there
 * without the other. Every change that webhook readers are told of ends here.
 */

export interface Whose {
  event: string
  invitee: string
  customer_id: number
}

/** Tells of an invitee, as it is now. Where nobody wants to know, it reads and writes nothing more. */
export async function tellOfInvitee(context: Context, kind: EventKind, { event, invitee, customer_id }: Whose): Promise<void> {
  const { store, principal, address } = context
  const { organization_id } = principal
  const subscribers = await store.deliveries.subscribers(organization_id, kind)
  if (subscribers.length === 0) return
  const held = (await store.events.find(organization_id, event)) as EventRow
  const own = held.host_id === null ? [] : [`user:${held.host_id}`]
  const wanting = subscribers.filter(({ target }) => target === 'organization' || own.includes(target))
  if (wanting.length === 0) return
  // Taken, so that whoever erases the customer waits, and then finds what is written here.
  const customer = await store.customers.lock(organization_id, customer_id)
  const row = (await store.events.findInvitee(organization_id, event, invitee)) as InviteeRow
  const payload = inviteePayload(row, held, address)
  await enqueue(context, kind, customer ? payload : redactedPayload(payload), wanting, customer_id)
}

export const inviteePayload = (invitee: InviteeRow, event: EventRow, address: string): InviteePayload => ({
  ...shownInvitee(invitee, address),
  scheduled_event: shownEvent(event, address),
})

/** Tells of something that is of the whole organization. */
export async function tellOfAll(context: Context, kind: EventKind, payload: object): Promise<void> {
  const subscribers = await context.store.deliveries.subscribers(context.principal.organization_id, kind)
  if (subscribers.length > 0) await enqueue(context, kind, payload, subscribers, null)
}

async function enqueue(
  context: Context,
  kind: EventKind,
  payload: object,
  subscribers: Subscriber[],
  customer_id: number | null,
): Promise<void> {
  const { store, principal, now, newId, address, queued } = context
  const to = subscribers.map(({ id, creator_uuid }) => ({ id, created_by: userUri(address, creator_uuid) }))
  const event = { uuid: newId(), kind, payload, customer_id, created_at: instantOf(now) }
  await store.deliveries.enqueue(principal.organization_id, event, to)
  queued()
}

interface Redactable {
  cancellation?: object
  scheduled_event?: { cancellation?: object }
}

/** A payload without the personal data of who was erased. What leads to the records stays. */
export function redactedPayload(payload: object): object {
  const { scheduled_event } = payload as Redactable
  const nobody = { name: 'Deleted customer', email: '', text_reminder_number: null }
  return {
    ...withoutReason(payload),
    questions_and_answers: [],
    tracking: noTracking,
    ...(scheduled_event && { ...nobody, scheduled_event: withoutReason(scheduled_event) }),
  }
}

const withoutReason = ({ cancellation, ...rest }: Redactable): object =>
  cancellation ? { ...rest, cancellation: { ...cancellation, reason: null } } : rest
