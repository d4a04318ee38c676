import { expect } from 'vitest'
import type { Appointment } from '../../src/contract/appointments.ts'
import type { Attendee, Class, Session } from '../../src/contract/classes.ts'
import type { Customer } from '../../src/contract/customers.ts'
import type { AppointmentType, Service } from '../../src/contract/services.ts'
import { type StaffMember, weekdays } from '../../src/contract/staff.ts'
import type { Call } from './service.ts'

type Given = Record<string, unknown>

/** Records that a world has, made by its owner through the service. What is not given is filled in. */
export interface Makers {
  hasCustomer(given?: Given): Promise<Customer>
  /** Works Monday to Friday, 09:00 to 17:00 UTC. */
  hasStaff(given?: Given): Promise<StaffMember>
  hasService(given?: Given): Promise<Service>
  /** Thirty minutes, in a service of its own, offered by somebody new unless `staff_member_ids` says by whom. */
  hasType(given?: Given): Promise<AppointmentType>
  /** Of a type at a time, for a customer of its own. */
  hasAppointment(type: AppointmentType, start_time: string, given?: Given): Promise<Appointment>
  /** An hour for two, without a teacher. */
  hasClass(given?: Given): Promise<Class>
  /** Of a class of its own unless `class_id` says of which. */
  hasSession(start_time: string, given?: Given): Promise<Session>
  /** A customer of its own, in a session. */
  hasAttendee(session: Pick<Session, 'id'>, given?: Given): Promise<Attendee>
  /** The start times that are offered on a date (UTC), as `HH:MM`. */
  offered(type: AppointmentType, date: string, query?: string): Promise<string[]>
}

export const nineToFive = weekdays.slice(0, 5).map((day) => ({ day, start: '09:00', end: '17:00' }))

let counted = 0

export function makers(call: Call): Makers {
  const create = async (url: string, body: Given) => {
    const reply = await call('POST', url, body)
    expect(reply.status, `POST ${url}: ${JSON.stringify(reply.body)}`).toBe(201)
    return reply.body.resource
  }
  const number = () => {
    counted += 1
    return counted
  }
  const made: Makers = {
    hasCustomer: (given = {}) => create('/api/v3/customers', { name: `Customer ${number()}`, ...given }),
    async hasStaff(given = {}) {
      const email = `staff-${number()}@example.com`
      return create('/api/v3/staff_members', { name: 'Mira', email, time_zone: 'UTC', working_hours: nineToFive, ...given })
    },
    hasService: (given = {}) => create('/api/v3/services', { name: 'Massage', ...given }),
    async hasType(given = {}) {
      const staff_member_ids = given.staff_member_ids ?? [(await made.hasStaff()).id]
      const service_id = given.service_id ?? (await made.hasService()).id
      return create('/api/v3/appointment_types', { name: 'Short visit', duration: 30, ...given, service_id, staff_member_ids })
    },
    async hasAppointment(type, start_time, given = {}) {
      const customer_id = given.customer_id ?? (await made.hasCustomer()).id
      return create('/api/v3/appointments', { appointment_type_id: type.id, start_time, ...given, customer_id })
    },
    hasClass: (given = {}) => create('/api/v3/classes', { name: 'Yoga', duration: 60, capacity: 2, ...given }),
    async hasSession(start_time, given = {}) {
      const class_id = given.class_id ?? (await made.hasClass()).id
      return create('/api/v3/sessions', { ...given, class_id, start_time })
    },
    async hasAttendee({ id }, given = {}) {
      const customer_id = given.customer_id ?? (await made.hasCustomer()).id
      return create(`/api/v3/sessions/${id}/attendees`, { ...given, customer_id })
    },
    async offered({ id }, date, query = '') {
      const window = `start_time=${date}T00:00:00Z&end_time=${date}T23:59:00Z`
      const reply = await call('GET', `/customers/available_time?appointment_type_id=${id}&${window}${query}`)
      expect(reply.status).toBe(200)
      return reply.body.collection.map(({ start_time }: { start_time: string }) => start_time.slice(11, 16))
    },
  }
  return made
}
