import { AppError, fail, invalid } from '../../contract/errors.ts'
import type { contract } from '../../contract/index.ts'
import { at, instantOf } from '../../contract/time.ts'
import { type EventKind, eventKinds, isWithin, type NewSubscription, type Scope, type Subscription } from '../../contract/webhooks.ts'
import type { PageOf, PageRequest } from '../store/page.ts'
import type { SubscriptionRow, Target } from '../store/webhooks.ts'
import { isAdmin } from './auth.ts'
import { found, given } from './find.ts'
import type { Context, Handlers } from './handler.ts'
import { organizationUri, userUri, uuidIn, webhookUri } from './uris.ts'

export const webhooks: Handlers<typeof contract.webhooks> = {
  list: ({ query }, context) => list(query, context),
  get: async ({ params }, context) => shown(await findSubscription(context, params.webhook_uuid), context),
  create: ({ body }, context) => create(body, context),
  update: ({ params, body }, context) => update(params.webhook_uuid, body, context),
  delete: ({ params }, context) => remove(params.webhook_uuid, context),

  async rotateKey({ params, body }, context) {
    const { store, principal, now, secrets } = context
    const { id, old_signing_key_until: before } = await findSubscription(context, params.webhook_uuid)
    if (before !== null && at(before) > now) {
      fail('conflict', `The key before this one signs until ${before}, as was promised; change the key again after that.`)
    }
    const signing_key = body.signing_key ?? (await secrets()).newSigningKey()
    const old_signing_key_until = instantOf(now + DAY)
    await store.webhooks.rotateKey(principal.organization_id, id, { signing_key, old_signing_key_until, updated_at: instantOf(now) })
    const rotated = await findSubscription(context, params.webhook_uuid)
    return { ...shown(rotated, context), signing_key, old_signing_key_until }
  },
}

const DAY = 86_400_000

/** The same records by the same rules, for those who hold an API key. */
export const apiSubscriptions: Handlers<typeof contract.apiSubscriptions> = {
  list: ({ query }, context) => list(query, context),
  get: async ({ params }, context) => shown(await findSubscription(context, params.id), context),
  create: ({ body }, context) => create(body, context),
  update: ({ params, body }, context) => update(params.id, body, context),
  delete: ({ params }, context) => remove(params.id, context),
}

interface Wish {
  scope: Scope
  organization?: string | undefined
  user?: string | undefined
}

async function list({ scope, organization, user, ...paging }: Wish & PageRequest, context: Context): Promise<PageOf<Subscription>> {
  if (scope === 'user' && user === undefined) invalid('user', 'user is required when scope is user.', 'missing')
  const target = targetOf({ scope, organization, user }, context, { outside: 'You do not have permission', otherUser: 'Unauthorized' })
  const page = await context.store.webhooks.list(context.principal.organization_id, target, paging)
  return { ...page, rows: page.rows.map((row) => shown(row, context)) }
}

interface Creation extends Wish {
  url: string
  events: EventKind[]
  signing_key?: string | undefined
}

async function create({ url, events, signing_key, ...wish }: Creation, context: Context): Promise<NewSubscription> {
  const { store, principal, now, newId, secrets, allowsPrivate } = context
  refuseScope(events, wish.scope)
  const target = targetOf(wish, context, { outside: noAccess, otherUser: 'You do not have permission' })
  await refuseUrl(url, context)
  await refuseOverlap({ url, events, target }, context)
  const stamp = instantOf(now)
  const key = signing_key ?? (await secrets()).newSigningKey()
  const row = await store.webhooks.insert(principal.organization_id, {
    uuid: newId(),
    url,
    events,
    scope: wish.scope,
    target,
    user_id: wish.scope === 'user' ? principal.user_id : null,
    creator_id: principal.user_id,
    state: 'active',
    retry_started_at: null,
    signing_key: key,
    is_private: allowsPrivate,
    created_at: stamp,
    updated_at: stamp,
  })
  return { ...shown(row, context), signing_key: key }
}

type Changes = { url?: string | undefined; events?: EventKind[] | undefined; state?: 'active' | undefined }

async function update(uuid: string, changes: Changes, context: Context): Promise<Subscription> {
  const { store, principal, now } = context
  const changed: SubscriptionRow = { ...(await findSubscription(context, uuid)), ...given(changes), updated_at: instantOf(now) }
  if (changes.events) refuseScope(changed.events, changed.scope)
  if (changes.url !== undefined) await refuseUrl(changed.url, context)
  await refuseOverlap(changed, context, changed.id)
  const enabled = changes.state === 'active' ? { retry_started_at: null, disabled_reason: null } : {}
  if (changes.state === 'active') {
    await store.deliveries.resume(changed.id, instantOf(now))
    context.queued()
  }
  const place = changes.url === undefined ? {} : { is_private: context.allowsPrivate }
  return shown(await store.webhooks.update(principal.organization_id, { ...changed, ...enabled }, place), context)
}

async function remove(uuid: string, context: Context): Promise<undefined> {
  const { store, principal } = context
  const { id } = await findSubscription(context, uuid)
  await store.deliveries.removeAll(id)
  await store.webhooks.remove(principal.organization_id, id)
  return undefined
}

const noAccess = 'You do not have permission to access this resource.'

/**
 * Whom a subscription is about. The scope organization is for admins and owners; the scope user is for oneself.
 * @throws AppError `permission_denied` in the words of the public interface, and `details` in ours
 */
export function targetOf(
  { scope, organization, user }: Wish,
  { principal }: Context,
  said: { outside: string; otherUser: string },
): Target {
  if (organization !== undefined && uuidIn(organization, 'organizations', 'organization') !== principal.organization_uuid) {
    deny(said.outside, 'organization', 'This is not your organization.')
  }
  if (scope === 'organization') {
    if (isAdmin(principal)) return 'organization'
    return deny(noAccess, 'scope', `The scope organization needs the role admin or owner; yours is ${principal.role}.`)
  }
  if (uuidIn(user as string, 'users', 'user') === principal.user_uuid) return `user:${principal.user_id}`
  return deny(said.otherUser, 'user', 'The scope user is for your own events; this is another user.')
}

function deny(message: string, parameter: string, why: string): never {
  throw new AppError('permission_denied', message, { details: [{ parameter, message: why }] })
}

/** @throws AppError `invalid_argument` for an event that the scope does not allow */
function refuseScope(events: EventKind[], scope: Scope): void {
  const wrong = events.find((event) => !isWithin(event, scope))
  if (wrong) invalid('events', `${wrong} needs the scope ${eventKinds[wrong].scopes.join(' or ')}.`)
}

async function refuseUrl(url: string, { refusalOfUrl }: Context): Promise<void> {
  const refusal = await refusalOfUrl(url)
  if (refusal) fail('invalid_argument', `url ${refusal}.`, { details: [{ parameter: 'url', message: refusal, code: 'not_allowed' }] })
}

async function refuseOverlap(wanted: Pick<SubscriptionRow, 'url' | 'events' | 'target'>, context: Context, except?: number): Promise<void> {
  const { store, principal, address } = context
  const other = await store.webhooks.overlapping(principal.organization_id, wanted, except)
  if (!other) return
  const message = `${webhookUri(address, other.uuid)} tells this address of ${other.events.filter((event) => wanted.events.includes(event)).join(', ')} already.`
  fail('already_exists', 'Hook with this url already exists', { details: [{ parameter: 'url', message, code: 'already_exists' }] })
}

/** A subscription that the caller may see: one's own, and for admins and owners every one of the organization. */
export async function findSubscription({ store, principal }: Context, uuid: string): Promise<SubscriptionRow> {
  const subscription = found(await store.webhooks.find(principal.organization_id, uuid), 'webhook subscription', uuid)
  return isAdmin(principal) || subscription.user_id === principal.user_id ? subscription : fail('permission_denied', noAccess)
}

function shown(row: SubscriptionRow, { principal, address }: Context): Subscription {
  const { uuid, url, events, scope, state, disabled_reason, retry_started_at, user_uuid, creator_uuid, created_at, updated_at } = row
  return {
    uri: webhookUri(address, uuid),
    callback_url: url,
    created_at,
    updated_at,
    retry_started_at,
    state,
    disabled_reason,
    events,
    scope,
    organization: organizationUri(address, principal.organization_uuid),
    user: user_uuid === null ? null : userUri(address, user_uuid),
    group: null,
    creator: userUri(address, creator_uuid),
  }
}
