import { roles } from '../../contract/account.ts'
import type { Endpoint, HttpRequest } from '../../contract/endpoint.ts'
import { fail } from '../../contract/errors.ts'
import { instantOf } from '../../contract/time.ts'
import type { Credentialed, CredentialKind, Principal } from '../store/account.ts'
import type { World } from './handler.ts'

/**
 * The principal of a request.
 * @throws AppError `unauthenticated`, naming the header that is missing or wrong
 */
export async function authenticate(endpoint: Endpoint, request: HttpRequest, { store, secrets, now }: World): Promise<Credentialed> {
  const { kind, secret } = credentialOf(endpoint, request)
  const principal = await store.account.principalOf(kind, (await secrets()).hash(secret), instantOf(now()))
  if (principal) return principal
  if (kind === 'api_key') fail('unauthenticated', 'The API key in the header api-key is unknown, expired or revoked.')
  fail('unauthenticated', 'The access token in the header authorization is unknown, expired or revoked.')
}

function credentialOf({ auth }: Endpoint, { headers }: HttpRequest): { kind: CredentialKind; secret: string } {
  const key = headers['api-key']
  const bearer = /^bearer +(\S+) *$/i.exec(headers.authorization ?? '')?.[1]
  if (auth !== 'access_token' && key) return { kind: 'api_key', secret: key }
  if (auth !== 'api_key' && bearer) return { kind: 'access_token', secret: bearer }
  if (auth === 'api_key') fail('unauthenticated', 'Send an API key in the header api-key.')
  if (auth === 'either') fail('unauthenticated', 'Send an API key in the header api-key, or an access token as "authorization: Bearer …".')
  fail('unauthenticated', 'Send an access token in the header authorization, as "Bearer …".')
}

/** @throws AppError `permission_denied` for a role below the endpoint's */
export function authorize({ role }: Endpoint, principal: Principal): void {
  if (role && roles.indexOf(principal.role) < roles.indexOf(role)) {
    fail('permission_denied', `This needs the role ${role}; yours is ${principal.role}.`)
  }
}

/** True for those who may act for the whole organization. */
export const isAdmin = ({ role }: Principal): boolean => role !== 'member'
