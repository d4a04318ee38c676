import { addRoute, createRouter, findRoute } from 'rou3'
import type { Endpoint, HttpReply, HttpRequest } from '../contract/endpoint.ts'
import { AppError, errorTable, fail, type WireErrorCode } from '../contract/errors.ts'
import type { Area } from '../contract/index.ts'
import { instantOf } from '../contract/time.ts'
import { areas, areasOf } from './http/areas.ts'
import { authenticate, authorize } from './http/auth.ts'
import { type CheckedInput, checkInput } from './http/check.ts'
import type { World } from './http/handler.ts'
import type { LastUsed } from './http/last-used.ts'
import { limitHeaders, type RateLimit, type Standing } from './http/rate-limit.ts'
import type { Credentialed, Principal } from './store/account.ts'
import type { PageOf } from './store/page.ts'
import type { Tx } from './store/store.ts'

type AnyHandler = (input: CheckedInput, context: object) => Promise<unknown>

type Router = ReturnType<typeof createRouter<Route>>

interface Route {
  endpoint: Endpoint
  handlers: () => Promise<Record<string, AnyHandler>>
  name: string
}

const DAY = 86_400_000

/** One request, on its way through the rooms below. */
interface Exchange {
  world: World
  request: HttpRequest
  request_id: string
  path: string
  route: Route
  input: CheckedInput
  principal: Principal
}

export interface AppOptions {
  /** Whoever calls is this user, without a credential: for callers that have the database file itself. */
  trusted?: () => Promise<Principal>
  /** How many requests a credential may make; no limit when left out. */
  limit?: RateLimit
  /** Where it is noted that a credential was used. */
  lastUsed?: LastUsed
}

/** The service: request in, reply out. It never throws; whatever goes wrong is a reply of the one error shape. */
export function createApp(world: World, { trusted, limit, lastUsed }: AppOptions = {}): (request: HttpRequest) => Promise<HttpReply> {
  const routers = new Map<string, Promise<Router>>()

  return async (request) => {
    const request_id = world.newRequestId()
    let standing: Standing | undefined
    const finished = (answer: HttpReply): HttpReply => ({
      ...answer,
      headers: { ...answer.headers, ...(standing && limitHeaders(standing)), 'x-request-id': request_id },
    })
    try {
      const { path, query } = targetOf(request)
      const { route, params } = await find(routers, request.method, path)
      const principal = await principalOf(route.endpoint, request, world, trusted)
      if (principal && 'credential_id' in principal) {
        const now = world.now()
        standing = limit?.(principal.credential_id, now)
        if (standing?.allowed === false) refuseMore(standing)
        lastUsed?.note(principal.credential_id, now)
      }
      if (principal) authorize(route.endpoint, principal)
      const input = checkInput(route.endpoint, request, params, query)
      const exchange = { world, request, request_id, path, route, input, principal: principal as Principal }
      return finished(principal ? await handle(exchange) : await handleOpen(exchange))
    } catch (error) {
      return finished(errorReply(error, request_id, world))
    }
  }
}

function refuseMore({ limit, reset }: Standing): never {
  fail('rate_limited', `This credential has made its ${limit} requests of this minute; try again in ${reset} s.`, { retry_after: reset })
}

/** Of the paths with so many parts: the first request of a process, which may be its only one, does not wait for the others. */
async function routerOf(matching: Area[], parts: number): Promise<Router> {
  const router = createRouter<Route>()
  for (const area of matching) {
    const { endpoints, handlers } = areas[area]
    for (const [name, endpoint] of Object.entries(await endpoints())) {
      if (partsOf(endpoint.path) !== parts) continue
      const route = { endpoint, name, handlers: handlers as Route['handlers'] }
      const path = endpoint.path.replace(/\{(\w+)\}/g, ':$1')
      addRoute(router, endpoint.method, path, route)
      if (endpoint.method === 'PATCH') addRoute(router, 'PUT', path, route)
    }
  }
  return router
}

/** More than any path has; there is a router for each number of parts. */
const MOST_PARTS = 20

const partsOf = (path: string): number => path.split('/').length

interface Target {
  path: string
  query: [string, string][]
}

/** A request's path and query. Of plain words they are taken apart by hand: the first use of URL takes as long as a query of the store. */
function targetOf({ url }: HttpRequest): Target {
  if (/^(?:\/[\w-]+)+(?:\?\w+=[\w.-]*(?:&\w+=[\w.-]*)*)?$/.test(url)) {
    const [path = '', query] = url.split('?')
    return { path, query: (query?.split('&') ?? []).map((pair) => pair.split('=') as [string, string]) }
  }
  const base = 'http://service'
  if (!URL.canParse(url, base)) fail('invalid_argument', 'The request target is not an address.')
  const { pathname, searchParams } = new URL(url, base)
  return { path: pathname, query: [...searchParams] }
}

const methods = ['GET', 'POST', 'PATCH', 'PUT', 'DELETE'] as const

async function find(
  routers: Map<string, Promise<Router>>,
  method: string,
  path: string,
): Promise<{ route: Route; params: Record<string, string> }> {
  const matching = areasOf(path)
  const parts = partsOf(path.replace(/\/$/, ''))
  if (matching.length === 0 || parts > MOST_PARTS) fail('not_found', `There is nothing at ${path}.`)
  const key = `${parts} ${matching.join()}`
  const loading = routers.get(key) ?? routerOf(matching, parts)
  routers.set(key, loading)
  const router = await loading
  const found = findRoute(router, method, path)
  if (found) {
    try {
      const params = Object.entries(found.params ?? {}).map(([name, text]) => [name, decodeURIComponent(text)])
      return { route: found.data, params: Object.fromEntries(params) }
    } catch {
      fail('invalid_argument', 'The path is not properly percent-encoded.')
    }
  }
  const allowed = methods.filter((other) => findRoute(router, other, path))
  if (allowed.length > 0) refuseMethod(method, allowed)
  fail('not_found', `There is nothing at ${path}.`)
}

/** @throws AppError `method_not_allowed` that says which are; whoever answers GET answers HEAD */
export function refuseMethod(method: string, allowed: string[]): never {
  const allow = allowed.flatMap((one) => (one === 'GET' ? ['GET', 'HEAD'] : [one]))
  fail('method_not_allowed', `${method} is not offered here; ${allowed.join(', ')} ${allowed.length > 1 ? 'are' : 'is'}.`, { allow })
}

async function principalOf(
  endpoint: Endpoint,
  request: HttpRequest,
  world: World,
  trusted: AppOptions['trusted'],
): Promise<Principal | Credentialed | undefined> {
  if (endpoint.auth === 'none') return undefined
  return trusted ? trusted() : authenticate(endpoint, request, world)
}

async function handleOpen({ world, request, route, input }: Exchange): Promise<HttpReply> {
  const handler = (await route.handlers())[route.name] as AnyHandler
  const context = { ...world, remote_address: request.remote_address, user_agent: request.headers['user-agent'] }
  return reply(route.endpoint, await handler(input, context))
}

/** A read goes straight to the store; a write is one transaction, with its idempotency key and its line in the audit log inside. */
async function handle(exchange: Exchange): Promise<HttpReply> {
  const { world, request, route, path } = exchange
  const handlers = await route.handlers()
  const handler = handlers[route.name] as AnyHandler
  const { newId, address, secrets, refusalOfUrl, allowsPrivate } = world
  let isQueued = false
  const queued = () => {
    isQueued = true
  }
  const context = { principal: exchange.principal, now: world.now(), newId, address, secrets, refusalOfUrl, allowsPrivate, queued }
  const call = async (name: AnyHandler, store: unknown) => name(exchange.input, { ...context, store })

  if (route.endpoint.method === 'GET') {
    const answer = await call(handler, world.store)
    return withEtag(reply(route.endpoint, answer, { url: request.url, address: world.address }), route.endpoint, world)
  }

  const { method, params } = route.endpoint
  const wanted = params && request.headers['if-match']
  // What is read and written back whole must not have changed in between.
  const locks = route.endpoint.repeatable === false
  const repeatable = wanted !== undefined || (!locks && (method !== 'POST' || route.endpoint.body === undefined))
  const committed = await world.store.transaction(
    async (tx) => {
      const replayed = await recallOrClaim(exchange, tx)
      if (replayed) return withEtag(replayed, route.endpoint, world)
      if (wanted && handlers.get) await checkMatch(wanted, await call(handlers.get, tx), world)
      const answer = reply(route.endpoint, await call(handler, tx), {
        path: route.name === 'create' ? path : path.replace(/\/\d+\/\w+$/, ''),
      })
      if (route.endpoint.told !== 'once') await remember(exchange, tx, answer)
      await tx.requests.audit({
        organization_id: exchange.principal.organization_id,
        user_id: exchange.principal.user_id,
        action: `${route.endpoint.method} ${route.endpoint.path}`,
        target: path,
        forced: (exchange.input.body as { force?: boolean } | undefined)?.force === true,
        request_id: exchange.request_id,
        remote_address: request.remote_address ?? null,
        created_at: instantOf(context.now),
      })
      return withEtag(answer, route.endpoint, world)
    },
    { repeatable },
  )
  if (isQueued) world.wake()
  return committed
}

/** The answer that this idempotency key got before; a new key is taken, so that nobody else acts on it meanwhile. */
async function recallOrClaim({ request, principal, world, path }: Exchange, tx: Tx): Promise<HttpReply | undefined> {
  const key = keyOf(request)
  if (key === undefined) return undefined
  const [now, since] = [instantOf(world.now()), instantOf(world.now() - DAY)]
  // A body may hold a secret, so only its hash is kept.
  const asked = (await world.secrets()).hash(fingerprint(request, path))
  const found = await tx.requests.recall(principal.user_id, key, since)
  if (!found) {
    await tx.requests.claim(principal.user_id, key, asked, now, since)
    return undefined
  }
  if (found.request !== asked) fail('conflict', 'This idempotency-key was used for another request. Use a new one.')
  if (found.reply.status === 0) {
    fail(
      'conflict',
      'This idempotency-key made a record already, and what that reply told is told only once. List the records, and use a new key.',
    )
  }
  return { ...found.reply, headers: { ...found.reply.headers, 'idempotent-replayed': 'true' } }
}

async function remember({ request, principal }: Exchange, tx: Tx, answer: HttpReply): Promise<void> {
  const key = keyOf(request)
  if (key !== undefined) await tx.requests.remember(principal.user_id, key, answer)
}

function keyOf({ method, headers }: HttpRequest): string | undefined {
  const key = headers['idempotency-key']
  if (key === undefined || method !== 'POST') return undefined
  if (key.length < 1 || key.length > 255) fail('invalid_argument', 'An idempotency-key has 1 to 255 characters.')
  return key
}

const fingerprint = ({ method, body = '' }: HttpRequest, path: string): string => `${method} ${path}\n${body}`

async function checkMatch(wanted: string, record: unknown, { secrets }: World): Promise<void> {
  const { etag } = await secrets()
  const current = etag(JSON.stringify({ resource: record }))
  if (wanted.trim() !== '*' && !wanted.split(',').some((tag) => tag.trim() === current)) {
    fail('precondition_failed', 'The record has changed since it was read. Read it again, then decide.')
  }
}

async function withEtag(answer: HttpReply, { success }: Endpoint, { secrets }: World): Promise<HttpReply> {
  if (!success.record) return answer
  return { ...answer, headers: { ...answer.headers, etag: (await secrets()).etag(answer.body) } }
}

const JSON_TYPE = { 'content-type': 'application/json; charset=utf-8' }

interface Place {
  /** Of a list: what was asked for, so that its neighbours can be named. */
  url?: string
  address?: string
  /** Of a create: where the records live. */
  path?: string
}

/** A handler's answer in the one shape of replies. */
function reply({ success }: Endpoint, answer: unknown, { url = '', address = '', path = '' }: Place = {}): HttpReply {
  if (success.status === 204) return { status: 204, headers: {}, body: '' }
  if (success.page)
    return { status: success.status, headers: JSON_TYPE, body: JSON.stringify(pageBody(answer as PageOf<unknown>, url, address)) }
  if (success.rows) return { status: success.status, headers: JSON_TYPE, body: JSON.stringify({ collection: answer }) }
  if (success.bare) return { status: success.status, headers: JSON_TYPE, body: JSON.stringify(answer) }
  const { id, uri } = answer as { id?: number; uri?: string }
  const location = success.status === 201 ? (id ? `${path}/${id}` : uri) : undefined
  const headers = location ? { ...JSON_TYPE, location } : JSON_TYPE
  return { status: success.status, headers, body: JSON.stringify({ resource: answer }) }
}

function pageBody({ rows, next_page_token, previous_page_token }: PageOf<unknown>, url: string, address: string) {
  const to = (token: string | null) => {
    if (token === null) return null
    const page = new URL(url, address)
    page.searchParams.set('page_token', token)
    return page.href
  }
  const pagination = {
    count: rows.length,
    next_page: to(next_page_token),
    previous_page: to(previous_page_token),
    next_page_token,
    previous_page_token,
  }
  return { collection: rows, pagination }
}

/** An error in the one shape of errors. What is not meant for people is told to the log, not to the caller. */
export function errorReply(error: unknown, request_id: string, { onFault }: Pick<World, 'onFault'>): HttpReply {
  const known = error instanceof AppError && error.status !== null
  if (!known || (error.status ?? 500) >= 500) onFault(error, request_id)
  const shown = known
    ? error
    : new AppError('internal', 'The service failed to answer; the fault is ours. The request id helps to find it.')
  const { title } = errorTable[shown.code as WireErrorCode]
  const body = { title, message: shown.message, details: shown.details, code: shown.code, request_id }
  const headers: Record<string, string> = { ...JSON_TYPE }
  if (shown.retry_after !== undefined) headers['retry-after'] = String(shown.retry_after)
  if (shown.allow) headers.allow = shown.allow.join(', ')
  return { status: shown.status ?? 500, headers, body: JSON.stringify(body) }
}
