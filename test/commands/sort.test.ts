import { expect, onTestFinished, test } from 'vitest'
import { fillSample } from '../../src/service/sample.ts'
import { sqlite } from '../support/databases.ts'
import { bearerOf, subscribe } from '../support/delivering.ts'
import { createServiceWorld } from '../support/service.ts'
import { createTool } from '../support/tool.ts'

/** A business with two rows, at least, in each of its lists; and what a list must be told beside its name. */
async function createFull() {
  const world = await createServiceWorld(sqlite)
  onTestFinished(world.close)
  const { json, close } = createTool(world)
  onTestFinished(close)
  const { service, owner, clock, hasUser } = world
  const app: typeof service.app = (request) => service.app({ ...request, headers: { ...request.headers, 'api-key': owner.api_key } })
  await fillSample(app, clock.now(), 'Europe/Berlin')
  await hasUser('member')
  const call = bearerOf(world)
  const questions = [{ name: 'Where to?', type: 'text' }]
  const fallback = { type: 'external_url', value: 'https://example.com' }
  const makeForm = async (name: string) => (await call('POST', '/routing_forms', { name, questions, fallback })).body.resource.uri
  const form = new URL(await makeForm('Contact')).pathname
  await makeForm('Survey')
  const { uuid } = await subscribe(world, 'https://example.com/one')
  await subscribe(world, 'https://example.com/two')
  for (const _ of ['first', 'second']) {
    await call('POST', `${form}/submissions`, {})
    await call('POST', `/webhook_subscriptions/${uuid}/ping`)
  }
  const about: Record<string, string[]> = {
    'classes sessions': ['1'],
    'attendees list': ['--session', '1'],
    'webhooks deliveries': [uuid],
    'routing-forms submissions': ['--form', form.split('/').at(-1) as string],
  }
  return { json, about }
}

interface Described {
  name: string
  flags: { name: string; description: string }[]
}

test('every list has the order that its help tells, where --sort is left out', async () => {
  const { json, about } = await createFull()
  const commands: Described[] = (await json(['commands'])).collection
  for (const { name, flags } of commands) {
    const sort = flags.find((flag) => flag.name === 'sort')
    if (!sort) continue
    const rows = async (...order: string[]) => (await json([...name.split(' '), ...(about[name] ?? []), ...order])).collection
    const [, field, direction] = /; (\w+):(asc|desc) when left out/.exec(sort.description) ?? []
    const told = await rows('--sort', `${field}:${direction}`)
    expect(await rows('--sort', `${field}:${direction === 'asc' ? 'desc' : 'asc'}`), `${name}: too few rows to see`).not.toEqual(told)
    expect(await rows(), name).toEqual(told)
  }
})
