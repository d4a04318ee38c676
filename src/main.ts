import { systemEnv } from './cli/env.ts'
import { run } from './cli/run.ts'
import { entries } from './commands/index.ts'
import { openLocal } from './commands/local.ts'

const env = systemEnv()
/** An export, if only for the build: without any, esbuild takes this file for CommonJS, and wraps every module of ours in a function. */
export const ended = run(process.argv.slice(2), env, { entries, openLocal }).then((exit) => {
  // Set, not called: a slow pipe gets all of its bytes. Whoever interrupts us does not wait for what is still open, such as stdin.
  process.exitCode = exit
  env.release()
  if (env.interrupt.aborted) process.exit()
})
