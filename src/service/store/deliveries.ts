import type { Attempt, DeliveredKind, DeliveryState } from '../../contract/deliveries.ts'
import type { Queries } from './engine.ts'
import { type PageOf, type PageRequest, pageOf } from './page.ts'
import { among, columns, every, join, row, type Sql, sql } from './sql.ts'
import type { Target } from './webhooks.ts'

/** Something that happened, to be told. */
export interface NewEvent {
  uuid: string
  kind: DeliveredKind
  payload: object
  /** Whose personal data the payload holds. */
  customer_id: number | null
  created_at: string
}

/** A subscription that wants to know. */
export interface Subscriber {
  id: number
  target: Target
  /** The UUID of the user who made it. */
  creator_uuid: string
}

export interface DeliveryRow {
  id: number
  event_uuid: string
  kind: DeliveredKind
  state: DeliveryState
  attempt_count: number
  due_at: string | null
  claim: string | null
  last_status: number | null
  last_error: string | null
  created_at: string
  settled_at: string | null
}

export interface DeliveryDetailsRow extends DeliveryRow {
  /** As it is sent. */
  body: string
  attempts: Attempt[]
}

interface DeliveryFilter extends PageRequest {
  state?: DeliveryState | undefined
  event?: DeliveredKind | undefined
  from?: string | undefined
  to?: string | undefined
}

export interface Range {
  failed: boolean
  from?: string | undefined
  to?: string | undefined
}

/** A delivery that its claimer alone may send, until the lease ends. */
export interface Claimed {
  id: number
  subscription_id: number
  event_uuid: string
  kind: DeliveredKind
  created_at: string
  /** As it is sent. */
  body: string
  /** Which attempt of all this one is. */
  attempt_count: number
  /** Which of the schedule that runs. */
  tries: number
  url: string
  /** Whether nothing has arrived since something failed. */
  failing: boolean
  /** Whether it was made where private addresses are welcome. */
  is_private: boolean
  signing_key: string
  old_signing_key: string | null
  old_signing_key_until: string | null
}

export interface Lease {
  now: string
  /** When others may take over. */
  until: string
  /** Who claims. */
  claim: string
}

/** A subscription, and how many of its deliveries are to be claimed. */
export interface Wanted {
  id: number
  limit: number
}

interface Backlog {
  pending: number
  oldest: string | null
  due: string | null
}

/** How an attempt ended. */
export interface Settlement {
  id: number
  subscription_id: number
  attempt: Attempt
  state: DeliveryState
  /** When it is sent next, of one that is still pending. */
  due_at: string | null
}

const fields = ['id', 'state', 'attempt_count', 'due_at', 'claim', 'last_status', 'last_error', 'created_at', 'settled_at'] as const

const select: Sql = sql`select ${columns(fields, 'd')}, e.uuid as event_uuid, e.kind
  from deliveries d join webhook_events e on e.id = d.event_id`

/** The outbox: events and their deliveries. What is listed and read is of one subscription; what is claimed and settled is of all. */
export function deliveriesStore(db: Queries) {
  const find = (subscription: number, id: number): Promise<DeliveryRow | undefined> =>
    db.one<DeliveryRow>(sql`${select} where d.subscription_id = ${subscription} and d.id = ${id}`)

  /** Puts settled deliveries back on the way, with a schedule of their own; those that are being sent are left alone. */
  const restart = (now: string, where: Sql): Promise<number> =>
    db.run(sql`update deliveries set state = 'pending', due_at = ${now}, tries = 0, settled_at = null where claim is null and ${where}`)

  return {
    /** The subscriptions of an organization that want events of a kind, whosever they are; disabled ones too, for later. */
    async subscribers(organization: number, kind: DeliveredKind): Promise<Subscriber[]> {
      return db.all<Subscriber>(
        sql`select w.id, w.target, c.uuid as creator_uuid from webhook_subscription_events e
            join webhook_subscriptions w on w.id = e.subscription_id join users c on c.id = w.creator_id
            where e.organization_id = ${organization} and e.event = ${kind} order by w.id`,
      )
    },

    /**
     * Writes an event, and a delivery of it to each subscriber, due at once.
     * @param subscribers who made each subscription, as a URI
     * @returns the ids of the deliveries
     */
    async enqueue(organization_id: number, event: NewEvent, subscribers: { id: number; created_by: string }[]): Promise<number[]> {
      const { payload, ...rest } = event
      const values = { organization_id, ...rest, payload: JSON.stringify(payload) }
      const { id: event_id } = (await db.one<{ id: number }>(sql`insert into webhook_events ${row(values)} returning id`)) as { id: number }
      const ids: number[] = []
      for (const { id: subscription_id, created_by } of subscribers) {
        const { created_at } = event
        const counts = { attempt_count: 0, tries: 0 }
        const delivery = {
          organization_id,
          subscription_id,
          event_id,
          created_by,
          state: 'pending',
          due_at: created_at,
          created_at,
          ...counts,
        }
        ids.push(((await db.one<{ id: number }>(sql`insert into deliveries ${row(delivery)} returning id`)) as { id: number }).id)
      }
      return ids
    },

    find,

    async findWithAttempts(subscription: number, id: number): Promise<DeliveryDetailsRow | undefined> {
      const delivery = await db.one<DeliveryRow & BodyParts>(
        sql`select ${columns(fields, 'd')}, d.created_by, e.uuid as event_uuid, e.kind, e.payload
            from deliveries d join webhook_events e on e.id = d.event_id where d.subscription_id = ${subscription} and d.id = ${id}`,
      )
      if (!delivery) return undefined
      const attempts = await db.all<Attempt>(
        sql`select number, started_at, milliseconds, status, error, reply from delivery_attempts where delivery_id = ${id} order by number`,
      )
      const { payload, created_by, ...own } = delivery
      return { ...own, body: bodyOf({ ...own, payload, created_by }), attempts }
    },

    async list(subscription: number, { state, event, from, to, ...paging }: DeliveryFilter): Promise<PageOf<DeliveryRow>> {
      const where = [sql`d.subscription_id = ${subscription}`]
      if (state !== undefined) where.push(sql`d.state = ${state}`)
      if (event !== undefined) where.push(sql`e.kind = ${event}`)
      if (from !== undefined) where.push(sql`d.created_at >= ${from}`)
      if (to !== undefined) where.push(sql`d.created_at < ${to}`)
      return pageOf<DeliveryRow>(db, { select, where, sortable: { id: 'd.id' }, id: 'd.id', keyOf: ({ id }) => id }, paging)
    },

    /** @returns false when it is being sent at this moment */
    async redeliver(id: number, now: string): Promise<boolean> {
      return (await restart(now, sql`id = ${id}`)) === 1
    },

    /** @returns how many deliveries are on their way again */
    async redeliverAll(subscription: number, { failed, from, to }: Range, now: string): Promise<number> {
      // A ping says something of its moment, and nothing later.
      const noPing = sql`event_id not in (select id from webhook_events where kind = 'ping' and id = event_id)`
      const where = [sql`subscription_id = ${subscription}`, noPing]
      if (failed) where.push(sql`state <> 'delivered'`)
      if (from !== undefined) where.push(sql`created_at >= ${from}`)
      if (to !== undefined) where.push(sql`created_at < ${to}`)
      return restart(now, every(where))
    },

    /** Sends what waits for a subscription now, by a schedule of its own; what is being sent is left alone. */
    async resume(subscription: number, now: string): Promise<void> {
      await restart(now, sql`subscription_id = ${subscription} and state = 'pending'`)
    },

    /** The deliveries of a subscription that is removed, and what they tried. */
    async removeAll(subscription: number): Promise<void> {
      // Taken first: what a worker holds of them is settled no more.
      await db.run(sql`update deliveries set due_at = null, claim = null where subscription_id = ${subscription}`)
      const own = sql`select id from deliveries where subscription_id = ${subscription}`
      await db.run(sql`delete from delivery_attempts where delivery_id in (${own})`)
      await db.run(sql`delete from deliveries where subscription_id = ${subscription}`)
    },

    /** Takes personal data out of what is kept, settled or not: of a customer, and of submissions of routing forms. */
    async erase(
      organization: number,
      { customer, submissions }: { customer: number; submissions: string[] },
      redact: (payload: object) => object,
    ): Promise<void> {
      const ofSubmissions = submissions.map((uuid) => sql`(kind = 'routing_form_submission.created' and payload like ${`%/${uuid}"%`})`)
      const theirs = sql`organization_id = ${organization} and (${join([sql`customer_id = ${customer}`, ...ofSubmissions], ' or ')})`
      const events = await db.all<{ id: number; payload: string }>(sql`select id, payload from webhook_events where ${theirs}`)
      for (const { id, payload } of events) {
        const redacted = JSON.stringify(redact(JSON.parse(payload)))
        await db.run(sql`update webhook_events set payload = ${redacted} where id = ${id}`)
      }
      const ids = events.map(({ id }) => id)
      const sent = sql`select id from deliveries where event_id in ${among(ids)}`
      await db.run(sql`update delivery_attempts set reply = null where reply is not null and delivery_id in (${sent})`)
    },

    /**
     * The active subscriptions that have something due. It looks at the first due delivery of each subscription, never at all
     * of them, so that a long backlog of one costs the others nothing.
     */
    async waiting(now: string): Promise<{ id: number; due_at: string }[]> {
      return db.all<{ id: number; due_at: string }>(
        sql`with recursive waiting (id) as (
              select min(subscription_id) from deliveries where due_at is not null
              union all
              select (select min(d.subscription_id) from deliveries d where d.due_at is not null and d.subscription_id > waiting.id)
              from waiting where waiting.id is not null
            )
            select * from (
              select w.id, (select min(d.due_at) from deliveries d where d.subscription_id = w.id and d.due_at is not null) as due_at
              from waiting join webhook_subscriptions w on w.id = waiting.id where w.state = 'active'
            ) as first where due_at <= ${now}`,
      )
    },

    /** Takes what is due to subscriptions, the oldest first; each is counted as an attempt, whatever becomes of the claimer. */
    async claim(wanted: Wanted[], { now, until, claim }: Lease): Promise<Claimed[]> {
      const first = wanted.map(
        ({ id, limit }) =>
          sql`select id from (select id from deliveries where subscription_id = ${id} and due_at <= ${now}
              order by due_at, id limit ${limit}) as due`,
      )
      // Said twice: where two claim at once, the second waits for the first, and then looks at the row anew.
      const taken = await db.all<{ id: number }>(
        sql`update deliveries set due_at = ${until}, claim = ${claim}, attempt_count = attempt_count + 1, tries = tries + 1
            where id in (${join(first, ' union all ')}) and due_at <= ${now} returning id`,
      )
      if (taken.length === 0) return []
      type Found = Omit<Claimed, 'body' | 'failing' | 'is_private'> & BodyParts & { retry_started_at: string | null; is_private: number }
      const found = await db.all<Found>(
        sql`select d.id, d.subscription_id, e.uuid as event_uuid, e.kind, e.payload, d.created_at, d.created_by, d.attempt_count, d.tries,
              w.url, w.is_private, w.retry_started_at, w.signing_key, w.old_signing_key, w.old_signing_key_until
            from deliveries d join webhook_events e on e.id = d.event_id join webhook_subscriptions w on w.id = d.subscription_id
            where d.id in ${among(taken.map(({ id }) => id))} order by d.id`,
      )
      return found.map(({ payload, created_by, retry_started_at, is_private, ...own }) => ({
        ...own,
        body: bodyOf({ ...own, payload, created_by }),
        failing: retry_started_at !== null,
        is_private: is_private === 1,
      }))
    },

    /**
     * Writes down how attempts ended, those that its claimer still holds.
     * @returns the ids that were
     */
    async settle(settlements: Settlement[], claim: string, now: string): Promise<number[]> {
      const held = new Set<number>()
      for (const alike of groupsOf(settlements)) {
        const [{ state, due_at, attempt }] = alike
        const settled_at = state === 'pending' ? null : now
        const found = await db.all<{ id: number }>(
          sql`update deliveries
              set state = ${state}, due_at = ${due_at}, claim = null, settled_at = ${settled_at},
                last_status = ${attempt.status}, last_error = ${attempt.error}
              where id in ${among(alike.map(({ id }) => id))} and claim = ${claim} returning id`,
        )
        for (const { id } of found) held.add(id)
      }
      const attempts = settlements
        .filter(({ id }) => held.has(id))
        .map(({ id, attempt: { number, started_at, milliseconds, status, error, reply } }) => {
          return sql`(${id}, ${number}, ${started_at}, ${milliseconds}, ${status}, ${error}, ${reply})`
        })
      if (attempts.length > 0) {
        await db.run(
          sql`insert into delivery_attempts (delivery_id, number, started_at, milliseconds, status, error, reply)
              values ${join(attempts, ', ')}`,
        )
      }
      return [...held]
    },

    /** Gives back what a claimer holds, as if it had never been claimed. */
    async release(claim: string, now: string): Promise<void> {
      await db.run(
        sql`update deliveries set due_at = ${now}, claim = null, attempt_count = attempt_count - 1, tries = tries - 1
            where claim = ${claim} and due_at is not null`,
      )
    },

    /** How much is on its way to active subscriptions, since when the oldest of it is, and when the first is due. */
    async backlog(): Promise<Backlog> {
      return (await db.one<Backlog>(
        sql`select count(*) as pending, min(d.created_at) as oldest, min(d.due_at) as due from deliveries d
            join webhook_subscriptions w on w.id = d.subscription_id where d.due_at is not null and w.state = 'active'`,
      )) as Backlog
    },

    /**
     * Removes what was settled long ago, a bounded number of rows at a time, and gives up what a disabled subscription never got.
     * @returns true while there may be more
     */
    async sweep(before: { delivered: string; failed: string }, now: string, most: number): Promise<boolean> {
      await db.run(
        sql`update deliveries set state = 'failed', due_at = null, settled_at = ${now}, last_error = 'The subscription stayed disabled.'
            where due_at is not null and (claim is null or due_at <= ${now}) and created_at < ${before.failed}
              and subscription_id in (select id from webhook_subscriptions where state = 'disabled')`,
      )
      const isOld = sql`settled_at < (case when state = 'failed' then ${before.failed} else ${before.delivered} end)
        and settled_at < ${before.delivered}`
      // Said twice: what is sent once more in this moment is not old any more.
      const old = await db.all<{ id: number }>(
        sql`update deliveries set claim = null where id in (
              select id from deliveries where settled_at is not null and ${isOld} order by settled_at, id limit ${most}
            ) and ${isOld} returning id`,
      )
      const ids = old.map(({ id }) => id)
      if (ids.length > 0) {
        await db.run(sql`delete from delivery_attempts where delivery_id in ${among(ids)}`)
        await db.run(sql`delete from deliveries where id in ${among(ids)}`)
      }
      const orphans = await db.run(
        sql`delete from webhook_events where id in (
              select e.id from webhook_events e where e.created_at < ${before.delivered}
                and not exists (select 1 from deliveries d where d.event_id = e.id) order by e.created_at, e.id limit ${most})`,
      )
      return ids.length === most || orphans === most
    },
  }
}

interface BodyParts {
  kind: DeliveredKind
  created_at: string
  created_by: string
  /** JSON. */
  payload: string
}

/**
 * The body of a delivery: compact JSON, as JSON.stringify writes it, so that a receiver that parses and writes it again before
 * it checks the signature gets the same bytes.
 */
function bodyOf({ kind, created_at, created_by, payload }: BodyParts): string {
  const [event, at, by] = [kind, created_at, created_by].map((text) => JSON.stringify(text))
  return `{"event":${event},"created_at":${at},"created_by":${by},"payload":${payload}}`
}

/** Settlements that write the same: nearly all of a batch end alike, and are then one statement. */
function groupsOf(settlements: Settlement[]): [Settlement, ...Settlement[]][] {
  const groups = new Map<string, [Settlement, ...Settlement[]]>()
  for (const one of settlements) {
    const { state, due_at, attempt } = one
    const key = JSON.stringify([state, due_at, attempt.status, attempt.error])
    const group = groups.get(key)
    if (group) group.push(one)
    else groups.set(key, [one])
  }
  return [...groups.values()]
}
