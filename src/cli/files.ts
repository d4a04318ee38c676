import {
  closeSync,
  existsSync,
  fchmodSync,
  fstatSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  readSync,
  rmSync,
  writeSync,
} from 'node:fs'
import { resolve } from 'node:path'
import { fail } from '../contract/errors.ts'

/** The text of a file that a flag names. @throws AppError `usage` when it cannot be read */
export function readTextFile(path: string, flag: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    return fail('usage', `${flag}: ${path} cannot be read (${(error as Error).message}).`, { cause: error })
  }
}

/** Makes a directory that only its owner can read, and those above it. @throws AppError `bad_file` when it cannot be made */
export function makePrivateDirectory(path: string): void {
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 })
  } catch (error) {
    fail('bad_file', `The directory ${path} cannot be made: ${causeOf(error)}. Nothing was changed.`, { cause: error })
  }
}

const causes: Record<string, string> = {
  EACCES: 'permission is denied; it must be yours to write',
  EPERM: 'permission is denied; it must be yours to write',
  EROFS: 'the file system is read-only',
  ENOSPC: 'no space is left on the disk; make room, then try again',
  EDQUOT: 'your quota of the disk is used up; make room, then try again',
  ENOTDIR: 'a file is where a directory should be',
  EISDIR: 'a directory is where the file should be',
}

/** Why a file could not be written, in words, where the system says it by one of the usual codes. */
export function causeOf(error: unknown): string {
  const { code = '', message } = error as NodeJS.ErrnoException
  return causes[code] ?? message
}

/** Takes a database file away that was made in this run, with what SQLite puts beside it. */
export function removeDatabase(path: string): void {
  for (const file of [path, `${path}-wal`, `${path}-shm`]) rmSync(file, { force: true })
}

export const exists = (path: string): boolean => existsSync(path)

/** An absolute path, of one that was typed. */
export const pathFrom = (directory: string, path: string): string => resolve(directory, path)

/** A file that lines are added to, and that only its owner can read. */
export interface PrivateLog {
  /** Adds a line, in one piece and down to the disk. */
  add(line: string): void
  close(): void
}

/**
 * Opens a file to add lines to; makes it where it is not there, and takes from others what they might do with it.
 * @throws AppError `usage` when it cannot be written, or is none
 */
export function openPrivateLog(path: string, flag: string): PrivateLog {
  let file: number | undefined
  try {
    file = openSync(path, 'a+', 0o600)
    const { size, mode } = fstatSync(file)
    if (!fstatSync(file).isFile()) throw new Error('it is not a file')
    if ((mode & 0o077) !== 0) fchmodSync(file, 0o600)
    // A line that a crash cut short stays a line of its own.
    const last = Buffer.alloc(1)
    if (size > 0 && readSync(file, last, 0, 1, size - 1) === 1 && last.toString() !== '\n') writeSync(file, '\n')
  } catch (error) {
    if (file !== undefined) closeSync(file)
    return fail('usage', `${flag}: ${path} cannot be written (${(error as Error).message}).`, { cause: error })
  }
  const opened = file
  return {
    add(line) {
      const bytes = Buffer.from(`${line}\n`)
      if (writeSync(opened, bytes) !== bytes.length) throw new Error('the disk is full')
      fsyncSync(opened)
    },
    close: () => closeSync(opened),
  }
}
