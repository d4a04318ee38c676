/** HOME of commander: what was typed behind the words of a command → its flags, still as text. Help does without. */
import { CommanderError, Option, Command as Parser } from 'commander'
import { AppError, fail } from '../contract/errors.ts'
import type { Command, Flag, Given } from './command.ts'
import { everywhere, sharedFlags } from './global-flags.ts'

/** @throws AppError `usage`, with a suggestion where a flag or a choice is nearly one that exists */
export async function parse(command: Command, name: string, args: string[]): Promise<Given> {
  const parser = new Parser(name).exitOverride().allowExcessArguments(false).showSuggestionAfterError(true)
  parser.helpOption(false).configureOutput({ writeOut: () => undefined, writeErr: () => undefined, outputError: () => undefined })
  const flags = [
    ...command.flags,
    ...sharedFlags(command),
    ...everywhere.filter((flag) => !command.flags.some((own) => own.name === flag.name)),
  ]
  // Commander takes long to learn of a flag, so it learns of those that may have been typed.
  for (const flag of flags) if (mayBeIn(args, flag)) for (const option of optionsOf(flag)) parser.addOption(option)
  if (command.positional) parser.argument(`[${command.positional.name}]`)
  if (command.second) parser.argument(`[${command.second.name}]`)
  try {
    parser.parse(args, { from: 'user' })
  } catch (error) {
    if (error instanceof CommanderError) return failParse(error, command, name, flags)
    throw error
  }
  const options = parser.opts()
  const given = flags.map(({ name: flag, negatable, placeholder }) => [
    flag,
    optionValue(options, flag, negatable === true, placeholder !== undefined),
  ])
  return {
    id: parser.args[0],
    ...(command.second ? { second: parser.args[1] } : {}),
    flags: Object.fromEntries(given.filter(([, value]) => value !== undefined)),
  }
}

const mayBeIn = (args: string[], { name, short }: Flag): boolean =>
  args.some((arg) => arg.startsWith('-') && (arg.includes(name) || (short !== undefined && arg.includes(short))))

function optionsOf({ name, short, placeholder, description, choices, repeat, negatable }: Flag): Option[] {
  const option = new Option(`${short ? `-${short}, ` : ''}--${name}${placeholder ? ` <${placeholder}>` : ''}`, description)
  // A name of ours, so that commander neither camel-cases it nor reads "no-" as a negation.
  option.attributeName = () => keyOf(name)
  option.negate = false
  if (choices) option.choices(choices)
  if (repeat) option.argParser((value: string, previous: string[] | undefined) => [...(previous ?? []), value])
  if (!negatable) return [option]
  const off = new Option(`--no-${name}`)
  off.attributeName = () => keyOf(`no-${name}`)
  off.negate = false
  return [option, off]
}

const keyOf = (name: string): string => `flag ${name}`

function optionValue(options: Record<string, unknown>, name: string, negatable: boolean, takesValue: boolean): Given['flags'][string] {
  if (negatable && options[keyOf(`no-${name}`)] === true) return false
  const value = options[keyOf(name)]
  return takesValue ? (value as string | string[] | undefined) : value === true ? true : undefined
}

/** Commander's complaint, in our words: what was wrong, and what to do. */
async function failParse(error: CommanderError, command: Command, name: string, flags: Flag[]): Promise<never> {
  const help = [{ command: `bookctl ${name} --help`, why: 'shows what it takes' }]
  const quoted = /'([^']*)'/.exec(error.message)?.[1] ?? ''
  if (error.code === 'commander.unknownOption') {
    const known = flags.flatMap((flag) => [`--${flag.name}`, ...(flag.negatable ? [`--no-${flag.name}`] : [])])
    await (await import('./suggest.ts')).failUnknown('flag', quoted, known, `bookctl ${name} --help`)
  }
  if (error.code === 'commander.excessArguments') {
    const most = command.second ? 'two arguments' : command.positional ? 'one argument, the id' : 'no arguments, only flags'
    fail('usage', `bookctl ${name} takes ${most}.`, { hints: help })
  }
  if (error.code === 'commander.optionMissingArgument')
    fail('usage', `${quoted.replace(/^-\w, | <.*$/g, '')} needs a value.`, { hints: help })
  const flag = flags.find(({ name: flagName }) => quoted.includes(`--${flagName} `) || quoted.endsWith(`--${flagName}`))
  if (flag?.choices) {
    const wrong = /argument '([^']*)' is invalid/.exec(error.message)?.[1] ?? ''
    const near = (await import('./suggest.ts')).nearest(wrong, flag.choices)
    fail('usage', `--${flag.name} must be one of ${flag.choices.join(', ')}; "${wrong}" is none.${near ? ` Did you mean ${near}?` : ''}`, {
      hints: help,
    })
  }
  throw new AppError('usage', error.message.replace(/^error: /, ''), { hints: help, cause: error })
}
