import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
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
