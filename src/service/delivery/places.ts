/** Who may have how many requests under way: the rule by which the slow and the dead delay nobody else. */

/**
 * Requests at once: in all, and for one subscription. One is trusted with more while its last attempt here arrived and nothing
 * of it hangs. Of those that are not, however many, there is never more under way than their half.
 */
const AT_ONCE = { all: 512, untrusted: 256, one: { trusted: 16, untrusted: 2 } }

/** A request that has been under way for longer hangs. Milliseconds. */
const HANGING = 1_000

/** Subscriptions in one share. */
export const MOST_SHARED_BY = 64

export interface Waiting {
  /** The subscription. */
  id: number
  /** Since when its first delivery is due. */
  due_at: string
}

export interface Places {
  /**
   * A request to a subscription has begun.
   * @param at milliseconds since the epoch
   * @returns what to call when its place is free again
   */
  take(subscription: number, at: number): () => void
  /** How an attempt ended. */
  note(subscription: number, hasArrived: boolean): void
  /** Shares the free places among those who wait: whoever has least under way comes first, and of these who has waited longest. */
  share(waiting: Waiting[], at: number): { id: number; limit: number }[]
}

export function createPlaces(): Places {
  const underWay = new Map<number, Set<{ at: number }>>()
  const arrived = new Set<number>()

  const kindOf = (id: number, at: number): 'trusted' | 'untrusted' => {
    const hangs = [...(underWay.get(id) ?? [])].some((request) => at - request.at > HANGING)
    return arrived.has(id) && !hangs ? 'trusted' : 'untrusted'
  }

  function freeAt(at: number): { all: number; untrusted: number } {
    let [all, untrusted] = [0, 0]
    for (const [id, { size }] of underWay) {
      all += size
      if (kindOf(id, at) === 'untrusted') untrusted += size
    }
    return { all: AT_ONCE.all - all, untrusted: AT_ONCE.untrusted - untrusted }
  }

  return {
    take(subscription, at) {
      const request = { at }
      const requests = underWay.get(subscription) ?? new Set()
      underWay.set(subscription, requests.add(request))
      return () => {
        requests.delete(request)
        if (requests.size === 0) underWay.delete(subscription)
      }
    },

    note(subscription, hasArrived) {
      if (hasArrived) arrived.add(subscription)
      else arrived.delete(subscription)
    },

    share(waiting, at) {
      const free = freeAt(at)
      const freeTo = (kind: 'trusted' | 'untrusted') => (kind === 'trusted' ? free.all : Math.min(free.all, free.untrusted))
      const open = waiting
        .map(({ id, due_at }) => {
          const kind = kindOf(id, at)
          const busy = underWay.get(id)?.size ?? 0
          return { id, due_at, kind, busy, room: AT_ONCE.one[kind] - busy }
        })
        .filter(({ kind, room }) => room > 0 && freeTo(kind) > 0)
        .sort((one, other) => one.busy - other.busy || (one.due_at < other.due_at ? -1 : 1))
      const fair = Math.ceil(free.all / open.length)
      const wanted: { id: number; limit: number }[] = []
      for (const { id, kind, room } of open.slice(0, MOST_SHARED_BY)) {
        const limit = Math.min(room, freeTo(kind), fair)
        if (limit <= 0) continue
        free.all -= limit
        if (kind === 'untrusted') free.untrusted -= limit
        wanted.push({ id, limit })
      }
      return wanted
    },
  }
}
