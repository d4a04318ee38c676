import { describe, test } from 'vitest'
import { postgres, server, sqlite, type TestEngine } from './databases.ts'

export type { TestDatabase, TestEngine } from './databases.ts'

/** The same tests once on SQLite, and once on PostgreSQL where there is one; where there is none, a skipped test says so. */
export function onEveryEngine(title: string, tests: (engine: TestEngine) => void): void {
  describe(`${title}, on SQLite`, () => tests(sqlite))
  describe(`${title}, on PostgreSQL`, () => {
    if (server) tests(postgres)
    else test.skip('PostgreSQL IS NOT TESTED: set BOOKCTL_TEST_POSTGRES, or run eval "$(.ci/postgres.sh)" first', () => undefined)
  })
}
