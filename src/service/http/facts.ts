import { addDays, at, dateAt, instantOf, resolve, wallOf, weekdayOf } from '../../contract/time.ts'
import type { Interval, StaffFacts } from '../domain/availability.ts'
import type { Areas } from '../store/store.ts'

const DAY = 86_400_000
/** Longer than any buffer, and than the distance of any two zones' midnights. */
const MARGIN = 2 * DAY

/**
 * What decides when some staff members can be booked for an appointment type, for starts within a window (ms).
 * Four statements, however many they are.
 */
export async function staffFacts(
  store: Pick<Areas, 'staff' | 'appointments'>,
  organization: number,
  type: number,
  ids: number[],
  window: Interval,
): Promise<StaffFacts[]> {
  const members = await store.staff.bookable(organization, ids)
  if (members.length === 0) return []
  const known = members.map(({ id }) => id)
  const [from, to] = [instantOf(window.from - MARGIN), instantOf(window.to + MARGIN)]
  const week = weekOf(window.from, members[0]?.time_zone ?? 'UTC')
  const busy = await store.appointments.busy(known, from, to)
  const starts = await store.appointments.starts(type, known, from, to)
  const load = await store.appointments.load(known, instantOf(week.from), instantOf(week.to))
  const facts = new Map(
    members.map(({ id, time_zone, working_hours, extra_hours, time_off }): [number, StaffFacts] => [
      id,
      { id, time_zone, working_hours, extra_hours, time_off, busy: [], bookings: [], upcoming: 0 },
    ]),
  )
  for (const { staff_member_id, busy_from, busy_to } of busy)
    facts.get(staff_member_id)?.busy.push({ from: at(busy_from), to: at(busy_to) })
  for (const { staff_member_id, start_time } of starts) facts.get(staff_member_id)?.bookings.push(at(start_time))
  for (const { staff_member_id, count } of load) {
    const one = facts.get(staff_member_id)
    if (one) one.upcoming = Number(count)
  }
  return [...facts.values()]
}

/** The week, Monday to Monday, that a moment lies in. */
function weekOf(ms: number, zone: string): Interval {
  const day = dateAt(zone, ms)
  const monday = addDays(day, -weekdayOf(day))
  return { from: resolve(zone, wallOf(monday)).at, to: resolve(zone, wallOf(addDays(monday, 7))).at }
}
