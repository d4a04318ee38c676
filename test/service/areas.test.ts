import { expect, test } from 'vitest'
import { type Area, contract } from '../../src/contract/index.ts'
import { areas, areasOf } from '../../src/service/http/areas.ts'

test.each(Object.keys(contract) as Area[])('every path of %s leads to that area', async (area) => {
  const endpoints = Object.values(contract[area])
  for (const { path } of endpoints) expect(areasOf(path)).toContain(area)
  expect(await areas[area].endpoints()).toBe(contract[area])
  expect(Object.keys(await areas[area].handlers()).sort()).toEqual(Object.keys(contract[area]).sort())
})

test('a path that only begins alike leads nowhere', () => {
  expect(areasOf('/api/v3/customers_of_mine')).toEqual([])
  expect(areasOf('/api/v3')).toEqual([])
})
