import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Engine } from '../../src/service/store/engine.ts'

/** A server where the tests may create databases, as `postgres://user@host:port/database`; `.ci/postgres.sh` starts one. */
export const server = process.env.BOOKCTL_TEST_POSTGRES

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
  /** A database of its own, without records. PostgreSQL's is a copy of one that was migrated once, which saves most of the time. */
  fresh(): Promise<TestDatabase>
  /** A database of its own that holds nothing at all. */
  empty(): Promise<TestDatabase>
}

async function newFile(): Promise<TestDatabase> {
  const { openSqlite } = await import('../../src/service/store/sqlite.ts')
  const folder = mkdtempSync(join(tmpdir(), 'bookctl-test-'))
  const address = join(folder, 'business.db')
  return {
    address,
    // In one thread a connection that waits keeps the other from going on, so it waits shortly, and tries again.
    open: async () => openSqlite(address, { create: true, busyTimeout: 20 }),
    drop: async () => rmSync(folder, { recursive: true, force: true }),
  }
}

export const sqlite: TestEngine = { name: 'SQLite', fresh: newFile, empty: newFile }

let made = 0

export const postgres: TestEngine = {
  name: 'PostgreSQL',
  fresh: () => newDatabase(process.env.BOOKCTL_TEST_TEMPLATE as string),
  empty: () => newDatabase('template0'),
}

async function newDatabase(template: string): Promise<TestDatabase> {
  const { openPostgres } = await import('../../src/service/store/postgres.ts')
  made += 1
  const name = `bookctl_test_${process.pid}_${Math.random().toString(36).slice(2, 8)}_${made}`
  const address = addressOf(name)
  await onServer(`create database ${name} encoding 'UTF8' template ${template}`)
  return { address, open: () => openPostgres(address), drop: () => onServer(`drop database if exists ${name} with (force)`) }
}

export function addressOf(database: string): string {
  const url = new URL(server as string)
  url.pathname = `/${database}`
  return url.href
}

export async function onServer(statement: string): Promise<void> {
  const { default: pg } = await import('pg')
  const client = new pg.Client({ connectionString: server })
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}
