/** Webhooks on a desk: the rules by which the service delivers, for the commands that check, send and receive on this machine. */
import { type Outcome, openPost, type Post, type PostOptions } from './delivery/post.ts'
import { headersOf } from './delivery/sign.ts'
import { secrets } from './http/secrets.ts'

export { failureOf } from './delivery/post.ts'
export { faultIn, verify } from './delivery/sign.ts'

export const newSigningKey = (): string => secrets.newSigningKey()

/** The way to receivers: as the service goes it, but from a desk private addresses are fine. */
export const openDeskPost = ({ now, anyHttp }: Pick<PostOptions, 'now' | 'anyHttp'>): Promise<Post> =>
  openPost({ allowPrivate: true, now, ...(anyHttp && { anyHttp }) })

export interface Letter {
  url: string
  /** The webhook-id. */
  id: string
  body: string
  key: string
  user_agent: string
}

/** Signs a body at this moment and posts it, as the service's first attempt would. */
export function sendSigned({ url, id, body, key, user_agent }: Letter, post: Post, now: number): Promise<Outcome> {
  const headers = headersOf({ id, timestamp: Math.floor(now / 1000), body, attempt: 1, user_agent }, [key])
  return post.send({ url, headers, body })
}
