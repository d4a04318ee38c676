import type { Command, Context, Given, Group } from '../cli/command.ts'
import { onePage } from '../cli/pages.ts'
import { type SettingName, settings, timeoutOf } from '../cli/settings.ts'
import { userFilePath } from '../cli/user-file.ts'
import { fail } from '../contract/errors.ts'
import { isZone } from '../contract/time.ts'

const names = Object.keys(settings) as SettingName[]
const kept = names.filter((name) => settings[name].kept)
const positional = { name: 'NAME', description: `One of ${kept.join(', ')}`, required: true, choices: kept as string[] }

const list: Command = {
  name: 'list',
  aliases: ['ls'],
  summary: 'List settings and their values',
  flags: [{ name: 'show-origin', description: 'Say where each value came from' }],
  exits: [],
  examples: [{ line: 'config list --show-origin', why: 'Which source won' }],
  async run({ flags }, context) {
    const origin = flags['show-origin'] === true
    const collection = names.map((name) => {
      const found = context.setting(name)
      const value = found && settings[name].secret ? 'set' : (found?.value ?? null)
      return origin ? { name, value, origin: found?.origin ?? null } : { name, value }
    })
    const columns = ['name', 'value', ...(origin ? ['origin'] : [])].map((field) => ({
      field,
      title: field.replace(/^./, (letter) => letter.toUpperCase()),
    }))
    return { kind: 'list', pages: onePage(collection), view: { columns } }
  },
}

const get: Command = {
  name: 'get',
  summary: 'Print the value of a setting',
  positional,
  flags: [],
  exits: [4],
  examples: [{ line: 'config get output', why: 'The value alone, on stdout' }],
  async run(given, context) {
    const name = known(given)
    if (settings[name].secret) fail('usage', `${name} is a secret; bookctl auth token prints it.`)
    const found = context.setting(name)
    return found ? { kind: 'text', text: `${found.value}\n` } : fail('not_found', `${name} is not set.`)
  },
}

const set: Command = {
  name: 'set',
  summary: 'Keep a setting in the user file',
  positional,
  flags: [{ name: 'value', placeholder: 'TEXT', description: 'The value', required: true }],
  exits: [],
  examples: [{ line: 'config set time_zone --value Europe/Paris', why: 'Read and show times in this zone, always' }],
  async run(given, context) {
    const name = keepable(given)
    const value = given.flags.value as string | undefined
    if (value === undefined) fail('usage', '--value is missing.')
    check(name, value, context)
    await context.changeFile((file) =>
      name === 'profile' ? { ...file, profile: value } : { ...file, settings: { ...file.settings, [name]: value } },
    )
    return { kind: 'done', message: `${name} is ${value} from now on.` }
  },
}

const unset: Command = {
  name: 'unset',
  summary: 'Take a setting out of the user file',
  positional,
  flags: [],
  exits: [],
  examples: [{ line: 'config unset time_zone', why: 'Back to the default' }],
  async run(given, context) {
    const name = keepable(given)
    await context.changeFile(({ profile, settings: { [name]: _, ...rest }, ...file }) => ({
      ...file,
      ...(name === 'profile' || profile === undefined ? {} : { profile }),
      settings: rest,
    }))
    return { kind: 'done', message: `${name} is not set any more.` }
  },
}

const path: Command = {
  name: 'path',
  summary: 'Print where the user file is',
  flags: [],
  exits: [],
  examples: [{ line: 'config path', why: 'The path alone, on stdout' }],
  run: async (_, { paths }) => ({ kind: 'text', text: `${userFilePath(paths.config)}\n` }),
}

function known({ id }: Given): SettingName {
  const name = names.find((one) => one === id)
  return name ?? fail('usage', `There is no setting ${id ?? ''}; there are ${names.join(', ')}.`)
}

function keepable(given: Given): SettingName {
  const name = known(given)
  if (settings[name].kept) return name
  return fail('usage', `${name} belongs to a profile: see bookctl profiles and bookctl auth.`)
}

function check(name: SettingName, value: string, { file }: Context): void {
  if (name === 'timeout') timeoutOf(value)
  if (name === 'time_zone' && !isZone(value)) fail('usage', `There is no time zone ${value}; write an IANA name, such as Europe/Paris.`)
  if (name === 'output' && !['table', 'json', 'ndjson', 'csv', 'ids'].includes(value))
    fail('usage', 'output is table, json, ndjson, csv or ids.')
  if (name === 'profile' && !file.profiles[value]) fail('not_found', `There is no profile ${value}.`)
}

export const group: Group = { name: 'config', summary: 'Settings of this machine', commands: [list, get, set, unset, path] }
