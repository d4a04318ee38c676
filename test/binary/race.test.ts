import { beforeAll, describe, expect, test } from 'vitest'
import { type Business, createHomes, type Ended, type Home, PATIENCE } from '../support/binary.ts'

const RIVALS = 50
/** So many processes at a time: more would measure the memory of the machine. */
const AT_ONCE = 10
/** The sample's "Classic massage": 45 minutes, no questions. */
const TYPE = 3

const homes = createHomes()
let business: Business

beforeAll(async () => {
  business = await homes.business()
})

interface Slot {
  start: number
  staff: number
}

/** Free times of one staff member that leave room for each other. */
async function freeSlots(): Promise<Slot[]> {
  const { collection } = await business.json(['staff', 'available', '--type', String(TYPE), '--from', 'tomorrow', '--to', 'in 14 days'])
  const slots = (collection as { start_time: string; staff_member_ids: number[] }[]).map(({ start_time, staff_member_ids }) => ({
    start: Date.parse(start_time),
    staff: staff_member_ids[0] as number,
  }))
  return slots.filter(({ start, staff }) => slots.some((later) => later.staff === staff && later.start > start && later.start < start + 40 * 60_000))
}

const book = (home: Home, { start, staff }: Slot, customer: number): Promise<Ended> =>
  home.run([
    ...['appointments', 'create', '--type', String(TYPE), '--staff', String(staff), '--customer', String(customer)],
    ...['--start', new Date(start).toISOString(), '--timeout', '90', '-o', 'ids'],
  ])

/** Runs all of them, a few at a time, and says how often each exit code came. */
async function race(runs: (() => Promise<Ended>)[]): Promise<Record<string, number>> {
  const exits: Record<string, number> = {}
  const left = [...runs]
  const lane = async () => {
    for (let run = left.shift(); run; run = left.shift()) {
      const { exit } = await run()
      exits[exit] = (exits[exit] ?? 0) + 1
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, lane))
  return exits
}

async function bookedOn(slot: Slot): Promise<{ start_time: string; end_time: string }[]> {
  const day = new Date(slot.start).toISOString().slice(0, 10)
  const { collection } = await business.json([
    ...['appointments', 'list', '--staff', String(slot.staff), '--status', 'scheduled', '--all'],
    ...['--from', `${day}T00:00:00Z`, '--to', `${day}T23:59:00Z`],
  ])
  return collection
}

describe.each([
  ['on one database file', async () => business as Home, 0],
  ['over HTTP', async () => business.remote((await business.serve(['--quiet'])).url), 1],
] as const)('fifty processes %s', (_, open, turn) => {
  test(
    'that want one time: one gets it, and forty-nine are told that it is taken',
    async () => {
      const home = await open()
      const [slot] = (await freeSlots()).slice(turn) as [Slot]
      const runs = Array.from({ length: RIVALS }, (_, index) => () => book(home, slot, 1 + (index % 9)))
      expect(await race(runs)).toEqual({ 0: 1, 5: RIVALS - 1 })
      const there = (await bookedOn(slot)).filter(({ start_time }) => Date.parse(start_time) === slot.start)
      expect(there).toHaveLength(1)
    },
    2 * PATIENCE,
  )

  test(
    'that want times which overlap: no two of those booked do',
    async () => {
      const home = await open()
      const [slot] = (await freeSlots()).slice(turn) as [Slot]
      const runs = Array.from({ length: RIVALS / 2 }, (_, index) => () => book(home, { ...slot, start: slot.start + (index % 3) * 15 * 60_000 }, 1 + (index % 9)))
      const exits = await race(runs)
      expect(Object.keys(exits).filter((exit) => exit !== '0' && exit !== '5')).toEqual([])
      expect(exits[0]).toBe(1)
      const booked = await bookedOn(slot)
      for (const [index, { end_time }] of booked.slice(0, -1).entries()) expect(end_time <= (booked[index + 1]?.start_time ?? '')).toBe(true)
    },
    2 * PATIENCE,
  )
})
