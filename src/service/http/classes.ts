import { type Attendee, type Class, MOST_SESSIONS, MOST_YEARS_AHEAD, type Session } from '../../contract/classes.ts'
import { AppError, fail, invalid } from '../../contract/errors.ts'
import type { contract } from '../../contract/index.ts'
import { at, instantOf } from '../../contract/time.ts'
import { checkCapacity, checkHeld, enroll, seatsOf } from '../domain/enrollment.ts'
import { type Interval, merge, touches } from '../domain/interval.ts'
import { checkAnswers } from '../domain/questions.ts'
import type { AttendeeRow, NewSession, SessionRow } from '../store/classes.ts'
import { customerOf, noTracking, settleSubmission, submissionOf } from './booker.ts'
import { found, given } from './find.ts'
import type { Context, Handlers } from './handler.ts'
import { cancelSession, findAttendee, findSession, lockSession, lockTeacher, mark, promote, tellOfAttendee, withdraw } from './seats.ts'
import { eventUri, inviteeUri } from './uris.ts'

const MINUTE = 60_000
const YEAR = 366 * 24 * 60 * MINUTE

export const classes: Handlers<typeof contract.classes> = {
  list: ({ query }, { store, principal }) => store.classes.list(principal.organization_id, query),

  get: ({ params }, context) => findClass(context, params.class_id),

  async create({ body }, context) {
    const { store, principal, now, newId } = context
    const at = instantOf(now)
    const one = { ...blankClass, time_zone: principal.organization_zone, ...given(body), created_at: at, updated_at: at }
    await checkClass(context, one)
    return store.classes.insert(principal.organization_id, newId(), one)
  },

  async update({ params, body }, context) {
    const { store, principal, now } = context
    const one = { ...(await findClass(context, params.class_id)), ...given(body), updated_at: instantOf(now) }
    await checkClass(context, one)
    return store.classes.update(principal.organization_id, one)
  },

  async delete({ params }, context) {
    const { store, principal, now } = context
    const { id } = await lockClass(context, params.class_id)
    const upcoming = await store.sessions.upcoming(principal.organization_id, { class_id: id }, instantOf(now))
    if (upcoming.length > 0) {
      const those = upcoming.length === 1 ? '1 upcoming session' : `${upcoming.length} upcoming sessions`
      fail('conflict', `Class ${id} has ${those}, such as ${upcoming[0]?.id}. Cancel ${upcoming.length === 1 ? 'it' : 'them'} first.`)
    }
    await store.classes.remove(principal.organization_id, id, instantOf(now))
    return undefined
  },

  async schedule({ params, body }, context) {
    const one = await lockClass(context, params.class_id)
    checkOffered(one)
    const wanted = await occurrencesOf(one, body, context.now)
    return makeAll(context, one, wanted, body.skip_conflicts ?? false)
  },
}

const blankClass = {
  staff_member_id: null,
  service_id: null,
  price: null,
  currency: null,
  location: null,
  recurrence: null,
  custom_questions: [],
  waitlist: false,
  active: true,
}

async function findClass({ store, principal }: Context, id: number): Promise<Class> {
  return found(await store.classes.find(principal.organization_id, id), 'class', id)
}

/** The class, its row taken: nobody else makes sessions of it meanwhile. */
async function lockClass(context: Context, id: number): Promise<Class> {
  await context.store.classes.lock(context.principal.organization_id, id)
  return findClass(context, id)
}

/** A class may only name a service and a staff member of the same organization; a price has a currency, and a recurrence makes sense. */
async function checkClass({ store, principal }: Context, one: Omit<Class, 'id'>): Promise<void> {
  const { organization_id } = principal
  const { service_id, staff_member_id, recurrence } = one
  if (service_id !== null && !(await store.services.find(organization_id, service_id))) {
    invalid('service_id', `There is no service ${service_id}.`, 'not_found')
  }
  if (staff_member_id !== null && !(await store.staff.find(organization_id, staff_member_id))) {
    invalid('staff_member_id', `There is no staff member ${staff_member_id}.`, 'not_found')
  }
  if (one.price !== null && one.currency === null) invalid('currency', 'A price needs a currency.', 'missing')
  if (recurrence !== null) (await import('../domain/recurrence.ts')).checkRecurrence(recurrence, one.time_zone)
}

function checkOffered({ name, active }: Class): void {
  if (!active) invalid('class_id', `${name} is not offered at present.`, 'not_available')
}

interface Range {
  from?: string | undefined
  to?: string | undefined
  count?: number | undefined
}

/** The starts (ms) of a class that are asked for. */
async function occurrencesOf({ recurrence, time_zone, id }: Class, { from, to, count }: Range, now: number): Promise<number[]> {
  if (recurrence === null)
    return invalid('recurrence', `Class ${id} has no recurrence; give it one, or create its sessions one by one.`, 'missing')
  const begin = Math.max(now + 1, from === undefined ? now + 1 : at(from))
  const farthest = now + MOST_YEARS_AHEAD * YEAR
  if (to !== undefined && at(to) <= begin) invalid('to', 'to must be after from, and not in the past.')
  if (to !== undefined && at(to) > farthest) invalid('to', `to must be at most ${MOST_YEARS_AHEAD} years ahead.`)
  const { occurrences } = await import('../domain/recurrence.ts')
  const starts = occurrences(recurrence, time_zone, { from: begin, to: to === undefined ? farthest : at(to) }, count ?? MOST_SESSIONS + 1)
  if (starts.length > MOST_SESSIONS) invalid('to', `That is more than ${MOST_SESSIONS} sessions; ask for a shorter time.`)
  return starts
}

/** Makes the sessions that are not there yet: all of them, or those at which nothing else keeps the staff member busy. */
async function makeAll(context: Context, one: Class, starts: number[], skipConflicts: boolean) {
  const { store, principal } = context
  if (starts.length > 0) await lockTeacher(context, one.staff_member_id)
  const [first, last] = [instantOf(starts[0] ?? 0), instantOf(starts.at(-1) ?? 0)]
  const there = new Set((await store.sessions.starts(one.id, first, last)).map(at))
  const wanted = starts.filter((start) => !there.has(start))
  const { free, conflicts } = await judge(context, one, wanted)
  if (conflicts.length > 0 && !skipConflicts) failConflicts(one, conflicts)
  const session_ids: number[] = []
  for (const start of free) {
    session_ids.push(await store.sessions.insert(principal.organization_id, newSession(context, one, start)))
  }
  return {
    class_id: one.id,
    created: session_ids.length,
    existing: starts.length - wanted.length,
    conflicts: conflicts.map(instantOf),
    session_ids,
  }
}

/** Which of some starts the staff member can teach. Two that overlap each other: the first can be taught. */
async function judge(
  { store }: Context,
  { staff_member_id, duration }: Class,
  starts: number[],
): Promise<{ free: number[]; conflicts: number[] }> {
  if (staff_member_id === null || starts.length === 0) return { free: starts, conflicts: [] }
  const length = duration * MINUTE
  const [from, to] = [starts[0] as number, (starts.at(-1) as number) + length]
  const rows = await store.appointments.busy([staff_member_id], instantOf(from), instantOf(to))
  const busy = merge(rows.map(({ busy_from, busy_to }) => ({ from: at(busy_from), to: at(busy_to) })))
  const free: number[] = []
  const conflicts: number[] = []
  let end = Number.NEGATIVE_INFINITY
  for (const start of starts) {
    const isTaken = start < end || touches(busy, { from: start, to: start + length })
    if (isTaken) conflicts.push(start)
    else {
      free.push(start)
      end = start + length
    }
  }
  return { free, conflicts }
}

function failConflicts({ staff_member_id }: Class, conflicts: number[]): never {
  const listed = conflicts.map((start) => ({ parameter: 'start_time', message: `${instantOf(start)} is taken.`, code: 'slot_taken' }))
  const times = conflicts.length === 1 ? 'at 1 of the times' : `at ${conflicts.length} of the times`
  throw new AppError(
    'slot_taken',
    `Staff member ${staff_member_id} is busy ${times}; no session was made. skip_conflicts=true leaves those out.`,
    {
      details: listed,
    },
  )
}

function newSession({ now, newId }: Context, one: Class, start: number): NewSession {
  const stamp = instantOf(now)
  return {
    uuid: newId(),
    class_id: one.id,
    status: 'scheduled',
    start_time: instantOf(start),
    end_time: instantOf(start + one.duration * MINUTE),
    duration: one.duration,
    staff_member_id: one.staff_member_id,
    capacity: one.capacity,
    location: one.location,
    cancellation: null,
    created_at: stamp,
    updated_at: stamp,
  }
}

export const sessions: Handlers<typeof contract.sessions> = {
  async list({ query }, { store, principal, address }) {
    const page = await store.sessions.list(principal.organization_id, query)
    return { ...page, rows: page.rows.map((session) => shownSession(session, address)) }
  },

  async get({ params }, context) {
    return shownSession(await findSession(context, params.session_id), context.address)
  },

  async create({ body }, context) {
    const { store, principal, now, address } = context
    const { class_id, start_time, ...own } = body
    if (!(await store.classes.lock(principal.organization_id, class_id))) invalid('class_id', `There is no class ${class_id}.`, 'not_found')
    const one = await findClass(context, class_id)
    checkOffered(one)
    const start = at(start_time)
    if (start <= now) invalid('start_time', 'This time is in the past.', 'not_available')
    const session = { ...newSession(context, one, start), ...given(own) }
    await lockTeacher(context, session.staff_member_id)
    const held = await store.sessions.heldAt(one.id, session.start_time)
    if (held) fail('already_exists', `Session ${held.id} of this class is at that time already.`)
    await refuseBusy(context, session)
    const id = await store.sessions.insert(principal.organization_id, session)
    return shownSession(await findSession(context, id), address)
  },

  async update({ params, body }, context) {
    const { store, principal, now, address } = context
    const changes = given(body)
    const before = await findSession(context, params.session_id)
    const teacher = changes.staff_member_id
    if (teacher !== undefined && teacher !== before.staff_member_id) await lockTeacher(context, teacher)
    const session = await lockSession(context, before.id)
    checkHeld(session.status, 'be changed')
    if (changes.capacity !== undefined) checkCapacity(changes.capacity, session.counts)
    if (teacher !== undefined && teacher !== session.staff_member_id) await refuseBusy(context, { ...session, staff_member_id: teacher })
    await store.sessions.update(principal.organization_id, session, { ...changes, updated_at: instantOf(now) })
    await promote(context, session.id)
    return shownSession(await findSession(context, session.id), address)
  },

  async delete({ params }, context) {
    await cancelSession(context, await lockSession(context, params.session_id))
    return undefined
  },

  async cancel({ params, body }, context) {
    await cancelSession(context, await lockSession(context, params.session_id), body.reason)
    return shownSession(await findSession(context, params.session_id), context.address)
  },
}

/** @throws AppError `slot_taken` where the staff member, whose row is locked, has something else then */
async function refuseBusy(
  { store }: Context,
  { staff_member_id, start_time, end_time }: Pick<SessionRow, 'staff_member_id' | 'start_time' | 'end_time'>,
): Promise<void> {
  if (staff_member_id === null) return
  const busy: Interval[] = (await store.appointments.busy([staff_member_id], start_time, end_time)).map(({ busy_from, busy_to }) => ({
    from: at(busy_from),
    to: at(busy_to),
  }))
  if (busy.length > 0) fail('slot_taken', `Staff member ${staff_member_id} is busy at that time.`)
}

/** A session as the wire has it. */
export function shownSession({ uuid, counts, id, ...session }: SessionRow, address: string): Session {
  return { id, uri: eventUri(address, uuid), ...session, seats: seatsOf(session.capacity, counts) }
}

export const attendees: Handlers<typeof contract.attendees> = {
  async list({ params, query }, context) {
    const { store, principal, address } = context
    const { id } = await findSession(context, params.session_id)
    const page = await store.attendees.list(principal.organization_id, id, query)
    return { ...page, rows: page.rows.map((attendee) => shownAttendee(attendee, address)) }
  },

  async get({ params }, context) {
    return shownAttendee(await findAttendee(context, params.session_id, params.attendee_id), context.address)
  },

  async create({ params, body }, context) {
    const { store, principal, now, newId, address } = context
    const { organization_id } = principal
    const submission_uuid = await submissionOf(context, body.routing_form_submission)
    const customer = await customerOf(context, body)
    const session = await lockSession(context, params.session_id)
    const one = await store.classes.find(organization_id, session.class_id)
    if (await store.attendees.isEnrolled(session.id, customer.id)) {
      fail('already_exists', `Customer ${customer.id} (${customer.name}) is in session ${session.id} already.`)
    }
    const facts = { status: session.status, capacity: session.capacity, start: at(session.start_time), counts: session.counts }
    const status = enroll({ ...facts, waitlist: one?.waitlist ?? false }, now)
    const stamp = instantOf(now)
    const attendee = await store.attendees.insert(organization_id, {
      uuid: newId(),
      session_id: session.id,
      customer_id: customer.id,
      status,
      time_zone: body.time_zone ?? customer.time_zone,
      questions_and_answers: checkAnswers(one?.custom_questions ?? [], body.questions_and_answers ?? []),
      tracking: body.tracking ?? noTracking,
      cancellation: null,
      submission_uuid,
      created_at: stamp,
      updated_at: stamp,
    })
    await settleSubmission(context, submission_uuid, { event_uuid: attendee.session_uuid, invitee_uuid: attendee.uuid })
    if (status === 'active') await tellOfAttendee(context, 'invitee.created', attendee)
    return shownAttendee(attendee, address)
  },

  async delete({ params }, context) {
    await withdraw(context, params.session_id, params.attendee_id)
    return undefined
  },

  async cancel({ params, body }, context) {
    return shownAttendee(await withdraw(context, params.session_id, params.attendee_id, body.reason), context.address)
  },

  async noShow({ params }, context) {
    return shownAttendee(await mark(context, params.session_id, params.attendee_id, 'no_show'), context.address)
  },

  async undoNoShow({ params }, context) {
    await mark(context, params.session_id, params.attendee_id, 'undo_no_show')
    return undefined
  },
}

/** An attendee as the wire has it. */
export function shownAttendee({ uuid, session_uuid, submission_uuid: _, id, ...attendee }: AttendeeRow, address: string): Attendee {
  return { id, uri: inviteeUri(address, session_uuid, uuid), ...attendee }
}
