import * as v from 'valibot'
import { faultOfUrl, LONGEST_URL } from './callback-url.ts'
import { endpoint } from './endpoint.ts'
import { described, type Format, input, instant, oneOf, paging, record, stamps, uri, uuid } from './fields.ts'

export const scopes = ['user', 'organization'] as const
export type Scope = (typeof scopes)[number]

/** Every kind of event that can be subscribed to: what it means, and the scopes it allows. */
export const eventKinds = {
  'invitee.created': { meaning: 'An event was scheduled by an invitee', scopes },
  'invitee.canceled': { meaning: 'An event was canceled', scopes },
  'routing_form_submission.created': { meaning: 'A routing form was sent in', scopes: ['organization'] },
  'invitee_no_show.created': { meaning: 'An invitee did not come', scopes },
  'invitee_no_show.deleted': { meaning: 'A no-show was taken back', scopes },
} as const satisfies Record<string, { meaning: string; scopes: readonly Scope[] }>

export type EventKind = keyof typeof eventKinds
export const eventKindNames = Object.keys(eventKinds) as [EventKind, ...EventKind[]]

/** Whether a subscription of that scope can be told of it. */
export const isWithin = (event: EventKind, scope: Scope): boolean => (eventKinds[event].scopes as readonly Scope[]).includes(scope)

const kinds = v.pipe(
  v.array(oneOf(eventKindNames)),
  v.minLength(1, 'must name at least one event'),
  v.check((given) => new Set(given).size === given.length, 'must not name an event twice'),
)

const target = v.pipe(
  v.string(),
  v.maxLength(LONGEST_URL),
  v.check(
    (given) => faultOfUrl(given) === undefined,
    ({ input }) => faultOfUrl(input) as string,
  ),
  v.metadata<string, { readonly format: Format }>({ format: 'uri' }),
)

/** What other libraries of the convention would take another way, or as nothing, is no key. */
function isWholeKey(given: string): boolean {
  if (!given.startsWith('whsec_')) return true
  const text = given.slice('whsec_'.length)
  const bytes = Math.floor((text.replace(/=+$/, '').length * 3) / 4)
  return /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(text) && bytes >= 24 && bytes <= 64
}

const signingKey = described(
  v.pipe(
    v.string(),
    v.nonEmpty('must not be empty'),
    v.maxLength(255),
    v.check(isWholeKey, 'that begins with whsec_ must go on with 24 to 64 bytes in base64'),
  ),
  'What to sign deliveries with; one is made when left out',
)

export const Subscription = record({
  uri,
  callback_url: described(uri, 'Where payloads are sent: the url of the request'),
  created_at: stamps.created_at,
  updated_at: stamps.updated_at,
  retry_started_at: described(v.nullable(stamps.created_at), 'Since when deliveries fail; null while they arrive'),
  state: oneOf(['active', 'disabled']),
  disabled_reason: described(v.nullable(v.string()), 'Why it is disabled; its events are kept meanwhile'),
  events: v.array(oneOf(eventKindNames)),
  scope: oneOf(scopes),
  organization: uri,
  user: described(v.nullable(uri), 'Whose events, when the scope is user'),
  group: described(v.null(), 'There are no groups'),
  creator: described(v.nullable(uri), 'Who made it'),
})
export type Subscription = v.InferOutput<typeof Subscription>

export const NewSubscription = record({
  ...Subscription.entries,
  signing_key: described(v.string(), 'What deliveries are signed with; shown this once'),
})
export type NewSubscription = v.InferOutput<typeof NewSubscription>

export const RotatedSubscription = record({
  ...NewSubscription.entries,
  old_signing_key_until: described(instant, 'Until when deliveries are signed with the key before, too'),
})
export type RotatedSubscription = v.InferOutput<typeof RotatedSubscription>

const params = v.strictObject({ webhook_uuid: uuid })
const query = input({
  organization: described(uri, 'URI of the organization'),
  scope: described(oneOf(scopes), 'Of one user, or of the organization'),
  user: v.optional(described(uri, 'URI of the user, when scope is user')),
  ...paging(['created_at']),
})

const creation = v.pipe(
  input({
    url: described(target, 'Address of your server endpoint that receives payloads'),
    events: described(kinds, `What to be told of: ${eventKindNames.join(', ')}`),
    scope: described(oneOf(scopes), 'Events of one user, or of the whole organization'),
    organization: v.optional(described(uri, 'URI of the organization, when scope is organization')),
    user: v.optional(described(uri, 'URI of the user, when scope is user')),
    signing_key: v.optional(signingKey),
  }),
  v.forward(
    v.check(({ scope, organization }) => scope !== 'organization' || organization !== undefined, 'is required when scope is organization'),
    ['organization'],
  ),
  v.forward(
    v.check(({ scope, user }) => scope !== 'user' || user !== undefined, 'is required when scope is user'),
    ['user'],
  ),
)

const changes = input({
  url: v.optional(described(target, 'Another address')),
  events: v.optional(described(kinds, 'Other events, instead of those there are')),
  state: v.optional(described(v.literal('active', 'must be active'), 'active, to enable a disabled subscription again')),
})

export const webhooks = {
  list: endpoint({
    method: 'GET',
    base: 'api_url',
    path: '/webhook_subscriptions',
    auth: 'access_token',
    summary: 'List webhook subscriptions',
    query,
    success: { status: 200, page: Subscription },
    errors: ['permission_denied'],
    origin: 'facts',
  }),
  get: endpoint({
    method: 'GET',
    base: 'api_url',
    path: '/webhook_subscriptions/{webhook_uuid}',
    auth: 'access_token',
    summary: 'Read a webhook subscription',
    params,
    success: { status: 200, record: Subscription },
    errors: ['not_found', 'permission_denied'],
    origin: 'facts',
  }),
  create: endpoint({
    method: 'POST',
    base: 'api_url',
    path: '/webhook_subscriptions',
    auth: 'access_token',
    summary: 'Subscribe to events',
    body: creation,
    success: { status: 201, record: NewSubscription },
    told: 'once',
    errors: ['permission_denied', 'already_exists'],
    origin: 'given',
    note: 'The request is given; the reply follows the public facts, signing_key is ours.',
  }),
  update: endpoint({
    method: 'PATCH',
    base: 'api_url',
    path: '/webhook_subscriptions/{webhook_uuid}',
    auth: 'access_token',
    summary: 'Change a webhook subscription, or enable it again',
    params,
    body: changes,
    success: { status: 200, record: Subscription },
    errors: ['not_found', 'permission_denied', 'already_exists', 'precondition_failed'],
    origin: 'ours',
  }),
  delete: endpoint({
    method: 'DELETE',
    base: 'api_url',
    path: '/webhook_subscriptions/{webhook_uuid}',
    auth: 'access_token',
    summary: 'Delete a webhook subscription',
    params,
    // A busy worker changes its deliveries all the time; they are taken before they go.
    repeatable: false,
    success: { status: 204 },
    errors: ['not_found', 'permission_denied', 'precondition_failed'],
    origin: 'facts',
  }),
  rotateKey: endpoint({
    method: 'POST',
    base: 'api_url',
    path: '/webhook_subscriptions/{webhook_uuid}/rotate_signing_key',
    auth: 'access_token',
    summary: 'Give a subscription a new signing key; for a day the one before signs too',
    params,
    body: input({ signing_key: v.optional(signingKey) }),
    success: { status: 200, record: RotatedSubscription },
    told: 'once',
    errors: ['not_found', 'permission_denied', 'conflict', 'precondition_failed'],
    origin: 'ours',
  }),
}

const second = {
  base: 'base_url',
  auth: 'api_key',
  origin: 'given',
  note: 'The path is given; methods and fields are those of /webhook_subscriptions.',
} as const
const path = '/api/v3/api_subscriptions'
const byId = { path: `${path}/{id}`, params: v.strictObject({ id: uuid }) }

/** The same endpoints under the API key. */
export const apiSubscriptions = {
  list: { ...webhooks.list, ...second, path },
  get: { ...webhooks.get, ...second, ...byId },
  create: { ...webhooks.create, ...second, path },
  update: { ...webhooks.update, ...second, ...byId },
  delete: { ...webhooks.delete, ...second, ...byId },
}
