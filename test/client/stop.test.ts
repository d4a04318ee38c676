import { expect, test } from 'vitest'
import { startLimit } from '../../src/client/limit.ts'
import { createStop } from '../../src/client/stop.ts'

const once = { once: true } as const

test('whoever listens is told once, with the first reason', () => {
  const { signal, abort } = createStop()
  const told: unknown[] = []
  const gone = () => told.push('gone')
  signal.addEventListener('abort', () => told.push(signal.reason), once)
  signal.addEventListener('abort', gone, once)
  signal.removeEventListener('abort', gone)
  expect([signal.aborted, signal.reason]).toEqual([false, undefined])
  abort('first')
  abort('second')
  expect([signal.aborted, signal.reason, told]).toEqual([true, 'first', ['first']])
})

test('a limit is over with its caller, before and after it was made', () => {
  const outer = createStop()
  const early = startLimit(60_000, outer.signal)
  const stopped = startLimit(60_000, outer.signal)
  stopped.stop()
  outer.abort('enough')
  const late = startLimit(60_000, outer.signal)
  expect([early.signal, late.signal].map(({ aborted, reason }) => [aborted, reason])).toEqual([
    [true, 'enough'],
    [true, 'enough'],
  ])
  expect(stopped.signal.aborted).toBe(false)
})

test('a limit that somebody listens to is over in time', async () => {
  const { signal, stop } = startLimit(1, undefined)
  await new Promise<void>((resolve) => signal.addEventListener('abort', resolve, once))
  expect(String(signal.reason)).toMatch(/time is over/)
  stop()
})
