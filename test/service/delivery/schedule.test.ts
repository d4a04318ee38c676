import { expect, test } from 'vitest'
import { MOST_ATTEMPTS, PATIENCE, retryAt } from '../../../src/service/delivery/schedule.ts'

const SECONDS = 1000
const HOURS = 3_600_000
const steps = (chance: number) => Array.from({ length: MOST_ATTEMPTS }, (_, index) => retryAt({ attempt: index + 1, now: 0 }, chance))

test('eleven attempts: at once, after 5 s, 30 s, 2 min, 10 min, 30 min, 1 h, 2 h, 4 h, 8 h, 8 h', () => {
  expect(steps(0)).toEqual(
    [5, 30, 120, 600, 1800, 3600, 7200, 14_400, 28_800, 28_800]
      .map((one) => one * SECONDS)
      .concat([NaN])
      .map(orNone),
  )
  const whole = steps(0).reduce<number>((sum, one) => sum + (one ?? 0), 0)
  expect(whole).toBeGreaterThan(23.5 * HOURS)
  expect(whole).toBeLessThanOrEqual(24.5 * HOURS)
  expect(PATIENCE).toBe(whole)
})

const orNone = (one: number) => (Number.isNaN(one) ? undefined : one)

test('up to a tenth is added', () => {
  const [early, late] = [steps(0), steps(0.999_999)]
  for (const [index, one] of early.entries()) {
    if (one === undefined) continue
    expect(late[index]).toBeGreaterThan(one)
    expect(late[index]).toBeLessThanOrEqual(one * 1.1)
  }
})

test('a receiver may ask for more time, up to the next step, and never for less', () => {
  const after = (retry_after: number, attempt = 1) => retryAt({ attempt, now: 0, retry_after: retry_after * SECONDS }, 0)
  expect(after(1)).toBe(5 * SECONDS)
  expect(after(20)).toBe(20 * SECONDS)
  expect(after(3600)).toBe(30 * SECONDS)
  expect(after(1_000_000, MOST_ATTEMPTS - 1)).toBe(8 * HOURS)
  expect(after(10, MOST_ATTEMPTS)).toBeUndefined()
})
