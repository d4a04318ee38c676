import { type Client, createClient } from '../client/client.ts'
import type { AttemptEvent } from '../client/retry.ts'
import { type Base, type Door, openLocal, openTransport } from '../client/transport.ts'
import { fail } from '../contract/errors.ts'
import type { ClientWish, Context, OpenLocal, Undelivered } from './command.ts'
import { timeoutOf } from './settings.ts'
import { userAgent } from './version.ts'

type Kind = 'api_key' | 'access_token'

/** The way to the service of the profile, with its credentials. What must be closed is added to `closers`. */
export async function openClient(
  context: Context,
  local: OpenLocal,
  closers: (() => Promise<void>)[],
  { many = false, delivering = false }: ClientWish = {},
): Promise<Client> {
  const { env, globals, setting } = context
  const timeout = timeoutOf(setting('timeout')?.value ?? '30')
  const door = isLocal(context) ? await openLocalDoor(context, local, delivering) : openNetwork(context, many, timeout)
  closers.push(door.close)
  return createClient({
    door,
    credentials: { api_key: () => credential(context, 'api_key', door), access_token: () => credential(context, 'access_token', door) },
    world: env,
    timeout,
    user_agent: userAgent,
    signal: env.interrupt,
    ...(globals.verbose || globals.debug ? { onAttempt: (event) => void tell(event, context) } : {}),
  })
}

/** True when the profile is a database of this machine, and the environment does not name another service. */
export const isLocal = ({ profile, setting }: Context): boolean =>
  profile.values?.database !== undefined && setting('base_url')?.origin !== 'environment'

async function openLocalDoor(context: Context, local: OpenLocal, delivering: boolean): Promise<Door> {
  const { profile, env, globals } = context
  const debug = globals.debug || Boolean(env.variables.BOOKCTL_DEBUG)
  const onFault = (error: unknown) => void (debug && context.say(`${(error as Error)?.stack ?? error}`))
  const { transport, delivered, close, address } = await local(profile.values ?? {}, env, { onFault, delivering })
  return openLocal(transport, address, async () => {
    const left = await delivered(env.interrupt)
    await close()
    if (left) await env.stderr.write(`${stillPending(left, env.now())}\n`)
  })
}

function stillPending({ count, due }: Undelivered, now: number): string {
  const seconds = Math.max(1, Math.ceil((due - now) / 1000))
  const wait = seconds < 120 ? `${seconds} s` : `${Math.ceil(seconds / 60)} min`
  const what =
    count === 1 ? '1 webhook delivery is still pending, due again' : `${count} webhook deliveries are still pending, the first due again`
  return `${what} in ${wait}. A command that changes something after that tries it, or "bookctl serve" does; "bookctl webhooks audit" says what is wrong.`
}

/** The addresses in force. The second is the first, where only one is known. @throws AppError `usage` where there is none */
export function addressesOf({ profile, setting }: Context): Record<Base, string> {
  const base = setting('base_url')
  const api = setting('api_url')
  const base_url = base?.value ?? api?.value
  if (base_url === undefined) {
    if (profile.name && !profile.values) {
      fail('usage', `There is no profile ${profile.name}, which the ${profile.origin} names.`, {
        hints: [{ command: 'bookctl profiles list', why: 'shows the profiles there are' }],
      })
    }
    fail('usage', 'There is no business to work with yet.', {
      hints: [
        { command: 'bookctl init', why: 'makes one on this machine' },
        { command: 'bookctl init --sample', why: 'makes one with sample records to play with' },
        { command: 'bookctl profiles add NAME --base-url URL', why: 'uses a service that runs elsewhere' },
      ],
    })
  }
  // An address from the environment replaces both of a profile's, unless the environment names the second too.
  const api_url = api && (api.origin === base?.origin || base === undefined) ? api.value : base_url
  return { base_url, api_url }
}

function openNetwork(context: Context, many: boolean, timeout: number): Door {
  const { env, globals } = context
  // From here on an interrupt has to say whether anything was changed.
  env.listen()
  return openTransport({ ...addressesOf(context), proxies: env.variables, many, timeout, insecureHttp: globals.insecureHttp })
}

/**
 * A credential, from the environment or the profile. One that a profile holds goes to the profile's own address only.
 * @throws AppError `no_credential` where it belongs to another address
 */
async function credential(context: Context, kind: Kind, door: Door): Promise<string | undefined> {
  const { profile, setting, env } = context
  const found = setting(kind)
  if (found && found.origin !== 'profile') return found.value
  const command = profile.values?.[`${kind}_command`]
  if (!found && !command) return undefined
  const base = kind === 'api_key' ? 'base_url' : 'api_url'
  const own = profile.values?.[base] ?? profile.values?.base_url
  if (own === undefined || new URL(own).origin !== new URL(door.address[base]).origin) {
    fail(
      'no_credential',
      `The credentials of profile ${profile.name} belong to ${own ?? 'its own database'}, so they are not sent to ${door.address[base]}.`,
      {
        hints: [{ command: 'bookctl profiles add NAME --base-url URL', why: 'makes a profile of its own for that address' }],
      },
    )
  }
  return found ? found.value : (await import('./secret-command.ts')).runSecretCommand(command as string, env)
}

async function tell(event: AttemptEvent, { globals, say }: Context): Promise<void> {
  const { request, address, attempt } = event
  const lines: string[] = []
  if (event.kind === 'send') lines.push(`> ${request.method} ${address}${request.url}${attempt > 1 ? ` (attempt ${attempt})` : ''}`)
  if (event.kind === 'reply') lines.push(`< ${event.reply.status} in ${Math.round(event.ms)} ms`)
  if (event.kind === 'fault') lines.push(`< no reply: ${event.error.message}`)
  if (event.kind === 'wait') lines.push(`  waiting ${Math.round(event.ms)} ms: ${event.why}`)
  if (globals.debug && event.kind === 'send')
    lines.push(
      ...Object.entries(request.headers).map(([name, value]) => `> ${name}: ${value}`),
      ...(request.body ? [`> ${request.body}`] : []),
    )
  if (globals.debug && event.kind === 'reply')
    lines.push(...Object.entries(event.reply.headers).map(([name, value]) => `< ${name}: ${value}`), `< ${event.reply.body}`)
  await say(lines.join('\n'))
}
