import { describe, expect, test } from 'vitest'
import { createPlaces, type Places } from '../../../src/service/delivery/places.ts'

const DUE = '2026-11-23T08:00:00.000000Z'
const waiting = (...ids: number[]) => ids.map((id) => ({ id, due_at: DUE }))

/** Subscriptions whose last attempt arrived. */
function trusting(...ids: number[]): Places {
  const places = createPlaces()
  for (const id of ids) places.note(id, true)
  return places
}

describe('one subscription', () => {
  test('has two requests at once until something arrived, then sixteen, and two again when something fails', () => {
    const places = createPlaces()
    expect(places.share(waiting(1), 0)).toEqual([{ id: 1, limit: 2 }])
    places.note(1, true)
    expect(places.share(waiting(1), 0)).toEqual([{ id: 1, limit: 16 }])
    places.note(1, false)
    expect(places.share(waiting(1), 0)).toEqual([{ id: 1, limit: 2 }])
  })

  test('has what is left of its places, and gets one back with each request that ends', () => {
    const places = trusting(1)
    const frees = Array.from({ length: 15 }, () => places.take(1, 0))
    expect(places.share(waiting(1), 0)).toEqual([{ id: 1, limit: 1 }])
    places.take(1, 0)
    expect(places.share(waiting(1), 0)).toEqual([])
    frees[0]?.()
    expect(places.share(waiting(1), 0)).toEqual([{ id: 1, limit: 1 }])
  })

  test('is trusted no more while a request of it hangs', () => {
    const places = trusting(1)
    const free = places.take(1, 0)
    expect(places.share(waiting(1), 1000)).toEqual([{ id: 1, limit: 15 }])
    expect(places.share(waiting(1), 1001)).toEqual([{ id: 1, limit: 1 }])
    free()
    expect(places.share(waiting(1), 1001)).toEqual([{ id: 1, limit: 16 }])
  })
})

describe('many of them', () => {
  test('that are not trusted leave half of the places to those that are', () => {
    const places = trusting(1000)
    for (let id = 1; id <= 128; id += 1) for (const _ of [1, 2]) places.take(id, 0)
    expect(places.share(waiting(200, 1000), 0)).toEqual([{ id: 1000, limit: 16 }])
  })

  test('take turns: who has least under way first, and of these who has waited longest', () => {
    const places = trusting(1, 2, 3)
    places.take(1, 0)
    const later = { id: 2, due_at: '2026-11-23T09:00:00.000000Z' }
    expect(places.share([later, ...waiting(1, 3)], 0).map(({ id }) => id)).toEqual([3, 2, 1])
  })

  test('have no more places together than there are', () => {
    const ids = Array.from({ length: 64 }, (_, index) => index + 1)
    const places = trusting(...ids)
    const shares = places.share(waiting(...ids), 0)
    expect(shares.reduce((sum, { limit }) => sum + limit, 0)).toBe(512)
    for (const { id, limit } of shares) for (let times = 0; times < limit; times += 1) places.take(id, 0)
    expect(places.share(waiting(65), 0)).toEqual([])
  })

  test('leave nothing to those that are not trusted where the others have taken what was free', () => {
    const [busy, idle] = [Array.from({ length: 31 }, (_, index) => index + 1), Array.from({ length: 16 }, (_, index) => index + 100)]
    const places = trusting(...busy, ...idle)
    for (const id of busy) for (let times = 0; times < 16; times += 1) places.take(id, 0)
    const late = { id: 200, due_at: '2026-11-23T09:00:00.000000Z' }
    const shares = places.share([...waiting(...idle), late], 0)
    expect(shares.map(({ limit }) => limit)).toEqual(idle.map(() => 1))
    expect(shares.map(({ id }) => id)).not.toContain(200)
  })
})
