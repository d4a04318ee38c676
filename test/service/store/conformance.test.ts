import { afterEach, describe, expect, test } from 'vitest'
import { AppError } from '../../../src/contract/errors.ts'
import { migrations } from '../../../src/service/store/migrations/index.ts'
import { sql } from '../../../src/service/store/sql.ts'
import { openStore, type Tx } from '../../../src/service/store/store.ts'
import { onEveryEngine, type TestDatabase } from '../../support/engines.ts'
import { createStoreWorld, customer, type StoreWorld, staffMember } from '../../support/store.ts'

const later = {
  number: Math.max(...migrations.map(({ number }) => number)) + 1,
  name: 'later',
  statements: () => ['create table later (a integer)'],
}
const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

onEveryEngine('the store', (engine) => {
  const opened: (StoreWorld | TestDatabase)[] = []
  afterEach(async () => {
    for (const one of opened.splice(0)) await ('close' in one ? one.close() : one.drop())
  })
  const createWorld = async () => {
    const world = await createStoreWorld(engine)
    opened.push(world)
    return world
  }
  const names = async ({ store, organization }: StoreWorld) => (await store.customers.list(organization, {})).rows.map(({ name }) => name)

  describe('migrations', () => {
    test('run again without harm, and keep what is there', async () => {
      const world = await createWorld()
      await world.store.customers.insert(world.organization, customer())
      const { store } = await world.another()
      expect((await store.customers.list(world.organization, {})).rows).toHaveLength(1)
      expect(await world.engine.all(sql`select number, name from schema_migrations`)).toEqual(
        migrations.map(({ number, name }) => ({ number, name })),
      )
    })

    test('of a newer version are refused, and nothing is changed', async () => {
      const database = await engine.empty()
      opened.push(database)
      const newer = await database.open()
      await newer.migrate([...migrations, later])
      const refused = openStore(await database.open())
      await expect(refused).rejects.toMatchObject({ code: 'bad_file', exit: 2 })
      await expect(refused).rejects.toThrow('Update bookctl; nothing was changed.')
      expect(await newer.all(sql`select * from later`)).toEqual([])
      expect(await newer.all(sql`select number from schema_migrations`)).toHaveLength(migrations.length + 1)
      await newer.close()
    })

    test('that fail halfway leave nothing behind', async () => {
      const { engine: open } = await createWorld()
      const broken = { ...later, statements: () => ['create table later (a integer)', 'create nonsense'] }
      await expect(open.migrate([...migrations, broken])).rejects.toThrow()
      await open.migrate([...migrations, later])
      expect(await open.all(sql`select * from later`)).toEqual([])
    })
  })

  describe('transactions', () => {
    test('take everything back when their work fails, and throw what it threw', async () => {
      const world = await createWorld()
      const failing = world.store.transaction(async (tx) => {
        await tx.customers.insert(world.organization, customer())
        throw new AppError('conflict', 'No.')
      })
      await expect(failing).rejects.toThrow('No.')
      expect(await names(world)).toEqual([])
    })

    test('throw at once, and do not hang, when the store is called where the transaction was meant', async () => {
      const world = await createWorld()
      const { store, organization } = world
      const mistaken = () => store.transaction(async () => store.customers.list(organization, {}))
      await expect(mistaken()).rejects.toThrow('the store was called where its transaction was meant')
      await expect(store.transaction(async () => store.transaction(async () => 1))).rejects.toThrow('its transaction was meant')
      expect(await names(world)).toEqual([])
    })

    test('do not see each other halfway when they are begun at the same time', async () => {
      const world = await createWorld()
      const seen = await Promise.all(
        Array.from({ length: 10 }, (_, index) =>
          world.store.transaction(async (tx) => {
            await tx.customers.insert(world.organization, customer({ name: `${index}` }))
            await wait(2)
            await tx.customers.insert(world.organization, customer({ name: `${index}` }))
            return (await tx.customers.list(world.organization, { count: 100 })).rows.length % 2
          }),
        ),
      )
      expect(seen).toEqual(Array(10).fill(0))
      expect(await names(world)).toHaveLength(20)
    })

    test('keep what they wrote before an attempt that failed, and nothing of the attempt', async () => {
      const world = await createWorld()
      const { store, organization } = world
      await store.transaction(async (tx) => {
        await tx.customers.insert(organization, customer({ name: 'before', email: 'a@example.com' }))
        const attempt = tx.attempt(async () => {
          await tx.customers.insert(organization, customer({ name: 'within' }))
          await tx.customers.insert(organization, customer({ email: 'A@example.com' }))
        })
        await expect(attempt).rejects.toThrow()
        await tx.attempt(() => tx.customers.insert(organization, customer({ name: 'after' })))
      })
      expect(await names(world)).toEqual(['before', 'after'])
    })

    test('give a unique value to one only, and tell the other that it conflicts', async () => {
      const world = await createWorld()
      const { store, organization } = world
      const insert = (email: string) => store.transaction((tx) => tx.customers.insert(organization, customer({ email })))
      const made = await Promise.allSettled([insert('ada@example.com'), insert('ADA@example.com'), insert('other@example.com')])
      expect(made.map(({ status }) => status).sort()).toEqual(['fulfilled', 'fulfilled', 'rejected'])
      expect(made.find(({ status }) => status === 'rejected')).toMatchObject({ reason: { code: 'conflict' } })
      expect(await names(world)).toHaveLength(2)
    })
  })

  describe('the lock of a staff member', () => {
    const held = async (world: StoreWorld, hold: (tx: Tx) => Promise<unknown>) => {
      const order: string[] = []
      const { store } = await world.another()
      let isHeld = () => {}
      const holding = new Promise<void>((resolve) => {
        isHeld = resolve
      })
      const first = world.store.transaction(async (tx) => {
        await hold(tx)
        isHeld()
        await wait(120)
        order.push('first')
      })
      await holding
      const second = store.transaction(async (tx) => {
        const taken = await tx.staff.lock(world.organization, 1)
        order.push('second')
        return taken
      })
      await first
      expect(await second).toBe(true)
      return order
    }

    test('makes a second transaction wait until the first has ended', async () => {
      const world = await createWorld()
      await world.store.staff.insert(world.organization, staffMember('mira@example.com'))
      expect(await held(world, (tx) => tx.staff.lock(world.organization, 1))).toEqual(['first', 'second'])
    })

    // SQLite knows one writer at a time: there it is the transaction that waits, whatever it locks.
    test.runIf(engine.name === 'PostgreSQL')('is given back by an attempt that fails, before the transaction ends', async () => {
      const world = await createWorld()
      await world.store.staff.insert(world.organization, staffMember('mira@example.com'))
      const attempt = (tx: Tx) =>
        tx.attempt(async () => {
          await tx.staff.lock(world.organization, 1)
          throw new Error('taken')
        })
      expect(await held(world, (tx) => attempt(tx).catch(() => undefined))).toEqual(['second', 'first'])
    })

    test('is refused for who is not there, and for who belongs to another organization', async () => {
      const { store, organization, hasOrganization } = await createWorld()
      const { id } = await store.staff.insert(organization, staffMember('mira@example.com'))
      const other = await hasOrganization()
      expect(await store.transaction((tx) => tx.staff.lock(organization, id + 1))).toBe(false)
      expect(await store.transaction((tx) => tx.staff.lock(other, id))).toBe(false)
    })
  })
})
