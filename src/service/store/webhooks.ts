import { addressOf } from '../../contract/callback-url.ts'
import type { EventKind, Scope } from '../../contract/webhooks.ts'
import type { Queries } from './engine.ts'
import { type PageOf, type PageRequest, pageOf } from './page.ts'
import { among, assignments, columns, row, type Sql, sql } from './sql.ts'

/** Whose events a subscription is about: `organization`, or `user:7`. */
export type Target = 'organization' | `user:${number}`

export interface SubscriptionRow {
  id: number
  uuid: string
  url: string
  events: EventKind[]
  scope: Scope
  target: Target
  user_id: number | null
  user_uuid: string | null
  creator_uuid: string
  state: 'active' | 'disabled'
  disabled_reason: string | null
  retry_started_at: string | null
  old_signing_key_until: string | null
  created_at: string
  updated_at: string
}

export type NewSubscriptionRow = Omit<
  SubscriptionRow,
  'id' | 'user_uuid' | 'creator_uuid' | 'disabled_reason' | 'old_signing_key_until'
> & {
  creator_id: number
  signing_key: string
  /** Whether it is made where private addresses are welcome. */
  is_private: boolean
}

const fields = [
  'id',
  'uuid',
  'url',
  'scope',
  'target',
  'user_id',
  'state',
  'disabled_reason',
  'retry_started_at',
  'old_signing_key_until',
  'created_at',
  'updated_at',
] as const

/** All but the signing key, which only whoever signs asks for. */
const select: Sql = sql`select ${columns(fields, 'w')}, u.uuid as user_uuid, c.uuid as creator_uuid
  from webhook_subscriptions w join users c on c.id = w.creator_id left join users u on u.id = w.user_id`

type Bare = Omit<SubscriptionRow, 'events'>

/** Webhook subscriptions of one organization at a time. */
export function webhooksStore(db: Queries) {
  const withEvents = async (rows: Bare[]): Promise<SubscriptionRow[]> => {
    const found = await db.all<{ subscription_id: number; event: EventKind }>(
      sql`select subscription_id, event from webhook_subscription_events
          where subscription_id in ${among(rows.map(({ id }) => id))} order by subscription_id, position`,
    )
    return rows.map((one) => ({
      ...one,
      events: found.filter(({ subscription_id }) => subscription_id === one.id).map(({ event }) => event),
    }))
  }
  const read = async (where: Sql): Promise<SubscriptionRow | undefined> =>
    (await withEvents(await db.all<Bare>(sql`${select} ${where}`)))[0]
  const find = (organization: number, uuid: string) => read(sql`where w.organization_id = ${organization} and w.uuid = ${uuid}`)

  const insertEvents = async (
    organization_id: number,
    { id, url, events, target }: Pick<SubscriptionRow, 'id' | 'url' | 'events' | 'target'>,
  ) => {
    for (const [position, event] of events.entries()) {
      const values = { subscription_id: id, position, event, organization_id, target, address: addressOf(url) }
      await db.run(sql`insert into webhook_subscription_events ${row(values)}`)
    }
  }

  return {
    find,

    async list(organization: number, target: Target, paging: PageRequest): Promise<PageOf<SubscriptionRow>> {
      const page = await pageOf<Bare>(
        db,
        {
          select,
          where: [sql`w.organization_id = ${organization}`, sql`w.target = ${target}`],
          sortable: { created_at: 'w.created_at' },
          id: 'w.id',
          keyOf: ({ created_at }) => created_at,
        },
        paging,
      )
      return { ...page, rows: await withEvents(page.rows) }
    },

    /** Another subscription that tells the same address of one of the same events, about the same. */
    async overlapping(organization: number, { url, events, target }: Pick<SubscriptionRow, 'url' | 'events' | 'target'>, except = 0) {
      const same = sql`organization_id = ${organization} and target = ${target} and address = ${addressOf(url)} and event in ${among(events)}`
      return read(
        sql`where w.id = (select min(subscription_id) from webhook_subscription_events where ${same} and subscription_id <> ${except})`,
      )
    },

    async insert(organization: number, { events, ...given }: NewSubscriptionRow): Promise<SubscriptionRow> {
      const values = { organization_id: organization, ...given }
      const { id } = (await db.one<{ id: number }>(sql`insert into webhook_subscriptions ${row(values)} returning id`)) as { id: number }
      await insertEvents(organization, { ...given, id, events })
      return (await find(organization, given.uuid)) as SubscriptionRow
    },

    /** Writes address, events and state back; `is_private` goes with a new address. */
    async update(organization: number, given: SubscriptionRow, place: { is_private?: boolean } = {}): Promise<SubscriptionRow> {
      const { id, url, state, disabled_reason, retry_started_at, updated_at } = given
      const changes = { url, state, disabled_reason, retry_started_at, updated_at, ...place }
      await db.run(sql`update webhook_subscriptions set ${assignments(changes)} where organization_id = ${organization} and id = ${id}`)
      await db.run(sql`delete from webhook_subscription_events where subscription_id = ${id}`)
      await insertEvents(organization, given)
      return (await find(organization, given.uuid)) as SubscriptionRow
    },

    async remove(organization: number, id: number): Promise<void> {
      await db.run(sql`delete from webhook_subscription_events where subscription_id = ${id}`)
      await db.run(sql`delete from webhook_subscriptions where organization_id = ${organization} and id = ${id}`)
    },

    /** Signs with a new key from now on, and until an instant with the one before as well. */
    async rotateKey(organization: number, id: number, key: { signing_key: string; old_signing_key_until: string; updated_at: string }) {
      const changes = sql`signing_key = ${key.signing_key}, old_signing_key_until = ${key.old_signing_key_until}, updated_at = ${key.updated_at}`
      await db.run(
        sql`update webhook_subscriptions set old_signing_key = signing_key, ${changes}
            where organization_id = ${organization} and id = ${id}`,
      )
    },

    /** Something arrived: whatever failed before is forgotten. */
    async arrived(id: number): Promise<void> {
      await db.run(sql`update webhook_subscriptions set retry_started_at = null where id = ${id} and retry_started_at is not null`)
    },

    /** Something failed; where it is the first since something arrived, this is when it began. */
    async failed(id: number, at: string): Promise<void> {
      await db.run(sql`update webhook_subscriptions set retry_started_at = ${at} where id = ${id} and retry_started_at is null`)
    },

    /**
     * Disables a subscription; with `failingSince` only where nothing has arrived since then or before.
     * @returns its UUID and address where this call did it
     */
    async disable(
      id: number,
      { reason, now, failingSince }: { reason: string; now: string; failingSince?: string },
    ): Promise<{ uuid: string; url: string } | undefined> {
      const long = failingSince === undefined ? sql`1 = 1` : sql`retry_started_at <= ${failingSince}`
      return db.one(
        sql`update webhook_subscriptions set state = 'disabled', disabled_reason = ${reason}, updated_at = ${now}
            where id = ${id} and state = 'active' and ${long} returning uuid, url`,
      )
    },

    /** How many are disabled, of all organizations. */
    async disabled(): Promise<number> {
      const found = await db.one<{ disabled: number }>(sql`select count(*) as disabled from webhook_subscriptions where state = 'disabled'`)
      return found?.disabled ?? 0
    },
  }
}
