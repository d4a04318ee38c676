import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'
import { expect, test } from 'vitest'
import { createHomes } from '../support/binary.ts'
import { fetchChecked } from '../support/document.ts'

const homes = createHomes()

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}

/** What anybody would write who has read the interface and nothing of ours. */
test('a client that knows only the public interface works against the service', async () => {
  const home = await homes.business()
  const port = await freePort()
  const api = `http://127.0.0.1:${port}`
  const { stop } = await home.serve(['--port', String(port), '--public-url', api])
  const headers = { authorization: `Bearer ${home.access_token}`, 'content-type': 'application/json' }
  const ask = async (method: string, url: string, body?: object) => {
    const response = await fetchChecked(url, { method, headers, ...(body && { body: JSON.stringify(body) }) })
    const text = await response.text()
    return { status: response.status, location: response.headers.get('location'), body: text ? JSON.parse(text) : undefined }
  }

  const me = (await ask('GET', `${api}/users/me`)).body.resource
  const { uri: user, current_organization: organization } = me
  expect(me).toMatchObject({ email: 'owner@example.com', timezone: 'Europe/Berlin' })
  const { collection } = (await ask('GET', `${api}/organization_memberships?user=${encodeURIComponent(user)}`)).body
  expect(collection[0]).toMatchObject({ role: 'owner', organization })

  const url = 'https://hooks.example.com/booking'
  const subscribe = () =>
    ask('POST', `${api}/webhook_subscriptions`, {
      url,
      events: ['invitee.created', 'invitee.canceled'],
      scope: 'organization',
      organization,
    })
  const made = await subscribe()
  expect(made).toMatchObject({ status: 201, body: { resource: { callback_url: url, state: 'active', creator: user } } })
  expect(made.location).toBe(made.body.resource.uri)
  expect(await subscribe()).toMatchObject({ status: 409, body: { message: 'Hook with this url already exists' } })
  const onThisMachine = { url: 'http://localhost:4999/', events: ['invitee.created'], scope: 'user', user }
  expect(await ask('POST', `${api}/webhook_subscriptions`, onThisMachine)).toMatchObject({
    status: 400,
    body: { title: 'Invalid Argument', details: [{ parameter: 'url', message: 'must begin with https://' }] },
  })
  const about = new URLSearchParams({ organization, scope: 'organization' })
  expect((await ask('GET', `${api}/webhook_subscriptions?${about}`)).body.collection).toHaveLength(1)

  const found: { uri: string; start_time: string }[] = []
  let next: string | null = `${api}/scheduled_events?${new URLSearchParams({ organization, status: 'active', count: '7' })}`
  while (next) {
    const { body } = await ask('GET', next)
    expect(body.pagination.count).toBe(body.collection.length)
    found.push(...body.collection)
    next = body.pagination.next_page
  }
  expect(found.length).toBeGreaterThan(20)
  expect(new Set(found.map(({ uri }) => uri)).size).toBe(found.length)
  expect(found.map(({ start_time }) => start_time)).toEqual(found.map(({ start_time }) => start_time).sort())

  const event = (found.at(-1) as { uri: string }).uri
  const canceled = await ask('POST', `${event}/cancellation`, { reason: 'The room is flooded' })
  expect(canceled).toMatchObject({ status: 201, body: { resource: { canceler_type: 'host', reason: 'The room is flooded' } } })
  expect(await ask('POST', `${event}/cancellation`, {})).toMatchObject({ status: 403, body: { message: 'Event is already canceled' } })

  const [{ uri }] = (await ask('GET', `${event}/invitees`)).body.collection
  const [, event_uuid, invitee_uuid] = /scheduled_events\/([^/]+)\/invitees\/([^/]+)$/.exec(uri) as unknown as [string, string, string]
  const invitee = (await ask('GET', `${api}/scheduled_events/${event_uuid}/invitees/${invitee_uuid}`)).body.resource
  expect(invitee).toMatchObject({ uri, event, status: 'canceled', name: expect.any(String), email: expect.stringContaining('@') })
  expect(invitee.questions_and_answers).toBeInstanceOf(Array)
  expect(invitee.cancellation).toEqual(canceled.body.resource)

  expect(await ask('DELETE', made.body.resource.uri)).toMatchObject({ status: 204, body: undefined })
  expect((await ask('GET', made.body.resource.uri)).status).toBe(404)
  await stop()
})
