import type { Client } from '../client/client.ts'
import type { Page, Signal, Transport } from '../contract/endpoint.ts'
import type { Shape } from '../contract/shape.ts'
import type { Look, View } from '../output/view.ts'
import type { Env } from './env.ts'
import type { Prompt } from './prompt.ts'
import type { Found, SettingName } from './settings.ts'
import type { Paths, Profile, UserFile } from './user-file.ts'

/** A flag of a command. Without a placeholder it is a switch. */
export interface Flag {
  /** As typed, without the hyphens. */
  name: string
  short?: string
  placeholder?: string
  description: string
  choices?: string[]
  /** May be given several times. */
  repeat?: boolean
  /** A switch that can also be turned off: `--no-active`. */
  negatable?: boolean
  required?: boolean
}

export interface Example {
  /** What to type, without the program's name. */
  line: string
  why: string
}

/** What somebody typed: the positional and the flags, still as text. */
export interface Given {
  id: string | undefined
  /** The second positional, of the one command that has it. */
  second?: string | undefined
  flags: Record<string, string | string[] | boolean | undefined>
}

type Row = Record<string, unknown>

/** What a command gives back. It never prints; the frame does, once. */
export type Result = (
  | { kind: 'record'; record: Row; view?: View }
  /** Rows by pages, ending where the limit is or the rows are; the last page says whether there is more. */
  | {
      kind: 'list'
      pages: AsyncIterable<Page<unknown>>
      view: View /** How many rows there are, where all of them are known. */
      total?: number
    }
  /**
   * Rows as they happen, each shown at once, until they end. They heed signals themselves, and end in their own order; those that
   * have something to reach go on when nobody reads them any more.
   */
  | { kind: 'stream'; rows: AsyncIterable<Row>; view: View; goesOnUnread: boolean }
  /** Text for stdout as it is: a script, a token, a drawing. */
  | { kind: 'text'; text: string }
  | { kind: 'done' }
) & {
  /** A sentence for stderr. */
  message?: string
  exit?: number
  /** What goes on after the result was printed, until it resolves: a server, say. It may end in an error. */
  after?: () => Promise<void>
}

export interface Command {
  name: string
  aliases?: string[]
  summary: string
  /** What else a newcomer should know, in a paragraph. */
  description?: string
  positional?: { name: string; description: string; required: boolean; choices?: string[] }
  /** A second one: for `api METHOD PATH` alone. */
  second?: { name: string; description: string; required: boolean }
  flags: Flag[]
  examples: Example[]
  /** The fields of the result, for help and completion. */
  fields?: Record<string, Shape>
  /** Which of the global flags make sense: those of lists (that are paged, or not), of writes, of what destroys, and of bodies. */
  lists?: 'pages' | 'rows' | undefined
  writes?: boolean
  destroys?: boolean
  hasBody?: boolean
  /** The exit codes that matter here, beside 0, 1 and 2. */
  exits: number[]
  run(given: Given, context: Context): Promise<Result>
}

export interface Group {
  name: string
  aliases?: string[]
  summary: string
  description?: string
  commands: Command[]
}

/** A word that can follow `bookctl`: a group of commands, or one command. Loaded when it is typed. */
export interface Entry {
  name: string
  aliases?: string[]
  summary: string
  load: () => Promise<Group | Command>
}

export const isGroup = (loaded: Group | Command): loaded is Group => 'commands' in loaded

export interface OpenLocalOptions {
  /** Told what went wrong inside of it. */
  onFault: (error: unknown) => void
  /** Deliver what is due to webhook subscribers as long as it is open, not only what this command causes. */
  delivering: boolean
}

/** What webhook subscribers did not take so far. */
export interface Undelivered {
  count: number
  /** When the first of it is tried again, in milliseconds since the epoch. */
  due: number
}

/** A local profile's service, in this process. */
export type OpenLocal = (
  profile: Profile,
  env: Env,
  options: OpenLocalOptions,
) => Promise<{
  transport: Transport
  address: string
  /** Waits a little for what was queued for webhook subscribers; says how much is left, where anything was. */
  delivered(signal: Signal): Promise<Undelivered | undefined>
  close(): Promise<void>
}>

/** The flags that every command has. */
export interface Globals {
  yes: boolean
  dryRun: boolean
  curl: boolean
  noInput: boolean
  verbose: boolean
  debug: boolean
  insecureHttp: boolean
  limit: number
  all: boolean
  pageToken: string | undefined
  requireComplete: boolean
  inputJson: string | undefined
}

export interface ClientWish {
  /** Many calls are to come. */
  many?: boolean
  /** On a local profile, keep delivering to webhook subscribers until the command ends; elsewhere its service does. */
  delivering?: boolean
}

/** What a command may use beside what was typed. */
export interface Context {
  env: Env
  look: Look
  globals: Globals
  paths: Paths
  file: UserFile
  profile: { name: string; origin: string; values: Profile | undefined }
  setting(name: SettingName): Found | undefined
  /** Opens the way to the service of the profile; closed by the frame when the command is done. */
  client(options?: ClientWish): Promise<Client>
  changeFile(change: (file: UserFile) => UserFile): Promise<void>
  /** A sentence for stderr. */
  say(sentence: string): Promise<void>
  /** Nothing where nobody can be asked. */
  prompt(): Promise<Prompt | undefined>
  /** Every word that can be typed, for help, completion and `commands --json`. */
  entries: Entry[]
}
