import type { Role } from '../../contract/account.ts'
import { encode, keyOf } from './codec.ts'
import type { Queries } from './engine.ts'
import { type PageOf, type PageRequest, pageOf } from './page.ts'
import { assignments, columns, row, type Sql, sql } from './sql.ts'

/** Whoever a request's credential stands for. */
export interface Principal {
  user_id: number
  user_uuid: string
  name: string
  role: Role
  organization_id: number
  organization_uuid: string
  organization_name: string
  organization_zone: string
}

/** A principal with the id of the credential that stands for it. */
export type Credentialed = Principal & { credential_id: number }

export interface UserRow {
  id: number
  uuid: string
  organization_id: number
  organization_uuid: string
  name: string
  slug: string
  email: string
  time_zone: string
  role: Role
  created_at: string
  updated_at: string
}

export type CredentialKind = 'api_key' | 'access_token'

interface NewCredential {
  organization_id: number
  user_id: number
  kind: CredentialKind
  name: string
  prefix: string
  /** Of the whole credential; the credential itself is kept nowhere. */
  hash: string
  expires_at: string | null
  created_at: string
}

interface NewOrganization {
  uuid: string
  name: string
  slug: string
  time_zone: string
  created_at: string
  updated_at: string
}

type NewUser = Omit<UserRow, 'id' | 'organization_uuid'> & { password_hash: string | null }

interface UserFilter extends PageRequest {
  user_uuid?: string | undefined
  email?: string | undefined
  role?: Role | undefined
}

const principalColumns: Sql = sql`u.id as user_id, u.uuid as user_uuid, u.name, u.role,
    o.id as organization_id, o.uuid as organization_uuid, o.name as organization_name, o.time_zone as organization_zone
  from users u join organizations o on o.id = u.organization_id`

const principal: Sql = sql`select ${principalColumns}`

const user: Sql = sql`select ${columns(['id', 'uuid', 'organization_id', 'name', 'slug', 'email', 'time_zone', 'role', 'created_at', 'updated_at'], 'u')},
    o.uuid as organization_uuid
  from users u join organizations o on o.id = u.organization_id`

/** Organizations, users and credentials. */
export function accountStore(db: Queries) {
  return {
    /** The principal of a live credential, by its hash. */
    async principalOf(kind: CredentialKind, hash: string, now: string): Promise<Credentialed | undefined> {
      return db.one(
        sql`select k.id as credential_id, ${principalColumns} join credentials k on k.user_id = u.id
            where k.hash = ${hash} and k.kind = ${kind} and k.revoked_at is null and (k.expires_at is null or k.expires_at > ${now})`,
      )
    },

    async principalOfUser(uuid: string): Promise<Principal | undefined> {
      return db.one(sql`${principal} where u.uuid = ${uuid}`)
    },

    async findUser(id: number): Promise<UserRow | undefined> {
      return db.one(sql`${user} where u.id = ${id}`)
    },

    async findUserByUuid(organization: number, uuid: string): Promise<UserRow | undefined> {
      return db.one(sql`${user} where u.organization_id = ${organization} and u.uuid = ${uuid}`)
    },

    async listUsers(organization: number, { user_uuid, email, role, ...paging }: UserFilter): Promise<PageOf<UserRow>> {
      const where = [sql`u.organization_id = ${organization}`]
      if (user_uuid !== undefined) where.push(sql`u.uuid = ${user_uuid}`)
      if (email !== undefined) where.push(sql`u.email_key = ${keyOf(email)}`)
      if (role !== undefined) where.push(sql`u.role = ${role}`)
      const sortable = { created_at: 'u.created_at' }
      return pageOf<UserRow>(db, { select: user, where, sortable, id: 'u.id', keyOf: ({ created_at }) => created_at }, paging)
    },

    /** For signing in: the user with this e-mail, and the hash of the password (null where there is none). */
    async findLogin(email: string): Promise<{ id: number; organization_id: number; password_hash: string | null } | undefined> {
      return db.one(sql`select id, organization_id, password_hash from users where email_key = ${keyOf(email)}`)
    },

    /** Whether the database holds a business. */
    async hasOrganization(): Promise<boolean> {
      return (await db.one(sql`select id from organizations limit 1`)) !== undefined
    },

    async insertOrganization(organization: NewOrganization): Promise<number> {
      return ((await db.one<{ id: number }>(sql`insert into organizations ${row({ ...organization })} returning id`)) as { id: number }).id
    },

    async insertUser(given: NewUser): Promise<number> {
      const values = { ...encode(given, {}), email_key: keyOf(given.email) }
      return ((await db.one<{ id: number }>(sql`insert into users ${row(values)} returning id`)) as { id: number }).id
    },

    /** Takes the organization's row until the transaction ends: whoever changes its roles waits here. */
    async lockOrganization(id: number): Promise<void> {
      await db.run(sql`update organizations set updated_at = updated_at where id = ${id}`)
    },

    async countOwners(organization: number): Promise<number> {
      const where = sql`organization_id = ${organization} and role = ${'owner'}`
      return Number((await db.one<{ count: number }>(sql`select count(*) as count from users where ${where}`))?.count)
    },

    async updateUser(organization: number, { id, ...changes }: Pick<UserRow, 'id' | 'name' | 'role' | 'updated_at'>): Promise<void> {
      await db.run(sql`update users set ${assignments(changes)} where organization_id = ${organization} and id = ${id}`)
    },

    async insertCredential(credential: NewCredential): Promise<void> {
      await db.run(sql`insert into credentials ${row({ ...credential })}`)
    },
  }
}
