import { describe, expect, test } from 'vitest'
import { type Business, createHomes, type Ended, type Home, PATIENCE } from '../support/binary.ts'

const RIVALS = 50
/** So many processes at a time: more would measure the memory of the machine. */
const AT_ONCE = 25
/** The sample's "Nutrition check": 40 minutes, offered every 20. */
const TYPE = '5'
const APART = 20 * 60_000

const homes = createHomes()

interface Slot {
  start: number
  staff: number
}

/** A free time of one staff member, behind which the next, overlapping one is free as well. */
async function freeSlot(home: Home): Promise<Slot> {
  const { collection } = await home.json(['staff', 'available', '--type', TYPE, '--from', 'tomorrow', '--to', 'in 7 days'])
  const offers = collection as { start_time: string; staff_member_ids: number[] }[]
  const has = (start: number, staff: number) =>
    offers.some((offer) => Date.parse(offer.start_time) === start && offer.staff_member_ids.includes(staff))
  const slots = offers.map(({ start_time, staff_member_ids: [staff] }) => ({ start: Date.parse(start_time), staff: staff as number }))
  return slots.find(({ start, staff }) => has(start + APART, staff)) as Slot
}

const book = (home: Home, { start, staff }: Slot, rival: number): Promise<Ended> =>
  home.run([
    ...['appointments', 'create', '--type', TYPE, '--staff', String(staff), '--customer', String(1 + (rival % 9))],
    ...['--start', new Date(start).toISOString(), '--timeout', '90', '-o', 'ids'],
  ])

/** Lets the rivals run, a few at a time, and says how often each exit code came. */
async function race(run: (rival: number) => Promise<Ended>): Promise<Record<string, number>> {
  const exits: Record<string, number> = {}
  const left = Array.from({ length: RIVALS }, (_, index) => index)
  const lane = async () => {
    for (let rival = left.shift(); rival !== undefined; rival = left.shift()) {
      const { exit } = await run(rival)
      exits[exit] = (exits[exit] ?? 0) + 1
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, lane))
  return exits
}

/** How many appointments there are of the staff member from the slot's start until the end of the one that overlaps it. */
async function countAt(home: Home, { start, staff }: Slot): Promise<number> {
  const window = ['--from', new Date(start).toISOString(), '--to', new Date(start + 2 * APART).toISOString()]
  const { collection } = await home.json(['appointments', 'list', '--staff', String(staff), '--status', 'scheduled', ...window])
  return collection.length
}

describe.each<[string, (business: Business) => Promise<Home>]>([
  ['on one database file', async (business) => business],
  ['over HTTP', async (business) => business.remote((await business.serve(['--quiet'])).url)],
])('fifty processes %s', (_, open) => {
  test.each([
    ['that want one time', 1],
    ['that want two times which overlap', 2],
  ])(
    '%s: one gets it, and forty-nine are told that it is taken',
    async (_, times) => {
      const business = await homes.business()
      const home = await open(business)
      const slot = await freeSlot(business)
      const exits = await race((rival) => book(home, { ...slot, start: slot.start + (rival % times) * APART }, rival))
      expect(exits).toEqual({ 0: 1, 5: RIVALS - 1 })
      expect(await countAt(business, slot)).toBe(1)
    },
    2 * PATIENCE,
  )
})
