import { fail } from '../contract/errors.ts'

export type SettingName = 'profile' | 'output' | 'timeout' | 'time_zone' | 'no_input' | 'base_url' | 'api_url' | 'api_key' | 'access_token'

/** Where a value was found. The first that has one wins. */
export type SettingOrigin = 'flag' | 'environment' | 'project file' | 'profile' | 'user file' | 'default'

interface Setting {
  flag?: string
  variable?: string
  /** Whether `config set` may write it to the user file. */
  kept: boolean
  /** Whether it belongs to a profile: an address or a credential. */
  ofProfile?: true
  default?: string
  secret: boolean
  description: string
}

/** Every setting, spelled once: from here come flags, variables, `config` and the help topic. */
export const settings: Record<SettingName, Setting> = {
  profile: { flag: 'profile', variable: 'BOOKCTL_PROFILE', kept: true, secret: false, description: 'Which profile to use' },
  output: { flag: 'output', variable: 'BOOKCTL_OUTPUT', kept: true, secret: false, description: 'table, json, ndjson, csv or ids' },
  timeout: {
    flag: 'timeout',
    variable: 'BOOKCTL_TIMEOUT',
    kept: true,
    default: '30',
    secret: false,
    description: 'Seconds a command may wait for the service, retries included',
  },
  time_zone: {
    flag: 'tz',
    variable: 'BOOKCTL_TIME_ZONE',
    kept: true,
    secret: false,
    description: 'The zone times are read and shown in',
  },
  no_input: {
    flag: 'no-input',
    variable: 'BOOKCTL_NO_INPUT',
    kept: true,
    secret: false,
    description: 'Never ask; a missing value is an error',
  },
  base_url: {
    variable: 'BOOKCTL_BASE_URL',
    kept: false,
    ofProfile: true,
    secret: false,
    description: 'Address of /api/v3 and /customers/available_time',
  },
  api_url: {
    variable: 'BOOKCTL_API_URL',
    kept: false,
    ofProfile: true,
    secret: false,
    description: 'Address of webhook subscriptions and scheduled events',
  },
  api_key: { variable: 'BOOKCTL_API_KEY', kept: false, ofProfile: true, secret: true, description: 'Credential for the base address' },
  access_token: {
    variable: 'BOOKCTL_ACCESS_TOKEN',
    kept: false,
    ofProfile: true,
    secret: true,
    description: 'Credential for the API address',
  },
}

export interface Found {
  value: string
  origin: SettingOrigin
}

export interface Sources {
  flags: Record<string, unknown>
  variables: Record<string, string | undefined>
  project: Record<string, string>
  profile: Record<string, string>
  user: Record<string, string>
}

/** A setting's value and where it came from: flag, then environment, then project file, then user file, then default. */
export function lookUp(name: SettingName, { flags, variables, project, profile, user }: Sources): Found | undefined {
  const { flag, variable, default: fallback, ofProfile } = settings[name]
  const given: [unknown, SettingOrigin][] = [
    [flag && flags[flag], 'flag'],
    [variable && variables[variable], 'environment'],
    [project[name], 'project file'],
    [ofProfile && profile[name], 'profile'],
    [profile[name], 'profile'],
    [user[name], 'user file'],
    [fallback, 'default'],
  ]
  const found = given.find(([value]) => value !== undefined && value !== '' && value !== false)
  return found && { value: String(found[0]), origin: found[1] }
}

/** The time-out in milliseconds. */
export function timeoutOf(text: string): number {
  const seconds = Number(text)
  if (!(seconds > 0 && seconds <= 3600)) fail('usage', `The time-out must be a number of seconds, up to 3600; "${text}" is not.`)
  return Math.round(seconds * 1000)
}

export const isTrue = (text: string | undefined): boolean => text !== undefined && !['', '0', 'false', 'no'].includes(text.toLowerCase())
