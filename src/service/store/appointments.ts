import type { Appointment, Tracking } from '../../contract/appointments.ts'
import { at, instantOf } from '../../contract/time.ts'
import { decode, encode } from './codec.ts'
import type { Queries } from './engine.ts'
import { type PageOf, type PageRequest, pageOf } from './page.ts'
import { among, assignments, columns, row, type Sql, sql } from './sql.ts'

const fields = [
  'id',
  'uuid',
  'invitee_uuid',
  'status',
  'start_time',
  'end_time',
  'duration',
  'time_zone',
  'title',
  'notes',
  'location',
  'price',
  'currency',
  'questions_and_answers',
  'tracking',
  'cancellation',
  'rescheduled',
  'old_appointment_id',
  'new_appointment_id',
  'submission_uuid',
  'created_at',
  'updated_at',
] as const
const coding = { json: ['questions_and_answers', 'tracking', 'cancellation'], booleans: ['rescheduled', 'forced'] }

/** An appointment as kept, with the names of those it refers to: all of the record but its addresses. */
export type AppointmentRow = Omit<Appointment, 'uri' | 'invitee'> & {
  uuid: string
  invitee_uuid: string
  /** The submission of a routing form that led to it. */
  submission_uuid: string | null
}

export type NewAppointment = Omit<AppointmentRow, 'id' | 'customer' | 'staff_member' | 'appointment_type'> & {
  customer_id: number
  staff_member_id: number
  appointment_type_id: number
  forced: boolean
}

/** An interval that a staff member is occupied, buffers included, as instants. */
export interface BusyRow {
  staff_member_id: number
  busy_from: string
  busy_to: string
}

interface Filter extends PageRequest {
  start_time_from?: string | undefined
  start_time_to?: string | undefined
  staff_member_id?: number | undefined
  customer_id?: number | undefined
  appointment_type_id?: number | undefined
  status?: string | undefined
}

const select: Sql = sql`select ${columns(fields, 'a')},
    c.id as customer_id, c.name as customer_name, c.email as customer_email, c.phone as customer_phone,
    s.id as staff_id, s.name as staff_name, s.email as staff_email, s.time_zone as staff_zone,
    t.id as type_id, t.name as type_name
  from appointments a
  join customers c on c.id = a.customer_id
  join staff_members s on s.id = a.staff_member_id
  join appointment_types t on t.id = a.appointment_type_id`

interface Joined {
  id: number
  start_time: string
  created_at: string
  customer_id: number
  customer_name: string
  customer_email: string | null
  customer_phone: string | null
  staff_id: number
  staff_name: string
  staff_email: string
  staff_zone: string
  type_id: number
  type_name: string
}

function assemble(found: Joined): AppointmentRow {
  const {
    customer_id,
    customer_name,
    customer_email,
    customer_phone,
    staff_id,
    staff_name,
    staff_email,
    staff_zone,
    type_id,
    type_name,
    ...own
  } = found
  return {
    ...decode<AppointmentRow>(own, coding),
    customer: { id: customer_id, name: customer_name, email: customer_email, phone: customer_phone },
    staff_member: { id: staff_id, name: staff_name, email: staff_email, time_zone: staff_zone },
    appointment_type: { id: type_id, name: type_name },
  }
}

/** No appointment with its buffers is longer than this, so a search for what touches a moment need not look further back. */
const LONGEST_BUSY = 48 * 3_600_000

/** Appointments of one organization at a time, and what they keep busy. */
export function appointmentsStore(db: Queries) {
  const find = async (organization: number, id: number): Promise<AppointmentRow | undefined> => {
    const found = await db.one<Joined>(sql`${select} where a.organization_id = ${organization} and a.id = ${id}`)
    return found && assemble(found)
  }

  return {
    find,

    async list(
      organization: number,
      { start_time_from, start_time_to, staff_member_id, customer_id, appointment_type_id, status, ...paging }: Filter,
    ): Promise<PageOf<AppointmentRow>> {
      const where = [sql`a.organization_id = ${organization}`]
      if (start_time_from !== undefined) where.push(sql`a.start_time >= ${start_time_from}`)
      if (start_time_to !== undefined) where.push(sql`a.start_time < ${start_time_to}`)
      if (staff_member_id !== undefined) where.push(sql`a.staff_member_id = ${staff_member_id}`)
      if (customer_id !== undefined) where.push(sql`a.customer_id = ${customer_id}`)
      if (appointment_type_id !== undefined) where.push(sql`a.appointment_type_id = ${appointment_type_id}`)
      if (status !== undefined) where.push(sql`a.status = ${status}`)
      const page = await pageOf<Joined>(
        db,
        {
          select,
          where,
          sortable: { start_time: 'a.start_time', id: 'a.id', created_at: 'a.created_at' },
          id: 'a.id',
          keyOf: (appointment, field) => appointment[field as 'start_time'],
        },
        paging,
      )
      return { ...page, rows: page.rows.map(assemble) }
    },

    /** Scheduled ones that have not begun, of a customer or a staff member, soonest first. */
    async upcoming(
      organization: number,
      whose: { customer_id: number } | { staff_member_id: number },
      now: string,
    ): Promise<AppointmentRow[]> {
      const who = 'customer_id' in whose ? sql`a.customer_id = ${whose.customer_id}` : sql`a.staff_member_id = ${whose.staff_member_id}`
      const where = sql`a.organization_id = ${organization} and ${who} and a.status = 'scheduled' and a.start_time >= ${now}`
      return (await db.all<Joined>(sql`${select} where ${where} order by a.start_time, a.id`)).map(assemble)
    },

    /** What keeps any of some staff members busy between two instants; its cost does not grow with the past. */
    async busy(staff: number[], from: string, to: string): Promise<BusyRow[]> {
      return db.all(
        sql`select staff_member_id, busy_from, busy_to from busy_times
            where staff_member_id in ${among(staff)} and busy_from < ${to} and busy_from >= ${instantOf(at(from) - LONGEST_BUSY)} and busy_to > ${from}`,
      )
    },

    /** The starts of the live appointments of one type, for its daily limit. */
    async starts(type: number, staff: number[], from: string, to: string): Promise<{ staff_member_id: number; start_time: string }[]> {
      return db.all(
        sql`select staff_member_id, start_time from appointments
            where staff_member_id in ${among(staff)} and appointment_type_id = ${type} and status <> 'canceled'
              and start_time >= ${from} and start_time < ${to}`,
      )
    },

    /** How many live appointments each of some staff members has between two instants. */
    async load(staff: number[], from: string, to: string): Promise<{ staff_member_id: number; count: number }[]> {
      return db.all(
        sql`select staff_member_id, count(*) as count from appointments
            where staff_member_id in ${among(staff)} and status <> 'canceled' and start_time >= ${from} and start_time < ${to}
            group by staff_member_id`,
      )
    },

    async insert(organization: number, appointment: NewAppointment, busy: { busy_from: string; busy_to: string }): Promise<AppointmentRow> {
      const values = { organization_id: organization, ...encode(appointment, coding) }
      const { id } = (await db.one<{ id: number }>(sql`insert into appointments ${row(values)} returning id`)) as { id: number }
      const { staff_member_id, forced } = appointment
      await db.run(sql`insert into busy_times ${row({ staff_member_id, ...busy, forced, appointment_id: id })}`)
      return (await find(organization, id)) as AppointmentRow
    },

    /**
     * Takes away what the customer of appointments wrote, and what was written about them.
     * @returns the UUIDs of the invitees
     */
    async forget(organization: number, customer: number, blank: { title: string; tracking: Tracking }): Promise<string[]> {
      const theirs = await db.all<{ id: number; invitee_uuid: string; cancellation: string | null }>(
        sql`select id, invitee_uuid, cancellation from appointments where organization_id = ${organization} and customer_id = ${customer}`,
      )
      for (const { id, cancellation } of theirs) {
        const reasonless = cancellation && { ...JSON.parse(cancellation), reason: null }
        const changes = { ...blank, notes: null, questions_and_answers: [], cancellation: reasonless }
        await db.run(sql`update appointments set ${assignments(encode(changes, coding))} where id = ${id}`)
      }
      return theirs.map(({ invitee_uuid }) => invitee_uuid)
    },

    /**
     * Changes an appointment that is still in the state it was read in.
     * @returns `undefined` when another transaction was faster, and nothing was changed
     */
    async update(
      organization: number,
      { id, status }: Pick<AppointmentRow, 'id' | 'status'>,
      changes: Partial<Omit<NewAppointment, 'uuid'>>,
    ): Promise<AppointmentRow | undefined> {
      const where = sql`organization_id = ${organization} and id = ${id} and status = ${status}`
      if ((await db.run(sql`update appointments set ${assignments(encode(changes, coding))} where ${where}`)) === 0) return undefined
      if (changes.status === 'canceled') await db.run(sql`delete from busy_times where appointment_id = ${id}`)
      return find(organization, id)
    },
  }
}
