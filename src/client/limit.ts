/** A signal for all the attempts of a call: aborted with the caller's, or when the time is over. To be stopped in any case. */
export function startLimit(timeout: number, outer: AbortSignal | undefined): { signal: AbortSignal; stop(): void } {
  const controller = new AbortController()
  const abort = () => controller.abort(outer?.reason)
  // A longer delay than this would be taken for none.
  const timer = setTimeout(() => controller.abort(new Error('The time is over.')), Math.min(timeout, 2 ** 31 - 1))
  outer?.addEventListener('abort', abort, { once: true })
  if (outer?.aborted) abort()
  const stop = () => {
    clearTimeout(timer)
    outer?.removeEventListener('abort', abort)
  }
  return { signal: controller.signal, stop }
}
