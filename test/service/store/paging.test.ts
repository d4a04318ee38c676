import { afterEach, expect, test } from 'vitest'
import type { Customer } from '../../../src/contract/customers.ts'
import { onEveryEngine } from '../../support/engines.ts'
import { createStoreWorld, customer, STAMP, type StoreWorld } from '../../support/store.ts'

const sorts = ['id', 'name', 'created_at', 'updated_at'].flatMap((field) => [`${field}:asc`, `${field}:desc`])
/** Few different keys, so that many are equal; the byte order of UTF-8 is the order of code points, not of JavaScript. */
const someNames = ['b', 'a', 'Ä', '漢', '😀', '～', 'a', 'b', 'b']

const byBytes = (a: string, b: string) => Buffer.compare(Buffer.from(a), Buffer.from(b))
const keyOf = (row: Customer, field: string) => (field === 'name' ? row.name.normalize('NFKC').toLowerCase() : String(row[field as 'name']))

function sorted(rows: Customer[], sort: string): number[] {
  const [field, direction] = sort.split(':') as [string, string]
  const ascending = rows.toSorted((a, b) => (field === 'id' ? 0 : byBytes(keyOf(a, field), keyOf(b, field))) || a.id - b.id)
  return (direction === 'desc' ? ascending.reverse() : ascending).map(({ id }) => id)
}

onEveryEngine('pages', (engine) => {
  const worlds: StoreWorld[] = []
  afterEach(async () => {
    for (const world of worlds.splice(0)) await world.close()
  })

  async function hasCustomers(): Promise<StoreWorld & { add(name: string, second: number): Promise<Customer>; rows: Customer[] }> {
    const world = await createStoreWorld(engine)
    worlds.push(world)
    const add = (name: string, second: number) => {
      const stamp = (value: number) => STAMP.replace('00.000000', `0${value}.000000`)
      const stamps = { created_at: stamp(second), updated_at: stamp(9 - second) }
      return world.store.customers.insert(world.organization, customer({ name, ...stamps }))
    }
    const rows: Customer[] = []
    for (let index = 0; index < 23; index += 1) rows.push(await add(someNames[index % 9] as string, index % 4))
    return { ...world, add, rows }
  }

  test.each(sorts)('sorted by %s hold every row once, forward and back, whatever their size', async (sort) => {
    const { store, organization, rows } = await hasCustomers()
    for (const count of [1, 4, 22, 23, 24]) {
      const pages: number[][] = []
      let page = await store.customers.list(organization, { sort, count })
      expect(page.previous_page_token).toBeNull()
      for (;;) {
        pages.push(page.rows.map(({ id }) => id))
        if (page.next_page_token === null) break
        page = await store.customers.list(organization, { sort, count, page_token: page.next_page_token })
      }
      expect(pages.flat()).toEqual(sorted(rows, sort))
      for (const expected of pages.slice(0, -1).reverse()) {
        page = await store.customers.list(organization, { sort, count, page_token: page.previous_page_token as string })
        expect(page.rows.map(({ id }) => id)).toEqual(expected)
      }
      expect(page.previous_page_token).toBeNull()
    }
  })

  test.each(sorts)('sorted by %s show what was there once, whoever comes and goes meanwhile', async (sort) => {
    const { store, organization, rows, add } = await hasCustomers()
    const seen: number[] = []
    let page_token: string | undefined
    for (let round = 0; ; round += 1) {
      const page = await store.customers.list(organization, { sort, count: 3, page_token })
      seen.push(...page.rows.map(({ id }) => id))
      if (page.next_page_token === null) break
      page_token = page.next_page_token
      // One that sorts first, one that sorts last, and the very row that the token names goes.
      if (round < 5) {
        await add('', 0)
        await add('😀😀', 3)
        await store.customers.erase(organization, page.rows.at(-1)?.id as number, STAMP)
      }
    }
    const there = new Set(rows.map(({ id }) => id))
    expect(seen.filter((id) => there.has(id))).toEqual(sorted(rows, sort))
    expect(new Set(seen).size).toBe(seen.length)
  })

  const token = (...parts: unknown[]) => Buffer.from(JSON.stringify(parts)).toString('base64url')
  test.each([
    ['no token at all', 'nonsense'],
    ['an empty one', ''],
    ['one with too few parts', token('name:asc', 'a', 1)],
    ['one with a fraction for an id', token('name:asc', 'a', 1.5, 0)],
    ['one with an object for a key', token('name:asc', {}, 1, 0)],
    ['one with a NUL in its key', token('name:asc', 'a\0', 1, 0)],
    ['one of another order', token('name:desc', 'a', 1, 0)],
    ['one that goes nowhere', token('name:asc', 'a', 1, 2)],
  ])('a page token is refused, with its name: %s', async (_, page_token) => {
    const { store, organization } = await hasCustomers()
    const refused = store.customers.list(organization, { sort: 'name:asc', page_token })
    await expect(refused).rejects.toMatchObject({ code: 'invalid_argument', details: [{ parameter: 'page_token' }] })
  })
})
