import type { Command, Context } from '../cli/command.ts'
import type { Client } from '../client/client.ts'
import { account, type User } from '../contract/account.ts'
import { type Scope, type Subscription, scopes, webhooks } from '../contract/webhooks.ts'

/** The user whose access token is used: the source of the two URIs that lists and subscriptions want. */
export async function whoAmI(context: Context): Promise<User> {
  return (await context.client()).call(account.currentUser, {})
}

export const isAdmin = ({ role }: User): boolean => role !== 'member'

/** The scopes that are open to somebody, their own first. */
export const scopesOf = (me: User): readonly Scope[] => (isAdmin(me) ? scopes : ['user'])

/** The scope with everything that somebody may see. */
export const widestScope = (me: User): Scope => (isAdmin(me) ? 'organization' : 'user')

/** A scope, and whose it is: as a query says it, or the body of a new subscription. */
export const targetOf = (scope: Scope, me: User) => ({
  scope,
  organization: me.current_organization,
  ...(scope === 'user' ? { user: me.uri } : {}),
})

interface Listing {
  /** Those that are open to them when left out. */
  within?: readonly Scope[]
  /** The order within a scope. */
  sort?: string | undefined
  signal?: AbortSignal
}

/** Every subscription that somebody may see: their own, and for admins and owners those of the organization behind them. */
export async function allSubscriptions(
  me: User,
  client: Client,
  { within = scopesOf(me), sort, ...extra }: Listing = {},
): Promise<Subscription[]> {
  const found: Subscription[] = []
  for (const scope of within) {
    const query = { ...targetOf(scope, me), sort }
    for await (const { collection } of client.pages(webhooks.list, { query }, extra)) found.push(...collection)
  }
  return found
}

/** The UUID, of one that was typed or of a URI that ends in it. */
export const uuidOf = (text: string): string => text.replace(/\/+$/, '').split('/').at(-1) as string

/** The same command, whose id may be typed as a URI too. */
export function byUri(command: Command, noun: string): Command {
  return {
    ...command,
    positional: { name: 'UUID', description: `UUID or URI of the ${noun}`, required: true },
    run: (given, context) => command.run({ ...given, id: given.id && uuidOf(given.id) }, context),
  }
}
