import type { EventKind } from '../../src/contract/webhooks.ts'
import { openPost, type PostOptions } from '../../src/service/delivery/post.ts'
import { createWorker, type Notice, type Worker } from '../../src/service/delivery/worker.ts'
import type { Call, Caller, ServiceWorld } from './service.ts'

export type WorkerTestOptions = Partial<Omit<PostOptions, 'now'>>

export interface Delivering {
  worker: Worker
  notices: Notice[]
  /** Sends what is due, and resolves when nothing is any more. */
  deliverDue(): Promise<void>
}

/** A worker on a world's database, by the world's clock; whoever makes it stops it. */
export async function startWorker(
  { service, clock, faults }: ServiceWorld,
  { allowPrivate = true, ...network }: WorkerTestOptions = {},
): Promise<Delivering> {
  const { now } = clock
  const notices: Notice[] = []
  const post = await openPost({ allowPrivate, now, ...network })
  const worker = createWorker({
    store: service.store,
    post,
    now,
    newId: service.world.newId,
    chance: () => 0,
    user_agent: 'bookctl/test',
    onNotice: (notice) => notices.push(notice),
    onFault: (error) => faults.push(error),
  })
  return {
    worker,
    notices,
    async deliverDue() {
      worker.wake()
      await worker.idle()
    },
  }
}

export interface Subscribed {
  uuid: string
  signing_key: string
}

/** Requests with the owner's access token. */
export function bearerOf({ callBare, owner }: Pick<ServiceWorld, 'callBare' | 'owner'>, caller: Caller = owner): Call {
  return (method, url, body, headers = {}) => callBare(method, url, body, { authorization: `Bearer ${caller.access_token}`, ...headers })
}

/** A subscription of the owner's to the whole organization, or of a user to their own events. */
export async function subscribe(
  world: ServiceWorld,
  url: string,
  { events = ['invitee.created', 'invitee.canceled'], own }: { events?: EventKind[]; own?: Caller } = {},
): Promise<Subscribed> {
  const call = bearerOf(world, own)
  const { uri: user, current_organization: organization } = (await call('GET', '/users/me')).body.resource
  const about = own ? { scope: 'user', user } : { scope: 'organization', organization }
  const { status, body } = await call('POST', '/webhook_subscriptions', { url, events, ...about })
  if (status !== 201) throw new Error(JSON.stringify(body))
  return { uuid: body.resource.uri.split('/').at(-1), signing_key: body.resource.signing_key }
}
