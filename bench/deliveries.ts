/**
 * Webhook deliveries: how many a second for how long, what is lost or doubled, how soon after the commit the first attempt
 * arrives, and what a subscriber that hangs costs the others. Beside each figure stands what it is compared with, of the same run.
 */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, Agent as HttpAgent, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { parseArgs } from 'node:util'
import { Agent, request as undici } from 'undici'
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
/** Requests that a bare client has under way. */
const AT_ONCE = 256
/** How often the worker and the bare clients take turns. */
const ROUNDS = 5

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

interface Rate {
  count: number
  /** In a second. */
  rate: number
  /** Processor time of this process for each, in microseconds. */
  spent: number
}

/** As many as it can for some seconds, and what came of them. */
async function sustained(bench: Bench, { seconds }: Options): Promise<void> {
  const receiver = await openReceiver()
  const subscribers = await bench.subscribe(receiver.address, SUBSCRIPTIONS)
  const { count, rate } = await deliverFor(seconds, bench, subscribers)
  const { requests, different } = await receiver.count()
  console.log(`  sustained for ${seconds} s to ${SUBSCRIPTIONS} subscriptions: ${rate.toFixed(0)} a second (bar 1000)`)
  console.log(`  ${count} committed, ${count - different} lost, ${requests - different} doubled`)
  await besideBareClients(bench, receiver.address, subscribers)
  await bench.unsubscribe(subscribers)
  await receiver.close()
}

/** Writes events and delivers them, both as fast as it goes. */
async function deliverFor(seconds: number, bench: Bench, subscribers: { id: number; created_by: string }[]): Promise<Rate> {
  let delivered = 0
  let committed = 0
  const worker = await bench.startWorker(() => {
    delivered += 1
  })
  const rate = await timed(async () => {
    const begin = performance.now()
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
    return committed
  })
  await worker.stop()
  return rate
}

/**
 * Beside clients that only post such bodies: in turns, so that a busy spell of the machine falls on all. One is the platform's, one is
 * undici as its documentation has it, one is undici as the worker uses it: the least that a request of it can cost.
 */
async function besideBareClients(bench: Bench, address: string, subscribers: { id: number; created_by: string }[]): Promise<void> {
  const url = new URL('/bare', address)
  const body = JSON.stringify({ event: 'invitee.created', payload: 'x'.repeat(1800) })
  const headers = { 'content-type': 'application/json' }
  const sockets = new HttpAgent({ keepAlive: true, maxSockets: AT_ONCE })
  const agent = new Agent()
  const pool = openPool({ timeout: 10_000 })
  const clients = {
    'node:http': () =>
      new Promise<string>((resolve, reject) => {
        const sent = request(url, { method: 'POST', headers, agent: sockets }, (reply) => text(reply).then(resolve, reject))
        sent.on('error', reject).end(body)
      }),
    'undici, request()': async () => (await undici(url, { method: 'POST', headers, body, dispatcher: agent })).body.text(),
    'undici, dispatch()': () => pool.send(url, { method: 'POST', url: '', headers, body }),
  }
  const ratios = Object.keys(clients).map((name) => ({ name, rates: [] as number[], spent: [] as number[] }))
  for (let round = 0; round < ROUNDS; round += 1) {
    const ours = await deliverFor(2, bench, subscribers)
    for (const { name, rates, spent } of ratios) {
      const bare = await postFor(clients[name as keyof typeof clients])
      rates.push(ours.rate / bare.rate)
      spent.push(ours.spent / bare.spent)
    }
  }
  sockets.destroy()
  await Promise.all([agent.close(), pool.close()])
  for (const { name, rates, spent } of ratios) {
    const time = `processor time for each ${median(spent).toFixed(1)} times its`
    console.log(`  ${median(rates).toFixed(2)} of the rate of ${name} alone (bar 0.5), ${time}`)
  }
}

/** Requests a second, as many under way as the worker has under way about. */
async function postFor(post: () => Promise<unknown>): Promise<Rate> {
  const count = 8_000
  let left = count
  const lane = async () => {
    for (; left > 0; left -= 1) await post()
  }
  return timed(async () => {
    await Promise.all(Array.from({ length: AT_ONCE }, lane))
    return count
  })
}

async function timed(work: () => Promise<number>): Promise<Rate> {
  const begin = performance.now()
  const before = process.cpuUsage()
  const count = await work()
  const { user, system } = process.cpuUsage(before)
  return { count, rate: count / ((performance.now() - begin) / 1000), spent: (user + system) / count }
}

const median = (values: number[]): number => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] as number

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
