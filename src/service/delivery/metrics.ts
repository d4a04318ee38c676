/** HOME of prom-client: the figures that those who run the service watch, as Prometheus reads them. */
import { Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client'
import { at } from '../../contract/time.ts'
import type { Store } from '../store/store.ts'
import type { Notice, Worker } from './worker.ts'

export interface Metrics {
  /** Counts what the worker did. */
  note(notice: Notice): void
  /** Counts a reply of the app. */
  replied(entry: { method: string; status: number }): void
  /** The figures as they are now. */
  text(): Promise<{ type: string; body: string }>
}

/** Counting a long backlog takes a moment, and anybody may ask: it is done so often at the most. Milliseconds. */
const FRESH = 2_000

export interface MetricsOptions {
  store: Store
  worker: () => Pick<Worker, 'inFlight'>
  /** Milliseconds since the epoch. */
  now: () => number
}

export function createMetrics({ store, worker, now }: MetricsOptions): Metrics {
  const registry = new Registry()
  const registers = [registry]
  collectDefaultMetrics({ register: registry })

  const attempts = new Counter({
    name: 'bookctl_delivery_attempts_total',
    help: 'Attempts to deliver webhooks that ended here, by how',
    labelNames: ['outcome'],
    registers,
  })
  for (const outcome of ['delivered', 'failed']) attempts.inc({ outcome }, 0)
  const replies = new Counter({
    name: 'bookctl_http_replies_total',
    help: 'Replies given, by method and status',
    labelNames: ['method', 'status'],
    registers,
  })
  const pending = new Gauge({
    name: 'bookctl_deliveries_pending',
    help: 'Deliveries on their way to active subscriptions, of all nodes; those between two attempts too',
    registers,
  })
  const oldest = new Gauge({
    name: 'bookctl_delivery_oldest_undelivered_seconds',
    help: 'Age of the oldest event that has not arrived everywhere it should; 0 when all have',
    registers,
  })
  const disabled = new Gauge({
    name: 'bookctl_webhook_subscriptions_disabled',
    help: 'Subscriptions that are disabled, whose events are kept',
    registers,
  })
  const inFlight = new Gauge({ name: 'bookctl_deliveries_in_flight', help: 'Requests to subscribers under way here', registers })

  let counted = { at: Number.NEGATIVE_INFINITY, pending: 0, oldest: null as string | null, disabled: 0 }

  return {
    note(notice) {
      if (notice.event === 'attempt') attempts.inc({ outcome: notice.outcome })
    },
    replied: ({ method, status }) => replies.inc({ method, status: String(status) }),
    async text() {
      if (now() - counted.at > FRESH)
        counted = { at: now(), ...(await store.deliveries.backlog()), disabled: await store.webhooks.disabled() }
      pending.set(counted.pending)
      oldest.set(counted.oldest === null ? 0 : Math.max(0, (now() - at(counted.oldest)) / 1000))
      disabled.set(counted.disabled)
      inFlight.set(worker().inFlight())
      return { type: registry.contentType, body: await registry.metrics() }
    },
  }
}
