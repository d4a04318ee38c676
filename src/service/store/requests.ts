import type { HttpReply } from '../../contract/endpoint.ts'
import type { Queries } from './engine.ts'
import { row, sql } from './sql.ts'

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
  request_id: string
  remote_address: string | null
  created_at: string
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

    /** Keeps an answer, in the transaction of the change it tells of, and forgets those from before `since`. */
    async remember(user: number, key: string, { request, reply }: Remembered, now: string, since: string): Promise<void> {
      await db.run(sql`delete from idempotency_keys where created_at <= ${since}`)
      const { status, headers, body } = reply
      await db.run(
        sql`insert into idempotency_keys ${row({ user_id: user, key, request, status, headers: JSON.stringify(headers), body, created_at: now })}`,
      )
    },

    async audit(entry: AuditEntry): Promise<void> {
      await db.run(sql`insert into audit_log ${row({ ...entry })}`)
    },
  }
}
