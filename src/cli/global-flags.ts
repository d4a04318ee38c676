import { fail } from '../contract/errors.ts'
import type { Command, Flag, Given, Globals } from './command.ts'

export const formats = ['table', 'json', 'ndjson', 'csv', 'ids'] as const

/** Understood by every command, before or behind its name. */
export const everywhere: Flag[] = [
  { name: 'profile', placeholder: 'NAME', description: 'Which profile to use' },
  { name: 'output', short: 'o', placeholder: 'FORMAT', description: 'table, json, ndjson, csv or ids', choices: [...formats] },
  { name: 'json', description: 'The same as --output json' },
  { name: 'fields', placeholder: 'NAMES', description: 'Only these fields, such as id,customer.email' },
  { name: 'tz', placeholder: 'ZONE', description: 'Read and show times in this zone' },
  { name: 'timeout', placeholder: 'SECONDS', description: 'How long to wait for the service, retries included' },
  { name: 'no-input', description: 'Never ask; a missing value is an error' },
  { name: 'no-color', description: 'No colour' },
  { name: 'accessible', description: 'Plain lines: no drawings, no redrawing' },
  { name: 'verbose', short: 'v', description: 'Say each attempt on stderr' },
  { name: 'debug', description: 'Show requests and replies on stderr, secrets masked' },
  { name: 'insecure-http', description: 'Allow plain http to another machine' },
  { name: 'help', short: 'h', description: 'Help' },
]

const ofLists: Flag[] = [
  { name: 'limit', placeholder: 'N', description: 'At most this many rows; 100 when left out' },
  { name: 'all', description: 'All rows' },
  { name: 'require-complete', description: 'Exit 12 when there are more rows than shown' },
]
const ofPages: Flag[] = [{ name: 'page-token', placeholder: 'TOKEN', description: 'Go on where a page ended' }]
const ofBodies: Flag[] = [
  { name: 'input-json', placeholder: 'FILE', description: 'A JSON body from a file, or - for stdin; flags win over it' },
]
const ofWrites: Flag[] = [
  { name: 'dry-run', short: 'n', description: 'Show the request, send nothing' },
  { name: 'generate', placeholder: 'curl', description: 'Show the request as a curl command, send nothing', choices: ['curl'] },
]
const ofDestroying: Flag[] = [{ name: 'yes', short: 'y', description: 'Do not ask' }]

/** The flags a command has besides its own: those that make sense for it. */
export function sharedFlags({ lists, writes, destroys, hasBody }: Command): Flag[] {
  return [
    ...(lists ? ofLists : []),
    ...(lists === 'pages' ? ofPages : []),
    ...(hasBody ? ofBodies : []),
    ...(writes ? ofWrites : []),
    ...(destroys ? ofDestroying : []),
  ]
}

const DEFAULT_LIMIT = 100

export function globalsOf({ flags }: Given, noInput: boolean): Globals {
  const text = (name: string) => flags[name] as string | undefined
  return {
    yes: flags.yes === true,
    dryRun: flags['dry-run'] === true,
    curl: flags.generate === 'curl',
    noInput,
    verbose: flags.verbose === true,
    debug: flags.debug === true,
    insecureHttp: flags['insecure-http'] === true,
    limit: limitOf(text('limit')),
    all: flags.all === true,
    pageToken: text('page-token'),
    requireComplete: flags['require-complete'] === true,
    inputJson: text('input-json'),
  }
}

function limitOf(text: string | undefined): number {
  if (text === undefined) return DEFAULT_LIMIT
  return /^[1-9]\d{0,8}$/.test(text) ? Number(text) : fail('usage', `--limit must be a whole number, at least 1; "${text}" is not.`)
}
