import type { StaffMember } from '../../contract/staff.ts'
import { decode, encode, keyOf } from './codec.ts'
import type { Queries } from './engine.ts'
import { type PageOf, type PageRequest, pageOf } from './page.ts'
import { among, assignments, columns, row, type Sql, sql } from './sql.ts'

const fields = [
  'id',
  'name',
  'email',
  'time_zone',
  'working_hours',
  'extra_hours',
  'time_off',
  'active',
  'created_at',
  'updated_at',
] as const
const coding = { json: ['working_hours', 'extra_hours', 'time_off'], booleans: ['active'] }

/** A staff member as kept: the user by id, and by UUID where one is linked. */
export type StaffRow = Omit<StaffMember, 'user'> & { user_id: number | null; user_uuid: string | null }

const select: Sql = sql`select ${columns(fields, 's')}, s.user_id, u.uuid as user_uuid from staff_members s left join users u on u.id = s.user_id`

/** Staff members of one organization at a time. A removed one stays for the appointments that refer to it. */
export function staffStore(db: Queries) {
  const find = async (organization: number, id: number): Promise<StaffRow | undefined> => {
    const found = await db.one<object>(sql`${select} where s.organization_id = ${organization} and s.id = ${id} and s.deleted_at is null`)
    return found && decode<StaffRow>(found, coding)
  }

  return {
    find,

    async list(
      organization: number,
      { active, email, ...paging }: PageRequest & { active?: boolean | undefined; email?: string | undefined },
    ): Promise<PageOf<StaffRow>> {
      const where = [sql`s.organization_id = ${organization}`, sql`s.deleted_at is null`]
      if (active !== undefined) where.push(sql`s.active = ${active}`)
      if (email !== undefined) where.push(sql`s.email_key = ${keyOf(email)}`)
      const page = await pageOf<StaffRow>(
        db,
        {
          select,
          where,
          sortable: { id: 's.id', name: 's.name', created_at: 's.created_at' },
          id: 's.id',
          keyOf: (member, field) => member[field as 'name'],
        },
        paging,
      )
      return { ...page, rows: page.rows.map((member) => decode<StaffRow>(member, coding)) }
    },

    /** Those of a list who can be booked, in the list's order. */
    async bookable(organization: number, ids: number[]): Promise<StaffRow[]> {
      const found = await db.all<object>(
        sql`${select} where s.organization_id = ${organization} and s.id in ${among(ids)} and s.deleted_at is null and s.active = 1`,
      )
      const members = found.map((member) => decode<StaffRow>(member, coding))
      return ids.flatMap((id) => members.find((member) => member.id === id) ?? [])
    },

    async isEmailTaken(organization: number, email: string, except = 0): Promise<boolean> {
      const where = sql`organization_id = ${organization} and email_key = ${keyOf(email)} and deleted_at is null and id <> ${except}`
      return (await db.one(sql`select id from staff_members where ${where}`)) !== undefined
    },

    /**
     * Takes the row, until the transaction ends: whoever books this person waits here. An update rather than
     * `for update`, because both engines know it.
     * @returns false when there is no such person any more
     */
    async lock(organization: number, id: number): Promise<boolean> {
      const where = sql`organization_id = ${organization} and id = ${id} and deleted_at is null and active = 1`
      return (await db.run(sql`update staff_members set version = version + 1 where ${where}`)) === 1
    },

    async insert(organization: number, { user_uuid: _, ...member }: Omit<StaffRow, 'id'>): Promise<StaffRow> {
      const values = { organization_id: organization, email_key: keyOf(member.email), ...encode(member, coding) }
      const { id } = (await db.one<{ id: number }>(sql`insert into staff_members ${row(values)} returning id`)) as { id: number }
      return (await find(organization, id)) as StaffRow
    },

    async update(organization: number, { id, user_uuid: _, ...member }: StaffRow): Promise<StaffRow> {
      const values = { ...encode(member, coding), email_key: keyOf(member.email) }
      await db.run(sql`update staff_members set ${assignments(values)} where organization_id = ${organization} and id = ${id}`)
      return (await find(organization, id)) as StaffRow
    },

    async remove(organization: number, id: number, now: string): Promise<void> {
      const where = sql`organization_id = ${organization} and id = ${id}`
      const removed = await db.run(sql`update staff_members set deleted_at = ${now}, active = 0 where ${where}`)
      // No appointment type and no class may go on naming somebody who is not there.
      if (removed === 0) return
      await db.run(sql`delete from appointment_type_staff where staff_member_id = ${id}`)
      await db.run(sql`update classes set staff_member_id = null where staff_member_id = ${id}`)
    },
  }
}
