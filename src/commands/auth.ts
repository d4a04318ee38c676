import type { Command, Context, Group } from '../cli/command.ts'
import { isLocal } from '../cli/connection.ts'
import { onePage } from '../cli/pages.ts'
import { confirmDestroying } from '../cli/prompt.ts'
import type { Profile } from '../cli/user-file.ts'
import type { Client } from '../client/client.ts'
import { account } from '../contract/account.ts'
import { AppError, fail } from '../contract/errors.ts'

const login: Command = {
  name: 'login',
  summary: 'Sign in and keep the credentials in the profile',
  description:
    'Asks for e-mail and password, which are exchanged for a fresh pair of credentials. Or takes a credential from stdin, or a command that prints one. No flag carries a secret.',
  flags: [
    { name: 'email', placeholder: 'EMAIL', description: 'Sign in as' },
    { name: 'password-stdin', description: 'Read the password from stdin' },
    { name: 'with-api-key', description: 'Read an API key from stdin' },
    { name: 'with-token', description: 'Read an access token from stdin' },
    { name: 'api-key-command', placeholder: 'COMMAND', description: 'Keep a command that prints the API key, instead of the key' },
    { name: 'token-command', placeholder: 'COMMAND', description: 'Keep a command that prints the access token' },
  ],
  exits: [3, 7, 8, 9, 130],
  examples: [
    { line: 'auth login --profile shop', why: 'With e-mail and password' },
    { line: 'auth login --with-api-key < key.txt', why: 'With an API key that you have' },
    { line: 'auth login --token-command "pass show shop/token"', why: 'The secret stays in your password store' },
  ],
  async run({ flags }, context) {
    const { profile, env } = context
    if (!profile.name || !profile.values)
      fail('usage', 'There is no profile to sign in to. Add one: bookctl profiles add NAME --base-url URL')
    if (profile.values.database !== undefined) fail('usage', `Profile ${profile.name} is a database of this machine and needs no sign-in.`)
    for (const name of ['BOOKCTL_API_KEY', 'BOOKCTL_ACCESS_TOKEN'] as const) {
      if (env.variables[name]) fail('usage', `${name} is set and would win over what is stored. Unset it first.`)
    }
    const changes = await credentialsFrom(flags, context)
    await context.changeFile((file) => ({
      ...file,
      profiles: { ...file.profiles, [profile.name]: { ...file.profiles[profile.name], ...addressed(changes, profile.values as Profile) } },
    }))
    return {
      kind: 'done',
      message: `Signed in; profile ${profile.name} has ${Object.keys(changes)
        .map((key) => key.replaceAll('_', ' '))
        .join(' and ')}.`,
    }
  },
}

const addressed = (changes: Partial<Profile>, { base_url, api_url }: Profile): Partial<Profile> => ({
  ...changes,
  ...(base_url === undefined ? {} : { base_url }),
  ...(api_url === undefined ? {} : { api_url }),
})

async function credentialsFrom(flags: Record<string, unknown>, context: Context): Promise<Partial<Profile>> {
  const command: Partial<Profile> = {
    ...(flags['api-key-command'] === undefined ? {} : { api_key_command: String(flags['api-key-command']) }),
    ...(flags['token-command'] === undefined ? {} : { access_token_command: String(flags['token-command']) }),
  }
  if (Object.keys(command).length > 0) return command
  if (flags['with-api-key'] === true) return { api_key: await secretFromStdin(context, 'bk_', 'API key') }
  if (flags['with-token'] === true) return { access_token: await secretFromStdin(context, 'pat_', 'access token') }
  const { email, password } = await askWho(flags, context)
  const client = await context.client()
  const { api_key, access_token } = await client.call(account.authenticate, { body: { email, password } })
  return { api_key, access_token }
}

async function secretFromStdin({ env }: Context, prefix: string, what: string): Promise<string> {
  const secret = (await env.stdin.read()).trim()
  if (secret === '') fail('usage', `There was no ${what} on stdin.`)
  const other = prefix === 'bk_' ? 'pat_' : 'bk_'
  if (secret.startsWith(other)) fail('usage', `That is not an ${what}: those begin with ${prefix}.`)
  return /^\S+$/.test(secret) ? secret : fail('usage', `What was on stdin is not an ${what}: it has blanks or line breaks.`)
}

async function askWho(flags: Record<string, unknown>, context: Context): Promise<{ email: string; password: string }> {
  const prompt = await context.prompt()
  const fromStdin = flags['password-stdin'] === true
  const email = flags.email === undefined ? await prompt?.text('E-mail') : String(flags.email)
  if (email === undefined || (!prompt && !fromStdin)) {
    throw new AppError('usage', 'Give --email and --password-stdin, or --with-api-key, --with-token, --api-key-command or --token-command.')
  }
  const password = fromStdin ? (await context.env.stdin.read()).replace(/\r?\n$/, '') : await prompt?.secret('Password')
  return { email, password: password ?? '' }
}

const statusView = {
  columns: [
    { field: 'credential', title: 'Credential', weight: 0 },
    { field: 'address', title: 'Address', weight: 2 },
    { field: 'source', title: 'Source', weight: 3 },
    { field: 'user', title: 'User', weight: 4 },
    { field: 'role', title: 'Role', weight: 5 },
    { field: 'status', title: 'Status', weight: 1 },
  ],
}

const status: Command = {
  name: 'status',
  summary: 'Say which credential is used for each address, and whether it works',
  flags: [],
  exits: [3, 8, 9],
  examples: [{ line: 'auth status', why: 'Which source won, whose it is, whether it works' }],
  async run(_, context) {
    const client = await context.client()
    const rows = [await statusOf('api_key', client, context), await statusOf('access_token', client, context)]
    const works = rows.some(({ status }) => status === 'works')
    return {
      kind: 'list',
      pages: onePage(rows),
      view: statusView,
      exit: works ? 0 : 3,
      message: `Profile: ${context.profile.name || 'none'} (${context.profile.origin}).`,
    }
  },
}

async function statusOf(kind: 'api_key' | 'access_token', client: Client, context: Context) {
  const found = context.setting(kind)
  const byCommand = context.profile.values?.[`${kind}_command`] !== undefined
  const source = isLocal(context) ? 'database file' : (found?.origin ?? (byCommand ? 'command' : null))
  const base = { credential: kind.replace('_', ' '), address: client.address[kind === 'api_key' ? 'base_url' : 'api_url'], source }
  if (source === null) return { ...base, user: null, role: null, status: 'missing' }
  try {
    const user = await client.call(kind === 'api_key' ? account.me : account.currentUser, {})
    return { ...base, user: user.email, role: user.role, status: 'works' }
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return { ...base, user: null, role: null, status: error.message }
  }
}

const logout: Command = {
  name: 'logout',
  summary: 'Forget the credentials of the profile',
  flags: [],
  destroys: true,
  exits: [],
  examples: [{ line: 'auth logout --yes', why: 'Without a question; the credentials stay valid until revoked' }],
  async run(_, context) {
    const { name, values } = context.profile
    if (!name || !values) fail('usage', 'There is no profile to sign out of.')
    if (values.database !== undefined) fail('usage', `Profile ${name} is a database of this machine; there is nothing to sign out of.`)
    await confirmDestroying(`forget the credentials of profile ${name}`, context.globals.yes, context.env, context.globals.noInput)
    await context.changeFile((file) => {
      const { api_key, access_token, api_key_command, access_token_command, ...rest } = file.profiles[name] ?? {}
      return { ...file, profiles: { ...file.profiles, [name]: rest } }
    })
    return { kind: 'done', message: `Signed out of profile ${name}.` }
  },
}

const token: Command = {
  name: 'token',
  summary: 'Print the access token, or the API key, alone on stdout',
  flags: [{ name: 'api-key', description: 'The API key instead' }],
  exits: [3],
  examples: [{ line: 'auth token --api-key', why: 'For a script that calls the service itself' }],
  async run({ flags }, context) {
    const kind = flags['api-key'] === true ? 'api_key' : 'access_token'
    const found = context.setting(kind)
    const command = context.profile.values?.[`${kind}_command`]
    if (found) return { kind: 'text', text: `${found.value}\n` }
    if (command === undefined) fail('no_credential', `There is no ${kind.replace('_', ' ')} in profile ${context.profile.name || 'none'}.`)
    const { runSecretCommand } = await import('../cli/secret-command.ts')
    return { kind: 'text', text: `${await runSecretCommand(command, context.env)}\n` }
  },
}

export const group: Group = { name: 'auth', summary: 'Sign in, and see which credential is used', commands: [login, status, logout, token] }
