import type { EventKind, Scope } from '../../contract/webhooks.ts'
import type { Queries } from './engine.ts'
import { type PageOf, type PageRequest, pageOf } from './page.ts'
import { among, columns, row, type Sql, sql } from './sql.ts'

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
  retry_started_at: string | null
  created_at: string
  updated_at: string
}

export type NewSubscriptionRow = Omit<SubscriptionRow, 'id' | 'user_uuid' | 'creator_uuid'> & { creator_id: number; signing_key: string }

const fields = ['id', 'uuid', 'url', 'scope', 'target', 'user_id', 'state', 'retry_started_at', 'created_at', 'updated_at'] as const

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

    /** Writes address, events and state back. */
    async update(organization: number, given: SubscriptionRow): Promise<SubscriptionRow> {
      const { id, url, state, retry_started_at, updated_at } = given
      await db.run(
        sql`update webhook_subscriptions
            set url = ${url}, state = ${state}, retry_started_at = ${retry_started_at}, updated_at = ${updated_at}
            where organization_id = ${organization} and id = ${id}`,
      )
      await db.run(sql`delete from webhook_subscription_events where subscription_id = ${id}`)
      await insertEvents(organization, given)
      return (await find(organization, given.uuid)) as SubscriptionRow
    },

    async remove(organization: number, id: number): Promise<void> {
      await db.run(sql`delete from webhook_subscription_events where subscription_id = ${id}`)
      await db.run(sql`delete from webhook_subscriptions where organization_id = ${organization} and id = ${id}`)
    },

    /** What deliveries of a subscription are signed with. */
    async signingKey(organization: number, id: number): Promise<string | undefined> {
      const where = sql`organization_id = ${organization} and id = ${id}`
      return (await db.one<{ signing_key: string }>(sql`select signing_key from webhook_subscriptions where ${where}`))?.signing_key
    },
  }
}

/** One spelling of an address, so that letter case of the host, a default port or an escaped letter make no second one. */
const addressOf = (url: string): string => new URL(url).href
