import type { HttpReply } from '../../contract/endpoint.ts'
import { decode } from './codec.ts'
import type { Queries } from './engine.ts'
import { type PageOf, type PageRequest, pageOf } from './page.ts'
import { assignments, row, sql } from './sql.ts'

interface Remembered {
  /** What was asked, so that the same key with another question is noticed. */
  request: string
  reply: HttpReply
}

interface AuditEntry {
  organization_id: number
  user_id: number
  /** Method and path of the endpoint. */
  action: string
  /** The path that was called. */
  target: string
  /** Whether a time was booked by force. */
  forced: boolean
  request_id: string
  remote_address: string | null
  created_at: string
}

export interface AuditRow {
  id: number
  user_id: number
  user_uuid: string
  user_name: string
  user_email: string
  action: string
  target: string
  forced: boolean
  request_id: string
  remote_address: string | null
  created_at: string
}

interface AuditFilter extends PageRequest {
  user_id?: number | undefined
  from?: string | undefined
  to?: string | undefined
}

/** What is remembered of requests: the answers to idempotency keys, and who wrote what. */
export function requestsStore(db: Queries) {
  return {
    /** The answer that a key got, unless that was before `since`. */
    async recall(user: number, key: string, since: string): Promise<Remembered | undefined> {
      const found = await db.one<{ request: string; status: number; headers: string; body: string }>(
        sql`select request, status, headers, body from idempotency_keys where user_id = ${user} and key = ${key} and created_at > ${since}`,
      )
      return found && { request: found.request, reply: { status: found.status, headers: JSON.parse(found.headers), body: found.body } }
    },

    /**
     * Takes a key for this transaction, and forgets those from before `since`. Who sends the same key meanwhile waits
     * here; once this transaction is committed theirs starts over (the key is unique) and recalls the answer.
     */
    async claim(user: number, key: string, request: string, now: string, since: string): Promise<void> {
      await db.run(sql`delete from idempotency_keys where created_at <= ${since}`)
      const unanswered = { status: 0, headers: '{}', body: '' }
      await db.run(sql`insert into idempotency_keys ${row({ user_id: user, key, request, ...unanswered, created_at: now })}`)
    },

    /** Keeps the answer to a claimed key, in the transaction of the change it tells of. */
    async remember(user: number, key: string, { status, headers, body }: HttpReply): Promise<void> {
      const answer = assignments({ status, headers: JSON.stringify(headers), body })
      await db.run(sql`update idempotency_keys set ${answer} where user_id = ${user} and key = ${key}`)
    },

    /** Forgets the replies that tell of a customer; whoever repeats such a request is told that it was done. */
    async forget(organization: number, customer: number): Promise<void> {
      const tells = sql`(body like ${`%"customer":{"id":${customer},%`} or headers like ${`%/api/v3/customers/${customer}"%`})`
      await db.run(
        sql`update idempotency_keys set status = 0, headers = '{}', body = ''
            where ${tells} and user_id in (select id from users where organization_id = ${organization})`,
      )
    },

    async auditLog(organization: number, { user_id, from, to, ...paging }: AuditFilter): Promise<PageOf<AuditRow>> {
      const select = sql`select a.id, u.id as user_id, u.uuid as user_uuid, u.name as user_name, u.email as user_email,
          a.action, a.target, a.forced, a.request_id, a.remote_address, a.created_at
        from audit_log a join users u on u.id = a.user_id`
      const where = [sql`a.organization_id = ${organization}`]
      if (user_id !== undefined) where.push(sql`a.user_id = ${user_id}`)
      if (from !== undefined) where.push(sql`a.created_at >= ${from}`)
      if (to !== undefined) where.push(sql`a.created_at < ${to}`)
      const page = await pageOf<AuditRow>(db, { select, where, sortable: { id: 'a.id' }, id: 'a.id', keyOf: ({ id }) => id }, paging)
      return { ...page, rows: page.rows.map((found) => decode<AuditRow>(found, { booleans: ['forced'] })) }
    },

    async audit(entry: AuditEntry): Promise<void> {
      await db.run(sql`insert into audit_log ${row({ ...entry })}`)
    },
  }
}
