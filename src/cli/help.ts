import type { Shape } from '../contract/shape.ts'
import type { Command, Entry, Flag, Group } from './command.ts'
import { everywhere, sharedFlags } from './global-flags.ts'

const WIDTH = 80

/** What each exit code means, in a few words. */
export const exitCodes: Record<number, string> = {
  0: 'done; an empty list too',
  1: 'unexpected, or you said no',
  2: 'usage, bad input, a missing flag, refused for want of --yes',
  3: 'credential missing, rejected, or for another host',
  4: 'not found',
  5: 'conflict: taken, already exists, stale',
  6: 'forbidden by role or scope',
  7: 'rate limited, retries spent',
  8: 'the service could not be reached; nothing was written',
  9: 'the service failed, or answered nonsense',
  10: 'the outcome of a write is unknown',
  11: 'a bulk run succeeded in part',
  12: 'a check did not hold',
  130: 'interrupted by Ctrl-C',
  143: 'terminated',
}

/** `bookctl help`: one screen. */
export function rootHelp(entries: Entry[]): string {
  return join([
    'Run a booking business from the command line.',
    section('Usage', ['bookctl COMMAND [VERB] [ID] [FLAGS]']),
    section('Commands', table(entries.map(({ name, summary }) => [name, summary]))),
    section(
      'Flags',
      table(['profile', 'output', 'fields', 'tz', 'help'].map((name) => flagRow(everywhere.find((flag) => flag.name === name) as Flag))),
    ),
    section('First steps', ['bookctl init --sample', 'bookctl appointments list', 'bookctl calendar']),
    'bookctl COMMAND --help tells more; bookctl help lists topics.',
  ])
}

export function groupHelp(group: Group): string {
  return join([
    `${group.summary}.`,
    ...(group.description ? [wrap(group.description)] : []),
    section('Usage', [`bookctl ${group.name} VERB [ID] [FLAGS]`]),
    section('Verbs', table(group.commands.map(({ name, summary }) => [name, summary]))),
    section(
      'Examples',
      group.commands.slice(0, 3).flatMap(({ examples }) => examples.slice(0, 1).map(({ line }) => `bookctl ${line}`)),
    ),
    `bookctl ${group.name} VERB --help tells more.`,
  ])
}

export function commandHelp(command: Command, name: string): string {
  const { positional, second, flags } = command
  const usage = `bookctl ${name}${positional ? (positional.required ? ` ${positional.name}` : ` [${positional.name}]`) : ''}${second ? ` [${second.name}]` : ''} [FLAGS]`
  const shared = sharedFlags(command)
  const exits = [0, 1, 2, ...command.exits].map((code) => [String(code), exitCodes[code] as string])
  return join([
    `${command.summary}.`,
    ...(command.description ? [wrap(command.description)] : []),
    section('Usage', [usage]),
    ...(positional
      ? [
          section(
            second ? 'Arguments' : 'Argument',
            table([positional, ...(second ? [second] : [])].map((one) => [one.name, one.description])),
          ),
        ]
      : []),
    ...(flags.length > 0 ? [section('Flags', table(flags.map(flagRow)))] : []),
    ...(shared.length > 0 ? [section('More flags', table(shared.map(flagRow)))] : []),
    section('Global flags', [wrap(everywhere.map(({ name: flag }) => `--${flag}`).join(' '))]),
    ...(command.fields ? [section('Output fields', [wrap(fieldNames(command.fields).join(', '))])] : []),
    section('Exit codes', table(exits as [string, string][])),
    section(
      'Examples',
      command.examples.flatMap(({ line, why }) => [`# ${why}`, `bookctl ${line}`]),
    ),
  ])
}

/** The fields of a record as `--fields` takes them, nested ones dotted. */
export function fieldNames(fields: Record<string, Shape>, prefix = ''): string[] {
  return Object.entries(fields).flatMap(([name, shape]) =>
    shape.kind === 'object' ? fieldNames(shape.fields, `${prefix}${name}.`) : [`${prefix}${name}`],
  )
}

function flagRow({ name, short, placeholder, description, choices, required, negatable, repeat }: Flag): [string, string] {
  const left = `${short ? `-${short}, ` : ''}--${negatable ? '[no-]' : ''}${name}${placeholder ? ` ${placeholder}` : ''}`
  const options = choices && !choices.every((choice) => description.includes(choice)) ? ` (${choices.join(', ')})` : ''
  return [left, `${description}${options}${required ? '; required' : ''}${repeat ? '; repeatable' : ''}`]
}

function table(rows: (readonly [string, string])[]): string[] {
  const left = Math.min(30, Math.max(0, ...rows.map(([first]) => first.length)))
  return rows.map(([first, second]) => {
    const text = wrap(second, WIDTH - left - 4).split('\n')
    const gap = first.length > left ? `\n${' '.repeat(left)}` : ''
    return `${first}${gap}${' '.repeat(gap ? 0 : left - first.length)}  ${text.join(`\n${' '.repeat(left + 2)}`)}`
  })
}

const section = (title: string, lines: string[]): string =>
  `${title}:\n${lines.map((line) => `  ${line.replaceAll('\n', '\n  ')}`).join('\n')}`

const join = (parts: string[]): string => `${parts.join('\n\n')}\n`

/** Breaks a paragraph into lines. */
export function wrap(text: string, width = WIDTH - 2): string {
  const lines: string[] = []
  for (const word of text.split(/\s+/)) {
    const last = lines.at(-1)
    if (last !== undefined && last.length + 1 + word.length <= width) lines[lines.length - 1] = `${last} ${word}`
    else lines.push(word)
  }
  return lines.join('\n')
}
