import type { ServerResponse } from 'node:http'
import { afterEach, describe, expect, onTestFinished, test } from 'vitest'
import { openPost } from '../../../src/service/delivery/post.ts'
import { bearerOf, startWorker, subscribe } from '../../support/delivering.ts'
import { onEveryEngine } from '../../support/engines.ts'
import { openReceiver } from '../../support/receiver.ts'
import { worldsOn } from '../../support/worlds.ts'

const KB = 1024
const NOON = Date.parse('2026-11-23T12:00:00Z')

/** Posts to a receiver that answers so. */
async function answered(answer: (response: ServerResponse) => void) {
  const receiver = await openReceiver({ answer: (_, response) => answer(response) })
  const post = await openPost({ allowPrivate: true, now: () => NOON })
  onTestFinished(async () => {
    await post.close()
    await receiver.close()
  })
  return post.send({ url: receiver.url, headers: {}, body: '{}' })
}

describe('of a reply', () => {
  test.each([
    ['no byte more than 64 kB is read', 65 * KB],
    ['64 kB are read', 64 * KB],
    ['all is read where it is shorter', 64 * KB - 1],
  ])('%s', async (_, length) => {
    // In one write, so that more than is wanted has come by the time that enough has.
    const outcome = await answered((response) => void response.end('x'.repeat(length)))
    expect(outcome).toMatchObject({ status: 200, reply: 'x'.repeat(Math.min(length, 64 * KB)) })
  })

  test.each<[string, string | undefined, number | undefined]>([
    ['seconds', '120', 120_000],
    ['seconds between blanks', ' 7 ', 7_000],
    ['no time', '0', 0],
    ['a date', 'Mon, 23 Nov 2026 12:00:40 GMT', 40_000],
    ['a date that is past', 'Mon, 23 Nov 2026 11:59:00 GMT', 0],
    ['longer than anything lasts', '9'.repeat(400), Number.POSITIVE_INFINITY],
    ['seconds before now', '-30', undefined],
    ['nonsense', 'soon', undefined],
    ['nothing', '', undefined],
    ['no header', undefined, undefined],
  ])('retry-after is read: %s', async (_, header, expected) => {
    const headers = header === undefined ? {} : { 'retry-after': header }
    const outcome = await answered((response) => void response.writeHead(503, headers).end())
    expect(outcome).toMatchObject({ status: 503, retry_after: expected })
  })
})

onEveryEngine('of what a receiver answers', (engine) => {
  const createWorld = worldsOn(engine)
  const closing: (() => Promise<void>)[] = []
  afterEach(async () => {
    for (const close of closing.splice(0).reverse()) await close()
  })

  /** One event, sent once to a receiver that answers so: its delivery as the log has it. */
  async function delivered(answer: (response: ServerResponse) => void) {
    const world = await createWorld({ allowPrivateWebhooks: true })
    const receiver = await openReceiver({ answer: (_, response) => answer(response) })
    closing.push(receiver.close)
    const { uuid } = await subscribe(world, receiver.url)
    const { worker, deliverDue } = await startWorker(world)
    closing.push(() => worker.stop(0))
    await world.hasAppointment(await world.hasType(), '2026-11-24T09:00:00Z')
    await deliverDue()
    const path = `/webhook_subscriptions/${uuid}/deliveries`
    const [{ id }] = (await bearerOf(world)('GET', path)).body.collection
    return (await bearerOf(world)('GET', `${path}/${id}`)).body.resource
  }

  test.each<[string, string | Buffer, string]>([
    ['two kilobytes are kept', 'x'.repeat(5 * KB), 'x'.repeat(2 * KB)],
    ['a character that is cut in two is none', `${'x'.repeat(2 * KB - 1)}é`, `${'x'.repeat(2 * KB - 1)}\ufffd`],
    ['a NUL is kept as what stands for it', 'a\0b\0', 'a\ufffdb\ufffd'],
    ['bytes that are no text are kept as what stands for them', Buffer.from([0x61, 0xff, 0xc3, 0x62]), 'a\ufffd\ufffdb'],
  ])('%s', async (_, given, kept) => {
    const delivery = await delivered((response) => void response.end(given))
    expect(delivery).toMatchObject({ state: 'delivered', attempts: [{ status: 200, reply: kept }] })
  })

  test.each<[string, string, number]>([
    ['more seconds than the schedule waits', '20', 20],
    ['a date', 'Mon, 23 Nov 2026 08:00:12 GMT', 12],
    ['fewer', '1', 5],
    ['a date that is past', 'Mon, 23 Nov 2020 08:00:00 GMT', 5],
    ['seconds before now', '-60', 5],
    ['nonsense', 'in a while', 5],
    ['years', '999999999', 30],
    ['longer than anything lasts', '9'.repeat(100), 30],
  ])('the wait it asks for is heeded within the schedule: %s', async (_, header, seconds) => {
    const delivery = await delivered((response) => void response.writeHead(503, { 'retry-after': header }).end())
    const due = new Date(Date.parse('2026-11-23T08:00:00Z') + seconds * 1000).toISOString().replace('Z', '000Z')
    expect(delivery).toMatchObject({ state: 'pending', next_attempt_at: due })
  })
})
