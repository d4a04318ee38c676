import { instantOf } from '../../contract/time.ts'
import type { Store } from '../store/store.ts'

const DAY = 86_400_000

/** How long what is settled is kept. Milliseconds. */
const KEPT = { delivered: 30 * DAY, failed: 90 * DAY }

/** Rows at a time, so that nobody waits for it. */
const AT_ONCE = 500

/**
 * Removes what was settled long ago, a little at a time.
 * @param now milliseconds since the epoch
 * @param rounds how many times a little, at the most; as often as it takes when left out
 */
export async function sweep(store: Store, now: number, rounds = Number.POSITIVE_INFINITY): Promise<void> {
  const before = { delivered: instantOf(now - KEPT.delivered), failed: instantOf(now - KEPT.failed) }
  for (let round = 0; round < rounds; round += 1) {
    if (!(await store.transaction((tx) => tx.deliveries.sweep(before, instantOf(now), AT_ONCE)))) return
  }
}
