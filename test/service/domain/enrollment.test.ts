import { describe, expect, test } from 'vitest'
import { AppError } from '../../../src/contract/errors.ts'
import {
  type AttendeeMove,
  type AttendeeStatus,
  type Counts,
  checkCapacity,
  enroll,
  moveAttendee,
  promotions,
  seatsOf,
} from '../../../src/service/domain/enrollment.ts'

const session = (capacity: number, counts: Counts, given = {}) => ({
  status: 'scheduled' as const,
  capacity,
  counts,
  start: 100,
  waitlist: false,
  ...given,
})

function codeOf(work: () => unknown): string {
  try {
    return String(work())
  } catch (error) {
    if (error instanceof AppError) return error.code
    throw error
  }
}

describe('seats', () => {
  test('are taken by who is active and who did not come, and not by who waits or went', () => {
    expect(seatsOf(5, { active: 2, no_show: 1, waiting: 4, canceled: 9 })).toEqual({ total: 5, taken: 3, remaining: 2, waiting: 4 })
    expect(seatsOf(5, {})).toEqual({ total: 5, taken: 0, remaining: 5, waiting: 0 })
  })

  test.each([
    ['active', session(2, { active: 1 }), 0],
    ['session_full', session(2, { active: 1, no_show: 1 }), 0],
    ['waiting', session(2, { active: 2 }, { waitlist: true }), 0],
    // Whoever waits comes first.
    ['waiting', session(2, { active: 1, waiting: 1 }, { waitlist: true }), 0],
    ['illegal_transition', session(2, {}, { status: 'canceled' }), 0],
    ['illegal_transition', session(2, {}), 100],
  ])('somebody new gets: %s', (expected, facts, now) => {
    expect(codeOf(() => enroll(facts, now))).toBe(expected)
  })

  test.each([
    [0, session(2, { active: 2, waiting: 3 }), 0],
    [1, session(3, { active: 2, waiting: 3 }), 0],
    [2, session(9, { active: 2, waiting: 2 }), 0],
    [0, session(9, { waiting: 2 }), 100],
    [0, session(9, { waiting: 2 }, { status: 'canceled' }), 0],
  ])('%i are called up', (expected, facts, now) => {
    expect(promotions(facts, now)).toBe(expected)
  })

  test('cannot be fewer than are taken', () => {
    expect(codeOf(() => checkCapacity(2, { active: 2, no_show: 1 }))).toBe('conflict')
    expect(codeOf(() => checkCapacity(3, { active: 2, no_show: 1, waiting: 1 }))).toBe('undefined')
  })
})

test('an attendee goes where the table says, and nowhere else', () => {
  const statuses: AttendeeStatus[] = ['active', 'waiting', 'no_show', 'canceled']
  const moves: AttendeeMove[] = ['withdraw', 'no_show', 'undo_no_show']
  const table = statuses.map((status) => [status, ...moves.map((move) => codeOf(() => moveAttendee(status, move)))])
  expect(table).toEqual([
    ['active', 'canceled', 'no_show', 'illegal_transition'],
    ['waiting', 'canceled', 'illegal_transition', 'illegal_transition'],
    ['no_show', 'illegal_transition', 'illegal_transition', 'active'],
    ['canceled', 'illegal_transition', 'illegal_transition', 'illegal_transition'],
  ])
})
