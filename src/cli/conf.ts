/** HOME of conf and proper-lockfile: every write of the user file. */
import { mkdirSync } from 'node:fs'
import Conf from 'conf'
import { lock } from 'proper-lockfile'
import { fail } from '../contract/errors.ts'
import { causeOf } from './files.ts'
import { readUserFile, type UserFile, userFilePath } from './user-file.ts'

/**
 * Changes the user file: reads it anew under a lock, writes it in one piece (0600 in a 0700 directory), so that
 * any number of runs at once lose nothing, and a crash leaves the old file.
 */
export async function changeUserFile(directory: string, change: (file: UserFile) => UserFile): Promise<void> {
  try {
    mkdirSync(directory, { recursive: true, mode: 0o700 })
    const release = await takeLock(directory)
    try {
      const changed = change(readUserFile(directory))
      const conf = new Conf<Record<string, unknown>>({ cwd: directory, configName: 'config', configFileMode: 0o600 })
      conf.store = { ...changed }
    } finally {
      await release()
    }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ELOCKED')
      fail('bad_file', `${userFilePath(directory)} is locked by another run. Nothing was changed; try again.`, { cause: error })
    if (code?.startsWith('E'))
      fail('bad_file', `${userFilePath(directory)} cannot be written: ${causeOf(error)}. Nothing was changed.`, { cause: error })
    throw error
  }
}

const TRIES = 200

/** Waits for whoever has the lock; not where it cannot be made, since waiting would not help that. */
async function takeLock(directory: string): Promise<() => Promise<void>> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await lock(directory, { lockfilePath: `${userFilePath(directory)}.lock`, stale: 10_000 })
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ELOCKED' || tries === TRIES) throw error
      await new Promise((resolve) => setTimeout(resolve, Math.min(100, 10 * tries)))
    }
  }
}
