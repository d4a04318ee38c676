import type { Context, Flag, Given } from '../cli/command.ts'
import { fail } from '../contract/errors.ts'

/** A key is never typed as a flag: others could read it there. */
export const signingKeyFlag: Flag = { name: 'signing-key-stdin', description: 'Read the signing key from stdin; one is made when left out' }

/** The signing key on stdin, where one was promised. @throws AppError `usage` where there is none */
export async function signingKeyOnStdin({ flags }: Given, { env, globals }: Context): Promise<{ signing_key?: string }> {
  if (flags['signing-key-stdin'] !== true) return {}
  if (globals.inputJson === '-') fail('usage', 'Stdin can be read once: give the signing key in the JSON, or the JSON in a file.')
  const signing_key = (await env.stdin.read()).replace(/\r?\n$/, '')
  return signing_key ? { signing_key } : fail('usage', 'There is no signing key on stdin.')
}

/** What to say beside a key that is told now and never again. */
export const keepKey =
  'The signing_key above is shown this once. Keep it where your receiver reads its secrets, such as WEBHOOK_SIGNING_KEY.'
