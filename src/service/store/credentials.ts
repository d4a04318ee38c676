import type { Credential } from '../../contract/credentials.ts'
import type { Queries } from './engine.ts'
import { type PageOf, type PageRequest, pageOf } from './page.ts'
import { columns, type Sql, sql } from './sql.ts'

/** What is kept of a credential, with the name of its user; the hash stays here. */
export type CredentialRow = Omit<Credential, 'user'> & {
  user_id: number
  user_uuid: string
  user_name: string
  user_email: string
}

interface Filter extends PageRequest {
  kind?: Credential['kind'] | undefined
  user_id?: number | undefined
  revoked?: 'true' | 'false' | 'any' | undefined
}

const select: Sql = sql`select ${columns(['id', 'kind', 'name', 'prefix', 'expires_at', 'last_used_at', 'revoked_at', 'created_at'], 'k')},
    u.id as user_id, u.uuid as user_uuid, u.name as user_name, u.email as user_email
  from credentials k join users u on u.id = k.user_id`

/** Credentials as their holders and admins see them, of one organization at a time. */
export function credentialsStore(db: Queries) {
  return {
    async list(organization: number, { kind, user_id, revoked = 'false', ...paging }: Filter): Promise<PageOf<CredentialRow>> {
      const where = [sql`k.organization_id = ${organization}`]
      if (kind !== undefined) where.push(sql`k.kind = ${kind}`)
      if (user_id !== undefined) where.push(sql`k.user_id = ${user_id}`)
      if (revoked !== 'any') where.push(revoked === 'true' ? sql`k.revoked_at is not null` : sql`k.revoked_at is null`)
      const sortable = { id: 'k.id', created_at: 'k.created_at' }
      return pageOf<CredentialRow>(db, { select, where, sortable, id: 'k.id', keyOf: (one, field) => one[field as 'created_at'] }, paging)
    },

    async find(organization: number, id: number): Promise<CredentialRow | undefined> {
      return db.one(sql`${select} where k.organization_id = ${organization} and k.id = ${id}`)
    },

    async findByHash(hash: string): Promise<CredentialRow | undefined> {
      return db.one(sql`${select} where k.hash = ${hash}`)
    },

    /** Ends a credential for good; the moment at which it was ended first stays. */
    async revoke(organization: number, id: number, now: string): Promise<void> {
      await db.run(
        sql`update credentials set revoked_at = ${now} where organization_id = ${organization} and id = ${id} and revoked_at is null`,
      )
    },

    /** Notes that a credential was used, unless that was noted since. */
    async touch(id: number, now: string, since: string): Promise<void> {
      await db.run(
        sql`update credentials set last_used_at = ${now} where id = ${id} and (last_used_at is null or last_used_at <= ${since})`,
      )
    },
  }
}
