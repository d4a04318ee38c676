/** HOME of commander: what was typed → the chosen command and its flags, still as text. */
import { CommanderError, Option, Command as Parser } from 'commander'
import { AppError, fail } from '../contract/errors.ts'
import { type Command, type Entry, type Flag, type Given, type Group, isGroup } from './command.ts'
import { everywhere, sharedFlags } from './global-flags.ts'

/** What is to be done: run a command, or help with the whole, a group or a command. */
export type Chosen = { kind: 'run'; command: Command; given: Given; name: string } | { kind: 'help'; about?: Command | Group; name: string }

/**
 * Finds the command that was typed and parses its flags. Only the group that was named is loaded.
 * @throws AppError `usage`, with a suggestion where a word is nearly one that exists
 */
export async function choose(argv: string[], entries: Entry[]): Promise<Chosen> {
  const asksHelp = argv.slice(0, end(argv)).some((word) => word === '--help' || word === '-h')
  const first = nextWord(argv, 0)
  if (first === undefined) {
    const unknown = argv.find((word) => word.startsWith('-') && !isGlobal(word) && word !== '--')
    if (unknown)
      await failUnknown(
        'flag',
        unknown,
        everywhere.map(({ name }) => `--${name}`),
        'bookctl --help',
      )
    return { kind: 'help', name: '' }
  }
  const word = argv[first] as string
  const entry = entries.find(({ name, aliases = [] }) => name === word || aliases.includes(word))
  if (!entry)
    return failUnknown(
      'command',
      word,
      entries.map(({ name }) => name),
      'bookctl --help',
    )
  const loaded = await entry.load()
  const rest = argv.toSpliced(first, 1)
  if (!isGroup(loaded)) return finish(loaded, entry.name, rest, asksHelp)

  const second = nextWord(rest, first)
  if (second === undefined) return { kind: 'help', about: loaded, name: entry.name }
  const verb = rest[second] as string
  const command = loaded.commands.find(({ name, aliases = [] }) => name === verb || aliases.includes(verb))
  const help = `bookctl ${entry.name} --help`
  if (!command)
    return failUnknown(
      `${entry.name} command`,
      verb,
      loaded.commands.map(({ name }) => name),
      help,
    )
  return finish(command, `${entry.name} ${command.name}`, rest.toSpliced(second, 1), asksHelp)
}

async function finish(command: Command, name: string, args: string[], asksHelp: boolean): Promise<Chosen> {
  return asksHelp ? { kind: 'help', about: command, name } : { kind: 'run', command, name, given: await parse(command, name, args) }
}

const end = (argv: string[]): number => (argv.includes('--') ? argv.indexOf('--') : argv.length)

const isGlobal = (word: string): boolean =>
  everywhere.some(({ name, short }) => word.split('=')[0] === `--${name}` || (short !== undefined && word.startsWith(`-${short}`)))

/** The next word that is neither a global flag nor the value of one. Behind any other flag nothing is certain. */
function nextWord(argv: string[], from: number): number | undefined {
  for (let index = from; index < end(argv); index += 1) {
    const word = argv[index] as string
    if (!word.startsWith('-')) return index
    const flag = everywhere.find(({ name, short }) => word === `--${name}` || word === `-${short}`)
    if (flag?.placeholder) index += 1
    else if (!isGlobal(word)) return undefined
  }
  return undefined
}

async function parse(command: Command, name: string, args: string[]): Promise<Given> {
  const parser = new Parser(name).exitOverride().allowExcessArguments(false).showSuggestionAfterError(true)
  parser.helpOption(false).configureOutput({ writeOut: () => undefined, writeErr: () => undefined, outputError: () => undefined })
  const flags = [
    ...command.flags,
    ...sharedFlags(command),
    ...everywhere.filter((flag) => !command.flags.some((own) => own.name === flag.name)),
  ]
  for (const flag of flags) for (const option of optionsOf(flag)) parser.addOption(option)
  if (command.positional) parser.argument(`[${command.positional.name}]`)
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
  return { id: parser.args[0], flags: Object.fromEntries(given.filter(([, value]) => value !== undefined)) }
}

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
    await failUnknown('flag', quoted, known, `bookctl ${name} --help`)
  }
  if (error.code === 'commander.excessArguments') {
    const most = command.positional ? 'one argument, the id' : 'no arguments, only flags'
    fail('usage', `bookctl ${name} takes ${most}.`, { hints: help })
  }
  if (error.code === 'commander.optionMissingArgument')
    fail('usage', `${quoted.replace(/^-\w, | <.*$/g, '')} needs a value.`, { hints: help })
  const flag = flags.find(({ name: flagName }) => quoted.includes(`--${flagName} `) || quoted.endsWith(`--${flagName}`))
  if (flag?.choices) {
    const wrong = /argument '([^']*)' is invalid/.exec(error.message)?.[1] ?? ''
    const near = await nearest(wrong, flag.choices)
    fail('usage', `--${flag.name} must be one of ${flag.choices.join(', ')}; "${wrong}" is none.${near ? ` Did you mean ${near}?` : ''}`, {
      hints: help,
    })
  }
  throw new AppError('usage', error.message.replace(/^error: /, ''), { hints: help, cause: error })
}

async function failUnknown(what: string, word: string, known: string[], help: string): Promise<never> {
  const near = await nearest(word, known)
  const hints = [{ command: help, why: `shows every ${what}` }]
  return fail('usage', `There is no ${what} ${word}.${near ? ` Did you mean ${near}?` : ''}`, { hints })
}

async function nearest(word: string, known: string[]): Promise<string | undefined> {
  return (await import('./suggest.ts')).nearest(word, known)
}
