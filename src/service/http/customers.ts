import type { Customer } from '../../contract/customers.ts'
import { fail } from '../../contract/errors.ts'
import type { contract } from '../../contract/index.ts'
import { instantOf } from '../../contract/time.ts'
import { cancelUpcoming } from './cancel.ts'
import { found, given } from './find.ts'
import type { Context, Handlers } from './handler.ts'

export const customers: Handlers<typeof contract.customers> = {
  list: ({ query }, { store, principal }) => store.customers.list(principal.organization_id, query),

  get: ({ params }, context) => find(context, params.customer_id),

  async create({ body }, context) {
    const { store, principal, now } = context
    await refuseTakenEmail(context, body.email)
    const at = instantOf(now)
    const blank = { email: null, phone: null, notes: null, time_zone: null, custom_fields: {}, deleted_at: null }
    return store.customers.insert(principal.organization_id, { ...blank, ...given(body), created_at: at, updated_at: at })
  },

  async update({ params, body }, context) {
    const { store, principal, now } = context
    const customer = await find(context, params.customer_id)
    if (customer.deleted_at === null) await refuseTakenEmail(context, body.email, customer.id)
    return store.customers.update(principal.organization_id, { ...customer, ...given(body), updated_at: instantOf(now) })
  },

  async delete({ params, query }, context) {
    const { store, principal, now } = context
    // Taken first, so that nobody books for this customer while the upcoming appointments are counted.
    const customer = found(await store.customers.lock(principal.organization_id, params.customer_id), 'customer', params.customer_id)
    await cancelUpcoming(
      context,
      { customer_id: customer.id },
      { instead: query.cancel_appointments ?? false, flag: 'cancel_appointments' },
    )
    const at = instantOf(now)
    if (!query.soft_delete) {
      const { eraseCustomer } = await import('./erase.ts')
      await eraseCustomer(context, customer.id)
    } else if (customer.deleted_at === null)
      await store.customers.update(principal.organization_id, { ...customer, deleted_at: at, updated_at: at })
    return undefined
  },

  async restore({ params }, context) {
    const { store, principal, now } = context
    const customer = await find(context, params.customer_id)
    if (customer.deleted_at === null) fail('illegal_transition', `Customer ${customer.id} is not hidden.`)
    await refuseTakenEmail(context, customer.email, customer.id)
    return store.customers.update(principal.organization_id, { ...customer, deleted_at: null, updated_at: instantOf(now) })
  },
}

async function find({ store, principal }: Context, id: number): Promise<Customer> {
  return found(await store.customers.find(principal.organization_id, id), 'customer', id)
}

async function refuseTakenEmail({ store, principal }: Context, email: string | null | undefined, except?: number): Promise<void> {
  if (!email) return
  const other = await store.customers.findByEmail(principal.organization_id, email)
  if (!other || other.id === except) return
  const message = `Customer ${other.id} has the e-mail address ${email} already.`
  fail('already_exists', message, { details: [{ parameter: 'email', message, code: 'already_exists' }] })
}
