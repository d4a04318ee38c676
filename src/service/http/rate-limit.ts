const MINUTE = 60_000

/** How a request stands with the limit of its credential. */
export interface Standing {
  allowed: boolean
  limit: number
  remaining: number
  /** Seconds until the count begins anew. */
  reset: number
}

/** Counts one request of a credential at a moment, in milliseconds since the epoch. */
export type RateLimit = (credential: number, now: number) => Standing

/** So many requests in each minute of the clock for each credential, counted in memory: a restart forgives. */
export function createRateLimit(limit: number): RateLimit {
  let counts = new Map<number, number>()
  let minute = Number.NaN
  return (credential, now) => {
    const current = Math.floor(now / MINUTE)
    if (current !== minute) counts = new Map()
    minute = current
    const count = (counts.get(credential) ?? 0) + 1
    counts.set(credential, count)
    const reset = Math.ceil(((current + 1) * MINUTE - now) / 1000)
    return { allowed: count <= limit, limit, remaining: Math.max(0, limit - count), reset }
  }
}

export const limitHeaders = ({ limit, remaining, reset }: Standing): Record<string, string> => ({
  'x-ratelimit-limit': String(limit),
  'x-ratelimit-remaining': String(remaining),
  'x-ratelimit-reset': String(reset),
})
