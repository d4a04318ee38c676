import { fail } from '../../contract/errors.ts'

const MINUTE = 60_000
const MOST = 10
const MOST_KEPT = 10_000

/** @throws AppError `rate_limited` for more than ten attempts a minute from one address, or for one e-mail */
export type SignInLimit = (address: string | undefined, email: string, now: number) => void

/** Counts the attempts to sign in of the last minute, in memory: a restart forgives. */
export function createSignInLimit(): SignInLimit {
  const attempts = new Map<string, number[]>()
  return (address, email, now) => {
    for (const key of [...(address ? [`address ${address}`] : []), `email ${email.toLowerCase()}`]) {
      const recent = (attempts.get(key) ?? []).filter((at) => at > now - MINUTE)
      if (recent.length >= MOST) {
        const wait = Math.ceil(((recent[0] as number) + MINUTE - now) / 1000)
        fail('rate_limited', `Too many attempts to sign in; try again in ${wait} s.`, { retry_after: wait })
      }
      // Set anew, so that the map's order is that of the last attempt and the oldest can be dropped.
      attempts.delete(key)
      attempts.set(key, [...recent, now])
    }
    for (const oldest of attempts.keys()) {
      if (attempts.size <= MOST_KEPT) break
      attempts.delete(oldest)
    }
  }
}
