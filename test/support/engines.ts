import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, test } from 'vitest'
import type { Engine } from '../../src/service/store/engine.ts'

/** A server where the tests may create databases, as `postgres://user@host:port/database`; `.ci/postgres.sh` starts one. */
const server = process.env.BOOKCTL_TEST_POSTGRES

export interface TestDatabase {
  /** As `openService` takes it: a file, or a `postgres://` address. */
  address: string
  /** Opens the bare engine on it, as often as one likes. */
  open(): Promise<Engine>
  /** Takes it away, whoever is still connected. */
  drop(): Promise<void>
}

export interface TestEngine {
  name: 'SQLite' | 'PostgreSQL'
  /** A database of its own that holds nothing yet. */
  fresh(): Promise<TestDatabase>
}

export const sqlite: TestEngine = {
  name: 'SQLite',
  async fresh() {
    const { openSqlite } = await import('../../src/service/store/sqlite.ts')
    const folder = mkdtempSync(join(tmpdir(), 'bookctl-test-'))
    const address = join(folder, 'business.db')
    return {
      address,
      // In one thread a connection that waits keeps the other from going on, so it waits shortly, and tries again.
      open: async () => openSqlite(address, { create: true, busyTimeout: 20 }),
      drop: async () => rmSync(folder, { recursive: true, force: true }),
    }
  },
}

let made = 0

const postgres: TestEngine = {
  name: 'PostgreSQL',
  async fresh() {
    const { openPostgres } = await import('../../src/service/store/postgres.ts')
    made += 1
    const name = `bookctl_test_${process.pid}_${Math.random().toString(36).slice(2, 8)}_${made}`
    const url = new URL(server as string)
    url.pathname = `/${name}`
    await onServer(`create database ${name} encoding 'UTF8' template template0`)
    return { address: url.href, open: () => openPostgres(url.href), drop: () => onServer(`drop database if exists ${name} with (force)`) }
  },
}

async function onServer(statement: string): Promise<void> {
  const { default: pg } = await import('pg')
  const client = new pg.Client({ connectionString: server })
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}

/** The same tests once on SQLite, and once on PostgreSQL where there is one; where there is none, a skipped test says so. */
export function onEveryEngine(title: string, tests: (engine: TestEngine) => void): void {
  describe(`${title}, on SQLite`, () => tests(sqlite))
  describe(`${title}, on PostgreSQL`, () => {
    if (server) tests(postgres)
    else test.skip('PostgreSQL IS NOT TESTED: set BOOKCTL_TEST_POSTGRES, or run eval "$(.ci/postgres.sh)" first', () => undefined)
  })
}
