import { instantOf } from '../../contract/time.ts'
import { noTracking } from './booker.ts'
import type { Context } from './handler.ts'
import { redactedPayload } from './tell.ts'

/**
 * Takes a customer's personal data away for good, wherever it is kept: the record, what they wrote when they booked, what was told
 * of them to webhook readers and what those answered, and the replies that are kept for repeated requests. The customer's row
 * must be taken, so that nobody writes any of it meanwhile.
 */
export async function eraseCustomer({ store, principal, now }: Context, id: number): Promise<void> {
  const { organization_id } = principal
  await store.customers.erase(organization_id, id, instantOf(now))
  const invitees = [
    ...(await store.appointments.forget(organization_id, id, { title: 'Deleted customer', tracking: noTracking })),
    ...(await store.attendees.forget(organization_id, id, { tracking: noTracking })),
  ]
  const submissions = await store.routingForms.forget(organization_id, invitees, { tracking: noTracking })
  await store.deliveries.erase(organization_id, { customer: id, submissions }, redactedPayload)
  await store.requests.forget(organization_id, id)
}
