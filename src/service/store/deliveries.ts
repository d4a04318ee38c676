import type { Attempt, DeliveredKind, DeliveryState } from '../../contract/deliveries.ts'
import type { Queries } from './engine.ts'
import { type PageOf, type PageRequest, pageOf } from './page.ts'
import { among, columns, every, join, limitedTo, row, type Sql, sql } from './sql.ts'
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
  /** With the one that is under way. */
  attempt_count: number
  due_at: string | null
  /** Whoever sends it at present. */
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
  /** The webhook-id. */
  event_uuid: string
  kind: DeliveredKind
  /** As it is sent. */
  body: string
  /** Which attempt of all this one is. */
  attempt_count: number
  /** Which of the schedule that runs. */
  tries: number
  to: Destination
}

/** The subscription that something is sent to. */
export interface Destination {
  id: number
  url: string
  /** Whether it was made where private addresses are welcome. */
  is_private: boolean
  /** Since when something has been failing; null while things arrive. */
  retry_started_at: string | null
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
  attempt: Attempt
  /** Which of the schedule that runs it was. */
  tries: number
  state: DeliveryState
  /** When it is sent next, of one that is still pending. */
  due_at: string | null
}

const fields = ['id', 'state', 'due_at', 'last_status', 'last_error', 'created_at', 'settled_at'] as const

const shown: Sql = sql`${columns(fields, 'd')}, d.attempt_count + coalesce(c.times, 0) as attempt_count, c.claim, e.uuid as event_uuid, e.kind`

const tables: Sql = sql`from deliveries d join webhook_events e on e.id = d.event_id left join delivery_claims c on c.delivery_id = d.id`

/** Deliveries in one statement. */
const MOST_AT_ONCE = 100

/** The outbox: events and their deliveries. What is listed and read is of one subscription; what is claimed and settled is of all. */
export function deliveriesStore(db: Queries) {
  const find = (subscription: number, id: number): Promise<DeliveryRow | undefined> =>
    db.one<DeliveryRow>(sql`select ${shown} ${tables} where d.subscription_id = ${subscription} and d.id = ${id}`)

  /** Puts settled deliveries back on the way, with a schedule of their own; those that are being sent are left alone. */
  const restart = (now: string, where: Sql): Promise<number> =>
    db.run(
      sql`update deliveries set state = 'pending', due_at = ${now}, tries = 0, settled_at = null
          where not exists (select 1 from delivery_claims c where c.delivery_id = deliveries.id and c.until > ${now}) and ${where}`,
    )

  /** Deliveries with what is sent, and where to. Events and subscriptions are fewer than deliveries: each is read once. */
  async function withContents(found: Found[]): Promise<Claimed[]> {
    if (found.length === 0) return []
    const events = await read<Event>(sql`select id, uuid, kind, payload from webhook_events`, found, 'event_id')
    const destinations = await read<Omit<Destination, 'is_private'> & { is_private: number }>(
      sql`select id, url, is_private, retry_started_at, signing_key, old_signing_key, old_signing_key_until from webhook_subscriptions`,
      found,
      'subscription_id',
    )
    const receivers = new Map([...destinations].map(([id, one]) => [id, { ...one, is_private: one.is_private === 1 }]))
    const bodies = new Map<string, string>()
    return found.map(({ id, subscription_id, event_id, created_at, created_by, attempt_count, tries }) => {
      const { uuid: event_uuid, kind, payload } = events.get(event_id) as Event
      const key = `${event_id} ${created_by}`
      const body = bodies.get(key) ?? bodyOf({ kind, created_at, created_by, payload })
      bodies.set(key, body)
      return { id, event_uuid, kind, body, attempt_count, tries, to: receivers.get(subscription_id) as Destination }
    })
  }

  async function read<T extends { id: number }>(select: Sql, found: Found[], of: 'event_id' | 'subscription_id'): Promise<Map<number, T>> {
    const ids = [...new Set(found.map((one) => one[of]))]
    return new Map((await db.all<T>(sql`${select} where id in ${among(ids)}`)).map((one) => [one.id, one]))
  }

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
      const { created_at } = event
      const ids: number[] = []
      for (let from = 0; from < subscribers.length; from += MOST_AT_ONCE) {
        const rows = subscribers
          .slice(from, from + MOST_AT_ONCE)
          .map(
            ({ id, created_by }) =>
              sql`(${organization_id}, ${id}, ${event_id}, ${created_by}, 'pending', 0, 0, ${created_at}, ${created_at})`,
          )
        const made = await db.all<{ id: number }>(
          sql`insert into deliveries
                (organization_id, subscription_id, event_id, created_by, state, attempt_count, tries, due_at, created_at)
              values ${join(rows)} returning id`,
        )
        ids.push(...made.map(({ id }) => id))
      }
      return ids
    },

    find,

    async findWithAttempts(subscription: number, id: number): Promise<DeliveryDetailsRow | undefined> {
      const delivery = await db.one<DeliveryRow & BodyParts>(
        sql`select ${shown}, d.created_by, e.payload ${tables} where d.subscription_id = ${subscription} and d.id = ${id}`,
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
      // What an index is of.
      if (state === 'pending') where.push(sql`d.due_at is not null`)
      if (event !== undefined) where.push(sql`e.kind = ${event}`)
      if (from !== undefined) where.push(sql`d.created_at >= ${from}`)
      if (to !== undefined) where.push(sql`d.created_at < ${to}`)
      return pageOf<DeliveryRow>(
        db,
        { select: sql`select ${shown} ${tables}`, where, sortable: { id: 'd.id' }, id: 'd.id', keyOf: ({ id }) => id },
        paging,
      )
    },

    /** @returns false when it is being sent at this moment */
    async redeliver(id: number, now: string): Promise<boolean> {
      return (await restart(now, sql`id = ${id}`)) === 1
    },

    /** @returns how many deliveries are on their way again */
    async redeliverAll(subscription: number, { failed, from, to }: Range, now: string): Promise<number> {
      // A ping says something of its moment, and nothing later.
      const noPing = sql`not exists (select 1 from webhook_events e where e.id = event_id and e.kind = 'ping')`
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
      const own = sql`select id from deliveries where subscription_id = ${subscription}`
      // The claims first, as whoever settles does: what a worker holds of them is settled no more.
      await db.run(
        sql`delete from delivery_claims
            where exists (select 1 from deliveries d where d.id = delivery_id and d.subscription_id = ${subscription})`,
      )
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
      const isTheirs = sql`organization_id = ${organization} and (${join([sql`customer_id = ${customer}`, ...ofSubmissions], ' or ')})`
      const events = await db.all<{ id: number; payload: string }>(sql`select id, payload from webhook_events where ${isTheirs}`)
      for (const { id, payload } of events) {
        const redacted = JSON.stringify(redact(JSON.parse(payload)))
        await db.run(sql`update webhook_events set payload = ${redacted} where id = ${id}`)
      }
      const ids = events.map(({ id }) => id)
      const theirs = sql`from deliveries where event_id in ${among(ids)}`
      // Taken from whoever sends it or is about to: what is answered to what it was is not kept, and it is sent again as it is now.
      await db.run(
        sql`insert into delivery_claims (delivery_id, claim, until, times) select id, 'erased', '', 0 ${theirs} and due_at is not null
            on conflict (delivery_id) do update set claim = excluded.claim`,
      )
      await db.run(sql`delete from delivery_claims where claim = 'erased' and until = ''`)
      // Written, so that whoever has just settled one makes this start over, and see what was answered.
      await db.run(sql`update deliveries set due_at = due_at where event_id in ${among(ids)}`)
      await db.run(sql`update delivery_attempts set reply = null where reply is not null and delivery_id in (select id ${theirs})`)
    },

    /**
     * The active subscriptions that have something due, and since when. It looks at the first due deliveries of each, never at all
     * of them, so that a long backlog of one costs the others nothing.
     */
    async waiting(now: string): Promise<{ id: number; due_at: string }[]> {
      const looked = await db.all<{ id: number; due_at: string | null }>(
        sql`with recursive waiting (id) as (
              select min(subscription_id) from deliveries where due_at is not null
              union all
              select (select min(d.subscription_id) from deliveries d where d.due_at is not null and d.subscription_id > waiting.id)
              from waiting where waiting.id is not null
            )
            select w.id, (select d.due_at from deliveries d where d.subscription_id = w.id and ${isFree(now)}
                          order by d.due_at, d.id limit 1) as due_at
            from waiting join webhook_subscriptions w on w.id = waiting.id where w.state = 'active'`,
      )
      // Left out here: PostgreSQL would look twice.
      return looked.flatMap(({ id, due_at }) => (due_at === null ? [] : [{ id, due_at }]))
    },

    /** Takes what is due to subscriptions, the oldest first. Whatever becomes of the claimer, each claim counts as an attempt. */
    async claim(wanted: Wanted[], { now, until, claim }: Lease): Promise<Claimed[]> {
      const first = wanted.map(
        ({ id, limit }) =>
          sql`select id from (select d.id from deliveries d where d.subscription_id = ${id} and ${isFree(now)}
              order by d.due_at, d.id ${limitedTo(limit)}) as due`,
      )
      const taken = await db.all<{ id: number }>(
        sql`insert into delivery_claims (delivery_id, claim, until, times)
            select id, ${claim}, ${until}, 1 from (${join(first, ' union all ')}) as free where true
            on conflict (delivery_id) do update set claim = excluded.claim, until = excluded.until, times = delivery_claims.times + 1
              where delivery_claims.until <= ${now}
            returning delivery_id as id`,
      )
      if (taken.length === 0) return []
      // Only what is due still: somebody else may have settled it between the look and the claim.
      const found = await db.all<Found>(
        sql`select d.id, d.subscription_id, d.event_id, d.created_at, d.created_by,
              d.attempt_count + c.times as attempt_count, d.tries + c.times as tries
            from delivery_claims c join deliveries d on d.id = c.delivery_id
            where c.delivery_id in ${among(taken.map(({ id }) => id))} and d.due_at <= ${now} order by d.id`,
      )
      if (found.length < taken.length) {
        const due = new Set(found.map(({ id }) => id))
        const settled = taken.flatMap(({ id }) => (due.has(id) ? [] : [id]))
        await db.run(sql`delete from delivery_claims where delivery_id in ${among(settled)}`)
      }
      return withContents(found)
    },

    /**
     * Writes down how attempts ended, those that its claimer still holds.
     * @returns the ids that were
     */
    async settle(settlements: Settlement[], claim: string, now: string): Promise<number[]> {
      const claimed = sql`claim = ${claim} and delivery_id in ${among(settlements.map(({ id }) => id))}`
      const given = await db.all<{ id: number }>(sql`delete from delivery_claims where ${claimed} returning delivery_id as id`)
      const held = new Set(given.map(({ id }) => id))
      const ours = settlements.filter(({ id }) => held.has(id))
      for (const alike of groupsOf(ours)) {
        const [{ state, due_at, attempt, tries }] = alike
        await db.run(
          sql`update deliveries
              set state = ${state}, due_at = ${due_at}, settled_at = ${state === 'pending' ? null : now},
                attempt_count = ${attempt.number}, tries = ${tries}, last_status = ${attempt.status}, last_error = ${attempt.error}
              where id in ${among(alike.map(({ id }) => id))}`,
        )
      }
      const attempts = ours.map(({ id, attempt: { number, started_at, milliseconds, status, error, reply } }) => {
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

    /** Gives back what a claimer holds, as if it had never been claimed by it. */
    async release(claim: string): Promise<void> {
      const others = sql`(select c.times - 1 from delivery_claims c where c.delivery_id = deliveries.id)`
      await db.run(
        sql`update deliveries set attempt_count = attempt_count + ${others}, tries = tries + ${others}
            where id in (select delivery_id from delivery_claims where claim = ${claim} and times > 1)`,
      )
      await db.run(sql`delete from delivery_claims where claim = ${claim}`)
    },

    /** How much is on its way to active subscriptions, since when the oldest of it is, and when the first is due. */
    async backlog(): Promise<Backlog> {
      return (await db.one<Backlog>(
        sql`select count(*) as pending, min(d.created_at) as oldest, min(coalesce(c.until, d.due_at)) as due from deliveries d
            join webhook_subscriptions w on w.id = d.subscription_id left join delivery_claims c on c.delivery_id = d.id
            where d.due_at is not null and w.state = 'active'`,
      )) as Backlog
    },

    /**
     * Removes what was settled long ago, a bounded number of rows at a time, and gives up what a disabled subscription never got.
     * @returns true while there may be more
     */
    async sweep(before: { delivered: string; failed: string }, now: string, most: number): Promise<boolean> {
      await db.run(
        sql`update deliveries set state = 'failed', due_at = null, settled_at = ${now}, last_error = 'The subscription stayed disabled.'
            where due_at is not null and created_at < ${before.failed}
              and not exists (select 1 from delivery_claims c where c.delivery_id = deliveries.id and c.until > ${now})
              and subscription_id in (select id from webhook_subscriptions where state = 'disabled')`,
      )
      const isOld = sql`settled_at < (case when state = 'failed' then ${before.failed} else ${before.delivered} end)
        and settled_at < ${before.delivered}`
      // Said twice: what is sent once more in this moment is not old any more.
      const old = await db.all<{ id: number }>(
        sql`update deliveries set due_at = null where id in (
              select id from deliveries where settled_at is not null and ${isOld} order by settled_at, id ${limitedTo(most)}
            ) and ${isOld} returning id`,
      )
      const ids = old.map(({ id }) => id)
      if (ids.length > 0) {
        await db.run(sql`delete from delivery_claims where delivery_id in ${among(ids)}`)
        await db.run(sql`delete from delivery_attempts where delivery_id in ${among(ids)}`)
        await db.run(sql`delete from deliveries where id in ${among(ids)}`)
      }
      const orphans = await db.run(
        sql`delete from webhook_events where id in (
              select e.id from webhook_events e where e.created_at < ${before.delivered}
                and not exists (select 1 from deliveries d where d.event_id = e.id) order by e.created_at, e.id ${limitedTo(most)})`,
      )
      return ids.length === most || orphans === most
    },
  }
}

/**
 * What a claimer may take of deliveries d: due, and nobody's. The claim is looked up for each: of a "not exists" PostgreSQL makes a
 * join, and reads all claims for each subscription.
 */
const isFree = (now: string): Sql =>
  sql`d.due_at <= ${now} and coalesce((select c.until from delivery_claims c where c.delivery_id = d.id), '') <= ${now}`

/** What was claimed, as it stands in its table. */
interface Found {
  id: number
  subscription_id: number
  event_id: number
  created_at: string
  created_by: string
  attempt_count: number
  tries: number
}

interface Event {
  id: number
  uuid: string
  kind: DeliveredKind
  /** JSON. */
  payload: string
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
    const { state, due_at, attempt, tries } = one
    const key = JSON.stringify([state, due_at, attempt.number, tries, attempt.status, attempt.error])
    const group = groups.get(key)
    if (group) group.push(one)
    else groups.set(key, [one])
  }
  return [...groups.values()]
}
