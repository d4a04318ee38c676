import { expect, test } from 'vitest'
import { bearerOf, startWorker, subscribe } from '../../support/delivering.ts'
import { onEveryEngine } from '../../support/engines.ts'
import { openReceiver } from '../../support/receiver.ts'
import { worldsOn } from '../../support/worlds.ts'

onEveryEngine('the worker', (engine) => {
  const createWorld = worldsOn(engine)

  test('delivers', async () => {
    const world = await createWorld({ allowPrivateWebhooks: true })
    const receiver = await openReceiver()
    const { uuid } = await subscribe(world, receiver.url)
    const { deliverDue, worker } = await startWorker(world)
    const type = await world.hasType()
    const made = await world.hasAppointment(type, '2026-11-24T09:00:00Z')
    await world.call('POST', `/api/v3/appointments/${made.id}/reschedule`, { start_time: '2026-11-25T09:00:00Z' })
    await deliverDue()
    const page = await bearerOf(world)('GET', `/webhook_subscriptions/${uuid}/deliveries`)
    await worker.stop()
    await receiver.close()
    expect(receiver.received.length).toBe(3)
  })
})
