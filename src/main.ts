import { systemEnv } from './cli/env.ts'
import { run } from './cli/run.ts'
import { entries } from './commands/index.ts'
import { openLocal } from './commands/local.ts'

// Set, never called: a slow pipe gets all of its bytes.
run(process.argv.slice(2), systemEnv(), { entries, openLocal }).then((exit) => {
  process.exitCode = exit
})
