import type { Command, Context, Given } from '../cli/command.ts'
import { exists, makePrivateDirectory, pathFrom, removeDatabase } from '../cli/files.ts'
import { AppError, fail } from '../contract/errors.ts'
import { isZone } from '../contract/time.ts'

interface Business {
  name: string
  zone: string
  owner: { name: string; email: string; password?: string }
}

export const command: Command = {
  name: 'init',
  summary: 'Make a booking business on this machine',
  description:
    'Makes a local profile: a database in the data directory, an organization, its owner and credentials. There is no service to start; every command opens the database itself.',
  flags: [
    { name: 'sample', description: 'Add a small business to play with: staff, services, customers, two weeks of appointments and classes' },
    { name: 'name', placeholder: 'TEXT', description: 'Name of the business' },
    { name: 'time-zone', placeholder: 'ZONE', description: 'Its zone; that of this machine when left out' },
    { name: 'owner-name', placeholder: 'TEXT', description: 'Your name' },
    { name: 'owner-email', placeholder: 'EMAIL', description: 'Your e-mail, to sign in with at bookctl serve' },
    { name: 'password-stdin', description: 'Read a password for signing in from stdin' },
    { name: 'database', placeholder: 'FILE', description: 'Another place for the database' },
  ],
  exits: [5, 130],
  examples: [
    { line: 'init --sample', why: 'A business to play with, at once' },
    {
      line: 'init --name "Corner Physio" --time-zone Europe/Berlin --owner-name "Noor Haddad" --owner-email noor@example.com',
      why: 'Your own',
    },
    { line: 'init --sample --profile playground', why: 'A second one, beside the first' },
  ],
  async run(given, context) {
    const name = (given.flags.profile as string | undefined) ?? 'local'
    if (!/^[\w.-]{1,64}$/.test(name))
      fail('usage', `A profile's name has letters, digits, dots, hyphens and underscores; "${name}" has others.`)
    const database = databasePath(given, name, context)
    refuseExisting(name, database, context)
    const business = await describe(given, context)
    const made = await make(business, database, given.flags.sample === true, context)
    try {
      await context.changeFile((file) => ({
        ...file,
        profile: file.profile ?? name,
        profiles: { ...file.profiles, [name]: { database, time_zone: business.zone, ...made } },
      }))
    } catch (error) {
      await context.say(`The database ${database} was made, but the profile was not.`)
      throw error
    }
    const record = { profile: name, database, organization: business.name, time_zone: business.zone, owner: business.owner.email }
    const other = context.file.profile !== undefined && context.file.profile !== name ? ` --profile ${name}` : ''
    const next = given.flags.sample === true ? 'appointments list' : 'staff create --help'
    return { kind: 'record', record, message: `Made profile ${name}. Next: bookctl ${next}${other}` }
  },
}

function databasePath({ flags }: Given, name: string, { env, paths }: Context): string {
  return flags.database === undefined ? pathFrom(paths.data, `${name}.db`) : pathFrom(env.cwd, String(flags.database))
}

/** Nothing that is there is ever overwritten. */
function refuseExisting(name: string, database: string, { file }: Context): void {
  if (file.profiles[name]) {
    fail('already_exists', `There is a profile ${name} already. Nothing was changed.`, {
      hints: [
        { command: `bookctl init --profile OTHER`, why: 'makes one beside it' },
        { command: `bookctl profiles remove ${name}`, why: 'forgets it; its database file stays' },
      ],
    })
  }
  if (exists(database)) {
    fail('already_exists', `There is a file ${database} already. Nothing was changed; name another place with --database.`)
  }
}

async function describe({ flags }: Given, context: Context): Promise<Business> {
  const sample = flags.sample === true
  const text = async (flag: string, question: string, preset: string | undefined): Promise<string> => {
    if (flags[flag] !== undefined) return String(flags[flag])
    if (sample && preset !== undefined) return preset
    const prompt = await context.prompt()
    if (prompt) return prompt.text(question, preset === undefined ? {} : { default: preset })
    if (preset !== undefined) return preset
    return fail('usage', `--${flag} is missing.`)
  }
  const missing = ['name', 'owner-name', 'owner-email'].filter((flag) => flags[flag] === undefined)
  if (!sample && missing.length > 0 && !(await context.prompt())) {
    throw new AppError(
      'usage',
      `Flags are missing: ${missing.map((flag) => `--${flag}`).join(', ')}. Or make a sample business: bookctl init --sample`,
    )
  }
  const name = await text('name', 'Name of the business', sample ? 'Sample Practice' : undefined)
  const zone = await text('time-zone', 'Time zone', sample ? 'Europe/Berlin' : context.look.zone)
  if (!isZone(zone)) fail('usage', `--time-zone: there is no time zone ${zone}; write an IANA name, such as Europe/Paris.`)
  const owner = {
    name: await text('owner-name', 'Your name', sample ? 'Sample Owner' : undefined),
    email: await text('owner-email', 'Your e-mail', sample ? 'owner@example.com' : undefined),
  }
  if (!/^[^\s@]+@[^\s@]+$/.test(owner.email)) fail('usage', `--owner-email: "${owner.email}" is not an e-mail address.`)
  return { name, zone, owner: { ...owner, ...(flags['password-stdin'] === true ? { password: await readPassword(context) } : {}) } }
}

async function readPassword({ env }: Context): Promise<string> {
  const password = (await env.stdin.read()).replace(/\r?\n$/, '')
  return password.length >= 8 ? password : fail('usage', 'The password on stdin must have at least 8 characters.')
}

async function make(business: Business, database: string, sample: boolean, context: Context) {
  makePrivateDirectory(pathFrom(database, '..'))
  try {
    return await fill(business, database, sample, context)
  } catch (error) {
    // It was not there before, and half a business would stand in the way of the next try.
    removeDatabase(database)
    throw error
  }
}

async function fill({ name, zone, owner }: Business, database: string, sample: boolean, { env }: Context) {
  const { openService } = await import('../service/open.ts')
  const { createBusiness } = await import('../service/business.ts')
  const outside = { database, now: env.now, newId: env.newId, newRequestId: env.newRequestId, onFault: () => undefined }
  const service = await openService({ ...outside, create: true })
  try {
    const { user_uuid, api_key, access_token } = await createBusiness(service, {
      organization: { name, time_zone: zone },
      owner,
      credentials: { name: 'bookctl init' },
    })
    if (sample) {
      const { fillSample } = await import('../service/sample.ts')
      const { createApp } = await import('../service/app.ts')
      const principal = await service.store.account.principalOfUser(user_uuid)
      await fillSample(createApp(service.world, { trusted: async () => principal as NonNullable<typeof principal> }), env.now(), zone)
    }
    return { user: user_uuid, api_key, access_token }
  } finally {
    await service.close()
  }
}
