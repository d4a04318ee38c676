import type { Command, Context, Given, Group, Result } from '../cli/command.ts'
import { readMoment, windowSentence } from '../cli/dates.ts'
import { endpointCommand, perform, readId } from '../cli/endpoint-command.ts'
import { onePage } from '../cli/pages.ts'
import { AppError, fail } from '../contract/errors.ts'
import { fieldsOf } from '../contract/shape.ts'
import { type StaffMember, staff, weekdays } from '../contract/staff.ts'
import { instantOf } from '../contract/time.ts'
import { availableView, staffView as view } from './views.ts'

const positional = { name: 'STAFF-MEMBER-ID', description: 'The id of the staff member', required: true }
const exits = [3, 4, 5, 6, 7, 8, 9]

const hours: Command = {
  name: 'hours',
  summary: 'Show or set the weekly working hours of a staff member',
  description:
    "The times are those of the staff member's own zone. Every --set replaces the days it names; a break is the gap between two intervals.",
  positional,
  flags: [
    {
      name: 'set',
      placeholder: 'DAYS=HH:MM-HH:MM[,…]',
      description: 'Hours of some days; mon-fri=09:00-12:30,13:30-17:00, or sat=off',
      repeat: true,
    },
    {
      name: 'extra',
      placeholder: 'DATE=HH:MM-HH:MM[,…]',
      description: 'Hours on one date besides the weekly ones, or DATE=off to drop them',
      repeat: true,
    },
  ],
  writes: true,
  exits,
  examples: [
    { line: 'staff hours 2', why: 'Show them' },
    { line: 'staff hours 2 --set mon-thu=09:00-12:30,13:30-17:00 --set fri=09:00-13:00', why: 'Set the days of a week' },
    { line: 'staff hours 2 --extra 2026-12-05=10:00-14:00', why: 'Open on one Saturday' },
  ],
  async run(given, context) {
    const member = await read(given, context)
    const sets = texts(given, 'set')
    const extras = texts(given, 'extra')
    if (sets.length === 0 && extras.length === 0) return shown(member.working_hours, member, [...weekdays.map((day) => day as string)])
    const body = {
      ...(sets.length > 0 ? { working_hours: sets.reduce(withDays, member.working_hours) } : {}),
      ...(extras.length > 0 ? { extra_hours: extras.reduce(withDate, member.extra_hours) } : {}),
    }
    return perform(
      staff.update,
      { params: { staff_member_id: member.id }, body },
      { view, message: () => `Changed the hours of ${member.name}.` },
      context,
    )
  },
}

const timeOff: Command = {
  name: 'time-off',
  summary: 'Show, add or remove time off of a staff member',
  description:
    'Dates are read in the zone of the staff member unless --tz says otherwise. Booked appointments stay; nothing new is offered.',
  positional,
  flags: [
    { name: 'from', placeholder: 'TIME', description: 'First moment off' },
    { name: 'to', placeholder: 'TIME', description: 'End; of a date alone, the end of that day' },
    { name: 'reason', placeholder: 'TEXT', description: 'Why' },
    { name: 'remove', description: 'Remove the time off that lies in the window instead' },
  ],
  writes: true,
  exits,
  examples: [
    { line: 'staff time-off 2', why: 'Show it' },
    { line: 'staff time-off 2 --from 2026-12-24 --to 2026-12-31 --reason Holidays', why: 'Add a week' },
    { line: 'staff time-off 2 --from 2026-12-24 --to 2026-12-31 --remove', why: 'Take it back' },
  ],
  async run(given, context) {
    const member = await read(given, context)
    if (given.flags.from === undefined && given.flags.to === undefined) return shown(member.time_off, member)
    const { from, to } = await readWindow(given, member, context)
    const reason = given.flags.reason as string | undefined
    const rest = member.time_off.filter((one) => one.start_time < from || one.end_time > to)
    if (given.flags.remove === true && rest.length === member.time_off.length)
      fail('not_found', `${member.name} has no time off in that window.`)
    const added = { start_time: from, end_time: to, ...(reason === undefined ? {} : { reason }) }
    const body = { time_off: given.flags.remove === true ? rest : [...member.time_off, added] }
    return perform(
      staff.update,
      { params: { staff_member_id: member.id }, body },
      { view, message: () => `Changed the time off of ${member.name}.` },
      context,
    )
  },
}

export const group: Group = {
  name: 'staff',
  summary: 'Staff members, their hours and when they can be booked',
  commands: [
    endpointCommand('list', staff.list, { view, examples: [{ line: 'staff list', why: 'Everybody' }] }),
    endpointCommand('get', staff.get, { view, examples: [{ line: 'staff get 2 --json', why: 'With hours and time off' }] }),
    endpointCommand('create', staff.create, {
      view,
      message: (_, { id }) => `Created staff member ${id}.`,
      examples: [
        {
          line: 'staff create --name "Noor Haddad" --email noor@example.com --time-zone Europe/Berlin',
          why: 'Then set the hours: bookctl staff hours',
        },
      ],
    }),
    endpointCommand('update', staff.update, {
      view,
      message: (_, { id }) => `Changed staff member ${id}.`,
      examples: [{ line: 'staff update 2 --no-active', why: 'Not offered any more' }],
    }),
    endpointCommand('delete', staff.delete, {
      destroys: ({ params }) => `remove staff member ${params?.staff_member_id}`,
      message: ({ params }) => `Removed staff member ${params?.staff_member_id}.`,
      examples: [{ line: 'staff delete 2 --yes', why: 'Without a question; upcoming appointments must be moved first' }],
    }),
    hours,
    timeOff,
    endpointCommand('available', staff.available, {
      view: availableView,
      flags: { start_time: 'from', end_time: 'to' },
      without: ['time_zone'],
      examples: [
        { line: 'staff available --type 1 --from tomorrow --to "in 7 days"', why: 'When anybody can be booked' },
        {
          line: 'staff available --type 1 --staff 2 --from 2026-12-01 --to 2026-12-05 --tz America/New_York',
          why: 'One person, shown in another zone',
        },
      ],
    }),
  ],
}

async function read(given: Given, context: Context): Promise<StaffMember> {
  const client = await context.client()
  return client.call(staff.get, { params: { staff_member_id: readId(given, 'staff_member_id') as number } })
}

function shown(rows: object[], member: StaffMember, order: string[] = []): Result {
  const sorted =
    order.length > 0 ? rows.toSorted((a, b) => order.indexOf((a as { day: string }).day) - order.indexOf((b as { day: string }).day)) : rows
  const fields = Object.keys(fieldsOf(staff.get.success.record)[order.length > 0 ? 'working_hours' : 'time_off']?.item?.fields ?? {})
  const columns = fields.map((field) => ({ field, title: field.replaceAll('_', ' ').replace(/^./, (letter) => letter.toUpperCase()) }))
  return {
    kind: 'list',
    pages: onePage(sorted),
    view: { columns, empty: `${member.name} has none.` },
    message: `Zone of ${member.name}: ${member.time_zone}.`,
  }
}

const texts = ({ flags }: Given, name: string): string[] => (flags[name] as string[] | undefined) ?? []

type Hours = StaffMember['working_hours']
type Extra = StaffMember['extra_hours']

function withDays(current: Hours, text: string): Hours {
  const [left, right] = split(text, 'set')
  const days = readDays(left)
  const kept = current.filter(({ day }) => !days.includes(day))
  return [...kept, ...days.flatMap((day) => readIntervals(right, 'set').map((interval) => ({ day, ...interval })))]
}

function withDate(current: Extra, text: string): Extra {
  const [date, right] = split(text, 'extra')
  return [...current.filter((one) => one.date !== date), ...readIntervals(right, 'extra').map((interval) => ({ date, ...interval }))]
}

function split(text: string, flag: string): [string, string] {
  const [left, right, ...more] = text.split('=')
  if (!left || !right || more.length > 0) fail('usage', `--${flag} takes two sides, such as mon-fri=09:00-17:00; "${text}" has not.`)
  return [left.trim(), right.trim()]
}

/** `mon`, `mon-fri`, `mon,wed`. */
function readDays(text: string): Hours[number]['day'][] {
  return text.split(',').flatMap((part) => {
    const [first, last = first] = part.split('-').map(readDay)
    const from = first as number
    const to = last as number
    const length = ((to - from + 7) % 7) + 1
    return Array.from({ length }, (_, index) => weekdays[(from + index) % 7] as Hours[number]['day'])
  })
}

function readDay(text: string): number {
  const wanted = text.trim().toLowerCase()
  const found = weekdays.findIndex((day) => wanted.length >= 3 && day.startsWith(wanted))
  return found >= 0 ? found : fail('usage', `"${text}" is not a day of the week; write mon, tue, wed, thu, fri, sat or sun.`)
}

function readIntervals(text: string, flag: string): { start: string; end: string }[] {
  if (text.toLowerCase() === 'off') return []
  return text.split(',').map((part) => {
    const match = /^(\d{1,2}:\d{2})-(\d{1,2}:\d{2})$/.exec(part.trim())
    if (!match) fail('usage', `--${flag}: "${part}" is not an interval; write 09:00-17:00, or off.`)
    return { start: (match[1] as string).padStart(5, '0'), end: (match[2] as string).padStart(5, '0') }
  })
}

async function readWindow({ flags }: Given, { time_zone }: StaffMember, context: Context): Promise<{ from: string; to: string }> {
  const { from, to } = flags as { from?: string; to?: string }
  if (from === undefined || to === undefined) throw new AppError('usage', 'Time off needs both --from and --to.')
  const zone = context.setting('time_zone')?.origin === 'flag' ? context.look.zone : time_zone
  const start = await readMoment(from, 'from', { now: context.env.now(), zone })
  const end = await readMoment(to, 'to', { now: context.env.now(), zone, edge: 'end' })
  await context.say(windowSentence(start.at, end.at, zone))
  if (end.at <= start.at) fail('usage', 'The time off must end after it starts.')
  return { from: instantOf(start.at), to: instantOf(end.at) }
}
