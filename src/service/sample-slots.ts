/** A time that could be booked for the sample, on a date of the business's zone. */
export interface Offer<Type> {
  type: Type
  /** Milliseconds since the epoch. */
  start: number
  date: string
  staff_member_ids: number[]
  past: boolean
}

export interface SampleSlot<Type> {
  type: Type
  start: number
  staff_member_id: number
  past: boolean
}

const MINUTE = 60_000
/** Kept free around each choice: longer than any buffer of the sample, and room for those who try it. */
const ROOM = 30 * MINUTE
const MOST_A_DAY = 2
const SEED = 2_463_534_242

/** At most two appointments a day for each staff member, never close to each other, earliest first; always the same choice. */
export function chooseSlots<Type extends { duration: number }>(offers: Offer<Type>[]): SampleSlot<Type>[] {
  const random = randomFrom(SEED)
  const chosen: SampleSlot<Type>[] = []
  for (const date of [...new Set(offers.map((offer) => offer.date))].sort()) {
    const ofDay: SampleSlot<Type>[] = []
    for (const staff of [...new Set(offers.flatMap(({ staff_member_ids }) => staff_member_ids))].sort((a, b) => a - b)) {
      const theirs = offers.filter((offer) => offer.date === date && offer.staff_member_ids.includes(staff))
      ofDay.push(...chooseOf(theirs, staff, random))
    }
    chosen.push(...ofDay.sort((a, b) => a.start - b.start || a.staff_member_id - b.staff_member_id))
  }
  return chosen
}

function chooseOf<Type extends { duration: number }>(offers: Offer<Type>[], staff_member_id: number, random: () => number) {
  const chosen: SampleSlot<Type>[] = []
  while (chosen.length < MOST_A_DAY) {
    const free = offers.filter((offer) => chosen.every((one) => isApart(offer, one)))
    // First what, then when: otherwise the type with the most start times would be nearly all there is.
    const types = [...new Set(free.map(({ type }) => type))]
    const type = types[Math.floor(random() * types.length)]
    const times = free.filter((offer) => offer.type === type)
    const offer = times[Math.floor(random() * times.length)]
    if (!offer) break
    chosen.push({ type: offer.type, start: offer.start, past: offer.past, staff_member_id })
  }
  return chosen
}

interface Placed {
  type: { duration: number }
  start: number
}

function isApart(one: Placed, other: Placed): boolean {
  const end = ({ type, start }: Placed) => start + type.duration * MINUTE + ROOM
  return end(one) <= other.start || end(other) <= one.start
}

/** Numbers from 0 to 1 that are the same every time (xorshift). */
function randomFrom(seed: number): () => number {
  let state = seed
  return () => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return (state >>> 0) / 2 ** 32
  }
}
