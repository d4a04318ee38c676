/** When a delivery that did not arrive is sent again. */

const SECOND = 1_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE

/** What is waited after the first attempt, the second, and so on: a day in all. Milliseconds. */
const steps = [5 * SECOND, 30 * SECOND, 2 * MINUTE, 10 * MINUTE, 30 * MINUTE, HOUR, 2 * HOUR, 4 * HOUR, 8 * HOUR, 8 * HOUR]

/** How often a delivery is sent before it is given up. */
export const MOST_ATTEMPTS = steps.length + 1

/** A subscription that nothing reached for as long as the schedule lasts is disabled. Milliseconds. */
export const PATIENCE = steps.reduce((sum, step) => sum + step)

/** How much may be added to a wait, so that what failed together does not come back together. */
const JITTER = 0.1

export interface Failed {
  /** Which attempt it was: 1 for the first. */
  attempt: number
  /** Milliseconds since the epoch. */
  now: number
  /** Milliseconds the receiver asked to be left alone for. */
  retry_after?: number | undefined
}

/**
 * When to try again, in milliseconds since the epoch; undefined after the last attempt. A receiver may ask for more time, up
 * to the schedule's step behind.
 * @param chance at least 0, less than 1
 */
export function retryAt({ attempt, now, retry_after = 0 }: Failed, chance: number): number | undefined {
  const step = steps[attempt - 1]
  if (step === undefined) return undefined
  const most = steps[attempt] ?? step
  const wait = Math.max(step, Math.min(retry_after, most))
  return now + Math.round(wait * (1 + JITTER * chance))
}
