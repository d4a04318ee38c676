import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createPlaces, MOST_SHARED_BY, type Waiting } from '../../../src/service/delivery/places.ts'

const ALL = 512
const HALF = 256
/** Milliseconds after which a request hangs. */
const HANGING = 1000

const subscription = fc.integer({ min: 1, max: 300 })
/** Some moments in the life of a busy worker. */
const moments = fc.array(
  fc.oneof(
    {
      weight: 4,
      arbitrary: fc.record({ what: fc.constant('share' as const), first: subscription, many: fc.integer({ min: 1, max: 300 }) }),
    },
    { weight: 2, arbitrary: fc.record({ what: fc.constant('end' as const), which: fc.nat(), many: fc.integer({ min: 1, max: 60 }) }) },
    {
      weight: 1,
      arbitrary: fc.record({ what: fc.constant('note' as const), first: subscription, many: subscription, arrived: fc.boolean() }),
    },
    { weight: 1, arbitrary: fc.record({ what: fc.constant('wait' as const), ms: fc.integer({ min: 1, max: 1500 }) }) },
  ),
  { minLength: 10, maxLength: 60 },
)

/** As many subscriptions from one on, in a circle. */
const some = (first: number, many: number): number[] => Array.from({ length: many }, (_, index) => ((first + index) % 300) + 1)

test('whatever happens, nothing is given to those that are not trusted beyond half of the places, nor to anybody beyond all', () => {
  fc.assert(
    fc.property(moments, (lived) => {
      const places = createPlaces()
      const trusted = new Set<number>()
      let underWay: { id: number; at: number; free: () => void }[] = []
      let at = 0

      for (const moment of lived) {
        if (moment.what === 'wait') at += moment.ms
        if (moment.what === 'note')
          for (const id of some(moment.first, moment.many)) {
            places.note(id, moment.arrived)
            if (moment.arrived) trusted.add(id)
            else trusted.delete(id)
          }
        if (moment.what === 'end') {
          const ending = new Set(Array.from({ length: moment.many }, (_, index) => (moment.which + index) % Math.max(1, underWay.length)))
          for (const index of ending) underWay[index]?.free()
          underWay = underWay.filter((_, index) => !ending.has(index))
        }
        if (moment.what !== 'share') continue

        const hanging = new Set(underWay.filter((one) => at - one.at > HANGING).map(({ id }) => id))
        const untrusted = new Set(some(1, 300).filter((id) => !trusted.has(id) || hanging.has(id)))
        const waiting: Waiting[] = some(moment.first, moment.many).map((id) => ({ id, due_at: `2026-11-23T08:00:0${id % 10}.000000Z` }))
        const given = places.share(waiting, at)
        expect(given.length).toBeLessThanOrEqual(MOST_SHARED_BY)
        for (const { id, limit } of given) {
          for (let times = 0; times < limit; times += 1) underWay.push({ id, at, free: places.take(id, at) })
          const own = underWay.filter((one) => one.id === id).length
          if (limit < 1 || own > (untrusted.has(id) ? 2 : 16)) expect.fail(`subscription ${id} is given ${limit}, and has ${own}`)
        }
        expect(underWay.length).toBeLessThanOrEqual(ALL)
        // Those that were trusted may hang by now, with what they were given then: that is not taken back, and no more is given.
        const isGiven = given.some(({ id }) => untrusted.has(id))
        if (isGiven) expect(underWay.filter(({ id }) => untrusted.has(id)).length).toBeLessThanOrEqual(HALF)
      }
    }),
  )
})

test('129 that are not trusted and never answer have half of the places together, and leave the others alone', () => {
  const places = createPlaces()
  let taken = 0
  places.note(1000, true)
  for (let round = 0; round < 10; round += 1) {
    const waiting = some(0, 129).map((id) => ({ id, due_at: '2026-11-23T08:00:00.000000Z' }))
    for (const { id, limit } of places.share(waiting, round))
      for (let times = 0; times < limit; times += 1) {
        places.take(id, round)
        taken += 1
      }
  }
  expect(taken).toBe(HALF)
  expect(places.share([{ id: 1000, due_at: '2026-11-23T09:00:00.000000Z' }], 10)).toEqual([{ id: 1000, limit: 16 }])
})
