import type { User } from '../../contract/account.ts'
import { fail } from '../../contract/errors.ts'
import type { contract } from '../../contract/index.ts'
import { instantOf } from '../../contract/time.ts'
import type { CredentialKind, UserRow } from '../store/account.ts'
import type { Areas } from '../store/store.ts'
import type { Context, Handlers } from './handler.ts'
import type { Secrets } from './secrets.ts'
import { organizationUri, userUri } from './uris.ts'

export const account: Handlers<typeof contract.account> = {
  me: (_, context) => me(context),
  currentUser: (_, context) => me(context),

  async authenticate({ body }, { store, now, secrets, address, limitSignIns, remote_address, user_agent }) {
    limitSignIns(remote_address, body.email, now())
    const login = await store.account.findLogin(body.email)
    const keys = await secrets()
    // The password is compared outside of a transaction: it takes long on purpose.
    if (!(await keys.isPassword(body.password, login?.password_hash ?? null)) || !login) {
      fail('unauthenticated', 'E-mail and password do not fit.')
    }
    const name = (user_agent ?? 'authenticate').slice(0, 255)
    return store.transaction(async (tx) => {
      const pair = await issuePair(tx, keys, { user_id: login.id, organization_id: login.organization_id }, { name, now: now() })
      const user = (await tx.account.findUser(login.id)) as UserRow
      return { ...pair, user: shownUser(user, address), organization: organizationUri(address, user.organization_uuid) }
    })
  },
}

async function me({ store, principal, address }: Context): Promise<User> {
  return shownUser((await store.account.findUser(principal.user_id)) as UserRow, address)
}

export function shownUser(
  { uuid, organization_uuid, name, slug, email, time_zone, role, created_at, updated_at }: UserRow,
  address: string,
): User {
  return {
    uri: userUri(address, uuid),
    name,
    slug,
    email,
    scheduling_url: `${address}/book`,
    timezone: time_zone,
    avatar_url: null,
    current_organization: organizationUri(address, organization_uuid),
    role,
    resource_type: 'User',
    created_at,
    updated_at,
  }
}

/** Makes an API key and an access token for a user. Their texts are in the answer and nowhere else. */
export async function issuePair(
  store: Pick<Areas, 'account'>,
  secrets: Secrets,
  owner: { user_id: number; organization_id: number },
  { name, now }: { name: string; now: number },
): Promise<{ api_key: string; access_token: string }> {
  const issue = async (kind: CredentialKind): Promise<string> => {
    const { secret, prefix, hash } = secrets.newCredential(kind)
    await store.account.insertCredential({ ...owner, kind, name, prefix, hash, expires_at: null, created_at: instantOf(now) })
    return secret
  }
  return { api_key: await issue('api_key'), access_token: await issue('access_token') }
}
