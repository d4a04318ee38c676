import type { AppointmentType, Service } from '../../contract/services.ts'
import { decode, encode } from './codec.ts'
import type { Queries } from './engine.ts'
import { type PageOf, type PageRequest, pageOf } from './page.ts'
import { assignments, columns, row, sql } from './sql.ts'

const fields = ['id', 'name', 'category', 'description', 'active', 'created_at', 'updated_at'] as const
const shown = columns(fields)
const coding = { booleans: ['active'] }

/** Services of one organization at a time. A removed one stays for the records that refer to it. */
export function servicesStore(db: Queries) {
  const read = (found: object | undefined): Service | undefined => (found ? decode<Service>(found, coding) : undefined)

  return {
    async list(organization: number, { active, ...paging }: PageRequest & { active?: boolean | undefined }): Promise<PageOf<Service>> {
      const where = [sql`organization_id = ${organization}`, sql`deleted_at is null`]
      if (active !== undefined) where.push(sql`active = ${active}`)
      const page = await pageOf<Service>(
        db,
        {
          select: sql`select ${shown} from services`,
          where,
          sortable: { id: 'id', name: 'name', created_at: 'created_at' },
          id: 'id',
          keyOf: (service, field) => service[field as 'name'],
        },
        paging,
      )
      return { ...page, rows: page.rows.map((service) => decode<Service>(service, coding)) }
    },

    async find(organization: number, id: number): Promise<Service | undefined> {
      return read(
        await db.one(sql`select ${shown} from services where organization_id = ${organization} and id = ${id} and deleted_at is null`),
      )
    },

    async insert(organization: number, service: Omit<Service, 'id'>): Promise<Service> {
      return read(
        await db.one(sql`insert into services ${row({ organization_id: organization, ...encode(service, coding) })} returning ${shown}`),
      ) as Service
    },

    async update(organization: number, { id, ...service }: Service): Promise<Service> {
      const where = sql`organization_id = ${organization} and id = ${id}`
      return read(
        await db.one(sql`update services set ${assignments(encode(service, coding))} where ${where} returning ${shown}`),
      ) as Service
    },

    async remove(organization: number, id: number, now: string): Promise<void> {
      await db.run(sql`update services set deleted_at = ${now} where organization_id = ${organization} and id = ${id}`)
    },
  }
}

const typeFields = [
  'id',
  'uuid',
  'name',
  'service_id',
  'duration',
  'slot_interval',
  'buffer_before',
  'buffer_after',
  'minimum_notice',
  'booking_window',
  'daily_limit',
  'location',
  'price',
  'currency',
  'custom_questions',
  'slug',
  'color',
  'active',
  'created_at',
  'updated_at',
] as const
const typeShown = columns(typeFields)
const typeCoding = { json: ['custom_questions'], booleans: ['active'] }

/** An appointment type as kept: by UUID, where its record has a URI. */
export type AppointmentTypeRow = Omit<AppointmentType, 'uri'> & { uuid: string }

type TypeRow = Omit<AppointmentTypeRow, 'staff_member_ids'>

/** Appointment types of one organization at a time, each with the staff members who offer it, in their order. */
export function appointmentTypesStore(db: Queries) {
  async function withStaff(found: object[]): Promise<AppointmentTypeRow[]> {
    const types = found.map((type) => decode<TypeRow>(type, typeCoding))
    if (types.length === 0) return []
    const pairs = await db.all<{ appointment_type_id: number; staff_member_id: number }>(
      sql`select appointment_type_id, staff_member_id from appointment_type_staff
          where appointment_type_id between ${Math.min(...types.map(({ id }) => id))} and ${Math.max(...types.map(({ id }) => id))}
          order by appointment_type_id, position`,
    )
    return types.map(({ id, name, service_id, duration, ...rest }) => ({
      id,
      name,
      service_id,
      duration,
      staff_member_ids: pairs.filter((pair) => pair.appointment_type_id === id).map((pair) => pair.staff_member_id),
      ...rest,
    }))
  }

  async function assign(id: number, staff: number[]): Promise<void> {
    await db.run(sql`delete from appointment_type_staff where appointment_type_id = ${id}`)
    for (const [position, staff_member_id] of staff.entries()) {
      await db.run(sql`insert into appointment_type_staff ${row({ appointment_type_id: id, staff_member_id, position })}`)
    }
  }

  /** `removed` ones too, for what was booked before they were. */
  const find = async (organization: number, id: number, { removed = false } = {}): Promise<AppointmentTypeRow | undefined> => {
    const where = removed
      ? sql`organization_id = ${organization} and id = ${id}`
      : sql`organization_id = ${organization} and id = ${id} and deleted_at is null`
    return (await withStaff(await db.all(sql`select ${typeShown} from appointment_types where ${where}`)))[0]
  }

  return {
    find,

    async list(
      organization: number,
      { active, service_id, ...paging }: PageRequest & { active?: boolean | undefined; service_id?: number | undefined },
    ): Promise<PageOf<AppointmentTypeRow>> {
      const where = [sql`organization_id = ${organization}`, sql`deleted_at is null`]
      if (active !== undefined) where.push(sql`active = ${active}`)
      if (service_id !== undefined) where.push(sql`service_id = ${service_id}`)
      const page = await pageOf<TypeRow>(
        db,
        {
          select: sql`select ${typeShown} from appointment_types`,
          where,
          sortable: { id: 'id', name: 'name', created_at: 'created_at' },
          id: 'id',
          keyOf: (type, field) => type[field as 'name'],
        },
        paging,
      )
      return { ...page, rows: await withStaff(page.rows) }
    },

    async hasUuid(organization: number, uuid: string): Promise<boolean> {
      const where = sql`organization_id = ${organization} and uuid = ${uuid} and deleted_at is null`
      return (await db.one(sql`select id from appointment_types where ${where}`)) !== undefined
    },

    async isSlugTaken(organization: number, slug: string, except = 0): Promise<boolean> {
      const where = sql`organization_id = ${organization} and slug = ${slug} and deleted_at is null and id <> ${except}`
      return (await db.one(sql`select id from appointment_types where ${where}`)) !== undefined
    },

    async insert(organization: number, { staff_member_ids, ...type }: Omit<AppointmentTypeRow, 'id'>): Promise<AppointmentTypeRow> {
      const values = { organization_id: organization, ...encode(type, typeCoding) }
      const { id } = (await db.one<{ id: number }>(sql`insert into appointment_types ${row(values)} returning id`)) as { id: number }
      await assign(id, staff_member_ids)
      return (await find(organization, id)) as AppointmentTypeRow
    },

    async update(organization: number, { id, uuid: _, staff_member_ids, ...type }: AppointmentTypeRow): Promise<AppointmentTypeRow> {
      const where = sql`organization_id = ${organization} and id = ${id}`
      await db.run(sql`update appointment_types set ${assignments(encode(type, typeCoding))} where ${where}`)
      await assign(id, staff_member_ids)
      return (await find(organization, id)) as AppointmentTypeRow
    },

    async remove(organization: number, id: number, now: string): Promise<void> {
      await db.run(sql`update appointment_types set deleted_at = ${now} where organization_id = ${organization} and id = ${id}`)
    },
  }
}
