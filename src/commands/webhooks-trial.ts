import type { Context } from '../cli/command.ts'
import { userAgent } from '../cli/version.ts'
import { instantOf } from '../contract/time.ts'
import { safe } from '../output/view.ts'

export interface TestedAddress {
  url: string
  /** URI of who asks for it. */
  created_by: string
  signing_key: string
}

/**
 * Sends a signed test from this machine to an address that nobody is subscribed at yet, and says what came back. It is what the
 * service would send: the same headers and time limits, and no redirect is followed.
 * @returns whether it arrived
 * @throws AppError the one that Ctrl-C ends the command with
 */
export async function tryAddress({ url, created_by, signing_key }: TestedAddress, { env, say }: Context): Promise<boolean> {
  const { failureOf, openDeskPost, sendSigned } = await import('../service/desk.ts')
  const { now, interrupt } = env
  const post = await openDeskPost({ now })
  const giveUp = () => void post.close()
  interrupt.addEventListener('abort', giveUp, { once: true })
  try {
    const start = now()
    const body = JSON.stringify({ event: 'ping', created_at: instantOf(start), created_by, payload: {} })
    const outcome = await sendSigned({ url, id: env.newId(), body, key: signing_key, user_agent: userAgent }, post, start)
    if (interrupt.aborted) throw interrupt.reason
    const took = `${Math.max(0, Math.round(now() - start))} ms`
    if (outcome.status === undefined) {
      await say(`It did not arrive (${took}). ${safe(outcome.error)}`)
      return false
    }
    const isTaken = failureOf(outcome) === undefined
    const reply = outcome.reply.trim().slice(0, 200)
    await say(
      `${isTaken ? 'It arrived' : 'The receiver refused it'}: ${outcome.status} in ${took}.${reply ? ` It says: ${safe(reply)}` : ''}`,
    )
    if (!isTaken) await say('A receiver that checks signatures may refuse until it has the key, which you are shown at the end.')
    return isTaken
  } finally {
    interrupt.removeEventListener('abort', giveUp)
    await post.close()
  }
}
