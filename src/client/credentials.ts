import { fail } from '../contract/errors.ts'

export type Credential = 'api_key' | 'access_token'

/** How to get each credential; asked only when a request needs it. */
export type Credentials = { [K in Credential]?: (() => Promise<string | undefined>) | undefined }

/** What stands in a request for the credential that it would have. */
export const placeholder: Record<Credential, string> = { api_key: 'bk_…', access_token: 'pat_…' }

export const headerOf = (kind: Credential, secret: string): Record<string, string> =>
  kind === 'api_key' ? { 'api-key': secret } : { authorization: `Bearer ${secret}` }

/**
 * Asks for each credential once, since getting one may run a command.
 * @throws AppError `no_credential` for one that no header can carry, a pasted line break for instance
 */
export function createKeyring(credentials: Credentials): (kind: Credential) => Promise<string | undefined> {
  const known = new Map<Credential, Promise<string | undefined>>()
  return (kind) => {
    const asked = known.get(kind) ?? checked(kind, credentials[kind])
    known.set(kind, asked)
    return asked
  }
}

async function checked(kind: Credential, get: (() => Promise<string | undefined>) | undefined): Promise<string | undefined> {
  const secret = (await get?.())?.trim()
  if (secret && !/^[\x21-\x7e]+$/.test(secret)) {
    fail('no_credential', `The ${kind === 'api_key' ? 'API key' : 'access token'} holds blanks or characters that no credential has.`, {
      hints: [{ command: 'bookctl auth login', why: 'stores a new one' }],
    })
  }
  return secret || undefined
}
