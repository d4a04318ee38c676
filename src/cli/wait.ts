import type { Context } from './command.ts'
import { timeoutOf } from './settings.ts'

/** Milliseconds between two looks: soon at first, then ever more seldom. */
const SOON = 50
const SELDOM = 1_000

/**
 * Looks again and again until what is seen is enough, or the time of --timeout is up.
 * @returns what was seen last
 * @throws AppError the one that Ctrl-C or SIGTERM ends the command with
 */
export async function lookUntil<T>(look: () => Promise<T>, isEnough: (seen: T) => boolean, { env, setting }: Context): Promise<T> {
  const patience = timeoutOf(setting('timeout')?.value ?? '30')
  const end = env.now() + patience
  let slept = 0
  for (let pause = SOON; ; pause = Math.min(pause * 1.5, SELDOM)) {
    const seen = await look()
    // What was slept counts as well, for a clock that somebody sets back.
    if (isEnough(seen) || slept >= patience || env.now() >= end) return seen
    const nap = Math.min(pause, patience - slept)
    await env.sleep(nap, env.interrupt)
    slept += nap
    if (env.interrupt.aborted) throw env.interrupt.reason
  }
}
