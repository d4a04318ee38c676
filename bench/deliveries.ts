/**
 * Webhook deliveries: how many a second for how long, what is lost or doubled, how soon after the commit the first attempt
 * arrives, and what a subscriber that hangs costs the others. Beside each figure stands what it is compared with, of the same run.
 */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { openPool } from '../src/client/undici.ts'
import { instantOf } from '../src/contract/time.ts'
import { createBusiness } from '../src/service/business.ts'
import { openPost } from '../src/service/delivery/post.ts'
import { createWorker, type Worker } from '../src/service/delivery/worker.ts'
import { samplePayload } from '../src/service/http/sample-payload.ts'
import { openService, type Service } from '../src/service/open.ts'

const SUBSCRIPTIONS = 50
/** Deliveries that wait at any time while they are sustained. */
const BACKLOG = 2000

interface Options {
  /** For how long the worker is kept busy. */
  seconds: number
}

/** `--seconds N` is how long deliveries are sustained (10). PostgreSQL is measured where BOOKCTL_TEST_POSTGRES names a server. */
export async function deliveries(given: string[]): Promise<void> {
  const { values } = parseArgs({ args: given, options: { seconds: { type: 'string', default: '10' } } })
  const options = { seconds: Math.max(1, Number.parseInt(values.seconds, 10) || 0) }
  const folder = mkdtempSync(join(tmpdir(), 'bookctl-bench-'))
  try {
    await measure('SQLite', join(folder, 'business.db'), options)
    const server = process.env.BOOKCTL_TEST_POSTGRES
    if (server) await withDatabase(server, (address) => measure('PostgreSQL', address, options))
    else console.log('\nPostgreSQL: not measured; BOOKCTL_TEST_POSTGRES names no server.')
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function measure(engine: string, database: string, options: Options): Promise<void> {
  const bench = await openBench(database)
  try {
    console.log(`\n${engine}, node ${process.version}`)
    await sustained(bench, options)
    await latency(bench)
  } finally {
    await bench.close()
  }
}

interface Bench {
  service: Service
  organization: number
  /** Makes subscriptions, to paths 1, 2, 3 … of an address. */
  subscribe(address: string, count: number): Promise<{ id: number; created_by: string }[]>
  unsubscribe(subscribers: { id: number }[]): Promise<void>
  /** Writes an event to be delivered, in a transaction of its own. */
  happens(subscribers: { id: number; created_by: string }[]): Promise<string>
  startWorker(onDelivered?: () => void): Promise<Worker>
  close(): Promise<void>
}

async function openBench(database: string): Promise<Bench> {
  const now = () => Date.now()
  const newId = () => crypto.randomUUID()
  const onFault = (error: unknown) => console.error(error)
  const service = await openService({ database, create: true, now, newId, newRequestId: newId, onFault, allowPrivateWebhooks: true })
  const owner = { name: 'Owner', email: 'owner@example.com' }
  const business = { organization: { name: 'Bench', time_zone: 'UTC' }, owner, credentials: { name: 'bench' } }
  const made = await createBusiness(service, business)
  const { store, world } = service
  const principal = await store.account.principalOfUser(made.user_uuid)
  if (!principal) throw new Error('The owner is missing.')
  const { organization_id: organization, user_id } = principal
  const payload = samplePayload('invitee.created', { principal, now: now(), address: world.address })

  return {
    service,
    organization,
    async subscribe(address, count) {
      const stamp = instantOf(now())
      const made_: { id: number; created_by: string }[] = []
      for (let number = 1; number <= count; number += 1) {
        const { id } = await store.transaction((tx) =>
          tx.webhooks.insert(organization, {
            ...{ uuid: newId(), url: `${address}/${number}`, events: ['invitee.created'], scope: 'organization', target: 'organization' },
            ...{ user_id: null, creator_id: user_id, state: 'active', retry_started_at: null, signing_key: newId(), is_private: true },
            ...{ created_at: stamp, updated_at: stamp },
          }),
        )
        made_.push({ id, created_by: `${world.address}/users/${made.user_uuid}` })
      }
      return made_
    },
    async unsubscribe(subscribers) {
      await store.transaction(async (tx) => {
        for (const { id } of subscribers) {
          await tx.deliveries.removeAll(id)
          await tx.webhooks.remove(organization, id)
        }
      })
    },
    async happens(subscribers) {
      const uuid = newId()
      const event = { uuid, kind: 'invitee.created' as const, payload, customer_id: null, created_at: instantOf(now()) }
      await store.transaction((tx) => tx.deliveries.enqueue(organization, event, subscribers))
      return uuid
    },
    async startWorker(onDelivered = () => undefined) {
      const post = await openPost({ allowPrivate: true, now })
      const chance = () => Math.random()
      return createWorker({ store, post, now, newId, chance, user_agent: 'bookctl/bench', onNotice: onDelivered, onFault })
    },
    close: service.close,
  }
}

/** As many as it can for some seconds, beside a bare client that posts the same bodies to the same subscriber. */
async function sustained(bench: Bench, { seconds }: Options): Promise<void> {
  const receiver = await openReceiver()
  const subscribers = await bench.subscribe(receiver.address, SUBSCRIPTIONS)
  let delivered = 0
  let committed = 0
  const worker = await bench.startWorker(() => {
    delivered += 1
  })
  const begin = performance.now()
  const cpu = process.cpuUsage()
  const isTime = () => performance.now() < begin + seconds * 1000
  while (isTime()) {
    // Enough to be always busy, and little enough to be done soon after the end.
    while (isTime() && committed - delivered < BACKLOG) {
      await bench.happens(subscribers)
      committed += subscribers.length
      worker.wake()
    }
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
  while (delivered < committed) await new Promise((resolve) => setTimeout(resolve, 5))
  const spent = process.cpuUsage(cpu)
  const rate = committed / ((performance.now() - begin) / 1000)
  await worker.stop()
  const { requests, different } = await receiver.count()
  await bench.unsubscribe(subscribers)

  const bare = await postBare(receiver.address, Math.min(20_000, committed))
  await receiver.close()
  const lost = committed - different
  const each = ({ user, system }: NodeJS.CpuUsage, count: number) => `${((user + system) / count).toFixed(0)} µs`
  console.log(`  processor time for each: ${each(spent, committed)}; of the bare client's: ${each(bare.spent, bare.count)}`)
  console.log(`  sustained for ${seconds} s to ${SUBSCRIPTIONS} subscriptions: ${rate.toFixed(0)} a second (bar 1000)`)
  console.log(`  a bare client posting such bodies: ${bare.rate.toFixed(0)} a second; ratio ${(rate / bare.rate).toFixed(2)} (bar 0.5)`)
  console.log(`  ${committed} committed, ${lost} lost, ${requests - different} doubled`)
}

/** Requests a second of undici alone, as many at once as the worker sends. */
async function postBare(address: string, count: number): Promise<{ rate: number; count: number; spent: NodeJS.CpuUsage }> {
  const pool = openPool({ timeout: 10_000 })
  const body = JSON.stringify({ event: 'invitee.created', payload: 'x'.repeat(1800) })
  const headers = { 'content-type': 'application/json' }
  let left = count
  const lane = async () => {
    while (left > 0) {
      left -= 1
      await pool.send(new URL(address), { method: 'POST', url: '/bare', headers: { ...headers, 'webhook-id': String(left) }, body })
    }
  }
  const begin = performance.now()
  const cpu = process.cpuUsage()
  await Promise.all(Array.from({ length: 256 }, lane))
  const rate = count / ((performance.now() - begin) / 1000)
  const spent = process.cpuUsage(cpu)
  await pool.close()
  return { rate, count, spent }
}

/** Milliseconds from the commit to the arrival, at a gentle pace: for one subscriber, for fifty, and for fifty beside one that hangs. */
async function latency(bench: Bench): Promise<void> {
  const show = ({ p50, p99 }: Percentiles) => `p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms`
  const one = await arrivals(bench, { subscribers: 1, events: 300, hanging: false })
  console.log(`  commit to first attempt, one subscription: ${show(one)} (bars 20, 100)`)
  const alone: Percentiles[] = []
  const beside: Percentiles[] = []
  // They take turns, so that a busy spell of the machine falls on both.
  for (let round = 0; round < 3; round += 1) {
    alone.push(await arrivals(bench, { subscribers: SUBSCRIPTIONS, events: 40, hanging: false }))
    beside.push(await arrivals(bench, { subscribers: SUBSCRIPTIONS, events: 40, hanging: true }))
  }
  const best = (all: Percentiles[]) => all.toSorted((a, b) => a.p99 - b.p99)[1] as Percentiles
  console.log(`  ${SUBSCRIPTIONS} subscriptions: ${show(best(alone))}; beside one that hangs: ${show(best(beside))}`)
  console.log(`  ratio of the p99s: ${(best(beside).p99 / best(alone).p99).toFixed(2)} (bar 1.2)`)
}

interface Percentiles {
  p50: number
  p99: number
}

interface Arrivals {
  subscribers: number
  events: number
  hanging: boolean
}

async function arrivals(bench: Bench, { subscribers: count, events, hanging }: Arrivals): Promise<Percentiles> {
  const committed = new Map<string, number>()
  const taken: number[] = []
  const server = createServer((request, response) => {
    const at = performance.now()
    request.resume().on('end', () => {
      if (request.url?.startsWith('/hang')) return
      taken.push(at - (committed.get(request.headers['webhook-id'] as string) ?? at))
      response.writeHead(200).end()
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const good = await bench.subscribe(`${address}/good`, count)
  const bad = hanging ? await bench.subscribe(`${address}/hang`, 1) : []
  const worker = await bench.startWorker()
  for (let event = 0; event < events + 5; event += 1) {
    if (event === 5) taken.length = 0
    const uuid = await bench.happens([...bad, ...good])
    committed.set(uuid, performance.now())
    worker.wake()
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  while (taken.length < events * count) await new Promise((resolve) => setTimeout(resolve, 10))
  await worker.stop(0)
  await bench.unsubscribe([...good, ...bad])
  server.closeAllConnections()
  server.close()
  const sorted = taken.toSorted((a, b) => a - b)
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
  return { p50: at(0.5), p99: at(0.99) }
}

interface Receiver {
  address: string
  count(): Promise<{ requests: number; different: number }>
  close(): Promise<void>
}

async function openReceiver(): Promise<Receiver> {
  const child: ChildProcess = fork(join(__dirname, 'receiver.cjs'), { execArgv: [] })
  const [{ port }] = (await once(child, 'message')) as [{ port: number }]
  return {
    address: `http://127.0.0.1:${port}`,
    async count() {
      child.send('count')
      return (await once(child, 'message'))[0]
    },
    async close() {
      child.disconnect()
      await once(child, 'exit')
    },
  }
}

async function withDatabase(server: string, use: (address: string) => Promise<void>): Promise<void> {
  const { default: pg } = await import('pg')
  const client = new pg.Client({ connectionString: server })
  await client.connect()
  const name = `bookctl_bench_${process.pid}`
  const address = new URL(server)
  address.pathname = `/${name}`
  try {
    await client.query(`create database ${name}`)
    await use(address.href)
  } finally {
    await client.query(`drop database if exists ${name} with (force)`)
    await client.end()
  }
}
