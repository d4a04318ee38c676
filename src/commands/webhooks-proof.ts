import type { Context } from '../cli/command.ts'
import type { Client } from '../client/client.ts'
import { leadsHome } from '../contract/callback-url.ts'
import { type DeliveryDetails, deliveries } from '../contract/deliveries.ts'
import { AppError } from '../contract/errors.ts'

/** Whether the ping came, and whether what comes from now on is for the receiver. */
export interface Proof {
  /** Aborted when it came. */
  arrival: AbortController
  ready: boolean
}

interface Proving {
  client: Client
  env: Context['env']
  /** Aborted when there is no more time, or a signal came. */
  over: AbortSignal
  /** Milliseconds. */
  timeout: number
}

/** How often the delivery log is looked at for what became of the ping. Milliseconds. */
const EVERY = 500

/**
 * Has the service send a ping, and waits until it arrived.
 * @returns false where a signal ended the wait
 * @throws AppError `check_failed` with what the delivery log says, where the ping does not arrive
 */
export async function prove(uuid: string, url: string, proof: Proof, { client, env, over, timeout }: Proving): Promise<boolean> {
  const params = { webhook_uuid: uuid }
  const end = env.now() + timeout
  const { signal: arrived } = proof.arrival
  try {
    const { id } = await client.call(deliveries.ping, { params })
    while (!arrived.aborted && !env.interrupt.aborted) {
      const late = over.aborted || env.now() >= end
      const delivery = await client.call(deliveries.get, { params: { ...params, delivery_id: id } })
      if (arrived.aborted) break
      if (late || delivery.state !== 'pending') throw unproven(url, delivery)
      await env.sleep(EVERY, arrived)
    }
  } catch (error) {
    // A call that a signal ended says what a signal does to a write; here it is one more way to leave.
    if (!env.interrupt.aborted) throw error
  }
  proof.ready = arrived.aborted
  return !env.interrupt.aborted
}

function unproven(url: string, { state, last_error, last_status, attempts }: DeliveryDetails): AppError {
  const reply = attempts.at(-1)?.reply?.trim().slice(0, 200)
  const why =
    state === 'pending'
      ? `The service has sent it ${attempts.length === 0 ? 'not yet' : 'in vain'}.`
      : (last_error ?? `Something else took it there, and answered ${last_status}.`)
  const hints = leadsHome(url)
    ? [
        {
          command: 'bookctl webhooks listen --port 4243 --url https://YOUR-TUNNEL --forward URL',
          why: 'is for a service elsewhere: a tunnel leads it to port 4243 of this machine',
        },
        { command: 'bookctl serve --allow-private-webhooks', why: 'is for a service on this machine, of the same database too' },
      ]
    : [{ command: `curl -i ${url}`, why: 'answers 405 while this command listens and the tunnel leads to it' }]
  return new AppError('check_failed', `The ping did not arrive at ${url}. ${why}${reply ? ` It said: ${reply}` : ''}`, { hints })
}
