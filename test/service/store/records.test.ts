import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { afterEach, describe, expect, test } from 'vitest'
import { onEveryEngine } from '../../support/engines.ts'
import { createStoreWorld, customer, STAMP, type StoreWorld, staffMember } from '../../support/store.ts'

onEveryEngine('the records of the store', (engine) => {
  const worlds: StoreWorld[] = []
  afterEach(async () => {
    for (const world of worlds.splice(0)) await world.close()
  })
  const createWorld = async () => {
    const world = await createStoreWorld(engine)
    worlds.push(world)
    return world
  }

  describe('values', () => {
    const texts = [
      'naïve Ünïcödé',
      '漢字かなカナ한글',
      'עברית العربية',
      '👩‍👩‍👧‍👦🏳️‍🌈',
      'quote \' " \\ % _ $1 ?',
      'line\nbreak\ttab',
      '0',
      'null',
      '',
    ]

    test.each(texts)('the text %j comes back as it went', async (notes) => {
      const { store, organization } = await createWorld()
      const given = customer({ name: notes, notes, custom_fields: { [notes]: notes } })
      const { id } = await store.customers.insert(organization, given)
      expect(await store.customers.find(organization, id)).toEqual({ id, ...given })
    })

    test('truth values come back as truth values, and can be asked for', async () => {
      const { store, organization } = await createWorld()
      const make = (name: string, active: boolean) =>
        store.services.insert(organization, { name, category: null, description: null, active, created_at: STAMP, updated_at: STAMP })
      expect([(await make('on', true)).active, (await make('off', false)).active]).toEqual([true, false])
      expect((await store.services.list(organization, { active: true })).rows.map(({ name }) => name)).toEqual(['on'])
      expect((await store.services.list(organization, { active: false })).rows.map(({ name }) => name)).toEqual(['off'])
    })

    test('a search takes % and _ and \\ for what they are, and does not mind case or a match across fields', async () => {
      const { store, organization } = await createWorld()
      for (const name of ['100% wool', '100 wool', 'a_b', 'axb', 'back\\slash', 'Ångström', 'ΕΛΕΝΗ', 'ｆｕｌｌ']) {
        await store.customers.insert(organization, customer({ name, phone: '555' }))
      }
      const search = async (text: string) => (await store.customers.list(organization, { search: text })).rows.map(({ name }) => name)
      expect(await search('100%')).toEqual(['100% wool'])
      expect(await search('a_b')).toEqual(['a_b'])
      expect(await search('k\\s')).toEqual(['back\\slash'])
      expect(await search('ÅNGSTRÖM')).toEqual(['Ångström'])
      expect(await search('ελεν')).toEqual(['ΕΛΕΝΗ'])
      expect(await search('full')).toEqual(['ｆｕｌｌ'])
      expect(await search('wool555')).toEqual([])
    })

    test('statements and databases survive the garbage collector', async () => {
      setFlagsFromString('--expose-gc')
      const gc = runInNewContext('gc') as () => void
      const world = await createWorld()
      for (let round = 0; round < 20; round += 1) {
        const { store } = await world.another()
        await store.customers.insert(world.organization, customer({ name: `${round}` }))
        gc()
        expect((await store.customers.list(world.organization, { sort: 'name:asc', count: 100 })).rows).toHaveLength(round + 1)
      }
    })
  })

  test('an organization never meets the records of another', async () => {
    const { store, organization, hasOrganization } = await createWorld()
    const other = await hasOrganization()
    const mine = await store.customers.insert(organization, customer({ email: 'ada@example.com' }))
    await store.customers.insert(other, customer({ name: 'Theirs', email: 'ada@example.com' }))
    const staff = await store.staff.insert(organization, staffMember('mira@example.com'))
    expect(await store.customers.find(other, mine.id)).toBeUndefined()
    expect((await store.customers.list(other, {})).rows.map(({ name }) => name)).toEqual(['Theirs'])
    expect((await store.customers.findByEmail(other, 'ada@example.com'))?.name).toBe('Theirs')
    expect(await store.customers.update(other, { ...mine, name: 'Stolen' })).toBeUndefined()
    await store.customers.erase(other, mine.id, STAMP)
    await store.staff.remove(other, staff.id, STAMP)
    expect(await store.customers.find(organization, mine.id)).toEqual(mine)
    expect(await store.staff.find(organization, staff.id)).toEqual(staff)
    expect(await store.staff.bookable(other, [staff.id])).toEqual([])
    expect(await store.staff.isEmailTaken(other, 'mira@example.com')).toBe(false)
  })
})
