import { type Command, type Entry, type Given, type Group, isGroup } from './command.ts'
import { everywhere } from './global-flags.ts'

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
  if (asksHelp) return { kind: 'help', about: command, name }
  const { parse } = await import('./parse.ts')
  return { kind: 'run', command, name, given: await parse(command, name, args) }
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

async function failUnknown(what: string, word: string, known: string[], help: string): Promise<never> {
  return (await import('./suggest.ts')).failUnknown(what, word, known, help)
}
