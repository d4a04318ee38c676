import type { Appointment } from '../contract/appointments.ts'
import type { HttpReply, HttpRequest } from '../contract/endpoint.ts'
import { AppError } from '../contract/errors.ts'
import { weekdays } from '../contract/staff.ts'
import { addDays, at, clockOf, dateAt, dateOf, instantOf, offsetAt, resolve, wallAt, wallOf, weekdayOf } from '../contract/time.ts'
import { sampleCustomers, sampleStaff } from './sample-people.ts'
import { chooseSlots, type Offer, type SampleSlot } from './sample-slots.ts'

const DAY = 86_400_000

type App = (request: HttpRequest) => Promise<HttpReply>
type Call = <T = { id: number }>(method: HttpRequest['method'], url: string, body?: object) => Promise<T>

interface SampleType {
  id: number
  duration: number
  staff: number[]
  answers?: { question: string; answer: string }[]
}

/**
 * Fills a fresh business with a small one to try things on: staff, services, customers, two weeks of appointments around
 * `now` (ms), and two classes with the sessions of two weeks. The same `now` and `zone` give the same business. `app` must take the caller for its owner.
 * @throws AppError where the service failed; otherwise an Error that names the request which did not succeed
 */
export async function fillSample(app: App, now: number, zone: string): Promise<void> {
  const call = caller(app)
  const staff = await addStaff(call, now, zone)
  const types = await addTypes(call, staff)
  const customers: number[] = []
  for (const person of sampleCustomers) customers.push((await call('POST', '/api/v3/customers', person)).id)
  await addAppointments(call, types, customers, now, zone)
  await addClasses(call, staff, customers, now, zone)
}

function caller(app: App): Call {
  return async (method, url, body) => {
    const reply = await app({
      method,
      url,
      headers: body ? { 'content-type': 'application/json' } : {},
      ...(body && { body: JSON.stringify(body) }),
    })
    const { resource, collection, code, message } = JSON.parse(reply.body || '{}')
    if (reply.status >= 500) throw new AppError(code, message)
    if (reply.status > 299) throw new Error(`${method} ${url} was answered with ${reply.status}: ${reply.body}`)
    return resource ?? collection
  }
}

/** Two classes after hours, so that nothing is offered any less; the first session of the second is full, and two wait for a seat. */
async function addClasses(call: Call, [mira, , ingrid]: number[], customers: number[], now: number, zone: string): Promise<void> {
  const today = dateAt(zone, now)
  const [tuesday, thursday] = [next(1, addDays(today, 1)), next(3, addDays(today, 1))]
  const shared = { duration: 60, price: '15.00', currency: 'EUR', time_zone: zone, location: 'The gym' }
  const yoga = {
    name: 'Yoga',
    capacity: 8,
    staff_member_id: mira,
    recurrence: { start: `${tuesday}T17:45`, rrule: 'FREQ=WEEKLY;BYDAY=TU,FR' },
  }
  const back = {
    name: 'Back class',
    capacity: 4,
    staff_member_id: ingrid,
    recurrence: { start: `${thursday}T17:00`, rrule: 'FREQ=WEEKLY' },
  }
  const plans = [
    { one: { ...yoga, ...shared }, attendees: [5, 3, 2, 1] },
    { one: { ...back, ...shared, waitlist: true }, attendees: [6, 2] },
  ]
  for (const { one, attendees } of plans) {
    const { id } = await call('POST', '/api/v3/classes', one)
    const { session_ids } = await call<{ session_ids: number[] }>('POST', `/api/v3/classes/${id}/schedule`, { count: attendees.length })
    for (const [index, session] of session_ids.entries()) {
      for (let seat = 0; seat < (attendees[index] ?? 0); seat += 1) {
        const customer_id = customers[(session * 5 + seat * 3) % customers.length]
        await call('POST', `/api/v3/sessions/${session}/attendees`, { customer_id })
      }
    }
  }
}

async function addStaff(call: Call, now: number, zone: string): Promise<number[]> {
  const elsewhere = neighbour(zone, now)
  const today = dateAt(zone, now)
  const [friday, saturday] = [next(4, addDays(today, 1)), next(5, addDays(today, 1))]
  const noon = (date: string) => instantOf(resolve(zone, wallOf(date, '12:00')).at)
  const plans = [
    { time_zone: zone, working_hours: week(['09:00', '12:30'], ['13:30', '17:30']) },
    {
      time_zone: elsewhere,
      working_hours: week(['09:00', '13:00'], ['14:00', '18:00']),
      extra_hours: [{ date: saturday, start: '10:00', end: '14:00' }],
    },
    {
      time_zone: zone,
      working_hours: week(['08:00', '12:00'], ['12:45', '16:00']),
      time_off: [
        { start_time: noon(friday), end_time: noon(addDays(friday, 1)), reason: 'Family' },
        { start_time: noon(addDays(friday, 4)), end_time: noon(addDays(friday, 5)), reason: 'Training' },
      ],
    },
  ]
  const ids: number[] = []
  for (const [index, plan] of plans.entries()) {
    ids.push((await call('POST', '/api/v3/staff_members', { ...sampleStaff[index], ...plan })).id)
  }
  return ids
}

/** Monday to Friday, each day the same. */
const week = (...clocks: [string, string][]) => weekdays.slice(0, 5).flatMap((day) => clocks.map(([start, end]) => ({ day, start, end })))

/** The first date from `date` on that is this weekday (0 = Monday). */
const next = (weekday: number, date: string) => addDays(date, (weekday - weekdayOf(date) + 7) % 7)

const neighbours = ['Europe/Lisbon', 'Europe/Berlin', 'Europe/Athens', 'America/New_York', 'America/Chicago', 'America/Los_Angeles']
const farther = ['America/Sao_Paulo', 'Asia/Dubai', 'Asia/Kolkata', 'Asia/Singapore', 'Asia/Tokyo', 'Australia/Sydney', 'Pacific/Auckland']

/** A zone with other clocks, but as few hours away as there is one. */
function neighbour(zone: string, now: number): string {
  const distance = (other: string) => Math.abs(offsetAt(other, now) - offsetAt(zone, now)) || Number.POSITIVE_INFINITY
  return [...neighbours, ...farther].sort((a, b) => distance(a) - distance(b))[0] as string
}

async function addTypes(call: Call, [mira, tomas, ingrid]: number[]): Promise<SampleType[]> {
  const add = async (name: string, duration: number, staff: (number | undefined)[], more: object, answers?: SampleType['answers']) => {
    const body = { name, duration, staff_member_ids: staff, currency: 'EUR', booking_window: 30, ...more }
    const { id } = await call('POST', '/api/v3/appointment_types', body)
    return { id, duration, staff: staff as number[], ...(answers && { answers }) }
  }
  const service = async (name: string, category: string) => (await call('POST', '/api/v3/services', { name, category })).id
  const physio = await service('Physiotherapy', 'Treatment')
  const massage = await service('Massage', 'Treatment')
  const nutrition = await service('Nutrition', 'Advice')
  const training = await service('Personal training', 'Training')
  const question = { name: 'What brings you here?', type: 'textarea', required: true }
  const referral = { name: 'How did you hear of us?', type: 'select', answer_choices: ['A friend', 'A doctor', 'The web'] }
  return [
    await add(
      'First visit',
      60,
      [mira, ingrid],
      { service_id: physio, price: '95.00', buffer_after: 15, minimum_notice: 120, custom_questions: [question, referral], daily_limit: 3 },
      [{ question: question.name, answer: 'A stiff shoulder.' }],
    ),
    await add('Follow-up', 30, [mira, ingrid], { service_id: physio, price: '55.00', slot_interval: 15, buffer_after: 10 }),
    await add('Classic massage', 45, [tomas, ingrid], { service_id: massage, price: '60.00', buffer_before: 5, buffer_after: 10 }),
    await add('Hot stone massage', 90, [tomas], { service_id: massage, price: '110.00', buffer_after: 30, minimum_notice: 240 }),
    await add('Nutrition check', 40, [mira, tomas], { service_id: nutrition, price: '70.00', slot_interval: 20, location: 'By video' }),
    await add('Training session', 60, [tomas, ingrid], { service_id: training, price: '65.00', location: 'The gym', color: '#10b981' }),
  ]
}

async function addAppointments(call: Call, types: SampleType[], customers: number[], now: number, zone: string): Promise<void> {
  const slots = chooseSlots(await offersOf(call, types, now, zone))
  const booked: Appointment[] = []
  for (const [index, { type, start, staff_member_id, past }] of slots.entries()) {
    const body = {
      appointment_type_id: type.id,
      customer_id: customers[(index * 7) % customers.length],
      start_time: instantOf(start),
      staff_member_id,
      questions_and_answers: type.answers ?? [],
      ...(past && { force: true }),
    }
    booked.push(await call<Appointment>('POST', '/api/v3/appointments', body))
  }
  const isPast = (_: unknown, index: number) => (slots[index] as SampleSlot<SampleType>).past
  for (const [index, { id }] of booked.filter(isPast).entries()) {
    await call('POST', `/api/v3/appointments/${id}/${index % 12 === 4 ? 'no_show' : 'complete'}`)
  }
  const [first, second, ...others] = booked.filter((one, index) => !isPast(one, index)).slice(-24)
  await call('POST', `/api/v3/appointments/${first?.id}/cancel`, { reason: 'The customer is ill.' })
  await call('POST', `/api/v3/appointments/${second?.id}/cancel`)
  for (const one of others) if (await reschedule(call, one)) break
}

/** Moves an appointment to the last time that is offered within three days. @returns whether there is one */
async function reschedule(call: Call, { id, appointment_type, staff_member, start_time }: Appointment): Promise<boolean> {
  const offered = await available(call, appointment_type.id, at(start_time), at(start_time) + 3 * DAY, staff_member.id)
  const last = offered.at(-1)
  if (last) await call('POST', `/api/v3/appointments/${id}/reschedule`, { start_time: last.start_time, reason: 'Asked for another day.' })
  return last !== undefined
}

/** What is offered within ten days; and, as if a week ago, what the four days before today would have offered. */
async function offersOf(call: Call, types: SampleType[], now: number, zone: string): Promise<Offer<SampleType>[]> {
  const today = dateAt(zone, now)
  const offers: Offer<SampleType>[] = []
  for (const type of types) {
    for (const { start_time, staff_member_ids } of await available(call, type.id, now, now + 11 * DAY)) {
      const start = at(start_time)
      const date = dateAt(zone, start)
      offers.push({ type, start, date, staff_member_ids, past: false })
      const before = addDays(date, -7)
      if (before < addDays(today, -4) || before >= today || weekdayOf(before) > 4) continue
      offers.push({ type, start: weekBefore(zone, start), date: before, staff_member_ids, past: true })
    }
  }
  return offers.filter(({ date }) => date <= addDays(today, 10))
}

/** The moment at which the clocks showed the same a week ago. */
function weekBefore(zone: string, start: number): number {
  const wall = wallAt(zone, start)
  return resolve(zone, wallOf(addDays(dateOf(wall), -7), clockOf(wall))).at
}

function available(call: Call, type: number, from: number, to: number, staff?: number) {
  const query = new URLSearchParams({ appointment_type_id: String(type), start_time: instantOf(from), end_time: instantOf(to) })
  if (staff) query.set('staff_member_id', String(staff))
  return call<{ start_time: string; staff_member_ids: number[] }[]>('GET', `/customers/available_time?${query}`)
}
