import type { EventKind, Subscription } from '../contract/webhooks.ts'
import type { Applied } from '../contract/webhooks-results.ts'
import { keyOf, type Wanted } from './webhooks-file.ts'

/** What is to be done about one subscription; `enabled` says that it is disabled, and is to be enabled again. */
export type Step = Pick<Applied, 'action' | 'url' | 'scope' | 'events' | 'added' | 'removed' | 'enabled' | 'uri'>

/**
 * The way from what there is to what a file wants: first what is created, then what is changed, and what is deleted last. Which
 * subscription is meant is told by address and scope.
 *
 * Where several share both, each keeps the wanted events it has, and the first is given the rest: so no event is without a
 * subscription at any moment, and none is told twice.
 * @param prune delete what the file does not name
 */
export function planOf(wanted: Wanted[], existing: Subscription[], prune: boolean): Step[] {
  const steps: Step[] = []
  const meant = new Set<Subscription>()
  for (const { url, scope, events } of wanted) {
    const own = existing.filter((one) => keyOf(one.scope, one.callback_url) === keyOf(scope, url))
    // The one with most of the events is the one to keep.
    const kept = (one: Subscription) => one.events.filter((event) => events.includes(event))
    own.sort((a, b) => kept(b).length - kept(a).length)
    const [first, ...others] = own
    if (!first) {
      steps.push({ action: 'create', url, scope, events, added: events, removed: [], enabled: false, uri: null })
      continue
    }
    const sharing = others.filter((one) => kept(one).length > 0)
    const elsewhere = sharing.flatMap(kept)
    for (const one of [first, ...sharing]) {
      meant.add(one)
      const target = one === first ? events.filter((event) => !elsewhere.includes(event)) : kept(one)
      steps.push(changed(one, target))
    }
  }
  for (const one of existing) {
    if (!meant.has(one)) steps.push(prune ? stepOf('delete', one, { removed: one.events }) : stepOf('untouched', one))
  }
  return steps.sort((a, b) => order.indexOf(a.action) - order.indexOf(b.action))
}

const order: Step['action'][] = ['create', 'update', 'delete', 'unchanged', 'untouched']

function stepOf(action: Step['action'], { callback_url, scope, events, uri }: Subscription, change: Partial<Step> = {}): Step {
  return { action, url: callback_url, scope, events, added: [], removed: [], enabled: false, uri, ...change }
}

function changed(one: Subscription, events: EventKind[]): Step {
  const added = events.filter((event) => !one.events.includes(event))
  const removed = one.events.filter((event) => !events.includes(event))
  const enabled = one.state === 'disabled'
  const isSame = added.length === 0 && removed.length === 0
  if (isSame && !enabled) return stepOf('unchanged', one)
  return stepOf('update', one, { ...(!isSame && { events }), added, removed, enabled })
}
