import { fail, invalid } from '../../contract/errors.ts'
import type { contract } from '../../contract/index.ts'
import type { AppointmentType, Service } from '../../contract/services.ts'
import { instantOf } from '../../contract/time.ts'
import { slugOf } from '../domain/slug.ts'
import type { AppointmentTypeRow } from '../store/services.ts'
import { found, given } from './find.ts'
import type { Context, Handlers } from './handler.ts'
import { eventTypeUri } from './uris.ts'

export const services: Handlers<typeof contract.services> = {
  list: ({ query }, { store, principal }) => store.services.list(principal.organization_id, query),

  get: ({ params }, context) => findService(context, params.service_id),

  async create({ body }, { store, principal, now }) {
    const at = instantOf(now)
    const blank = { category: null, description: null, active: true }
    return store.services.insert(principal.organization_id, { ...blank, ...given(body), created_at: at, updated_at: at })
  },

  async update({ params, body }, context) {
    const service = await findService(context, params.service_id)
    return context.store.services.update(context.principal.organization_id, {
      ...service,
      ...given(body),
      updated_at: instantOf(context.now),
    })
  },

  async delete({ params }, context) {
    const { store, principal, now } = context
    const { id } = await findService(context, params.service_id)
    const { rows } = await store.appointmentTypes.list(principal.organization_id, { service_id: id, count: 1 })
    if (rows[0]) fail('conflict', `Service ${id} has appointment types, such as ${rows[0].id} (${rows[0].name}). Remove them first.`)
    const classes = await store.classes.list(principal.organization_id, { service_id: id, count: 1 })
    if (classes.rows[0])
      fail('conflict', `Service ${id} has classes, such as ${classes.rows[0].id} (${classes.rows[0].name}). Remove them first.`)
    await store.services.remove(principal.organization_id, id, instantOf(now))
    return undefined
  },
}

async function findService({ store, principal }: Context, id: number): Promise<Service> {
  return found(await store.services.find(principal.organization_id, id), 'service', id)
}

export const appointmentTypes: Handlers<typeof contract.appointmentTypes> = {
  async list({ query }, { store, principal, address }) {
    const page = await store.appointmentTypes.list(principal.organization_id, query)
    return { ...page, rows: page.rows.map((type) => shownType(type, address)) }
  },

  get: async ({ params }, context) => shownType(await findType(context, params.appointment_type_id), context.address),

  async create({ body }, context) {
    const { store, principal, now, newId } = context
    const at = instantOf(now)
    const slug = body.slug ?? (await freeSlug(context, body.name))
    const type = { uuid: newId(), ...blankType, slot_interval: body.duration, ...given(body), slug, created_at: at, updated_at: at }
    await checkReferences(context, type)
    await refuseTakenSlug(context, slug)
    return shownType(await store.appointmentTypes.insert(principal.organization_id, type), context.address)
  },

  async update({ params, body }, context) {
    const { store, principal, now } = context
    const type = { ...(await findType(context, params.appointment_type_id)), ...given(body), updated_at: instantOf(now) }
    await checkReferences(context, type)
    await refuseTakenSlug(context, type.slug, type.id)
    return shownType(await store.appointmentTypes.update(principal.organization_id, type), context.address)
  },

  async delete({ params }, context) {
    const { id } = await findType(context, params.appointment_type_id)
    await context.store.appointmentTypes.remove(context.principal.organization_id, id, instantOf(context.now))
    return undefined
  },
}

const blankType = {
  staff_member_ids: [],
  buffer_before: 0,
  buffer_after: 0,
  minimum_notice: 0,
  booking_window: 60,
  daily_limit: null,
  location: null,
  price: null,
  currency: null,
  custom_questions: [],
  color: null,
  active: true,
}

function shownType({ id, uuid, ...type }: AppointmentTypeRow, address: string): AppointmentType {
  return { id, uri: eventTypeUri(address, uuid), ...type }
}

async function findType({ store, principal }: Context, id: number): Promise<AppointmentTypeRow> {
  return found(await store.appointmentTypes.find(principal.organization_id, id), 'appointment type', id)
}

/** A type may only name a service and staff members of the same organization, and a price has a currency. */
async function checkReferences({ store, principal }: Context, type: Omit<AppointmentTypeRow, 'id'>): Promise<void> {
  const { organization_id } = principal
  if (!(await store.services.find(organization_id, type.service_id))) {
    invalid('service_id', `There is no service ${type.service_id}.`, 'not_found')
  }
  for (const id of type.staff_member_ids) {
    if (!(await store.staff.find(organization_id, id))) invalid('staff_member_ids', `There is no staff member ${id}.`, 'not_found')
  }
  if (type.price !== null && type.currency === null) invalid('currency', 'A price needs a currency.', 'missing')
}

async function refuseTakenSlug({ store, principal }: Context, slug: string, except?: number): Promise<void> {
  if (!(await store.appointmentTypes.isSlugTaken(principal.organization_id, slug, except))) return
  const message = `Another appointment type has the slug ${slug} already.`
  fail('already_exists', message, { details: [{ parameter: 'slug', message, code: 'already_exists' }] })
}

/** The slug of a name, and `premiere-visite-2` where `premiere-visite` is taken. */
async function freeSlug({ store, principal }: Context, name: string): Promise<string> {
  const base = slugOf(name) || 'appointment'
  for (let number = 1; ; number += 1) {
    const slug = number === 1 ? base : `${base}-${number}`
    if (!(await store.appointmentTypes.isSlugTaken(principal.organization_id, slug))) return slug
  }
}
