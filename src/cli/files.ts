import {
  closeSync,
  constants,
  existsSync,
  fchmodSync,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readFileSync,
  readSync,
  rmSync,
  writeSync,
} from 'node:fs'
import { resolve } from 'node:path'
import { AppError, fail } from '../contract/errors.ts'

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

/** A file that a flag names and that cannot be written: `unavailable` where the disk has no room, `usage` otherwise. */
export function unwritable(path: string, flag: string, error: unknown): AppError {
  const isFull = ['ENOSPC', 'EDQUOT'].includes((error as NodeJS.ErrnoException).code ?? '')
  return new AppError(isFull ? 'unavailable' : 'usage', `${flag}: ${path} cannot be written: ${causeOf(error)}.`, { cause: error })
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
  /** Adds a line, in one piece and down to the disk. @throws AppError as `openPrivateLog` does; nothing of the line is left then */
  add(line: string): void
  close(): void
}

/** Not to wait for somebody at the other end, where it is a pipe. Windows has no such flag. */
const OPENING = constants.O_RDWR | constants.O_APPEND | constants.O_CREAT | (constants.O_NONBLOCK ?? 0)

/**
 * Opens a file to add lines to; makes it where it is not there, and takes from others what they might do with it. Whatever is no
 * regular file, or does not begin as it should, stays as it is.
 * @param beginning how a file that holds something already must begin
 * @throws AppError `usage` when it cannot be written, or is none; `unavailable` when the disk is full
 */
export function openPrivateLog(path: string, flag: string, { beginning }: { beginning?: RegExp } = {}): PrivateLog {
  let file: number | undefined
  try {
    file = openSync(path, OPENING, 0o600)
    const found = fstatSync(file)
    if (!found.isFile()) throw new Error('it is not a file')
    const first = Buffer.alloc(64)
    const length = readSync(file, first, 0, first.length, 0)
    if (beginning && length > 0 && !beginning.test(first.toString('utf8', 0, length)))
      throw new Error('it holds something else already, and was left as it was')
    if ((found.mode & 0o077) !== 0) fchmodSync(file, 0o600)
    // A line that a crash cut short stays a line of its own.
    const last = Buffer.alloc(1)
    if (found.size > 0 && readSync(file, last, 0, 1, found.size - 1) === 1 && last.toString() !== '\n') writeSync(file, '\n')
  } catch (error) {
    if (file !== undefined) closeSync(file)
    throw unwritable(path, flag, error)
  }
  const opened = file
  return {
    add(line) {
      try {
        addTo(opened, Buffer.from(`${line}\n`))
      } catch (error) {
        throw unwritable(path, flag, error)
      }
    },
    close: () => closeSync(opened),
  }
}

function addTo(file: number, bytes: Buffer): void {
  const { size } = fstatSync(file)
  let written = 0
  try {
    // What fits is written first; the rest says why it does not.
    while (written < bytes.length) written += writeSync(file, bytes, written)
    fsyncSync(file)
  } catch (error) {
    // Unless somebody else has added to it meanwhile.
    if (fstatSync(file).size === size + written) ftruncateSync(file, size)
    throw error
  }
}

/** Makes a file that only its owner can read. @throws AppError as `openPrivateLog` does; there is no file then */
export function writePrivateFile(path: string, flag: string, text: string): void {
  let file: number | undefined
  try {
    file = openSync(path, 'wx', 0o600)
    addTo(file, Buffer.from(text))
  } catch (error) {
    if (file !== undefined) rmSync(path, { force: true })
    throw unwritable(path, flag, error)
  } finally {
    if (file !== undefined) closeSync(file)
  }
}
