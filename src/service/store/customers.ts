import type { Customer } from '../../contract/customers.ts'
import { decode, encode, keyOf } from './codec.ts'
import type { Queries } from './engine.ts'
import { type PageOf, type PageRequest, pageOf } from './page.ts'
import { assignments, columns, row, type Sql, sql } from './sql.ts'

const fields = ['id', 'name', 'email', 'phone', 'notes', 'time_zone', 'custom_fields', 'deleted_at', 'created_at', 'updated_at'] as const
const shown = columns(fields)
const coding = { json: ['custom_fields'] }

export type NewCustomer = Omit<Customer, 'id'>

interface Filter extends PageRequest {
  search?: string | undefined
  email?: string | undefined
  deleted?: 'true' | 'false' | 'any' | undefined
}

/** Customers of one organization at a time. An erased one is found by nobody, and its appointments keep their row. */
export function customersStore(db: Queries) {
  const read = (found: object | undefined): Customer | undefined => (found ? decode<Customer>(found, coding) : undefined)
  const present = (organization: number): Sql => sql`organization_id = ${organization} and erased_at is null`

  return {
    async list(organization: number, { search, email, deleted = 'false', ...paging }: Filter): Promise<PageOf<Customer>> {
      const where = [present(organization)]
      if (deleted !== 'any') where.push(deleted === 'true' ? sql`deleted_at is not null` : sql`deleted_at is null`)
      if (email !== undefined) where.push(sql`email_key = ${keyOf(email)}`)
      if (search) where.push(sql`search_key like ${`%${keyOf(search).replace(/[\\%_]/g, '\\$&')}%`} escape '\\'`)
      const page = await pageOf<Customer & { name_key: string }>(
        db,
        {
          select: sql`select ${shown}, name_key from customers`,
          where,
          sortable: { id: 'id', name: 'name_key', created_at: 'created_at', updated_at: 'updated_at' },
          id: 'id',
          keyOf: (customer, field) => (field === 'name' ? customer.name_key : (customer[field as 'created_at'] as string)),
        },
        paging,
      )
      return { ...page, rows: page.rows.map(({ name_key: _, ...customer }) => decode<Customer>(customer, coding)) }
    },

    async find(organization: number, id: number): Promise<Customer | undefined> {
      return read(await db.one(sql`select ${shown} from customers where ${present(organization)} and id = ${id}`))
    },

    /** Takes the row, until the transaction ends, and reads it. */
    async lock(organization: number, id: number): Promise<Customer | undefined> {
      return read(await db.one(sql`update customers set name = name where ${present(organization)} and id = ${id} returning ${shown}`))
    },

    /** The live customer with this address, whatever its case. */
    async findByEmail(organization: number, email: string): Promise<Customer | undefined> {
      return read(
        await db.one(
          sql`select ${shown} from customers where organization_id = ${organization} and email_key = ${keyOf(email)}
              and deleted_at is null and erased_at is null`,
        ),
      )
    },

    async insert(organization: number, customer: NewCustomer): Promise<Customer> {
      const values = { organization_id: organization, ...encode({ ...customer, ...keys(customer) }, coding) }
      return read(await db.one(sql`insert into customers ${row(values)} returning ${shown}`)) as Customer
    },

    /** Writes the whole record back. */
    async update(organization: number, { id, ...customer }: Customer): Promise<Customer> {
      const values = encode({ ...customer, ...keys(customer) }, coding)
      const where = sql`organization_id = ${organization} and id = ${id}`
      return read(await db.one(sql`update customers set ${assignments(values)} where ${where} returning ${shown}`)) as Customer
    },

    /** Takes the personal data away for good; what is left is what the appointments refer to. */
    async erase(organization: number, id: number, now: string): Promise<void> {
      const nobody = { name: 'Deleted customer', email: null, phone: null, notes: null, time_zone: null, custom_fields: {} }
      const values = encode({ ...nobody, ...keys(nobody), erased_at: now, updated_at: now }, coding)
      await db.run(sql`update customers set ${assignments(values)} where organization_id = ${organization} and id = ${id}`)
    },
  }
}

function keys({ name, email, phone }: { name: string; email: string | null; phone: string | null }) {
  return {
    name_key: keyOf(name),
    email_key: email === null ? null : keyOf(email),
    // A line break cannot be part of a search, so a match never spans two fields.
    search_key: keyOf([name, email ?? '', phone ?? ''].join('\n')),
  }
}
