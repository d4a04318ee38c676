import { at, clockOf, wallAt } from '../contract/time.ts'
import { eventKindNames } from '../contract/webhooks.ts'
import type { Column, View } from '../output/view.ts'
import { id, uuid } from './views.ts'

/** Which fields a person sees of subscriptions and their deliveries. */

const subscriptionTint: Column['tint'] = (value) => (value === 'disabled' ? 'red' : 'green')

export const subscriptionView: View = {
  columns: [
    uuid,
    { field: 'callback_url', title: 'Address', weight: 1 },
    { field: 'events', title: 'Events', weight: 3 },
    { field: 'scope', title: 'Scope', weight: 4 },
    { field: 'state', title: 'State', weight: 2, tint: subscriptionTint },
    { field: 'retry_started_at', title: 'Failing since', weight: 6 },
    { field: 'disabled_reason', title: 'Why disabled', weight: 5 },
  ],
  empty: 'No webhook subscriptions found.',
}

const deliveryTint: Column['tint'] = (value) => ({ delivered: 'green', failed: 'red', pending: 'yellow' })[String(value)] as never

export const deliveryView: View = {
  columns: [
    id,
    { field: 'created_at', title: 'Created', weight: 5 },
    { field: 'event', title: 'Event', weight: 2 },
    { field: 'state', title: 'State', weight: 1, tint: deliveryTint },
    { field: 'attempt_count', title: 'Attempts', weight: 7 },
    { field: 'last_status', title: 'Status', weight: 4 },
    { field: 'last_error', title: 'What went wrong', weight: 3 },
    { field: 'next_attempt_at', title: 'Next attempt', weight: 6 },
  ],
  empty: 'No deliveries found.',
}

export const redeliveryView: View = {
  columns: [
    { field: 'redelivered', title: 'Sent again' },
    { field: 'arrived', title: 'Arrived' },
    { field: 'failed', title: 'Failed' },
    { field: 'pending', title: 'On the way' },
  ],
}

export const pingView: View = {
  columns: [
    { field: 'delivery', title: 'Delivery', weight: 0 },
    { field: 'state', title: 'State', weight: 1, tint: deliveryTint },
    { field: 'status', title: 'Status', weight: 2 },
    { field: 'milliseconds', title: 'Milliseconds', weight: 4 },
    { field: 'error', title: 'What went wrong', weight: 3 },
    { field: 'reply', title: 'Reply', weight: 5 },
  ],
}

const changeOf = (_: unknown, { added, removed, enabled, action }: Record<string, unknown>): string =>
  [
    ...(action === 'untouched' ? ['not in the file'] : []),
    ...(added as string[]).map((event) => `+${event}`),
    ...(removed as string[]).map((event) => `-${event}`),
    ...(enabled ? ['enabled again'] : []),
  ].join(' ')

export const applyView: View = {
  columns: [
    {
      field: 'action',
      title: 'Action',
      weight: 0,
      tint: (value) => ({ create: 'green', update: 'yellow', delete: 'red', untouched: 'dim', unchanged: 'dim' })[String(value)] as never,
    },
    { field: 'url', title: 'Address', weight: 1 },
    { field: 'scope', title: 'Scope', weight: 3 },
    { field: 'added', title: 'Change', weight: 2, show: changeOf },
    { field: 'status', title: 'Status', weight: 4 },
    { field: 'error', title: 'What went wrong', weight: 2 },
    { field: 'signing_key', title: 'Signing key', weight: 0 },
  ],
  empty: 'The file names no subscription, and there is none.',
}

export const findingView: View = {
  columns: [
    { field: 'severity', title: 'Severity', weight: 3 },
    { field: 'finding', title: 'Finding', weight: 1 },
    { field: 'url', title: 'Address', weight: 4 },
    { field: 'why', title: 'Why', weight: 2 },
    { field: 'remedy', title: 'What to do', weight: 5 },
  ],
}

export const attemptView: View = {
  columns: [
    { field: 'number', title: 'Attempt', weight: 0 },
    { field: 'started_at', title: 'Started', weight: 1 },
    { field: 'milliseconds', title: 'ms', weight: 4 },
    { field: 'status', title: 'Status', weight: 2 },
    { field: 'error', title: 'What went wrong', weight: 3 },
    { field: 'reply', title: 'Reply', weight: 5 },
  ],
}

export const eventKindView: View = {
  columns: [
    { field: 'event', title: 'Event', weight: 0 },
    { field: 'meaning', title: 'Meaning', weight: 2 },
    { field: 'scopes', title: 'Scopes', weight: 1 },
  ],
  empty: '',
}

export const sentView: View = {
  columns: [
    { field: 'webhook_id', title: 'Webhook id', weight: 0 },
    { field: 'event', title: 'Event', weight: 1 },
    { field: 'status', title: 'Status', weight: 1, tint: (value) => (isSuccess(value) ? 'green' : 'red') },
    { field: 'milliseconds', title: 'Milliseconds', weight: 2 },
    { field: 'reply', title: 'Reply', weight: 3 },
  ],
}

const isSuccess = (status: unknown): boolean => Number(status) >= 200 && Number(status) < 300

const clock: Column['show'] = (value, _, { zone }) => {
  const wall = wallAt(zone, at(String(value)))
  return `${clockOf(wall)}:${String(wall.second).padStart(2, '0')}`
}

/** A line each, not a table: they are shown as they come. */
export const arrivalView: View = {
  columns: [
    { field: 'received_at', title: 'Time', show: clock },
    { field: 'event', title: 'Event', show: (value) => String(value).padEnd(longestEvent) },
    { field: 'status', title: 'Status', show: (value) => String(value ?? '---') },
    { field: 'milliseconds', title: 'Milliseconds', show: (value) => `${value} ms`.padStart(8) },
    { field: 'name', title: 'Invitee', show: (value, { uri }) => String(value ?? uri ?? '') },
    { field: 'attempt', title: 'Attempt', show: (value) => (Number(value) > 1 ? `(attempt ${value})` : '') },
    { field: 'error', title: 'Error' },
  ],
}

const longestEvent = Math.max(...eventKindNames.map(({ length }) => length))

export const verificationView: View = {
  columns: [
    { field: 'webhook_id', title: 'Webhook id', weight: 3 },
    { field: 'convention', title: 'Convention', weight: 0 },
    { field: 'holds', title: 'Holds', weight: 1, tint: (value) => (value === true ? 'green' : 'red') },
    { field: 'why', title: 'Why not', weight: 2 },
  ],
}
