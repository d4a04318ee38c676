import type { Appointment } from '../../contract/appointments.ts'
import { AppError, fail, invalid } from '../../contract/errors.ts'
import type { contract } from '../../contract/index.ts'
import { at, instantOf } from '../../contract/time.ts'
import type { EventKind } from '../../contract/webhooks.ts'
import { refusal } from '../domain/availability.ts'
import { busyInterval, checkStart, endOf, type Move, move } from '../domain/booking.ts'
import { checkAnswers } from '../domain/questions.ts'
import type { AppointmentRow, NewAppointment } from '../store/appointments.ts'
import type { AppointmentTypeRow } from '../store/services.ts'
import { isAdmin } from './auth.ts'
import { customerOf, noTracking, settleSubmission, submissionOf } from './booker.ts'
import { canceledBy } from './cancel.ts'
import { staffFacts } from './facts.ts'
import { found, given } from './find.ts'
import type { Context, Handlers } from './handler.ts'
import { tellOfInvitee } from './tell.ts'
import { eventUri, inviteeUri } from './uris.ts'

export const appointments: Handlers<typeof contract.appointments> = {
  async list({ query }, { store, principal, address }) {
    const page = await store.appointments.list(principal.organization_id, query)
    return { ...page, rows: page.rows.map((appointment) => shown(appointment, address)) }
  },

  async get({ params }, context) {
    return shown(await find(context, params.appointment_id), context.address)
  },

  async create({ body }, context) {
    const { principal, store } = context
    const type = await store.appointmentTypes.find(principal.organization_id, body.appointment_type_id)
    if (!type) return invalid('appointment_type_id', `There is no appointment type ${body.appointment_type_id}.`, 'not_found')
    if (!type.active) invalid('appointment_type_id', `${type.name} is not offered at present.`, 'not_available')
    const submission_uuid = await submissionOf(context, body.routing_form_submission)
    const customer = await customerOf(context, body)
    const { location, notes, time_zone, title } = body
    const booked = await book(
      context,
      type,
      { start_time: body.start_time, staff_member_id: body.staff_member_id, force: body.force ?? false },
      {
        customer_id: customer.id,
        time_zone: time_zone ?? customer.time_zone,
        title: title ?? `${customer.name}: ${type.name}`,
        notes: notes ?? null,
        location: location === undefined ? type.location : location,
        price: type.price,
        currency: type.currency,
        questions_and_answers: checkAnswers(type.custom_questions, body.questions_and_answers ?? []),
        tracking: body.tracking ?? noTracking,
        submission_uuid,
        old_appointment_id: null,
      },
    )
    await tell(context, 'invitee.created', booked)
    return shown(booked, context.address)
  },

  async update({ params, body }, context) {
    const { store, principal, now, address } = context
    const appointment = await find(context, params.appointment_id)
    const changes = { ...given(body), updated_at: instantOf(now) }
    return shown(settled(await store.appointments.update(principal.organization_id, appointment, changes)), address)
  },

  async delete({ params }, context) {
    await cancelAppointment(context, params.appointment_id)
    return undefined
  },

  async cancel({ params, body }, context) {
    return shown(await cancelAppointment(context, params.appointment_id, body.reason), context.address)
  },

  async reschedule({ params, body }, context) {
    const { store, principal } = context
    const { organization_id } = principal
    const canceled = canceledBy(context, body.reason)
    // The old time is given back first: the new one may overlap it.
    const old = await transition(context, params.appointment_id, 'reschedule', { ...canceled, rescheduled: true })
    const type = found(
      await store.appointmentTypes.find(organization_id, old.appointment_type.id, { removed: true }),
      'appointment type',
      old.appointment_type.id,
    )
    const wish = { start_time: body.start_time, staff_member_id: body.staff_member_id ?? old.staff_member.id, force: body.force ?? false }
    const { time_zone, title, notes, location, price, currency, questions_and_answers, tracking, submission_uuid } = old
    const kept = { time_zone, title, notes, location, price, currency, questions_and_answers, tracking, submission_uuid }
    const booked = await book(context, type, wish, { ...kept, customer_id: old.customer.id, old_appointment_id: old.id })
    await store.appointments.update(organization_id, old, { new_appointment_id: booked.id })
    await tell(context, 'invitee.canceled', old)
    await tell(context, 'invitee.created', booked)
    return shown(booked, context.address)
  },

  async complete({ params }, context) {
    return shown(await transition(context, params.appointment_id, 'complete'), context.address)
  },

  async noShow({ params }, context) {
    return shown(await transition(context, params.appointment_id, 'no_show'), context.address)
  },

  async undoNoShow({ params }, context) {
    await transition(context, params.appointment_id, 'undo_no_show')
    return undefined
  },
}

function shown({ uuid, invitee_uuid, submission_uuid: _, id, ...appointment }: AppointmentRow, address: string): Appointment {
  return { id, uri: eventUri(address, uuid), invitee: inviteeUri(address, uuid, invitee_uuid), ...appointment }
}

async function find({ store, principal }: Context, id: number): Promise<AppointmentRow> {
  return found(await store.appointments.find(principal.organization_id, id), 'appointment', id)
}

/** What an update gives back, unless another transaction changed the appointment's state in between. */
function settled(appointment: AppointmentRow | undefined): AppointmentRow {
  return appointment ?? fail('conflict', 'The appointment was changed by somebody else just now. Read it again, then decide.')
}

/** Moves an appointment on in its life; a no-show is kept as a record of its own, too. */
export async function transition(
  context: Context,
  id: number,
  wanted: Move,
  changes: Partial<NewAppointment> = {},
): Promise<AppointmentRow> {
  const { store, principal, now, newId } = context
  const appointment = await find(context, id)
  const { invitee_uuid, status: before } = appointment
  const status = move(before, wanted)
  const { organization_id } = principal
  const moved = settled(await store.appointments.update(organization_id, appointment, { updated_at: instantOf(now), ...changes, status }))
  if (before === 'no_show') {
    await store.events.unmarkNoShow(organization_id, invitee_uuid)
    await tell(context, 'invitee_no_show.deleted', moved)
  }
  if (status === 'no_show') {
    await store.events.markNoShow(organization_id, { uuid: newId(), invitee_uuid, created_at: instantOf(now) })
    await tell(context, 'invitee_no_show.created', moved)
  }
  return moved
}

/** Cancels an appointment for good; one that goes on under another time is told of by its reschedule. */
export async function cancelAppointment(context: Context, id: number, reason?: string | undefined): Promise<AppointmentRow> {
  const canceled = await transition(context, id, 'cancel', canceledBy(context, reason))
  await tell(context, 'invitee.canceled', canceled)
  return canceled
}

function tell(context: Context, kind: EventKind, { uuid, invitee_uuid, customer }: AppointmentRow): Promise<void> {
  return tellOfInvitee(context, kind, { event: uuid, invitee: invitee_uuid, customer_id: customer.id })
}

interface Wish {
  start_time: string
  /** Left out: anybody who is free. */
  staff_member_id: number | undefined
  force: boolean
}

type Particulars = Pick<
  NewAppointment,
  | 'customer_id'
  | 'time_zone'
  | 'title'
  | 'notes'
  | 'location'
  | 'price'
  | 'currency'
  | 'questions_and_answers'
  | 'tracking'
  | 'submission_uuid'
  | 'old_appointment_id'
>

/**
 * Books a time: the one door that every booking goes through. Takes the staff member's row first, then judges,
 * then writes, so two bookings of one person never overlap. Without a wish for somebody, those who are free are
 * tried in their fair order; who turns out to be taken is given back before the next is tried.
 */
async function book(context: Context, type: AppointmentTypeRow, wish: Wish, particulars: Particulars): Promise<AppointmentRow> {
  if (wish.force && !isAdmin(context.principal)) fail('permission_denied', 'Only admins and owners may force a booking.')
  if (wish.force && wish.staff_member_id === undefined) invalid('staff_member_id', 'A forced booking needs a staff_member_id.', 'missing')
  if (wish.staff_member_id !== undefined) return bookWith(context, type, wish.staff_member_id, wish, particulars)

  let refused: unknown
  for (const id of await candidates(context, type, at(wish.start_time))) {
    try {
      return await context.store.attempt(() => bookWith(context, type, id, wish, particulars))
    } catch (error) {
      if (!(error instanceof AppError) || !isRefusal(error)) throw error
      if (refused === undefined || error.code === 'slot_taken') refused = error
    }
  }
  throw refused
}

/** This person cannot take it (any more), which says nothing of the next one. */
const isRefusal = ({ code, details }: AppError): boolean => code === 'slot_taken' || details[0]?.code === 'not_available'

/** Who could take a booking, in fair order; where nobody could, somebody whose refusal tells the most. */
async function candidates({ store, principal, now }: Context, type: AppointmentTypeRow, start: number): Promise<number[]> {
  const facts = await staffFacts(store, principal.organization_id, type.id, type.staff_member_ids, { from: start, to: start + 1 })
  if (facts.length === 0) invalid('appointment_type_id', `Nobody offers ${type.name} at present.`, 'not_available')
  const judged = facts.map((one) => ({ ...one, refusal: refusal(type, one, start, now) }))
  const free = judged.filter((one) => one.refusal === undefined).sort((a, b) => a.upcoming - b.upcoming || a.id - b.id)
  if (free.length > 0) return free.map(({ id }) => id)
  return [(judged.find((one) => one.refusal === 'taken') ?? (judged[0] as (typeof judged)[0])).id]
}

async function bookWith(
  context: Context,
  type: AppointmentTypeRow,
  staff: number,
  wish: Wish,
  particulars: Particulars,
): Promise<AppointmentRow> {
  const { store, principal, now, newId } = context
  const { organization_id } = principal
  if (!type.staff_member_ids.includes(staff))
    invalid('staff_member_id', `Staff member ${staff} does not offer ${type.name}.`, 'not_available')
  const start = at(wish.start_time)
  if (!(await store.staff.lock(organization_id, staff)))
    invalid('staff_member_id', `Staff member ${staff} cannot be booked.`, 'not_available')
  const [facts] = await staffFacts(store, organization_id, type.id, [staff], { from: start, to: start + 1 })
  if (!facts) return invalid('staff_member_id', `Staff member ${staff} cannot be booked.`, 'not_available')
  checkStart(type, facts, start, now, wish.force)

  const stamp = instantOf(now)
  const busy = busyInterval(type, start)
  const booked = await store.appointments.insert(
    organization_id,
    {
      ...particulars,
      uuid: newId(),
      invitee_uuid: newId(),
      status: 'scheduled',
      start_time: instantOf(start),
      end_time: instantOf(endOf(type, start)),
      duration: type.duration,
      staff_member_id: staff,
      appointment_type_id: type.id,
      cancellation: null,
      rescheduled: false,
      new_appointment_id: null,
      forced: wish.force,
      created_at: stamp,
      updated_at: stamp,
    },
    { busy_from: instantOf(busy.from), busy_to: instantOf(busy.to) },
  )
  await settleSubmission(context, booked.submission_uuid, { event_uuid: booked.uuid, invitee_uuid: booked.invitee_uuid })
  return booked
}
