import { AsyncLocalStorage } from 'node:async_hooks'
import { AppError, fail } from '../../contract/errors.ts'
import type { Sql } from './sql.ts'

/** In whose transaction the running code is. One for all engines: each one more makes every promise dearer, for ever. */
export const inside = new AsyncLocalStorage<object>()

/** What a store area needs of a database. */
export interface Queries {
  all<T>(query: Sql): Promise<T[]>
  one<T>(query: Sql): Promise<T | undefined>
  /** @returns how many rows were changed. */
  run(query: Sql): Promise<number>
}

export interface Transaction extends Queries {
  /**
   * Runs `work` under a savepoint. What it wrote and the row locks it took are given back when it fails.
   */
  attempt<T>(work: () => Promise<T>): Promise<T>
}

export interface TransactionOptions {
  /** Fail (and start over) when a row that was read has changed by the time it is written. */
  repeatable?: boolean
  /** False for what may be lost when the power fails, because it is found out again; it is never half there. Saves the wait for the disk. */
  durable?: boolean
}

/** A database. Two of them exist: sqlite.ts and postgres.ts. */
export interface Engine extends Queries {
  name: 'sqlite' | 'postgres'
  /**
   * Runs `work` in one transaction and commits, or rolls back and throws what it threw. A conflict with another
   * transaction starts the whole of it over, a bounded number of times, so `work` must not act outside of it.
   * Calling the engine itself inside `work` throws: there, only `tx` will do.
   */
  transaction<T>(work: (tx: Transaction) => Promise<T>, options?: TransactionOptions): Promise<T>
  /** Applies the migrations that are missing, under a lock, each in one transaction. */
  migrate(migrations: Migration[]): Promise<void>
  /** True when the engine answers. */
  ping(): Promise<boolean>
  close(): Promise<void>
}

/** The column types in which the engines differ; everything else in a migration is the same text. */
export interface ColumnTypes {
  /** A key of the engine's making, never used twice. */
  id: string
  /** A key that is another table's. */
  key: string
  /** Text that is compared byte by byte, on every machine the same. */
  text: string
}

export interface Migration {
  number: number
  name: string
  statements: (types: ColumnTypes) => string[]
  /** A second wall only PostgreSQL can build; left out without harm where the extension is missing. */
  postgresOnly?: string[]
}

export type Failure = 'unique' | 'overlap' | 'again' | 'full'

const TRIES = 8

/**
 * Runs a transaction again while it fails for reasons that pass: a deadlock, a serialization failure, a busy database,
 * a unique key that another transaction took first (the second run sees that row and says so in its own words).
 */
export async function withRetries<T>(attempt: () => Promise<T>, failureOf: (error: unknown) => Failure | undefined): Promise<T> {
  let uniques = 0
  for (let tries = 1; ; tries += 1) {
    try {
      return await attempt()
    } catch (error) {
      if (error instanceof AppError) throw error
      const failure = failureOf(error)
      if (failure === undefined) throw error
      if (failure === 'overlap') fail('slot_taken', 'That time was taken just now.', { cause: error })
      if (failure === 'full')
        fail('unavailable', 'The disk of the database is full; nothing was written. Make room, then try again.', {
          cause: error,
          retry_after: 60,
        })
      if (failure === 'unique') uniques += 1
      if (uniques > 1) fail('conflict', 'Another record has that value already.', { cause: error })
      if (tries === TRIES)
        fail('unavailable', 'The database is too busy; nothing was written. Try again.', { cause: error, retry_after: 1 })
      await new Promise((resolve) => setTimeout(resolve, 2 ** tries))
    }
  }
}

/** Which of the migrations are missing; refuses a database that a newer version has written. */
export function missing(migrations: Migration[], applied: number[], where: string): Migration[] {
  const newest = Math.max(0, ...migrations.map(({ number }) => number))
  const found = Math.max(0, ...applied)
  if (found > newest) {
    fail(
      'bad_file',
      `${where} was written by a newer bookctl (schema ${found}, this one knows ${newest}). Update bookctl; nothing was changed.`,
    )
  }
  return migrations.filter(({ number }) => !applied.includes(number))
}
