import { expect, test } from 'vitest'
import type { Wanted } from '../../src/commands/webhooks-file.ts'
import { planOf } from '../../src/commands/webhooks-plan.ts'
import type { EventKind, Scope, Subscription } from '../../src/contract/webhooks.ts'

const [CREATED, CANCELED, NO_SHOW]: EventKind[] = ['invitee.created', 'invitee.canceled', 'invitee_no_show.created'] as const
const HERE = 'https://example.com/here'
const THERE = 'https://example.com/there'

const wants = (url: string, events: (EventKind | undefined)[], scope: Scope = 'user') => ({ line: 1, url, events, scope }) as Wanted
const has = (uri: string, callback_url: string, events: (EventKind | undefined)[], rest: Partial<Subscription> = {}) =>
  ({ uri, callback_url, events, scope: 'user', state: 'active', ...rest }) as Subscription
/** What a plan says, a line for each step. */
const plan = (wanted: Wanted[], existing: Subscription[], prune = false) =>
  planOf(wanted, existing, prune).map(({ action, uri, events, enabled }) =>
    [action, uri ?? 'new', ...(action === 'untouched' ? [] : events), ...(enabled ? ['enable'] : [])].join(' '),
  )

test('what is missing is created, what differs is changed, what is as it should be is left', () => {
  const wanted = [wants(HERE, [CREATED, CANCELED]), wants(HERE, [CREATED], 'organization'), wants(THERE, [CREATED])]
  const existing = [has('1', 'https://EXAMPLE.com/here', [CREATED, NO_SHOW]), has('2', THERE, [CREATED])]
  expect(plan(wanted, existing)).toEqual([
    'create new invitee.created',
    'update 1 invitee.created invitee.canceled',
    'unchanged 2 invitee.created',
  ])
})

test('the order of the events is nobody else’s business', () => {
  expect(plan([wants(HERE, [CANCELED, CREATED])], [has('1', HERE, [CREATED, CANCELED])])).toEqual([
    'unchanged 1 invitee.created invitee.canceled',
  ])
})

test('a disabled one is enabled again', () => {
  const disabled = has('1', HERE, [CREATED], { state: 'disabled' })
  expect(plan([wants(HERE, [CREATED])], [disabled])).toEqual(['update 1 invitee.created enable'])
})

test('another address is a new subscription, created before the old one is deleted; without --prune the old one stays', () => {
  const [wanted, existing] = [[wants(THERE, [CREATED])], [has('1', HERE, [CREATED])]]
  expect(plan(wanted, existing)).toEqual(['create new invitee.created', 'untouched 1'])
  expect(plan(wanted, existing, true)).toEqual(['create new invitee.created', 'delete 1 invitee.created'])
})

test('where several share address and scope, no event is ever without a subscription, and none is with two', () => {
  const existing = [has('1', HERE, [CREATED]), has('2', HERE, [CANCELED]), has('3', HERE, ['invitee_no_show.deleted'])]
  expect(plan([wants(HERE, [CREATED, CANCELED])], existing)).toEqual([
    'unchanged 1 invitee.created',
    'unchanged 2 invitee.canceled',
    'untouched 3',
  ])
  expect(plan([wants(HERE, [CANCELED, NO_SHOW])], existing, true)).toEqual([
    'update 2 invitee.canceled invitee_no_show.created',
    'delete 1 invitee.created',
    'delete 3 invitee_no_show.deleted',
  ])
})
