import * as v from 'valibot'
import { endpoint } from './endpoint.ts'
import { described, email, input, oneOf, record, stamps, uri, zone } from './fields.ts'

export const roles = ['member', 'admin', 'owner'] as const
export type Role = (typeof roles)[number]

export const User = record({
  uri,
  name: v.string(),
  slug: v.string(),
  email: v.string(),
  scheduling_url: uri,
  timezone: described(zone, 'IANA name'),
  avatar_url: v.nullable(uri),
  current_organization: described(uri, 'The organization whose records the credential reaches'),
  role: described(oneOf(roles), 'What the user may do in it'),
  resource_type: v.literal('User'),
  ...stamps,
})
export type User = v.InferOutput<typeof User>

export const account = {
  me: endpoint({
    method: 'GET',
    base: 'base_url',
    path: '/api/v3/me',
    auth: 'api_key',
    summary: 'Read the user whose API key it is',
    success: { status: 200, record: User },
    origin: 'given',
    note: 'The path is given; the record follows the public facts, role is ours.',
  }),
  currentUser: endpoint({
    method: 'GET',
    base: 'api_url',
    path: '/users/me',
    auth: 'access_token',
    summary: 'Read the user whose access token it is',
    success: { status: 200, record: User },
    origin: 'facts',
    note: 'role is ours.',
  }),
  authenticate: endpoint({
    method: 'POST',
    base: 'base_url',
    path: '/api/v3/authenticate',
    auth: 'none',
    summary: 'Exchange e-mail and password for a fresh pair of credentials',
    body: input({
      email: described(email, 'E-mail address'),
      password: described(v.pipe(v.string(), v.nonEmpty('must not be empty'), v.maxLength(1024)), 'Password'),
    }),
    success: {
      status: 201,
      record: record({
        api_key: described(v.string(), 'For the header api-key; shown this once'),
        access_token: described(v.string(), 'For the authorization header, as a bearer; shown this once'),
        user: User,
        organization: described(uri, 'The organization the pair reaches'),
      }),
    },
    errors: ['unauthenticated', 'rate_limited'],
    origin: 'given',
    note: 'The path is given; the exchange is ours.',
    atomic: false,
  }),
}
