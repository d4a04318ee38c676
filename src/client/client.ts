import type { Auth, Endpoint, HttpReply, HttpRequest, Input, Output, Page, Schema, Signal } from '../contract/endpoint.ts'
import { fail } from '../contract/errors.ts'
import { type Credential, type Credentials, createKeyring, headerOf, placeholder } from './credentials.ts'
import { checksOf } from './outcome.ts'
import { pagesOf } from './pages.ts'
import { readReply, refuseRedirect } from './reply.ts'
import { type AnyInput, checkPathOf, headersOf, requestOf, sendable } from './request.ts'
import { type AttemptEvent, type ClientWorld, isWrite, sendWithRetries } from './retry.ts'
import type { Base, Door } from './transport.ts'

export interface ClientOptions {
  door: Door
  /** Each is asked for at most once, when first needed, and sent to its own address only. */
  credentials: Credentials
  world: ClientWorld
  /** Milliseconds for one call, retries and waits included; each page of `pages` is a call. */
  timeout: number
  user_agent: string
  signal?: Signal | undefined
  /** Told of every attempt, with secrets hidden. */
  onAttempt?: ((event: AttemptEvent) => void) | undefined
}

/** A request, and which of the two addresses it is for. */
export type AddressedRequest = HttpRequest & { base: Base }
export type PagedEndpoint = Endpoint & { success: { page: Schema } }

export interface Extra {
  /** Beside ours, and over them: `if-match`, or an `idempotency-key` of the caller's own. */
  headers?: Record<string, string>
  /** What ends this call early, instead of the client's own signal: for what has to be put right after an interrupt, say. */
  signal?: AbortSignal
}

export interface Client {
  /** Calls an endpoint. Every failure is an AppError with the code that the table of errors, and so the exit code, follows. */
  call<E extends Endpoint>(endpoint: E, input: Input<E>, extra?: Extra): Promise<Output<E>>
  /** The pages of a list, from `query.page_token` on, until there are no more or `limit` rows were given; never a row more. */
  pages<E extends PagedEndpoint>(
    endpoint: E,
    input: Input<E>,
    options?: { limit?: number | undefined; signal?: AbortSignal },
  ): AsyncGenerator<Output<E>>
  /** The request that `call` would send, with a placeholder for the credential. Nothing is sent, and no credential asked for. */
  request<E extends Endpoint>(endpoint: E, input: Input<E>, extra?: Extra): AddressedRequest
  /**
   * Sends any request, with the credential of its address where there is one, and gives back the reply whatever its status.
   * A POST without an idempotency-key is given one.
   */
  raw(request: AddressedRequest): Promise<HttpReply>
  /** Where requests go. */
  address: Record<Base, string>
}

const homes: Record<Credential, Base> = { api_key: 'base_url', access_token: 'api_url' }

/** Calls to the service, by way of a door. The door stays the caller's to close. */
export function createClient(options: ClientOptions): Client {
  const { door, world, user_agent } = options
  const keyring = createKeyring(options.credentials)

  const bare = (endpoint: Endpoint, input: AnyInput, { headers }: Extra = {}): AddressedRequest => {
    const idempotency_key = knowsKeys(endpoint) ? world.newId() : undefined
    return { ...requestOf(endpoint, input, { user_agent, idempotency_key, headers }), base: endpoint.base }
  }

  const request = (endpoint: Endpoint, input: AnyInput, extra?: Extra): AddressedRequest => {
    const [kind] = door.trusted ? [] : credentialsFor(endpoint.auth)
    return kind ? withCredential(bare(endpoint, input, extra), kind, placeholder[kind]) : bare(endpoint, input, extra)
  }

  /** With the first of the credentials that there is, and to the address that this one belongs to. */
  const credited = async (given: AddressedRequest, auth: Auth): Promise<AddressedRequest> => {
    const kinds = credentialsFor(auth)
    if (door.trusted || kinds.length === 0) return given
    for (const kind of kinds) {
      const secret = await keyring(kind)
      if (secret) return withCredential(given, kind, secret)
    }
    return missing(kinds[0]!, door.address)
  }

  const send = (given: AddressedRequest, check: string, signal = options.signal): Promise<HttpReply> => {
    const { base, ...ready } = sendable(given)
    return sendWithRetries(ready, { ...options, signal, transport: door.to(base), address: door.address[base], check })
  }

  const call = async (endpoint: Endpoint, input: AnyInput, extra?: Extra): Promise<unknown> => {
    const ready = await credited(bare(endpoint, input, extra), endpoint.auth)
    const check = checkPathOf(endpoint, input.params)
    const reply = await send(ready, check, extra?.signal)
    const checks = isWrite(ready) ? checksOf(ready, check) : []
    return readReply(endpoint, reply, { address: door.address[ready.base], now: world.now(), checks })
  }

  const raw = async (given: AddressedRequest): Promise<HttpReply> => {
    const kind = given.base === 'base_url' ? 'api_key' : 'access_token'
    const secret = door.trusted ? undefined : await keyring(kind)
    const idempotency_key = given.method === 'POST' ? world.newId() : undefined
    const json: Record<string, string> = given.body === undefined ? {} : { 'content-type': 'application/json' }
    const framed = { ...given, headers: { ...json, ...headersOf({ user_agent, idempotency_key, headers: given.headers }) } }
    const ready = secret ? withCredential(framed, kind, secret) : framed
    const reply = await send(ready, given.url.replace(/[?#].*$/, ''))
    refuseRedirect(reply, { address: door.address[given.base], now: world.now() })
    return reply
  }

  const pages = (endpoint: PagedEndpoint, input: AnyInput, { limit, ...extra }: { limit?: number | undefined } & Extra = {}) =>
    pagesOf((query) => call(endpoint, { ...input, query }, extra) as Promise<Page<unknown>>, input.query ?? {}, limit)

  // The types of one endpoint are told to callers; within, any endpoint is handled alike.
  return { call, pages, request, raw, address: door.address } as unknown as Client
}

/** The service remembers keys for whoever is signed in, and for nobody else; without that, a repeat would not be safe. */
const knowsKeys = ({ method, auth, atomic }: Endpoint): boolean => method === 'POST' && auth !== 'none' && atomic !== false

function credentialsFor(auth: Auth): Credential[] {
  if (auth === 'none') return []
  return auth === 'either' ? ['api_key', 'access_token'] : [auth]
}

/** A credential goes into a request together with its address: it has no way to any other. */
function withCredential(request: AddressedRequest, kind: Credential, secret: string): AddressedRequest {
  return { ...request, base: homes[kind], headers: { ...request.headers, ...headerOf(kind, secret) } }
}

function missing(kind: Credential, address: Record<Base, string>): never {
  const [what, variable] = kind === 'api_key' ? ['API key', 'BOOKCTL_API_KEY'] : ['access token', 'BOOKCTL_ACCESS_TOKEN']
  fail('no_credential', `There is no ${what} for ${address[homes[kind]]}. Sign in, or set ${variable}.`, {
    hints: [
      { command: 'bookctl auth login', why: 'signs in and stores the credentials' },
      { command: 'bookctl auth status', why: 'shows which credentials there are, and for which address' },
    ],
  })
}
