import { existsSync, readFileSync } from 'node:fs'
import { isAbsolute, join } from 'node:path'
import { AppError, fail } from '../contract/errors.ts'
import type { Env } from './env.ts'

/** How one business is reached: a database of this machine, or two addresses with their credentials. */
export interface Profile {
  /** The database file of a local profile. */
  database?: string
  /** The UUID of the user a local profile acts as. */
  user?: string
  base_url?: string
  api_url?: string
  api_key?: string
  access_token?: string
  /** Commands that print the credential, instead of the credential. */
  api_key_command?: string
  access_token_command?: string
  time_zone?: string
}

export interface UserFile {
  profile?: string
  settings: Record<string, string>
  profiles: Record<string, Profile>
}

export interface Paths {
  config: string
  data: string
  state: string
  cache: string
}

/** Where things are kept, by the rules of XDG; a relative XDG value is ignored, as its specification says. */
export function pathsOf({ variables, home, platform }: Env): Paths {
  const xdg = (name: string, fallback: string) => {
    const given = variables[name]
    return join(given && isAbsolute(given) ? given : fallback, 'bookctl')
  }
  const windows = platform === 'win32' ? variables.APPDATA : undefined
  const local = platform === 'win32' ? (variables.LOCALAPPDATA ?? variables.APPDATA) : undefined
  return {
    config: variables.BOOKCTL_CONFIG_DIR || xdg('XDG_CONFIG_HOME', windows ?? join(home, '.config')),
    data: xdg('XDG_DATA_HOME', local ?? join(home, '.local', 'share')),
    state: xdg('XDG_STATE_HOME', local ?? join(home, '.local', 'state')),
    cache: xdg('XDG_CACHE_HOME', local ?? join(home, '.cache')),
  }
}

export const userFilePath = (directory: string): string => join(directory, 'config.json')

/**
 * Reads the user file; an empty one where there is none. Writing is conf.ts's, which is slow to load.
 * @throws AppError `bad_file` when it is not what we write
 */
export function readUserFile(directory: string): UserFile {
  const path = userFilePath(directory)
  if (!existsSync(path)) return { settings: {}, profiles: {} }
  const file = readJson(path) as Partial<UserFile>
  const { profile, settings = {}, profiles = {} } = file
  if (!isRecord(settings) || !isRecord(profiles) || !Object.values(profiles).every(isRecord)) {
    fail('bad_file', `${path} is not a configuration of bookctl. Nothing was changed; mend it or move it away.`)
  }
  return { ...(profile === undefined ? {} : { profile: String(profile) }), settings, profiles }
}

const PROJECT_FILE = '.bookctl.json'
const allowedInProject = ['profile', 'output', 'timeout', 'time_zone', 'no_input']

/**
 * The nearest `.bookctl.json` at or above a directory: it may name a profile and choose how things look, and never
 * holds a secret or an address.
 */
export function readProjectFile(directory: string): { path: string | undefined; values: Record<string, string> } {
  for (let current = directory; ; ) {
    const path = join(current, PROJECT_FILE)
    if (existsSync(path)) return { path, values: projectValues(path) }
    const parent = join(current, '..')
    if (parent === current) return { path: undefined, values: {} }
    current = parent
  }
}

function projectValues(path: string): Record<string, string> {
  const file = readJson(path)
  if (!isRecord(file)) fail('bad_file', `${path} must hold a JSON object, such as {"profile": "local"}.`)
  for (const key of Object.keys(file)) {
    if (!allowedInProject.includes(key)) fail('bad_file', `${path} may hold ${allowedInProject.join(', ')}; "${key}" is none of these.`)
  }
  return Object.fromEntries(Object.entries(file).map(([key, value]) => [key, String(value)]))
}

function readJson(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch (error) {
    const why = error instanceof SyntaxError ? `is not JSON (${error.message})` : `cannot be read (${(error as Error).message})`
    throw new AppError('bad_file', `${path} ${why}. Nothing was changed; mend it or move it away.`, { cause: error })
  }
}

const isRecord = (value: unknown): value is Record<string, never> => typeof value === 'object' && value !== null && !Array.isArray(value)
