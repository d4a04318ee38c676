import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { appointmentStatuses } from '../../../src/contract/appointments.ts'
import { AppError } from '../../../src/contract/errors.ts'
import { weekdays } from '../../../src/contract/staff.ts'
import { at } from '../../../src/contract/time.ts'
import { type AppointmentStatus, busyInterval, checkStart, endOf, type Move, move } from '../../../src/service/domain/booking.ts'

const moves: Move[] = ['cancel', 'reschedule', 'complete', 'no_show', 'undo_no_show']

const allowed = [
  'scheduled cancel canceled',
  'scheduled reschedule canceled',
  'scheduled complete completed',
  'scheduled no_show no_show',
  'completed no_show no_show',
  'no_show complete completed',
  'no_show undo_no_show completed',
]

/** The error of a call that must fail with one. */
function errorOf(call: () => unknown): AppError {
  try {
    call()
  } catch (error) {
    if (error instanceof AppError) return error
    throw error
  }
  throw new Error('did not fail')
}

describe('the life of an appointment', () => {
  test('each state allows its moves and no others', () => {
    const possible = appointmentStatuses.flatMap((status) =>
      moves.flatMap((one) => {
        try {
          return [`${status} ${one} ${move(status, one)}`]
        } catch {
          return []
        }
      }),
    )
    expect(possible.sort()).toEqual([...allowed].sort())
  })

  test('no sequence of moves leaves the table: an illegal one fails and changes nothing, and canceled is the end', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...moves), { maxLength: 12 }), (sequence) => {
        let status: AppointmentStatus = 'scheduled'
        for (const one of sequence) {
          const line = allowed.find((known) => known.startsWith(`${status} ${one} `))
          if (line) {
            expect(status).not.toBe('canceled')
            status = move(status, one)
            expect(line.endsWith(` ${status}`)).toBe(true)
          } else {
            expect(errorOf(() => move(status, one))).toMatchObject({ code: 'illegal_transition', status: 409 })
          }
        }
      }),
    )
  })

  test('an illegal move names both states', () => {
    expect(errorOf(() => move('canceled', 'complete')).message).toBe('This appointment is canceled, so it cannot become completed.')
    expect(errorOf(() => move('scheduled', 'undo_no_show')).message).toBe(
      'This appointment is scheduled, so it cannot go back from no_show to completed.',
    )
  })
})

describe('a start', () => {
  const rules = {
    duration: 45,
    slot_interval: 60,
    buffer_before: 10,
    buffer_after: 15,
    minimum_notice: 0,
    booking_window: 60,
    daily_limit: null,
  }
  const start = at('2026-06-10T10:00Z')
  const now = at('2026-06-09T10:00Z')
  const staff = {
    id: 1,
    time_zone: 'UTC',
    working_hours: weekdays.map((day) => ({ day, start: '09:00', end: '17:00' })),
    extra_hours: [],
    time_off: [],
    busy: [],
    bookings: [],
    upcoming: 0,
  }
  const taken = { ...staff, busy: [busyInterval(rules, start)] }

  test('that is offered passes', () => {
    expect(() => checkStart(rules, staff, start, now, false)).not.toThrow()
  })

  test('that was taken is a slot_taken', () => {
    expect(errorOf(() => checkStart(rules, taken, start, now, false))).toMatchObject({ code: 'slot_taken', status: 409, details: [] })
  })

  test('that is not offered is a not_available about start_time', () => {
    expect(errorOf(() => checkStart(rules, staff, start + 1, now, false))).toMatchObject({
      code: 'invalid_argument',
      details: [{ parameter: 'start_time', message: expect.stringMatching(/\.$/), code: 'not_available' }],
    })
  })

  test('that is forced passes, taken or not offered', () => {
    expect(() => checkStart(rules, taken, start, now, true)).not.toThrow()
    expect(() => checkStart(rules, staff, now - 1, now, true)).not.toThrow()
  })

  test('occupies its duration and both buffers', () => {
    expect(busyInterval(rules, start)).toEqual({ from: at('2026-06-10T09:50Z'), to: at('2026-06-10T11:00Z') })
    expect(endOf(rules, start)).toBe(at('2026-06-10T10:45Z'))
  })
})
