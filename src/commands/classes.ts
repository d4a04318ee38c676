import type { Command, Group } from '../cli/command.ts'
import { endpointCommand, readId } from '../cli/endpoint-command.ts'
import { classes, type Schedule, sessions } from '../contract/classes.ts'
import { scheduleView, sessionView, classView as view } from './views.ts'

const flags = { 'recurrence.start': 'starts', 'recurrence.rrule': 'rrule', custom_questions: 'question' }

/** Where people look first for `sessions list --class ID`. */
function sessionsOf(): Command {
  const list = endpointCommand('sessions', sessions.list, {
    view: sessionView,
    summary: 'List the sessions of a class',
    examples: [{ line: 'classes sessions 3 --from today', why: 'The same as sessions list --class 3 --from today' }],
  })
  return {
    ...list,
    aliases: [],
    positional: { name: 'CLASS-ID', description: 'The id of the class', required: true },
    flags: list.flags.filter(({ name }) => name !== 'class'),
    exits: [...list.exits],
    run: (given, context) => list.run({ id: undefined, flags: { ...given.flags, class: String(readId(given, 'class_id')) } }, context),
  }
}

export const group: Group = {
  name: 'classes',
  summary: 'Group offerings, and the sessions they recur in',
  commands: [
    endpointCommand('list', classes.list, {
      view,
      examples: [{ line: 'classes list --active', why: 'Those that are offered' }],
    }),
    endpointCommand('get', classes.get, { view, examples: [{ line: 'classes get 3 --json', why: 'With its recurrence and questions' }] }),
    endpointCommand('create', classes.create, {
      view,
      flags,
      description:
        "The recurrence is a first date and time on the clocks of the class's zone (--starts), and an RFC 5545 rule (--rrule). The sessions themselves are made by bookctl classes schedule.",
      message: (_, { id, recurrence }) => `Created class ${id}.${recurrence ? ` bookctl classes schedule ${id} makes its sessions.` : ''}`,
      examples: [
        {
          line: 'classes create --name "Yoga" --duration 60 --capacity 12 --staff 2 --starts 2026-12-01T18:00 --rrule "FREQ=WEEKLY;BYDAY=TU" --waitlist',
          why: 'Tuesdays at six, with a waiting list',
        },
      ],
    }),
    endpointCommand('update', classes.update, {
      view,
      flags,
      message: (_, { id }) => `Changed class ${id}.`,
      examples: [
        { line: 'classes update 3 --capacity 14', why: 'For sessions that are made from now on' },
        { line: 'classes update 3 --rrule "" --location ""', why: 'Without a recurrence and a place' },
      ],
    }),
    endpointCommand('delete', classes.delete, {
      destroys: ({ params }) => `remove class ${params?.class_id}`,
      message: ({ params }) => `Removed class ${params?.class_id}.`,
      examples: [{ line: 'classes delete 3 --yes', why: 'Without a question; upcoming sessions must be canceled first' }],
    }),
    endpointCommand('schedule', classes.schedule, {
      view: scheduleView,
      description:
        'Makes every session or none: where the staff member is busy, the times are listed and nothing is made, unless --skip-conflicts. Sessions that are there already, canceled ones too, are left alone.',
      message: ({ params }, output) => scheduleSentence(params?.class_id, output),
      examples: [
        { line: 'classes schedule 3 --to 2027-03-31', why: 'From now to the end of March' },
        {
          line: 'classes schedule 3 --from 2027-01-07 --count 10 --skip-conflicts',
          why: 'Ten of them, but for those at which the teacher is busy',
        },
      ],
    }),
    sessionsOf(),
  ],
}

function scheduleSentence(id: unknown, { created, existing, conflicts }: Schedule): string {
  const made = created === 1 ? 'Made 1 session' : `Made ${created} sessions`
  const there = existing === 0 ? '' : `; ${existing} ${existing === 1 ? 'was' : 'were'} there already`
  const left = conflicts.length === 0 ? '' : `; left out ${conflicts.length} at which the staff member is busy`
  return `${made} of class ${id}${there}${left}.`
}
