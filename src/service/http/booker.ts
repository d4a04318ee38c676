import type { Tracking } from '../../contract/appointments.ts'
import type { Customer } from '../../contract/customers.ts'
import { invalid } from '../../contract/errors.ts'
import { instantOf } from '../../contract/time.ts'
import type { Context } from './handler.ts'
import { uuidIn } from './uris.ts'

export const noTracking: Tracking = {
  utm_campaign: null,
  utm_source: null,
  utm_medium: null,
  utm_content: null,
  utm_term: null,
  salesforce_uuid: null,
}

/**
 * The UUID of the submission of a routing form that led to a booking; null where none is named.
 * @throws AppError `invalid_argument` where the organization has no such submission
 */
export async function submissionOf({ store, principal }: Context, uri: string | undefined): Promise<string | null> {
  if (uri === undefined) return null
  const uuid = uuidIn(uri, 'routing_form_submissions', 'routing_form_submission')
  if (await store.routingForms.findSubmission(principal.organization_id, uuid)) return uuid
  return invalid('routing_form_submission', `There is no submission ${uri}.`, 'not_found')
}

/** Tells the submission that led to a booking, where one did, which invitee came of it. */
export async function settleSubmission(
  { store, principal, now }: Context,
  submission: string | null,
  invitee: { event_uuid: string; invitee_uuid: string },
): Promise<void> {
  if (submission !== null) await store.routingForms.settle(principal.organization_id, submission, invitee, instantOf(now))
}

/** The customer of a booking: by id, else by e-mail, else a new one. The row is taken, so that nobody erases it meanwhile. */
export async function customerOf(
  { store, principal, now }: Context,
  {
    customer_id,
    customer,
  }: { customer_id?: number | undefined; customer?: { name: string; email?: string | undefined; phone?: string | undefined } | undefined },
): Promise<Customer> {
  const { organization_id } = principal
  if (customer_id !== undefined) {
    const known = await store.customers.lock(organization_id, customer_id)
    if (!known) return invalid('customer_id', `There is no customer ${customer_id}.`, 'not_found')
    return known.deleted_at === null ? known : invalid('customer_id', `Customer ${customer_id} is hidden; restore it first.`, 'not_found')
  }
  const { name, email, phone } = customer as NonNullable<typeof customer>
  const sameEmail = email ? await store.customers.findByEmail(organization_id, email) : undefined
  const known = sameEmail && (await store.customers.lock(organization_id, sameEmail.id))
  const stamp = instantOf(now)
  return (
    known ??
    store.customers.insert(organization_id, {
      name,
      email: email ?? null,
      phone: phone ?? null,
      notes: null,
      time_zone: null,
      custom_fields: {},
      deleted_at: null,
      created_at: stamp,
      updated_at: stamp,
    })
  )
}
