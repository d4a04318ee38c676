import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { fail } from '../contract/errors.ts'
import type { Env } from './env.ts'

const TIMEOUT = 30_000

/**
 * Runs the command that prints a credential (`pass show …`) in the user's shell.
 * @throws AppError `no_credential` when it fails or prints nothing; what it printed is told to nobody
 */
export async function runSecretCommand(command: string, { variables, platform }: Env): Promise<string> {
  const [shell, flag] = platform === 'win32' ? ['cmd.exe', '/c'] : ['/bin/sh', '-c']
  try {
    const { stdout } = await promisify(execFile)(shell as string, [flag as string, command], {
      env: variables as NodeJS.ProcessEnv,
      timeout: TIMEOUT,
    })
    const [line = ''] = stdout.split('\n')
    if (line.trim()) return line.trim()
  } catch (error) {
    const { code, killed } = error as { code?: number | string; killed?: boolean }
    const why = killed ? `did not end within ${TIMEOUT / 1000} s` : `ended with ${code}`
    fail('no_credential', `The command for the credential ${why}: ${command}`)
  }
  return fail('no_credential', `The command for the credential printed nothing: ${command}`)
}
