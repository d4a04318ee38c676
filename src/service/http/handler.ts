import type { Checked, Endpoint, Output } from '../../contract/endpoint.ts'
import type { Principal } from '../store/account.ts'
import type { PageOf } from '../store/page.ts'
import type { Store, Tx } from '../store/store.ts'
import type { Secrets } from './secrets.ts'
import type { SignInLimit } from './sign-ins.ts'

/** The outside world of the service: everything that is not in the database or the request. */
export interface World {
  store: Store
  /** Milliseconds since the epoch. */
  now: () => number
  /** A UUID. */
  newId: () => string
  /** A name for one request, for the logs and for people who report a fault. */
  newRequestId: () => string
  /** Credentials: made, hashed and compared. Loaded when first needed, because node:crypto is slow to load. */
  secrets: () => Promise<Secrets>
  limitSignIns: SignInLimit
  /** Why payloads cannot be sent to a url, in a few words; undefined where they can. Loaded when first needed. */
  refusalOfUrl: (url: string) => Promise<string | undefined>
  /** Whether payloads may be sent to this machine and into private networks. */
  allowsPrivate: boolean
  /** The public address (origin) that the service's URIs begin with. */
  address: string
  /** Called when events were committed that wait to be delivered. */
  wake: () => void
  /** Called with what should not have happened; requests that failed by their own fault are not among it. */
  onFault: (error: unknown, request_id: string) => void
}

/** What a handler may use beside its input. In a write, `store` is the request's own transaction. */
export interface Context<S = Tx> {
  store: S
  principal: Principal
  now: number
  newId: () => string
  address: string
  secrets: World['secrets']
  refusalOfUrl: World['refusalOfUrl']
  allowsPrivate: boolean
  /** Called with every event that a write leaves to be delivered once it is committed. */
  queued: () => void
}

/** What a handler of an endpoint without a credential may use. */
export type OpenContext = Omit<World, 'onFault' | 'newRequestId' | 'wake'> & {
  remote_address: string | undefined
  user_agent: string | undefined
}

type Answer<E extends Endpoint> = E['success'] extends { page: unknown }
  ? PageOf<Output<E> extends { collection: (infer R)[] } ? R : never>
  : E['success'] extends { rows: unknown }
    ? Output<E> extends { collection: infer R }
      ? R
      : never
    : Output<E>

export type Handler<E extends Endpoint> = E extends { auth: 'none' }
  ? (input: Checked<E>, context: OpenContext) => Promise<Answer<E>>
  : (input: Checked<E>, context: Context) => Promise<Answer<E>>

/** One function for each endpoint of an area, no more and no fewer. */
export type Handlers<Area extends Record<string, Endpoint>> = { [Name in keyof Area]: Handler<Area[Name]> }
