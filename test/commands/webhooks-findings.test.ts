import { expect, test } from 'vitest'
import { type Examined, findingsOn } from '../../src/commands/webhooks-findings.ts'
import type { Delivery } from '../../src/contract/deliveries.ts'
import { type EventKind, eventKindNames, type Subscription } from '../../src/contract/webhooks.ts'
import type { Pinged } from '../../src/contract/webhooks-results.ts'

const at = (hour: number) => `2026-11-23T${String(hour).padStart(2, '0')}:00:00.000000Z`

/** A subscription to everything, that everything arrives at. */
const well = (uuid: string, subscription: Partial<Subscription> = {}, rest: Partial<Examined> = {}): Examined => ({
  subscription: {
    uri: `https://api.example.com/webhook_subscriptions/${uuid}`,
    callback_url: `https://example.com/${uuid}`,
    events: [...eventKindNames],
    scope: 'organization',
    state: 'active',
    disabled_reason: null,
    retry_started_at: null,
    updated_at: at(8),
    ...subscription,
  } as Subscription,
  latest: [delivery({ last_status: 200, state: 'delivered' })],
  failed: 0,
  ...rest,
})
const delivery = (fields: Partial<Delivery>) =>
  ({ last_status: null, last_error: null, settled_at: at(9), created_at: at(9), ...fields }) as Delivery
const refused = { last_status: 500, last_error: 'The receiver answered 500.' }

/** What is found, a line each. */
const found = (...examined: Examined[]) =>
  findingsOn(examined, (instant) => instant.slice(11, 13)).map(({ severity, finding, subscription }) =>
    [severity, finding, ...(subscription === null ? [] : [subscription])].join(' '),
  )
const whys = (...examined: Examined[]) => findingsOn(examined, (instant) => instant.slice(11, 13)).map(({ why }) => why)

test('nothing is found where everything arrives, or nothing was sent yet', () => {
  expect(found(well('a'))).toEqual([])
  expect(found(well('a', {}, { latest: [] }))).toEqual([])
})

test('a disabled one is found, with the reason', () => {
  const disabled = well('a', { state: 'disabled', disabled_reason: 'The receiver answered 410 Gone.' })
  expect(found(disabled, well('b'))).toEqual(['error disabled a'])
  expect(whys(disabled, well('b'))).toEqual(['It is disabled. The receiver answered 410 Gone.'])
})

test('a failing one is found, and since when; one that nothing reaches is called so', () => {
  const latest = [delivery({ settled_at: null }), delivery({ ...refused, settled_at: null })]
  const failing = well('a', { retry_started_at: at(7) }, { latest })
  expect(found(failing)).toEqual(['error failing a'])
  expect(whys(failing)).toEqual(['The receiver answered 500. Nothing has arrived since 07.'])
  const dead = delivery({ last_error: 'Nothing listens there.', settled_at: null })
  expect(found(well('a', { retry_started_at: at(7) }, { latest: [dead] }))).toEqual(['error unreachable a'])
})

test('a failing one is found although nothing is known of its last attempt', () => {
  expect(whys(well('a', { retry_started_at: at(7) }, { latest: [] }))).toEqual(['Deliveries fail. Nothing has arrived since 07.'])
})

test('the last attempt counts, and none from before the subscription was changed or enabled', () => {
  const [arrived, failed] = [delivery({ last_status: 204 }), delivery({ ...refused, settled_at: at(9) })]
  expect(found(well('a', {}, { latest: [failed, arrived] }))).toEqual(['error failing a'])
  expect(found(well('a', {}, { latest: [arrived, failed] }))).toEqual([])
  expect(found(well('a', { updated_at: at(10) }, { latest: [failed] }))).toEqual([])
})

test('a test just now counts for more than the log', () => {
  const probe = (fields: Partial<Pinged>) => ({ state: 'failed', status: null, error: 'Nothing listens there.', ...fields }) as Pinged
  const failing = { latest: [delivery(refused)] }
  expect(found(well('a', { retry_started_at: at(7) }, { ...failing, probe: probe({ state: 'delivered' }) }))).toEqual([])
  expect(found(well('a', {}, { probe: probe({}) }))).toEqual(['error unreachable a'])
  expect(found(well('a', {}, { probe: probe({ status: 404, error: 'The receiver answered 404.' }) }))).toEqual(['error failing a'])
  expect(whys(well('a', {}, { probe: probe({ state: 'pending', error: null }) }))).toEqual(['The test was not answered in time.'])
})

test('what failed for good waits for somebody', () => {
  expect(found(well('a', {}, { failed: 2 }))).toEqual(['warning undelivered a'])
  expect(whys(well('a', {}, { failed: 2 }))).toEqual(['2 deliveries failed for good.'])
})

test('an address that is not encrypted is found', () => {
  expect(found(well('a', { callback_url: 'http://localhost:3000/' }))).toEqual(['info plain_http a'])
  expect(found(well('a', { callback_url: 'http://desk.example.com/' }))).toEqual(['warning plain_http a'])
})

test('an address that two scopes tell of one event is found once, however it is spelled', () => {
  const [CREATED, CANCELED] = ['invitee.created', 'invitee.canceled'] as EventKind[]
  const all = well('a', { callback_url: 'https://example.com' })
  const own = (events: (EventKind | undefined)[]) =>
    well('b', { callback_url: 'https://EXAMPLE.com:443/', scope: 'user', events: events as EventKind[] })
  expect(found(all, own([CREATED, CANCELED]))).toEqual(['warning told_twice b'])
  expect(whys(own([CREATED]), all)).toEqual(['a (organization) tells this address of invitee.created too, so some events come twice.'])
  expect(found(well('a', { callback_url: 'https://example.com/other' }), own([CREATED]))).toEqual([])
})

test('kinds of events that nobody active is told of are said last', () => {
  const events = eventKindNames.filter((event) => event !== 'invitee_no_show.deleted')
  expect(found(well('a', { events, callback_url: 'http://localhost/' }))).toEqual(['info plain_http a', 'info uncovered'])
  expect(found(well('a', { state: 'disabled' }))).toEqual(['error disabled a', ...eventKindNames.map(() => 'info uncovered')])
})
