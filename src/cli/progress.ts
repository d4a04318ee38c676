import type { Context } from './command.ts'

/** How far some work is, for whoever watches stderr. */
export interface Progress {
  /** So many are done. */
  at(done: number): Promise<void>
  /** Takes a drawing away again; the result says the rest. */
  end(): void
}

/**
 * A bar with rate and time left on a terminal; elsewhere, and with --accessible, a plain line for every tenth of the work.
 * @param what what the work does to each, as in "12 of 40 arrived"
 */
export async function openProgress(total: number, what: string, context: Context): Promise<Progress> {
  const { env, look } = context
  const { stderr } = env
  if (stderr.isTTY && !look.accessible && env.variables.TERM !== 'dumb')
    return (await import('./progress-bar.ts')).openBar(total, what, env)
  let told = 0
  return {
    async at(done) {
      const tenth = Math.floor((done * 10) / total)
      if (tenth <= told) return
      told = tenth
      await context.say(`${done} of ${total} ${what}.`)
    },
    end: () => undefined,
  }
}
