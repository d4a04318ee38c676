import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { onEveryEngine } from '../support/engines.ts'
import type { Call, ServiceWorld } from '../support/service.ts'
import { worldsOn } from '../support/worlds.ts'

/** A list over the service, with a way to put a row into it and to take one out. */
interface List {
  url: string
  sorts: string[]
  read: Call
  /** Puts a row in, whose sort key follows from a small number; gives what it is told from others by. */
  add(key: number): Promise<string>
  remove(row: string): Promise<void>
}

const DAY = '2026-12-01'
const hour = (key: number) => `${DAY}T${String(9 + key).padStart(2, '0')}:00:00Z`

/** Each list of a world, by its name; a row of it that is removed is one that the filter leaves out. */
const lists: Record<string, (world: ServiceWorld) => Promise<List>> = {
  async customers({ call, hasCustomer }) {
    return {
      url: '/api/v3/customers?',
      sorts: ['id', 'name', 'created_at'],
      read: call,
      add: async (key) => String((await hasCustomer({ name: `Customer ${key}` })).id),
      remove: async (row) => void (await call('DELETE', `/api/v3/customers/${row}?soft_delete=${Number(row) % 2 === 0}`)),
    }
  },

  async appointments({ call, hasType, hasAppointment }) {
    const type = await hasType()
    const [staff_member_id] = type.staff_member_ids
    return {
      url: '/api/v3/appointments?status=scheduled&',
      sorts: ['start_time', 'id', 'created_at'],
      read: call,
      add: async (key) => String((await hasAppointment(type, hour(key), { staff_member_id, force: true })).id),
      remove: async (row) => void (await call('DELETE', `/api/v3/appointments/${row}`)),
    }
  },

  async sessions({ call, hasSession }) {
    return {
      url: '/api/v3/sessions?status=scheduled&',
      sorts: ['start_time', 'id', 'created_at'],
      read: call,
      add: async (key) => String((await hasSession(hour(key))).id),
      remove: async (row) => void (await call('POST', `/api/v3/sessions/${row}/cancel`, {})),
    }
  },

  async attendees({ call, hasClass, hasSession, hasAttendee }) {
    const session = await hasSession(hour(9), { class_id: (await hasClass({ capacity: 500 })).id })
    const url = `/api/v3/sessions/${session.id}/attendees`
    return {
      url: `${url}?status=active&`,
      sorts: ['id', 'created_at'],
      read: call,
      add: async () => String((await hasAttendee(session)).id),
      remove: async (row) => void (await call('DELETE', `${url}/${row}`)),
    }
  },

  async 'scheduled events'({ callBare, owner, hasType, hasAppointment, hasSession }) {
    const type = await hasType()
    const [staff_member_id] = type.staff_member_ids
    const bearer: Call = (method, url, body) => callBare(method, url, body, { authorization: `Bearer ${owner.access_token}` })
    const { current_organization } = (await bearer('GET', '/users/me')).body.resource
    return {
      url: `/scheduled_events?organization=${encodeURIComponent(current_organization)}&status=active&`,
      sorts: ['start_time'],
      read: bearer,
      // Two kinds of rows, mixed in one list.
      add: async (key) =>
        (await (key % 2 === 0 ? hasSession(hour(key)) : hasAppointment(type, hour(key), { staff_member_id, force: true }))).uri,
      remove: async (row) => void (await bearer('POST', `${new URL(row).pathname}/cancellation`, {})),
    }
  },
}

const key = fc.nat(5)
const walk = fc.record({
  sort: fc.nat(),
  descending: fc.boolean(),
  count: fc.integer({ min: 1, max: 4 }),
  stays: fc.array(key, { minLength: 1, maxLength: 7 }),
  goes: fc.array(key, { maxLength: 4 }),
  /** What comes while each page is read, and how many go. */
  turns: fc.array(fc.record({ come: fc.array(key, { maxLength: 2 }), go: fc.nat(2) }), { maxLength: 6 }),
})

const idsOf = ({ collection }: { collection: { id?: number; uri: string }[] }) => collection.map(({ id, uri }) => String(id ?? uri))

onEveryEngine('a walk through the pages', (engine) => {
  const createWorld = worldsOn(engine)

  describe('meets every row that stays exactly once, in order, whoever comes and goes meanwhile', () => {
    test.each(Object.keys(lists))('%s', async (name) => {
      const world = await createWorld()
      const { url, sorts, read, add, remove } = await (lists[name] as (typeof lists)[string])(world)
      // Moments differ, though not always.
      const put = async (keys: number[]) => {
        const rows: string[] = []
        for (const one of keys) {
          if (one % 3 === 0) world.clock.advance(1)
          rows.push(await add(one))
        }
        return rows
      }
      await fc.assert(
        fc.asyncProperty(walk, async ({ sort, descending, count, stays, goes, turns }) => {
          const going = await put(goes.slice(0, 2))
          const staying = await put(stays)
          going.push(...(await put(goes.slice(2))))
          const came: string[] = []
          const listed = `${url}sort=${sorts[sort % sorts.length]}:${descending ? 'desc' : 'asc'}`
          try {
            const order = idsOf((await read('GET', `${listed}&count=100`)).body).filter((row) => staying.includes(row))
            expect(order).toHaveLength(staying.length)

            const seen: string[] = []
            let token = ''
            for (const left = [...turns]; ; ) {
              const { come, go } = left.shift() ?? { come: [], go: 0 }
              const [page, news] = await Promise.all([
                read('GET', `${listed}&count=${count}${token}`),
                put(come),
                ...going.splice(0, go).map((row) => remove(row)),
              ])
              came.push(...news)
              seen.push(...idsOf(page.body))
              const { next_page_token } = page.body.pagination
              if (next_page_token === null) break
              token = `&page_token=${next_page_token}`
            }
            expect(seen.filter((row) => staying.includes(row))).toEqual(order)
            expect(new Set(seen).size).toBe(seen.length)
          } finally {
            for (const row of [...staying, ...going, ...came]) await remove(row)
          }
        }),
        { numRuns: engine.name === 'SQLite' ? 25 : 5 },
      )
    })
  })
})
