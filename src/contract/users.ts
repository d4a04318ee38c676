import * as v from 'valibot'
import { roles, User } from './account.ts'
import { endpoint } from './endpoint.ts'
import { described, email, id, input, name, oneOf, paging, record, stamps, text, uri, uuid, zone } from './fields.ts'

export const users = {
  get: endpoint({
    method: 'GET',
    base: 'api_url',
    path: '/users/{user_uuid}',
    auth: 'access_token',
    summary: 'Read a user of the organization',
    params: v.strictObject({ user_uuid: uuid }),
    success: { status: 200, record: User },
    errors: ['not_found'],
    origin: 'facts',
    note: 'role is ours.',
  }),
}

export const membershipRoles = ['user', 'admin', 'owner'] as const

export const Membership = record({
  uri,
  role: described(oneOf(membershipRoles), 'user is the public name of member'),
  user: described(v.omit(User, ['current_organization', 'role', 'resource_type']), 'Who it is'),
  organization: uri,
  ...stamps,
})
export type Membership = v.InferOutput<typeof Membership>

export const memberships = {
  list: endpoint({
    method: 'GET',
    base: 'api_url',
    path: '/organization_memberships',
    auth: 'access_token',
    summary: 'List who belongs to the organization, and as what',
    query: input({
      organization: v.optional(described(uri, "Of this organization; the caller's when left out")),
      user: v.optional(described(uri, 'Only of this user')),
      email: v.optional(described(text(254), 'Exactly this e-mail address, whatever its case')),
      role: v.optional(described(oneOf(membershipRoles), 'Only with this role')),
      ...paging(['created_at']),
    }),
    success: { status: 200, page: Membership },
    errors: ['permission_denied'],
    origin: 'facts',
  }),
  get: endpoint({
    method: 'GET',
    base: 'api_url',
    path: '/organization_memberships/{membership_uuid}',
    auth: 'access_token',
    summary: 'Read an organization membership',
    params: v.strictObject({ membership_uuid: uuid }),
    success: { status: 200, record: Membership },
    errors: ['not_found'],
    origin: 'facts',
  }),
}

/** A user as the business manages them, under the API key. */
export const AccountUser = record({ id, ...User.entries })
export type AccountUser = v.InferOutput<typeof AccountUser>

const userParams = v.strictObject({ user_id: id })

export const apiUsers = {
  list: endpoint({
    method: 'GET',
    base: 'base_url',
    path: '/api/v3/users',
    auth: 'api_key',
    role: 'admin',
    summary: 'List the users of the organization',
    query: input({
      role: v.optional(described(oneOf(roles), 'Only with this role')),
      email: v.optional(described(text(254), 'Exactly this e-mail address, whatever its case')),
      ...paging(['created_at']),
    }),
    success: { status: 200, page: AccountUser },
    origin: 'ours',
  }),
  get: endpoint({
    method: 'GET',
    base: 'base_url',
    path: '/api/v3/users/{user_id}',
    auth: 'api_key',
    role: 'admin',
    summary: 'Read a user of the organization by id',
    params: userParams,
    success: { status: 200, record: AccountUser },
    errors: ['not_found'],
    origin: 'ours',
  }),
  create: endpoint({
    method: 'POST',
    base: 'base_url',
    path: '/api/v3/users',
    auth: 'api_key',
    role: 'admin',
    summary: 'Create a user',
    body: input({
      name: described(name(), 'Full name'),
      email: described(email, 'E-mail address, to sign in with'),
      role: v.optional(described(oneOf(roles), 'What the user may do; only an owner makes owners'), 'member'),
      time_zone: v.optional(described(zone, "The zone of the user; the organization's when left out")),
      password: v.optional(
        described(
          v.pipe(v.string(), v.minLength(8, 'must have at least 8 characters'), v.maxLength(1024, 'must have at most 1024 characters')),
          'To sign in with; without one there are only credentials',
        ),
      ),
    }),
    success: { status: 201, record: AccountUser },
    errors: ['already_exists'],
    origin: 'ours',
  }),
  update: endpoint({
    method: 'PATCH',
    base: 'base_url',
    path: '/api/v3/users/{user_id}',
    auth: 'api_key',
    role: 'admin',
    summary: "Change a user's role or name",
    params: userParams,
    body: input({
      role: v.optional(described(oneOf(roles), 'What the user may do; only an owner makes or unmakes owners')),
      name: v.optional(described(name(), 'Full name')),
    }),
    success: { status: 200, record: AccountUser },
    errors: ['not_found', 'conflict', 'precondition_failed'],
    origin: 'ours',
    note: 'The last owner stays one.',
  }),
}
