import { type Command, type Entry, type Flag, isGroup } from './command.ts'
import { everywhere, sharedFlags } from './global-flags.ts'

/** A word that can be typed, what may follow it, and the other words that mean the same. */
export interface Word {
  name: string
  aliases: string[]
  summary: string
  /** The verbs of a group; none, where the word is a command. */
  verbs: Verb[]
}

/** A command, as completion sees it. */
export interface Verb {
  /** As typed: `customers list`, or `calendar` for a word that is a command itself. */
  path: string
  name: string
  aliases: string[]
  summary: string
  flags: Switch[]
  /** What its argument can be, where that is a few words. */
  choices: string[]
  /** The names of the fields of its result. */
  fields: string[]
}

/** One spelling of a flag and what may follow it. */
export interface Switch {
  long: string
  short: string | undefined
  description: string
  placeholder: string | undefined
  choices: string[]
  isFile: boolean
  repeat: boolean
}

export interface Tree {
  words: Word[]
  /** Understood by every command. */
  globals: Switch[]
}

/** Loads every command, and keeps what completion needs of them. */
export async function loadTree(entries: Entry[]): Promise<Tree> {
  return { words: await Promise.all(entries.map(wordOf)), globals: everywhere.flatMap(switchesOf) }
}

async function wordOf({ name, aliases = [], summary, load }: Entry): Promise<Word> {
  const loaded = await load()
  const word = { name, aliases, summary }
  if (isGroup(loaded)) return { ...word, verbs: loaded.commands.map((command) => verbOf(command, `${name} ${command.name}`)) }
  return { ...word, verbs: [{ ...verbOf(loaded, name), name: '' }] }
}

function verbOf(command: Command, path: string): Verb {
  const { name, aliases = [], summary, positional } = command
  const flags = [...command.flags, ...sharedFlags(command)].flatMap(switchesOf)
  return {
    path,
    name,
    aliases,
    summary,
    flags,
    choices: positional?.choices ?? [],
    fields: Object.keys(command.fields ?? {}),
  }
}

function switchesOf({ name, short, description, placeholder, choices = [], repeat = false, negatable }: Flag): Switch[] {
  const isFile = placeholder?.split('|').includes('FILE') === true
  const on = { long: `--${name}`, short: short && `-${short}`, description, placeholder, choices, isFile, repeat }
  return negatable ? [on, { ...on, long: `--no-${name}`, short: undefined, description: `The opposite of --${name}` }] : [on]
}

/** True for a word that is itself a command. */
export const isCommand = ({ verbs }: Word): boolean => verbs.length === 1 && verbs[0]?.name === ''

/** Every command of the tree. */
export const verbsOf = ({ words }: Tree): Verb[] => words.flatMap(({ verbs }) => verbs)

/** Both spellings of each flag that is followed by a value. */
export const takersOf = (flags: Switch[]): string[] => flags.filter(({ placeholder }) => placeholder).flatMap(spellings)

export const spellings = ({ long, short }: Switch): string[] => (short ? [long, short] : [long])
