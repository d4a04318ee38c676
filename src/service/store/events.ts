import type { Answer, Cancellation, Tracking } from '../../contract/appointments.ts'
import { type Coding, decode, keyOf } from './codec.ts'
import type { Queries } from './engine.ts'
import { type Listing, type PageOf, type PageRequest, pageOfAll } from './page.ts'
import { raw, row, type Sql, sql } from './sql.ts'

/** A scheduled event as kept: an appointment, or a session of a class. */
export interface EventRow {
  /** Of this list only: unlike among all kinds of events. */
  id: number
  kind: 'appointment' | 'session'
  /** The id of the appointment or session. */
  source_id: number
  uuid: string
  name: string
  status: 'active' | 'canceled'
  start_time: string
  end_time: string
  type_uuid: string
  location: string | null
  total: number
  active: number
  seats: number
  /** The user who hosts it, where the staff member is linked to one. */
  host_id: number | null
  host_uuid: string | null
  host_name: string | null
  host_email: string | null
  busy_from: string | null
  busy_to: string | null
  cancellation: Cancellation | null
  created_at: string
  updated_at: string
}

export interface InviteeRow {
  id: number
  kind: 'appointment' | 'session'
  /** The id of the appointment or attendee. */
  source_id: number
  /** The id of the appointment or session. */
  held_id: number
  uuid: string
  event_uuid: string
  name: string
  email: string | null
  status: 'active' | 'canceled'
  time_zone: string | null
  questions_and_answers: Answer[]
  tracking: Tracking
  rescheduled: boolean
  old_event: string | null
  old_invitee: string | null
  new_event: string | null
  new_invitee: string | null
  submission_uuid: string | null
  cancellation: Cancellation | null
  no_show_uuid: string | null
  no_show_at: string | null
  created_at: string
  updated_at: string
}

export interface NoShowRow {
  uuid: string
  invitee_uuid: string
  created_at: string
}

interface EventFilter extends PageRequest {
  /** The id of the user who hosts them. */
  user_id?: number | undefined
  invitee_email?: string | undefined
  status?: 'active' | 'canceled' | undefined
  min_start_time?: string | undefined
  max_start_time?: string | undefined
}

interface InviteeFilter extends PageRequest {
  status?: 'active' | 'canceled' | undefined
  email?: string | undefined
}

const eventCoding = { json: ['cancellation'] }
const inviteeCoding = { json: ['cancellation', 'questions_and_answers', 'tracking'], booleans: ['rescheduled'] }

/** Who waits for a seat of a session is no invitee yet. */
const invited: Sql = sql`i.status <> 'waiting'`

const publicStatus = (table: 'a' | 'x' | 'i'): Sql => sql`case when ${raw(table)}.status = 'canceled' then 'canceled' else 'active' end`

const appointmentEvents: Sql = sql`select a.id * 2 as id, 'appointment' as kind, a.id as source_id, a.uuid, t.name,
    ${publicStatus('a')} as status, a.start_time, a.end_time, t.uuid as type_uuid, a.location,
    1 as total, case when a.status = 'canceled' then 0 else 1 end as active, 1 as seats,
    u.id as host_id, u.uuid as host_uuid, s.name as host_name, s.email as host_email, b.busy_from, b.busy_to,
    a.cancellation, a.created_at, a.updated_at
  from appointments a
  join appointment_types t on t.id = a.appointment_type_id
  join staff_members s on s.id = a.staff_member_id
  left join users u on u.id = s.user_id
  left join busy_times b on b.appointment_id = a.id`

const sessionEvents: Sql = sql`select x.id * 2 + 1 as id, 'session' as kind, x.id as source_id, x.uuid, k.name,
    ${publicStatus('x')} as status, x.start_time, x.end_time, k.uuid as type_uuid, x.location,
    (select count(*) from session_attendees i where i.session_id = x.id and ${invited}) as total,
    (select count(*) from session_attendees i where i.session_id = x.id and i.status in ('active', 'no_show')) as active,
    x.capacity as seats,
    u.id as host_id, u.uuid as host_uuid, s.name as host_name, s.email as host_email, b.busy_from, b.busy_to,
    x.cancellation, x.created_at, x.updated_at
  from sessions x
  join classes k on k.id = x.class_id
  left join staff_members s on s.id = x.staff_member_id
  left join users u on u.id = s.user_id
  left join busy_times b on b.session_id = x.id`

const appointmentInvitees: Sql = sql`select a.id * 2 as id, 'appointment' as kind, a.id as source_id, a.id as held_id,
    a.invitee_uuid as uuid, a.uuid as event_uuid, c.name, c.email, ${publicStatus('a')} as status, a.time_zone,
    a.questions_and_answers, a.tracking, a.rescheduled,
    o.uuid as old_event, o.invitee_uuid as old_invitee, n.uuid as new_event, n.invitee_uuid as new_invitee,
    a.submission_uuid, a.cancellation, m.uuid as no_show_uuid, m.created_at as no_show_at, a.created_at, a.updated_at
  from appointments a
  join customers c on c.id = a.customer_id
  left join appointments o on o.id = a.old_appointment_id
  left join appointments n on n.id = a.new_appointment_id
  left join invitee_no_shows m on m.invitee_uuid = a.invitee_uuid`

const sessionInvitees: Sql = sql`select i.id * 2 + 1 as id, 'session' as kind, i.id as source_id, x.id as held_id,
    i.uuid, x.uuid as event_uuid, c.name, c.email, ${publicStatus('i')} as status, i.time_zone,
    i.questions_and_answers, i.tracking, 0 as rescheduled,
    null as old_event, null as old_invitee, null as new_event, null as new_invitee,
    i.submission_uuid, i.cancellation, m.uuid as no_show_uuid, m.created_at as no_show_at, i.created_at, i.updated_at
  from session_attendees i
  join sessions x on x.id = i.session_id
  join customers c on c.id = i.customer_id
  left join invitee_no_shows m on m.invitee_uuid = i.uuid`

type Table = 'a' | 'x' | 'i'
const own = (table: Table, organization: number): Sql => sql`${raw(table)}.organization_id = ${organization}`
const statusIs = (table: Table, status: 'active' | 'canceled'): Sql =>
  sql`${raw(table)}.status ${raw(status === 'canceled' ? '=' : '<>')} 'canceled'`

/** Appointments and sessions as webhook readers see them: scheduled events with invitees. One organization at a time. */
export function eventsStore(db: Queries) {
  const first = async <T extends object>(coding: Coding, ...queries: Sql[]): Promise<T | undefined> => {
    for (const query of queries) {
      const found = await db.one<object>(query)
      if (found) return decode<T>(found, coding)
    }
    return undefined
  }
  const findInviteeWhere = (organization: number, appointment: Sql, session: Sql) =>
    first<InviteeRow>(
      inviteeCoding,
      sql`${appointmentInvitees} where ${own('a', organization)} and ${appointment}`,
      sql`${sessionInvitees} where ${own('i', organization)} and ${invited} and ${session}`,
    )

  return {
    async list(
      organization: number,
      { user_id, invitee_email, status, min_start_time, max_start_time, ...paging }: EventFilter,
    ): Promise<PageOf<EventRow>> {
      const known = sql`select id from customers where organization_id = ${organization} and email_key = ${keyOf(invitee_email ?? '')}`
      const attended = sql`select i.session_id from session_attendees i where i.customer_id in (${known}) and ${invited}`
      const listing = (table: 'a' | 'x', select: Sql, id: string, invites: Sql): Listing<EventRow> => {
        const start = `${table}.start_time`
        const where = [own(table, organization)]
        if (user_id !== undefined) where.push(sql`s.user_id = ${user_id}`)
        if (status !== undefined) where.push(statusIs(table, status))
        if (min_start_time !== undefined) where.push(sql`${raw(start)} >= ${min_start_time}`)
        if (max_start_time !== undefined) where.push(sql`${raw(start)} < ${max_start_time}`)
        if (invitee_email !== undefined) where.push(invites)
        return { select, where, sortable: { start_time: start }, id, keyOf: ({ start_time }) => start_time }
      }
      const page = await pageOfAll<EventRow>(
        db,
        [
          listing('a', appointmentEvents, 'a.id * 2', sql`a.customer_id in (${known})`),
          listing('x', sessionEvents, 'x.id * 2 + 1', sql`x.id in (${attended})`),
        ],
        paging,
      )
      return { ...page, rows: page.rows.map((found) => decode<EventRow>(found, eventCoding)) }
    },

    async find(organization: number, uuid: string): Promise<EventRow | undefined> {
      return first<EventRow>(
        eventCoding,
        sql`${appointmentEvents} where ${own('a', organization)} and a.uuid = ${uuid}`,
        sql`${sessionEvents} where ${own('x', organization)} and x.uuid = ${uuid}`,
      )
    },

    async invitees(organization: number, event: string, { status, email, ...paging }: InviteeFilter): Promise<PageOf<InviteeRow>> {
      const listing = (table: 'a' | 'i', select: Sql, id: string, ofEvent: Sql[]): Listing<InviteeRow> => {
        const where = [own(table, organization), ...ofEvent]
        if (status !== undefined) where.push(statusIs(table, status))
        if (email !== undefined) where.push(sql`c.email_key = ${keyOf(email)}`)
        return { select, where, sortable: { created_at: `${table}.created_at` }, id, keyOf: ({ created_at }) => created_at }
      }
      const page = await pageOfAll<InviteeRow>(
        db,
        [
          listing('a', appointmentInvitees, 'a.id * 2', [sql`a.uuid = ${event}`]),
          listing('i', sessionInvitees, 'i.id * 2 + 1', [sql`x.uuid = ${event}`, invited]),
        ],
        paging,
      )
      return { ...page, rows: page.rows.map((found) => decode<InviteeRow>(found, inviteeCoding)) }
    },

    async findInvitee(organization: number, event: string, invitee: string): Promise<InviteeRow | undefined> {
      return findInviteeWhere(
        organization,
        sql`a.uuid = ${event} and a.invitee_uuid = ${invitee}`,
        sql`x.uuid = ${event} and i.uuid = ${invitee}`,
      )
    },

    /** The invitee that a no-show is of. */
    async inviteeOfNoShow(organization: number, no_show: string): Promise<InviteeRow | undefined> {
      return findInviteeWhere(organization, sql`m.uuid = ${no_show}`, sql`m.uuid = ${no_show}`)
    },

    async markNoShow(organization: number, no_show: NoShowRow): Promise<void> {
      await db.run(sql`insert into invitee_no_shows ${row({ organization_id: organization, ...no_show })}`)
    },

    async unmarkNoShow(organization: number, invitee: string): Promise<void> {
      await db.run(sql`delete from invitee_no_shows where organization_id = ${organization} and invitee_uuid = ${invitee}`)
    },
  }
}
