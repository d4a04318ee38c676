import { afterEach, expect, test } from 'vitest'
import { bearerOf, startWorker, subscribe } from '../../support/delivering.ts'
import { onEveryEngine } from '../../support/engines.ts'
import { openReceiver, type Received } from '../../support/receiver.ts'
import { worldsOn } from '../../support/worlds.ts'

const TUESDAY = '2026-11-24T09:00:00Z'
const WEDNESDAY = '2026-11-25T09:00:00Z'
const THURSDAY = '2026-11-26T09:00:00Z'

onEveryEngine('while a request to a subscriber is under way', (engine) => {
  const createWorld = worldsOn(engine)
  const closing: (() => Promise<void>)[] = []
  afterEach(async () => {
    for (const close of closing.splice(0).reverse()) await close()
  })

  /** A worker, and a receiver that answers each request when it is told to. */
  async function delivering() {
    const world = await createWorld({ allowPrivateWebhooks: true })
    const open: { request: Received; answer: (status: number, body?: string) => void }[] = []
    const receiver = await openReceiver({
      answer: (request, response) => void open.push({ request, answer: (status, body) => response.writeHead(status).end(body) }),
    })
    closing.push(receiver.close)
    const subscribed = await subscribe(world, receiver.url, { events: ['invitee.created'] })
    const { worker, deliverDue } = await startWorker(world)
    closing.push(() => worker.stop(0))
    const bearer = bearerOf(world)
    const path = `/webhook_subscriptions/${subscribed.uuid}`
    const log = async () => {
      const { collection } = (await bearer('GET', `${path}/deliveries?sort=id:asc`)).body
      return Promise.all(collection.map(async ({ id }: { id: number }) => (await bearer('GET', `${path}/deliveries/${id}`)).body.resource))
    }
    return { ...world, bearer, path, receiver, open, worker, deliverDue, log }
  }

  test('what is answered tells nothing of a customer who is erased meanwhile; it is sent again without them', async () => {
    const world = await delivering()
    const customer = await world.hasCustomer({ name: 'Ada Lovelace', email: 'ada@example.com' })
    await world.hasAppointment(await world.hasType(), TUESDAY, { customer_id: customer.id })
    world.worker.wake()
    await world.receiver.until(1)
    expect((await world.call('DELETE', `/api/v3/customers/${customer.id}?cancel_appointments=true`)).status).toBe(204)
    const echo = () => {
      const { request, answer } = world.open.shift() as (typeof world.open)[0]
      answer(200, `Thanks for ${request.body}`)
      return request
    }
    expect(echo().body).toContain('Ada')
    await world.worker.idle()
    expect(JSON.stringify(await world.log())).not.toMatch(/Ada|ada@/)
    world.clock.advance(1)
    world.worker.wake()
    await world.receiver.until(2)
    expect(echo().headers['webhook-attempt']).toBe('2')
    await world.worker.idle()
    const [delivery] = await world.log()
    expect(delivery).toMatchObject({ state: 'delivered', attempts: [{ number: 2, reply: expect.stringContaining('Deleted customer') }] })
    expect(JSON.stringify(delivery)).not.toMatch(/Ada|ada@/)
  })

  test('a subscription that is enabled again is not sent that once more', async () => {
    const world = await delivering()
    const type = await world.hasType()
    for (const time of [TUESDAY, WEDNESDAY]) await world.hasAppointment(type, time)
    world.worker.wake()
    await world.receiver.until(2)
    world.open[0]?.answer(410)
    await expect.poll(async () => (await world.bearer('GET', world.path)).body.resource.state).toBe('disabled')
    expect((await world.bearer('PATCH', world.path, { state: 'active' })).status).toBe(200)
    await world.hasAppointment(type, THURSDAY)
    const other = await startWorker(world)
    closing.push(() => other.worker.stop(0))
    other.worker.wake()
    await world.receiver.until(3)
    for (const { answer } of world.open.slice(1)) answer(200)
    await Promise.all([world.worker.idle(), other.worker.idle()])
    expect(new Set(world.receiver.received.map(({ headers }) => headers['webhook-id'])).size, 'each once').toBe(3)
    const states = (await world.log()).map(({ state, attempts }) => [state, attempts.length])
    expect(states).toEqual([
      ['failed', 1],
      ['delivered', 1],
      ['delivered', 1],
    ])
  })

  test('a worker that stops waits for it, and takes nothing more, though it is woken', async () => {
    const world = await delivering()
    const type = await world.hasType()
    await world.hasAppointment(type, TUESDAY)
    world.worker.wake()
    await world.receiver.until(1)
    const stopped = world.worker.stop()
    await world.hasAppointment(type, WEDNESDAY)
    world.worker.wake()
    // Time enough for what would be wrong: whoever looks for what is due has found it before these have read the log.
    for (let times = 0; times < 5; times += 1) await world.log()
    expect(world.worker.inFlight()).toBe(1)
    world.open[0]?.answer(200)
    await stopped
    const log = (await world.log()).map(({ state, attempt_count, next_attempt_at }) => [state, attempt_count, next_attempt_at])
    expect(log).toEqual([
      ['delivered', 1, null],
      ['pending', 0, world.clock.instant()],
    ])
    expect(world.receiver.received.length).toBe(1)
  })
})
