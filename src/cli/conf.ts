/** HOME of conf and proper-lockfile: every write of the user file. */
import { mkdirSync } from 'node:fs'
import Conf from 'conf'
import { lock } from 'proper-lockfile'
import { fail } from '../contract/errors.ts'
import { readUserFile, type UserFile, userFilePath } from './user-file.ts'

/**
 * Changes the user file: reads it anew under a lock, writes it in one piece (0600 in a 0700 directory), so that
 * any number of runs at once lose nothing, and a crash leaves the old file.
 */
export async function changeUserFile(directory: string, change: (file: UserFile) => UserFile): Promise<void> {
  try {
    mkdirSync(directory, { recursive: true, mode: 0o700 })
    const release = await lock(directory, {
      lockfilePath: `${userFilePath(directory)}.lock`,
      stale: 10_000,
      retries: { retries: 200, minTimeout: 10, maxTimeout: 100, factor: 1.2, randomize: true },
    })
    try {
      const changed = change(readUserFile(directory))
      const conf = new Conf<Record<string, unknown>>({ cwd: directory, configName: 'config', configFileMode: 0o600 })
      conf.store = { ...changed }
    } finally {
      await release()
    }
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (code === 'ELOCKED')
      fail('bad_file', `${userFilePath(directory)} is locked by another run. Nothing was changed; try again.`, { cause: error })
    if (code?.startsWith('E'))
      fail('bad_file', `${userFilePath(directory)} cannot be written (${message}). Nothing was changed.`, { cause: error })
    throw error
  }
}
