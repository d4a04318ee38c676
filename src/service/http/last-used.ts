import { instantOf } from '../../contract/time.ts'
import type { Store } from '../store/store.ts'

const PRECISION = 5 * 60_000

/** Notes when credentials are used. */
export interface LastUsed {
  /** Returns at once; the note is written when the request no longer waits for it, and at most every five minutes. */
  note(credential: number, now: number): void
  /** Resolves when everything is written. */
  settled(): Promise<void>
}

export function createLastUsed(store: Pick<Store, 'credentials'>, onFault: (error: unknown) => void): LastUsed {
  const noted = new Map<number, number>()
  const pending = new Set<Promise<void>>()

  const write = async (credential: number, now: number): Promise<void> => {
    await new Promise((resolve) => setImmediate(resolve))
    await store.credentials.touch(credential, instantOf(now), instantOf(now - PRECISION))
  }

  return {
    note(credential, now) {
      if ((noted.get(credential) ?? Number.NEGATIVE_INFINITY) > now - PRECISION) return
      noted.set(credential, now)
      const writing = write(credential, now)
        .catch(onFault)
        .finally(() => pending.delete(writing))
      pending.add(writing)
    },
    async settled() {
      await Promise.all(pending)
    },
  }
}
