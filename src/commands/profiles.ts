import type { Command, Context, Given, Group } from '../cli/command.ts'
import { onePage } from '../cli/pages.ts'
import { confirmDestroying } from '../cli/prompt.ts'
import { fail } from '../contract/errors.ts'

const view = {
  columns: [
    { field: 'name', title: 'Name', weight: 0 },
    { field: 'current', title: 'Current', weight: 1 },
    { field: 'kind', title: 'Kind', weight: 2 },
    { field: 'address', title: 'Address', weight: 3 },
  ],
  empty: 'There are no profiles yet. Make one: bookctl init',
}

const positional = { name: 'NAME', description: 'Name of the profile', required: true }

const list: Command = {
  name: 'list',
  aliases: ['ls'],
  summary: 'List profiles',
  flags: [],
  exits: [],
  examples: [{ line: 'profiles list', why: 'Which there are, and which is used' }],
  async run(_, { file, profile }) {
    const collection = Object.entries(file.profiles).map(([name, { database, base_url }]) => ({
      name,
      current: name === profile.name,
      kind: database === undefined ? 'service' : 'local',
      address: database ?? base_url ?? '',
    }))
    return { kind: 'list', pages: onePage(collection), view }
  },
}

const use: Command = {
  name: 'use',
  summary: 'Choose the profile that is used when none is named',
  positional,
  flags: [],
  exits: [4],
  examples: [{ line: 'profiles use local', why: 'From now on' }],
  async run(given, context) {
    const name = known(given, context)
    await context.changeFile((file) => ({ ...file, profile: name }))
    return { kind: 'done', message: `Profile ${name} is used from now on.` }
  },
}

const add: Command = {
  name: 'add',
  summary: 'Add a profile for a service that runs elsewhere',
  description: 'The credentials come from bookctl auth login, or from BOOKCTL_API_KEY and BOOKCTL_ACCESS_TOKEN.',
  positional,
  flags: [
    { name: 'base-url', placeholder: 'URL', description: 'Address of the service', required: true },
    { name: 'api-url', placeholder: 'URL', description: 'Address of webhook subscriptions, where it is another' },
    { name: 'time-zone', placeholder: 'ZONE', description: 'The zone times are read and shown in' },
  ],
  exits: [5],
  examples: [{ line: 'profiles add shop --base-url https://booking.example.com', why: 'Then: bookctl auth login --profile shop' }],
  async run(given, context) {
    const name = given.id ?? fail('usage', 'The name of the profile is missing.')
    const { 'base-url': base_url, 'api-url': api_url, 'time-zone': time_zone } = given.flags as Record<string, string | undefined>
    if (base_url === undefined) fail('usage', '--base-url is missing.')
    for (const url of [base_url, api_url]) {
      if (url !== undefined && !URL.canParse(url)) fail('usage', `"${url}" is not an address; write https://booking.example.com.`)
    }
    if (context.file.profiles[name]) fail('already_exists', `There is a profile ${name} already. Nothing was changed.`)
    const profile = { base_url, ...(api_url === undefined ? {} : { api_url }), ...(time_zone === undefined ? {} : { time_zone }) }
    await context.changeFile((file) => ({ ...file, profile: file.profile ?? name, profiles: { ...file.profiles, [name]: profile } }))
    return { kind: 'done', message: `Added profile ${name}. Next: bookctl auth login --profile ${name}` }
  },
}

const remove: Command = {
  name: 'remove',
  aliases: ['rm', 'delete'],
  summary: 'Forget a profile and its credentials',
  description: 'The database file of a local profile stays where it is.',
  positional,
  flags: [],
  destroys: true,
  exits: [4],
  examples: [{ line: 'profiles remove shop --yes', why: 'Without a question' }],
  async run(given, context) {
    const name = known(given, context)
    await confirmDestroying(`forget profile ${name} and its credentials`, context.globals.yes, context.env, context.globals.noInput)
    const database = context.file.profiles[name]?.database
    await context.changeFile(({ profile, profiles: { [name]: _, ...profiles }, ...file }) => ({
      ...file,
      ...(profile !== undefined && profile !== name ? { profile } : {}),
      profiles,
    }))
    return { kind: 'done', message: `Forgot profile ${name}.${database === undefined ? '' : ` Its database is still at ${database}.`}` }
  },
}

function known({ id }: Given, { file }: Context): string {
  if (id === undefined) fail('usage', 'The name of the profile is missing.')
  if (!file.profiles[id]) {
    fail('not_found', `There is no profile ${id}.`, { hints: [{ command: 'bookctl profiles list', why: 'shows those there are' }] })
  }
  return id
}

export const group: Group = { name: 'profiles', summary: 'Businesses and services this machine knows', commands: [list, use, add, remove] }
