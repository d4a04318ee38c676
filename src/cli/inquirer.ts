/** HOME of inquirer. */
import inquirer from 'inquirer'
import { AppError } from '../contract/errors.ts'
import type { Env } from './env.ts'
import type { Prompt } from './prompt.ts'

/** Prompts on stderr: stdout is for results. */
export function createPrompt({ stdin, stderr, interrupt }: Env): Prompt {
  async function ask<T>(question: object): Promise<T> {
    const closed = new AbortController()
    const leave = () => closed.abort()
    interrupt.addEventListener('abort', leave, { once: true })
    if (interrupt.aborted) leave()
    // Ctrl-D closes the input, of which inquirer says nothing. An answer that came with it comes first.
    const close = () => setImmediate(leave)
    stdin.stream.once('pause', close)
    try {
      const prompt = inquirer.createPromptModule({
        input: stdin.stream as NodeJS.ReadStream,
        output: stderr.stream as NodeJS.WriteStream,
        signal: closed.signal,
      } as never)
      const { answer } = (await prompt([{ ...question, name: 'answer' } as never])) as { answer: T }
      return answer
    } catch (error) {
      if (interrupt.aborted) throw interrupt.reason
      if (/Exit|Abort|Cancel/.test((error as Error).name))
        throw new AppError('interrupted', 'Interrupted; nothing was changed.', { cause: error })
      throw error
    } finally {
      interrupt.removeEventListener('abort', leave)
      stdin.stream.off('pause', close)
    }
  }
  return {
    confirm: (message) => ask({ type: 'confirm', message, default: false }),
    text: (message, { default: preset, check } = {}) => ask({ type: 'input', message, default: preset, validate: check ?? (() => true) }),
    secret: (message) => ask({ type: 'password', message }),
    select: (message, choices) =>
      ask({ type: 'select', message, choices: choices.map((choice) => ({ ...choice, disabled: choice.disabled ?? false })) }),
    checkbox: (message, choices) =>
      ask({ type: 'checkbox', message, choices: choices.map((choice) => ({ ...choice, disabled: choice.disabled ?? false })) }),
  }
}
