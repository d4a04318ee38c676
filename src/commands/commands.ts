import { type Command, type Entry, type Flag, isGroup } from '../cli/command.ts'
import { everywhere, sharedFlags } from '../cli/global-flags.ts'
import { exitCodes, fieldNames } from '../cli/help.ts'
import { onePage } from '../cli/pages.ts'
import { commandView as view } from './views.ts'

export const command: Command = {
  name: 'commands',
  summary: 'Every command as data, for tools',
  flags: [],
  exits: [],
  examples: [
    { line: 'commands', why: 'Names and summaries' },
    { line: 'commands --json', why: 'With flags, fields and exit codes' },
  ],
  async run(_, { entries }) {
    const rows = (await Promise.all(entries.map(described))).flat()
    return { kind: 'list', pages: onePage(rows), view }
  },
}

async function described(entry: Entry): Promise<object[]> {
  const loaded = await entry.load()
  if (!isGroup(loaded)) return [shown(loaded, { name: entry.name, group: null, verb: null })]
  return loaded.commands.map((one) => shown(one, { name: `${entry.name} ${one.name}`, group: entry.name, verb: one.name }))
}

function shown(command: Command, place: { name: string; group: string | null; verb: string | null }): object {
  const { positional, second, fields = {} } = command
  const own = command.flags
  const global = everywhere.filter(({ name }) => !own.some((flag) => flag.name === name))
  return {
    ...place,
    aliases: command.aliases ?? [],
    summary: command.summary,
    arguments: [positional, second].filter((one) => one !== undefined),
    flags: [...own, ...sharedFlags(command)].map(shownFlag),
    global_flags: global.map(({ name }) => name),
    fields: fieldNames(fields),
    writes: command.writes === true,
    asks: command.destroys === true,
    exits: [0, 1, 2, ...command.exits].map((code) => ({ code, meaning: exitCodes[code] })),
    examples: command.examples.map(({ line, why }) => ({ line: `bookctl ${line}`, why })),
  }
}

const types: Record<string, string> = { N: 'integer', ID: 'integer', TIME: 'instant', DATE: 'date', JSON: 'json', FILE: 'file' }

function shownFlag({ name, short, placeholder, description, choices, required, repeat, negatable }: Flag): object {
  const type = placeholder === undefined ? 'boolean' : choices ? 'enum' : (types[placeholder.replace(/\[.*$/, '')] ?? 'string')
  return {
    name,
    short: short ?? null,
    type,
    choices: choices ?? [],
    required: required === true,
    repeatable: repeat === true,
    negatable: negatable === true,
    description,
  }
}
