import { existsSync, mkdirSync, readFileSync } from 'node:fs'
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

/** Makes a directory that only its owner can read, and those above it. */
export function makePrivateDirectory(path: string): void {
  mkdirSync(path, { recursive: true, mode: 0o700 })
}

export const exists = (path: string): boolean => existsSync(path)

/** An absolute path, of one that was typed. */
export const pathFrom = (directory: string, path: string): string => resolve(directory, path)
