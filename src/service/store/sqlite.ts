/** HOME of `@photostructure/sqlite`, the driver of SQLite. */
import { closeSync, existsSync, openSync } from 'node:fs'
import { DatabaseSync } from '@photostructure/sqlite'
import { AppError, fail } from '../../contract/errors.ts'
import {
  type ColumnTypes,
  type Engine,
  type Failure,
  inside,
  type Migration,
  missing,
  type Queries,
  type Transaction,
  withRetries,
} from './engine.ts'
import type { Sql } from './sql.ts'

const types: ColumnTypes = { id: 'integer primary key autoincrement', key: 'integer primary key', text: 'text' }

type Database = InstanceType<typeof DatabaseSync>
type Statement = ReturnType<Database['prepare']>
type Value = string | number | bigint | null

interface Options {
  /** Make the file (readable by its owner alone) when it is not there; otherwise a missing file is an error. */
  create?: boolean
  /** Milliseconds to wait for another process that writes. */
  busyTimeout?: number
}

/**
 * Opens a database file.
 * @throws AppError `bad_file` when it is missing, cannot be read, or is no database
 */
export function openSqlite(path: string, { create = false, busyTimeout = 20_000 }: Options = {}): Engine {
  const database = open(path, create, busyTimeout)
  // A statement does not keep its database alive: both are held here, side by side, as long as the engine is.
  const statements = new Map<string, Statement>()
  const self = {}
  let last: Promise<unknown> = Promise.resolve()

  function prepare(text: string): Statement {
    let statement = statements.get(text)
    if (!statement) {
      statement = database.prepare(text)
      statements.set(text, statement)
    }
    return statement
  }

  const direct: Queries = {
    all: async <T>(query: Sql) => prepare(query.sql).all(...(query.values as Value[])) as T[],
    one: async <T>(query: Sql) => prepare(query.sql).get(...(query.values as Value[])) as T | undefined,
    run: async (query: Sql) => Number(prepare(query.sql).run(...(query.values as Value[])).changes),
  }

  const tx: Transaction = {
    ...direct,
    async attempt(work) {
      database.exec('savepoint attempt')
      try {
        const result = await work()
        database.exec('release attempt')
        return result
      } catch (error) {
        database.exec('rollback to attempt')
        database.exec('release attempt')
        throw error
      }
    },
  }

  /** One at a time: between two awaits, another request's statement must not land inside an open transaction. */
  function alone<T>(work: () => Promise<T>): Promise<T> {
    if (inside.getStore() === self) throw new Error('the store was called where its transaction was meant')
    const turn = last.then(work, work)
    last = turn.catch(() => undefined)
    return turn.catch((error) => {
      throw namingFile(error, path)
    })
  }

  async function transact<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    // Immediate: a transaction that reads first and writes later fails at once when another one wrote in between.
    database.exec('begin immediate')
    try {
      const result = await inside.run(self, () => work(tx))
      database.exec('commit')
      return result
    } catch (error) {
      if (database.isTransaction) database.exec('rollback')
      throw error
    }
  }

  /** Commits without waiting for the disk: the next durable commit takes it along. */
  async function undurably<T>(work: () => Promise<T>): Promise<T> {
    database.exec('pragma synchronous = normal')
    try {
      return await work()
    } finally {
      database.exec('pragma synchronous = full')
    }
  }

  return {
    name: 'sqlite',
    all: (query) => alone(() => direct.all(query)),
    one: (query) => alone(() => direct.one(query)),
    run: (query) => alone(() => direct.run(query)),
    transaction: (work, { durable = true } = {}) =>
      withRetries(() => alone(() => (durable ? transact(work) : undurably(() => transact(work)))), failureOf),
    async migrate(migrations: Migration[]) {
      const applied = () => {
        database.exec('create table if not exists schema_migrations (number integer primary key, name text not null)')
        return database
          .prepare('select number from schema_migrations')
          .all()
          .map((row) => Number((row as { number: number }).number))
      }
      if (await alone(async () => isCurrent(database, migrations))) return
      const bringUp = () =>
        transact(async () => {
          for (const { number, name, statements: build } of missing(migrations, applied(), path)) {
            for (const statement of build(types)) database.exec(statement)
            database.prepare('insert into schema_migrations (number, name) values (?, ?)').run(number, name)
          }
          database.exec(`pragma user_version = ${migrations.length}`)
        })
      await withRetries(() => alone(bringUp), failureOf)
    },
    ping: () => alone(async () => prepare('select 1').get() !== undefined),
    async close() {
      await last
      statements.clear()
      database.close()
    },
  }
}

/** The common case, told without a write: every migration is there, and no more. */
function isCurrent(database: Database, migrations: Migration[]): boolean {
  const { user_version } = database.prepare('pragma user_version').get() as { user_version: number }
  return user_version === migrations.length
}

function open(path: string, create: boolean, busyTimeout: number): Database {
  if (!create && !existsSync(path)) fail('bad_file', `The database ${path} is not there.`)
  try {
    if (create) closeSync(openSync(path, 'a', 0o600))
    const database = new DatabaseSync(path, { timeout: busyTimeout })
    database.exec('pragma journal_mode = wal; pragma synchronous = full; pragma foreign_keys = on')
    return database
  } catch (error) {
    throw new AppError('bad_file', `The database ${path} cannot be opened: ${reasonOf(error)}. Nothing was changed.`, { cause: error })
  }
}

const BUSY = 5
const FULL = 13
/** Result codes that speak of the file, with what to do about it. */
const advice: Record<number, string> = {
  3: 'the file and its directory must be yours to read and write',
  8: 'the file and its directory must be yours to write',
  10: 'its disk is full or at fault; make room, or copy the file before anything else',
  11: 'it is damaged; put a copy from before in its place, or save what is left with sqlite3 FILE .recover',
  14: 'the file and its directory must be yours to read and write',
  26: 'it is none; name the right file, or put a copy from before in its place',
}

/** The driver gives a failed read of several rows its message only, which SQLite keeps the same for each code. */
const codes: Record<string, number> = {
  'database is locked': BUSY,
  'attempt to write a readonly database': 8,
  'disk I/O error': 10,
  'database disk image is malformed': 11,
  'database or disk is full': FULL,
  'unable to open database file': 14,
  'file is not a database': 26,
}

function codeOf(error: unknown): number {
  const { errcode, message } = error as { errcode?: number; message?: string }
  return (errcode ?? codes[message ?? ''] ?? 0) & 0xff
}

/** Why and what to do, with the words of SQLite. */
function reasonOf(error: unknown): string {
  const { message } = error as Error
  const known = advice[codeOf(error)]
  return known ? `${known} (${message})` : message
}

/** An error that is the file's, with its name in the sentence; any other as it is. */
function namingFile(error: unknown, path: string): unknown {
  if (error instanceof AppError || !(codeOf(error) in advice)) return error
  return new AppError('bad_file', `The database ${path} cannot be used: ${reasonOf(error)}. Nothing was changed.`, { cause: error })
}
const CONSTRAINT_UNIQUE = [1555, 2067]

function failureOf(error: unknown): Failure | undefined {
  if (error instanceof AppError || !(error instanceof Error)) return undefined
  if (CONSTRAINT_UNIQUE.includes((error as { errcode?: number }).errcode ?? 0)) return 'unique'
  if (codeOf(error) === BUSY) return 'again'
  if (codeOf(error) === FULL) return 'full'
  return undefined
}
