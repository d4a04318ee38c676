import { beforeAll, describe, expect, test } from 'vitest'
import { givenPaths } from '../../scripts/given-paths.ts'
import { isGroup } from '../../src/cli/command.ts'
import { entries } from '../../src/commands/index.ts'
import type { Endpoint, HttpReply, HttpRequest } from '../../src/contract/endpoint.ts'
import { contract } from '../../src/contract/index.ts'
import { createApp } from '../../src/service/app.ts'

/**
 * Every path of the interface we were given, with what reaches it on the command line. `soft_delete` is a query parameter of the
 * customer path, so its two rows are one.
 */
const given: [path: string, commands: string[]][] = [
  ['/api/v3/api_subscriptions', ['api']],
  ['/api/v3/api_subscriptions/{id}', ['api']],
  ['/api/v3/appointments', ['appointments list', 'appointments create']],
  ['/api/v3/appointments/{appointment_id}', ['appointments get', 'appointments update']],
  ['/api/v3/appointment_types', ['appointment-types list', 'appointment-types create']],
  ['/api/v3/services', ['services list', 'services create']],
  ['/api/v3/classes', ['classes list', 'classes create']],
  ['/api/v3/classes/{id}', ['classes get', 'classes update', 'classes delete']],
  ['/api/v3/sessions', ['sessions list', 'sessions create']],
  ['/api/v3/customers', ['customers list', 'customers create']],
  ['/api/v3/customers/{customer_id}', ['customers get', 'customers update', 'customers delete']],
  ['/api/v3/staff_members', ['staff list', 'staff create']],
  ['/customers/available_time', ['staff available']],
  ['/api/v3/me', ['me']],
  ['/api/v3/authenticate', ['auth login']],
  ['/webhook_subscriptions', ['webhooks subscribe', 'webhooks list']],
  ['/scheduled_events/{event_uuid}/invitees/{invitee_uuid}', ['invitees lookup']],
]

/** The same, of the public facts and of our own decisions, under the second address. */
const decided: [path: string, commands: string[]][] = [
  ['/webhook_subscriptions/{webhook_uuid}', ['webhooks get', 'webhooks update', 'webhooks delete']],
  ['/scheduled_events', ['events list']],
  ['/scheduled_events/{event_uuid}', ['events get']],
  ['/scheduled_events/{event_uuid}/cancellation', ['events cancel']],
  ['/scheduled_events/{event_uuid}/invitees', ['api']],
  ['/invitee_no_shows', ['api']],
  ['/users/{user_uuid}', ['api']],
  ['/organization_memberships', ['api']],
  ['/routing_forms', ['routing-forms list', 'routing-forms create']],
  ['/routing_forms/{routing_form_uuid}', ['routing-forms get', 'routing-forms update']],
  ['/routing_forms/{routing_form_uuid}/submissions', ['routing-forms submit']],
  ['/routing_form_submissions', ['routing-forms submissions']],
  ['/routing_form_submissions/{submission_uuid}', ['routing-forms submissions']],
  ['/api/v3/credentials', ['credentials list', 'credentials create']],
  ['/api/v3/credentials/{credential_id}', ['credentials get', 'credentials revoke']],
  ['/api/v3/users', ['users list', 'users create']],
  ['/api/v3/users/{user_id}', ['users get', 'users update']],
  ['/api/v3/audit_log', ['audit list']],
]

const endpoints: Endpoint[] = Object.values(contract).flatMap((area) => Object.values(area) as Endpoint[])

/** The path without the names of its parameters, which are ours to choose. */
const bare = (path: string): string => path.replace(/\{\w+\}/g, '{}')
const at = (path: string): Endpoint[] => endpoints.filter((one) => bare(one.path) === bare(path))

test('every path of the interface is in the list above', () => {
  const table = givenPaths.map(({ path }) => path.split('?')[0])
  expect(table.filter((path) => !given.some(([known]) => known === path))).toEqual([])
})

describe('every path', () => {
  const words = new Set<string>()
  beforeAll(async () => {
    for (const entry of entries) {
      const loaded = await entry.load()
      for (const name of isGroup(loaded) ? loaded.commands.map((one) => `${entry.name} ${one.name}`) : [entry.name]) words.add(name)
    }
  })

  test.each([...given, ...decided])('%s is in the contract, answered by the service, and reached by %j', async (path, commands) => {
    expect(at(path)).not.toEqual([])
    for (const command of commands) expect([...words], `the tool has ${command}`).toContain(command)
    for (const endpoint of at(path))
      expect(await answerOf(endpoint), `${endpoint.method} ${endpoint.path} is answered`).not.toMatch(/404|405/)
  })
})

test('every endpoint of the contract has its handler', async () => {
  for (const endpoint of endpoints)
    expect([`${endpoint.method} ${endpoint.path}`, await answerOf(endpoint)]).toEqual([expect.anything(), '401'])
})

test.each([...new Set(endpoints.map(({ path }) => path))])('%s tells in the allow header of a 405 which methods it has', async (path) => {
  const offered: string[] = at(path).flatMap(({ method }) =>
    method === 'GET' ? ['GET', 'HEAD'] : method === 'PATCH' ? ['PATCH', 'PUT'] : [method],
  )
  const others = (['GET', 'POST', 'PATCH', 'PUT', 'DELETE'] as const).filter((method) => !offered.includes(method))
  expect(others).not.toEqual([])
  for (const method of others) {
    const { status, headers } = await ask(method, path)
    expect([method, status, headers.allow?.split(', ').sort()]).toEqual([method, 405, offered.sort()])
  }
})

/** Reached, and refused for want of a credential or, where none is wanted, of a body: that is an answer. */
async function answerOf({ method, path, auth }: Endpoint): Promise<string> {
  const { status } = await ask(method, path)
  return auth === 'none' && status === 400 ? '401' : String(status)
}

/** A request without a credential, to a service without a database. */
async function ask(method: HttpRequest['method'], path: string): Promise<HttpReply> {
  const unused = () => {
    throw new Error('not needed')
  }
  const world = {
    newRequestId: () => 'r',
    now: () => 0,
    newId: unused,
    onFault: unused,
    secrets: unused,
    limitSignIns: unused,
    refusalOfUrl: unused,
    allowsPrivate: false,
    wake: unused,
  }
  const app = createApp({ ...world, store: {} as never, address: 'http://127.0.0.1:4242' })
  return app({ method, url: path.replace(/\{\w+\}/g, '1'), headers: {} })
}
