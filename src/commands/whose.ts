import type { Command, Context } from '../cli/command.ts'
import { account, type User } from '../contract/account.ts'

/** The user whose access token is used: the source of the two URIs that lists and subscriptions want. */
export async function whoAmI(context: Context): Promise<User> {
  return (await context.client()).call(account.currentUser, {})
}

export const isAdmin = ({ role }: User): boolean => role !== 'member'

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
