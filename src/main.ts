import { systemEnv } from './cli/env.ts'
import { run } from './cli/run.ts'
import { entries } from './commands/index.ts'
import { openLocal } from './commands/local.ts'

const env = systemEnv()
/** An export, if only for the build: without any, esbuild takes this file for CommonJS, and wraps every module of ours in a function. */
export const ended = run(process.argv.slice(2), env, { entries, openLocal }).then((exit) => {
  // Set, not called, where a slow pipe may still get its bytes. Otherwise there is nothing to wait for, and no memory to tidy up.
  // Whoever interrupts us does not wait either for what is still open, such as stdin.
  process.exitCode = exit
  if (env.release() || env.interrupt.aborted) process.exit()
})
