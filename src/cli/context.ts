import type { Client } from '../client/client.ts'
import { fail } from '../contract/errors.ts'
import { isZone } from '../contract/time.ts'
import type { Look } from '../output/view.ts'
import type { Context, Entry, Given, OpenLocal } from './command.ts'
import { openClient } from './connection.ts'
import type { Env } from './env.ts'
import { formats, globalsOf } from './global-flags.ts'
import { openPrompt } from './prompt.ts'
import { isTrue, lookUp, type SettingName, type Sources } from './settings.ts'
import { type Profile, pathsOf, readProjectFile, readUserFile } from './user-file.ts'

export interface Opened {
  context: Context
  close(): Promise<void>
}

/** Everything a command may use, from what was typed, the environment and the files, in the order of precedence. */
export function openContext(given: Given, env: Env, { entries, openLocal }: { entries: Entry[]; openLocal: OpenLocal }): Opened {
  const paths = pathsOf(env)
  const file = readUserFile(paths.config)
  const project = readProjectFile(env.cwd).values
  const sources: Sources = { flags: given.flags, variables: env.variables, project, profile: {}, user: { ...file.settings } }
  if (file.profile !== undefined) sources.user.profile = file.profile
  const chosen = lookUp('profile', sources)
  const values: Profile | undefined = chosen && file.profiles[chosen.value]
  sources.profile = { ...values }
  const setting = (name: SettingName) => lookUp(name, sources)
  const globals = globalsOf(given, isTrue(setting('no_input')?.value))
  const closers: (() => Promise<void>)[] = []
  let opened: Promise<Client> | undefined

  const context: Context = {
    env,
    look: lookOf(given, env, setting),
    globals,
    paths,
    file,
    profile: { name: chosen?.value ?? '', origin: chosen?.origin ?? 'default', values },
    setting,
    entries,
    client(options) {
      opened ??= openClient(context, openLocal, closers, options)
      return opened
    },
    changeFile: async (change) => (await import('./conf.ts')).changeUserFile(paths.config, change),
    say: async (sentence) => env.stderr.write(`${(await import('../output/view.ts')).safeLines(sentence)}\n`),
    prompt: () => openPrompt(env, globals.noInput),
  }
  return {
    context,
    async close() {
      for (const closer of closers.reverse()) await closer()
    },
  }
}

/** How output is wanted. The same rule for every command: a table on a terminal, JSON in a pipe. */
export function lookOf({ flags }: Given, env: Env, setting: Context['setting']): Look {
  const { variables, stdout } = env
  const format = flags.json === true ? 'json' : (setting('output')?.value ?? (stdout.isTTY ? 'table' : 'json'))
  if (!isFormat(format)) fail('usage', `The output must be one of ${formats.join(', ')}; "${format}" is none.`)
  const fields =
    flags.fields === undefined
      ? undefined
      : String(flags.fields)
          .split(',')
          .map((name) => name.trim())
          .filter(Boolean)
  // What was typed is checked in any case, other zones when they are needed: Intl is slow to begin with.
  let zone = flags.tz === undefined ? undefined : zoneOf(String(flags.tz), env)
  return {
    format,
    ...(fields ? { fields } : {}),
    terminal: stdout.isTTY,
    width: Number(variables.COLUMNS) || stdout.columns || 80,
    color: isColored(stdout.isTTY, flags['no-color'] === true, variables),
    get zone() {
      zone ??= zoneOf(setting('time_zone')?.value, env)
      return zone
    },
    accessible: flags.accessible === true || isTrue(variables.ACCESSIBLE),
  }
}

function zoneOf(named: string | undefined, env: Env): string {
  if (named === undefined) return env.zone()
  return isZone(named) ? named : fail('usage', `There is no time zone ${named}; write an IANA name, such as Europe/Paris.`)
}

const isFormat = (text: string): text is Look['format'] => (formats as readonly string[]).includes(text)

/** NO_COLOR, FORCE_COLOR, CLICOLOR, CLICOLOR_FORCE and TERM, by their conventions, for one stream. */
export function isColored(isTTY: boolean, refused: boolean, variables: Env['variables']): boolean {
  if (refused || variables.NO_COLOR) return false
  if (variables.FORCE_COLOR) return variables.FORCE_COLOR !== '0' && variables.FORCE_COLOR !== 'false'
  if (variables.CLICOLOR_FORCE && variables.CLICOLOR_FORCE !== '0') return true
  return isTTY && variables.TERM !== 'dumb' && variables.CLICOLOR !== '0'
}
