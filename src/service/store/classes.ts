import type { Tracking } from '../../contract/appointments.ts'
import type { Attendee, Class, Session } from '../../contract/classes.ts'
import { decode, encode } from './codec.ts'
import type { Queries } from './engine.ts'
import { type PageOf, type PageRequest, pageOf } from './page.ts'
import { among, assignments, columns, limitedTo, row, type Sql, sql } from './sql.ts'

const classFields = [
  'id',
  'name',
  'duration',
  'capacity',
  'staff_member_id',
  'service_id',
  'price',
  'currency',
  'location',
  'time_zone',
  'recurrence',
  'custom_questions',
  'waitlist',
  'active',
  'created_at',
  'updated_at',
] as const
const classShown = columns(classFields)
const classCoding = { json: ['recurrence', 'custom_questions'], booleans: ['waitlist', 'active'] }

/** Classes of one organization at a time. A removed one stays for the sessions that refer to it. */
export function classesStore(db: Queries) {
  const read = (found: object | undefined): Class | undefined => (found ? decode<Class>(found, classCoding) : undefined)
  const present = (organization: number): Sql => sql`organization_id = ${organization} and deleted_at is null`

  return {
    async list(
      organization: number,
      { active, service_id, ...paging }: PageRequest & { active?: boolean | undefined; service_id?: number | undefined },
    ): Promise<PageOf<Class>> {
      const where = [present(organization)]
      if (active !== undefined) where.push(sql`active = ${active}`)
      if (service_id !== undefined) where.push(sql`service_id = ${service_id}`)
      const page = await pageOf<Class>(
        db,
        {
          select: sql`select ${classShown} from classes`,
          where,
          sortable: { id: 'id', name: 'name', created_at: 'created_at' },
          id: 'id',
          keyOf: (one, field) => one[field as 'name'],
        },
        paging,
      )
      return { ...page, rows: page.rows.map((one) => decode<Class>(one, classCoding)) }
    },

    async find(organization: number, id: number): Promise<Class | undefined> {
      return read(await db.one(sql`select ${classShown} from classes where ${present(organization)} and id = ${id}`))
    },

    /** Takes the row, until the transaction ends: whoever makes sessions of this class waits here. False when there is none. */
    async lock(organization: number, id: number): Promise<boolean> {
      return (await db.run(sql`update classes set version = version + 1 where ${present(organization)} and id = ${id}`)) === 1
    },

    async insert(organization: number, uuid: string, one: Omit<Class, 'id'>): Promise<Class> {
      const values = { organization_id: organization, uuid, ...encode(one, classCoding) }
      return read(await db.one(sql`insert into classes ${row(values)} returning ${classShown}`)) as Class
    },

    async update(organization: number, { id, ...one }: Class): Promise<Class> {
      const where = sql`organization_id = ${organization} and id = ${id}`
      const changed = await db.one<object>(
        sql`update classes set ${assignments(encode(one, classCoding))} where ${where} returning ${classShown}`,
      )
      return read(changed) as Class
    },

    async remove(organization: number, id: number, now: string): Promise<void> {
      await db.run(sql`update classes set deleted_at = ${now} where organization_id = ${organization} and id = ${id}`)
    },
  }
}

const sessionFields = [
  'id',
  'uuid',
  'class_id',
  'status',
  'start_time',
  'end_time',
  'duration',
  'staff_member_id',
  'capacity',
  'location',
  'cancellation',
  'created_at',
  'updated_at',
] as const
const sessionCoding = { json: ['cancellation'] }

/** How many attendees of a session are in each state. */
export type AttendeeCounts = Partial<Record<Attendee['status'], number>>

/** A session as kept: all of the record but its address, and the attendees counted instead of the seats. */
export type SessionRow = Omit<Session, 'uri' | 'seats'> & { uuid: string; counts: AttendeeCounts }
export type NewSession = Omit<SessionRow, 'id' | 'class' | 'staff_member' | 'counts'>

interface SessionFilter extends PageRequest {
  class_id?: number | undefined
  staff_member_id?: number | undefined
  start_time_from?: string | undefined
  start_time_to?: string | undefined
  status?: string | undefined
}

const selectSession: Sql = sql`select ${columns(sessionFields, 'e')}, k.name as class_name,
    s.name as staff_name, s.email as staff_email, s.time_zone as staff_zone
  from sessions e
  join classes k on k.id = e.class_id
  left join staff_members s on s.id = e.staff_member_id`

interface JoinedSession extends Omit<SessionRow, 'class' | 'staff_member' | 'counts'> {
  class_name: string
  staff_name: string
  staff_email: string
  staff_zone: string
}

function assembleSession(found: JoinedSession, counts: AttendeeCounts): SessionRow {
  const { class_name, staff_name, staff_email, staff_zone, ...own } = found
  const { class_id, staff_member_id } = own
  return {
    ...decode<NewSession & { id: number }>(own, sessionCoding),
    class: { id: class_id, name: class_name },
    staff_member: staff_member_id === null ? null : { id: staff_member_id, name: staff_name, email: staff_email, time_zone: staff_zone },
    counts,
  }
}

/** Sessions of one organization at a time. */
export function sessionsStore(db: Queries) {
  /** The attendees of some sessions, counted by state: one statement, however many sessions. */
  const counted = async (ids: number[]): Promise<Map<number, AttendeeCounts>> => {
    const all = new Map<number, AttendeeCounts>(ids.map((id) => [id, {}]))
    if (ids.length === 0) return all
    const found = await db.all<{ session_id: number; status: Attendee['status']; count: number }>(
      sql`select session_id, status, count(*) as count from session_attendees where session_id in ${among(ids)} group by session_id, status`,
    )
    for (const { session_id, status, count } of found) (all.get(session_id) as AttendeeCounts)[status] = Number(count)
    return all
  }

  const assembled = async (found: JoinedSession[]): Promise<SessionRow[]> => {
    const counts = await counted(found.map(({ id }) => id))
    return found.map((one) => assembleSession(one, counts.get(one.id) as AttendeeCounts))
  }

  const findWhere = async (organization: number, where: Sql): Promise<SessionRow | undefined> =>
    (await assembled(await db.all<JoinedSession>(sql`${selectSession} where e.organization_id = ${organization} and ${where}`)))[0]

  return {
    find: (organization: number, id: number) => findWhere(organization, sql`e.id = ${id}`),

    /** By the last segment of its URI. */
    findByUuid: (organization: number, uuid: string) => findWhere(organization, sql`e.uuid = ${uuid}`),

    async list(
      organization: number,
      { class_id, staff_member_id, start_time_from, start_time_to, status, ...paging }: SessionFilter,
    ): Promise<PageOf<SessionRow>> {
      const where = [sql`e.organization_id = ${organization}`]
      if (class_id !== undefined) where.push(sql`e.class_id = ${class_id}`)
      if (staff_member_id !== undefined) where.push(sql`e.staff_member_id = ${staff_member_id}`)
      if (start_time_from !== undefined) where.push(sql`e.start_time >= ${start_time_from}`)
      if (start_time_to !== undefined) where.push(sql`e.start_time < ${start_time_to}`)
      if (status !== undefined) where.push(sql`e.status = ${status}`)
      const page = await pageOf<JoinedSession>(
        db,
        {
          select: selectSession,
          where,
          sortable: { start_time: 'e.start_time', id: 'e.id', created_at: 'e.created_at' },
          id: 'e.id',
          keyOf: (session, field) => session[field as 'start_time'],
        },
        paging,
      )
      return { ...page, rows: await assembled(page.rows) }
    },

    /** Of a class, the starts that have a session between two instants, canceled ones too. */
    async starts(class_id: number, from: string, to: string): Promise<string[]> {
      const where = sql`class_id = ${class_id} and start_time >= ${from} and start_time <= ${to}`
      return (await db.all<{ start_time: string }>(sql`select start_time from sessions where ${where}`)).map(({ start_time }) => start_time)
    },

    /** The session of a class at a moment, unless it is canceled. */
    async heldAt(class_id: number, start_time: string): Promise<{ id: number } | undefined> {
      return db.one(sql`select id from sessions where class_id = ${class_id} and start_time = ${start_time} and status <> 'canceled'`)
    },

    /** Those that are held and have not begun, of a class or with a staff member, soonest first. */
    async upcoming(
      organization: number,
      whose: { class_id: number } | { staff_member_id: number },
      now: string,
    ): Promise<{ id: number; start_time: string }[]> {
      const which = 'class_id' in whose ? sql`class_id = ${whose.class_id}` : sql`staff_member_id = ${whose.staff_member_id}`
      const where = sql`organization_id = ${organization} and ${which} and status = 'scheduled' and start_time >= ${now}`
      return db.all(sql`select id, start_time from sessions where ${where} order by start_time, id`)
    },

    /**
     * Takes the row, until the transaction ends: whoever wants a seat, gives one back or changes their number waits here.
     * @returns false when there is no such session
     */
    async lock(organization: number, id: number): Promise<boolean> {
      const where = sql`organization_id = ${organization} and id = ${id}`
      return (await db.run(sql`update sessions set version = version + 1 where ${where}`)) === 1
    },

    /** Writes a session, and keeps its staff member busy. The staff member's row must be locked. */
    async insert(organization: number, session: NewSession): Promise<number> {
      const values = { organization_id: organization, ...encode(session, sessionCoding) }
      const { id } = (await db.one<{ id: number }>(sql`insert into sessions ${row(values)} returning id`)) as { id: number }
      await occupy({ id, ...session })
      return id
    },

    /** Changes a session whose row is locked; its staff member is busy as long as it is held. */
    async update(organization: number, { id }: { id: number }, changes: Partial<Omit<NewSession, 'uuid' | 'class_id'>>): Promise<void> {
      const where = sql`organization_id = ${organization} and id = ${id}`
      await db.run(sql`update sessions set ${assignments(encode(changes, sessionCoding))} where ${where}`)
      if (changes.staff_member_id === undefined && changes.status === undefined) return
      await db.run(sql`delete from busy_times where session_id = ${id}`)
      const now = await db.one<Parameters<typeof occupy>[0]>(
        sql`select id, status, staff_member_id, start_time, end_time from sessions where ${where}`,
      )
      if (now) await occupy(now)
    },
  }

  async function occupy({
    id,
    status,
    staff_member_id,
    start_time,
    end_time,
  }: { id: number } & Pick<NewSession, 'status' | 'staff_member_id' | 'start_time' | 'end_time'>): Promise<void> {
    if (staff_member_id === null || status === 'canceled') return
    const busy = { staff_member_id, busy_from: start_time, busy_to: end_time, forced: false, session_id: id }
    await db.run(sql`insert into busy_times ${row(busy)}`)
  }
}

const attendeeFields = [
  'id',
  'uuid',
  'session_id',
  'status',
  'time_zone',
  'questions_and_answers',
  'tracking',
  'cancellation',
  'submission_uuid',
  'created_at',
  'updated_at',
] as const
const attendeeCoding = { json: ['questions_and_answers', 'tracking', 'cancellation'] }

/** An attendee as kept: all of the record but its address, and the session's UUID to make it of. */
export type AttendeeRow = Omit<Attendee, 'uri'> & { uuid: string; session_uuid: string; submission_uuid: string | null }
export type NewAttendee = Omit<AttendeeRow, 'id' | 'customer' | 'session_uuid'> & { customer_id: number }

const selectAttendee: Sql = sql`select ${columns(attendeeFields, 'a')}, e.uuid as session_uuid,
    c.id as customer_id, c.name as customer_name, c.email as customer_email, c.phone as customer_phone
  from session_attendees a
  join sessions e on e.id = a.session_id
  join customers c on c.id = a.customer_id`

interface JoinedAttendee {
  id: number
  created_at: string
  customer_id: number
  customer_name: string
  customer_email: string | null
  customer_phone: string | null
}

function assembleAttendee(found: JoinedAttendee): AttendeeRow {
  const { customer_id, customer_name, customer_email, customer_phone, ...own } = found
  return {
    ...decode<AttendeeRow>(own, attendeeCoding),
    customer: { id: customer_id, name: customer_name, email: customer_email, phone: customer_phone },
  }
}

/** Attendees of one organization's sessions. What changes them has locked their session. */
export function attendeesStore(db: Queries) {
  const findAll = async (where: Sql): Promise<AttendeeRow[]> =>
    (await db.all<JoinedAttendee>(sql`${selectAttendee} where ${where} order by a.id`)).map(assembleAttendee)

  return {
    async list(
      organization: number,
      session: number,
      { status, ...paging }: PageRequest & { status?: string | undefined },
    ): Promise<PageOf<AttendeeRow>> {
      const where = [sql`a.organization_id = ${organization}`, sql`a.session_id = ${session}`]
      if (status !== undefined) where.push(sql`a.status = ${status}`)
      const page = await pageOf<JoinedAttendee>(
        db,
        {
          select: selectAttendee,
          where,
          sortable: { id: 'a.id', created_at: 'a.created_at' },
          id: 'a.id',
          keyOf: (attendee, field) => attendee[field as 'created_at'],
        },
        paging,
      )
      return { ...page, rows: page.rows.map(assembleAttendee) }
    },

    async find(organization: number, session: number, id: number): Promise<AttendeeRow | undefined> {
      return (await findAll(sql`a.organization_id = ${organization} and a.session_id = ${session} and a.id = ${id}`))[0]
    },

    /** By the last segment of an invitee's URI. */
    async findByUuid(organization: number, uuid: string): Promise<AttendeeRow | undefined> {
      return (await findAll(sql`a.organization_id = ${organization} and a.uuid = ${uuid}`))[0]
    },

    /** All who have a seat or wait for one, in the order in which they came. */
    live: (session: number): Promise<AttendeeRow[]> => findAll(sql`a.session_id = ${session} and a.status in ('active', 'waiting')`),

    /** Whether a customer has a seat of a session, or waits for one. */
    async isEnrolled(session: number, customer: number): Promise<boolean> {
      const where = sql`session_id = ${session} and customer_id = ${customer} and status <> 'canceled'`
      return (await db.one(sql`select id from session_attendees where ${where}`)) !== undefined
    },

    /** Where a customer has a seat or waits, of sessions that have not begun, soonest first. */
    async upcoming(organization: number, customer: number, now: string): Promise<AttendeeRow[]> {
      const where = sql`a.organization_id = ${organization} and a.customer_id = ${customer} and a.status in ('active', 'waiting')`
      const found = await db.all<JoinedAttendee>(
        sql`${selectAttendee} where ${where} and e.start_time >= ${now} order by e.start_time, a.id`,
      )
      return found.map(assembleAttendee)
    },

    async insert(organization: number, attendee: NewAttendee): Promise<AttendeeRow> {
      const values = { organization_id: organization, ...encode(attendee, attendeeCoding) }
      const { id } = (await db.one<{ id: number }>(sql`insert into session_attendees ${row(values)} returning id`)) as { id: number }
      return (await findAll(sql`a.id = ${id}`))[0] as AttendeeRow
    },

    async update(
      { id }: { id: number },
      changes: Partial<Pick<NewAttendee, 'status' | 'cancellation' | 'updated_at'>>,
    ): Promise<AttendeeRow> {
      await db.run(sql`update session_attendees set ${assignments(encode(changes, attendeeCoding))} where id = ${id}`)
      return (await findAll(sql`a.id = ${id}`))[0] as AttendeeRow
    },

    /**
     * Takes away what an attendee wrote.
     * @returns the UUIDs of the invitees
     */
    async forget(organization: number, customer: number, blank: { tracking: Tracking }): Promise<string[]> {
      const theirs = await db.all<{ id: number; uuid: string; cancellation: string | null }>(
        sql`select id, uuid, cancellation from session_attendees where organization_id = ${organization} and customer_id = ${customer}`,
      )
      for (const { id, cancellation } of theirs) {
        const reasonless = cancellation && { ...JSON.parse(cancellation), reason: null }
        const changes = { ...blank, questions_and_answers: [], cancellation: reasonless }
        await db.run(sql`update session_attendees set ${assignments(encode(changes, attendeeCoding))} where id = ${id}`)
      }
      return theirs.map(({ uuid }) => uuid)
    },

    /** Gives the first of those who wait a seat. @returns who they are, the first first */
    async promote(session: number, most: number, now: string): Promise<AttendeeRow[]> {
      if (most === 0) return []
      const head = await db.all<{ id: number }>(
        sql`select id from session_attendees where session_id = ${session} and status = 'waiting' order by id ${limitedTo(most)}`,
      )
      const ids = head.map(({ id }) => id)
      await db.run(
        sql`update session_attendees set status = 'active', updated_at = ${now} where id in ${among(ids)} and status = 'waiting'`,
      )
      return findAll(sql`a.id in ${among(ids)}`)
    },
  }
}
