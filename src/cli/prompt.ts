import { AppError, fail } from '../contract/errors.ts'
import type { Env } from './env.ts'

export interface Choice<T> {
  value: T
  name: string
  /** What is left on the screen once it was chosen; the name when left out. */
  short?: string
  /** Why it cannot be chosen. */
  disabled?: string
}

/** What may be asked of a person. Each answer may also be an `interrupted` error: Ctrl-C and Ctrl-D change nothing. */
export interface Prompt {
  /** The default is No. */
  confirm(question: string): Promise<boolean>
  text(question: string, options?: { default?: string; check?: (given: string) => true | string }): Promise<string>
  /** What is typed is not shown. */
  secret(question: string): Promise<string>
  select<T>(question: string, choices: Choice<T>[]): Promise<T>
  checkbox<T>(question: string, choices: Choice<T>[]): Promise<T[]>
}

/** True when there is somebody to ask: stdin and stderr are terminals, nobody said no, and it is not a CI run. */
export function mayAsk({ stdin, stderr, variables }: Env, noInput: boolean): boolean {
  return !noInput && stdin.isTTY && stderr.isTTY && !variables.CI
}

/** Loads the prompts, where there is somebody to ask. */
export async function openPrompt(env: Env, noInput: boolean): Promise<Prompt | undefined> {
  if (!mayAsk(env, noInput)) return undefined
  env.listen()
  return (await import('./inquirer.ts')).createPrompt(env)
}

/**
 * Asks before something is destroyed.
 * @throws AppError `usage` where nobody can be asked, `declined` where the answer is no; nothing was sent then
 */
export async function confirmDestroying(what: string, yes: boolean, env: Env, noInput: boolean): Promise<void> {
  if (yes) return
  const prompt = await openPrompt(env, noInput)
  if (!prompt) fail('usage', `This would ${what}. Say --yes to go ahead; nothing was sent.`)
  if (!(await prompt.confirm(`This will ${what}. Go ahead?`))) throw new AppError('declined', 'Nothing was changed.')
}
