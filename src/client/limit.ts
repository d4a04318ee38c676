import type { Signal } from '../contract/endpoint.ts'
import { createStop } from './stop.ts'

/**
 * A signal for all the attempts of a call: aborted with the caller's, or when the time is over. To be stopped in any case.
 * The clock runs once somebody listens: the service in this process answers without a look at it.
 */
export function startLimit(timeout: number, outer: Signal | undefined): { signal: Signal; stop(): void } {
  const limit = createStop()
  let timer: NodeJS.Timeout | undefined
  const abort = () => limit.abort(outer?.reason)
  // A longer delay than this would be taken for none.
  const run = () => setTimeout(() => limit.abort(new Error('The time is over.')), Math.min(timeout, 2 ** 31 - 1))
  outer?.addEventListener('abort', abort, { once: true })
  if (outer?.aborted) abort()
  const signal: Signal = {
    get aborted() {
      return limit.signal.aborted
    },
    get reason() {
      return limit.signal.reason
    },
    addEventListener(type, listener, options) {
      timer ??= run()
      limit.signal.addEventListener(type, listener, options)
    },
    removeEventListener: limit.signal.removeEventListener,
  }
  const stop = () => {
    clearTimeout(timer)
    outer?.removeEventListener('abort', abort)
  }
  return { signal, stop }
}
