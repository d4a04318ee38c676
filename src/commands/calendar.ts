import type { Command, Given } from '../cli/command.ts'
import { readMoment } from '../cli/dates.ts'
import type { Client } from '../client/client.ts'
import { type Appointment, appointments } from '../contract/appointments.ts'
import { type Session, sessions } from '../contract/classes.ts'
import { fail } from '../contract/errors.ts'
import { type StaffMember, staff, weekdays } from '../contract/staff.ts'
import { addDays, at, dateAt, instantOf, resolve, wallOf, weekdayOf } from '../contract/time.ts'
import { type Calendar, renderCalendar } from '../output/calendar.ts'

export const command: Command = {
  name: 'calendar',
  aliases: ['cal'],
  summary: 'A week of one staff member or of all, drawn',
  description:
    'Shows hours, time off, appointments and the sessions somebody teaches. Times are in your zone; with -o json the week comes as data.',
  flags: [
    { name: 'week', placeholder: 'TIME', description: 'A day of the week to show; this week when left out' },
    { name: 'staff', placeholder: 'ID[,…]', description: 'Only these staff members' },
  ],
  exits: [3, 4, 7, 8, 9],
  examples: [
    { line: 'calendar', why: 'This week, everybody' },
    { line: 'calendar --week "next monday" --staff 2', why: 'Another week, one person' },
  ],
  async run(given, context) {
    const { look, env } = context
    const { zone } = look
    const moment =
      given.flags.week === undefined ? { at: env.now() } : await readMoment(String(given.flags.week), 'week', { now: env.now(), zone })
    const day = dateAt(zone, moment.at)
    const days = Array.from({ length: 7 }, (_, index) => addDays(day, index - weekdayOf(day)))
    const client = await context.client()
    const members = await readStaff(client, given)
    const window = { from: midnight(zone, days[0] as string), to: midnight(zone, addDays(days[0] as string, 7)) }
    const booked = await readAppointments(client, window)
    const taught = await readSessions(client, window)
    const calendar: Calendar = { zone, days, lanes: members.map((member) => laneOf(member, booked, taught, window)) }
    if (look.format === 'table') return { kind: 'text', text: renderCalendar(calendar, look) }
    return { kind: 'record', record: { ...calendar } }
  },
}

const midnight = (zone: string, date: string): number => resolve(zone, wallOf(date)).at

async function readStaff(client: Client, { flags }: Given): Promise<StaffMember[]> {
  if (flags.staff === undefined) {
    const members: StaffMember[] = []
    for await (const page of client.pages(staff.list, { query: { active: true } })) members.push(...page.collection)
    return members
  }
  const ids = String(flags.staff).split(',')
  return Promise.all(
    ids.map((id) => {
      if (!/^[1-9]\d{0,14}$/.test(id)) fail('usage', `--staff takes ids; "${id}" is none.`)
      return client.call(staff.get, { params: { staff_member_id: Number(id) } })
    }),
  )
}

interface Window {
  from: number
  to: number
}

async function readAppointments(client: Client, { from, to }: Window): Promise<Appointment[]> {
  const found: Appointment[] = []
  const query = { start_time_from: instantOf(from), start_time_to: instantOf(to) }
  for await (const page of client.pages(appointments.list, { query })) found.push(...page.collection)
  return found
}

async function readSessions(client: Client, { from, to }: Window): Promise<Session[]> {
  const found: Session[] = []
  const query = { start_time_from: instantOf(from), start_time_to: instantOf(to) }
  for await (const page of client.pages(sessions.list, { query })) found.push(...page.collection)
  return found
}

function laneOf(member: StaffMember, booked: Appointment[], taught: Session[], window: Window): Calendar['lanes'][number] {
  return {
    name: member.name,
    open: openOf(member, window),
    off: member.time_off
      .filter((one) => at(one.start_time) < window.to && at(one.end_time) > window.from)
      .map((one) => ({ from: one.start_time, to: one.end_time })),
    items: [
      ...booked
        .filter(({ staff_member }) => staff_member.id === member.id)
        .map(({ start_time, end_time, status, customer, appointment_type }) => ({
          start_time,
          end_time,
          status,
          label: `${appointment_type.name} — ${customer.name}`,
        })),
      ...taught
        .filter(({ staff_member_id }) => staff_member_id === member.id)
        .map(({ start_time, end_time, status, seats, ...session }) => ({
          start_time,
          end_time,
          status,
          label: `${session.class.name} — ${seats.taken} of ${seats.total}`,
        })),
    ].sort((a, b) => (a.start_time < b.start_time ? -1 : 1)),
  }
}

/** The hours of a staff member that touch a window, from their own zone's wall clock. */
function openOf({ time_zone, working_hours, extra_hours }: StaffMember, { from, to }: Window): { from: string; to: string }[] {
  const open: { from: string; to: string }[] = []
  for (let date = addDays(dateAt(time_zone, from), -1); midnight(time_zone, date) < to; date = addDays(date, 1)) {
    const weekday = weekdays[weekdayOf(date)]
    const hours = [...working_hours.filter(({ day }) => day === weekday), ...extra_hours.filter((extra) => extra.date === date)]
    for (const { start, end } of hours) {
      const [begins, ends] = [resolve(time_zone, wallOf(date, start)).at, resolve(time_zone, wallOf(date, end)).at]
      if (begins < to && ends > from) open.push({ from: instantOf(begins), to: instantOf(ends) })
    }
  }
  return open
}
