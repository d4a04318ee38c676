import type { Command, Group } from '../cli/command.ts'
import { endpointCommand, perform } from '../cli/endpoint-command.ts'
import { flagsOf, readFlags, requireFlags } from '../cli/endpoint-flags.ts'
import { fail } from '../contract/errors.ts'
import { apiUsers } from '../contract/users.ts'
import { accountUserView as view } from './views.ts'

const withoutPassword = endpointCommand('create', apiUsers.create, {
  view,
  without: ['password'],
  description:
    'With --password-stdin the user signs in by e-mail and password; without, make credentials for them: bookctl credentials create --user ID.',
  examples: [
    { line: 'users create --name "Ada Lovelace" --email ada@example.com --role admin', why: 'Without a password' },
    { line: 'pass show ada | bookctl users create --name Ada --email ada@example.com --password-stdin', why: 'The password from a store' },
  ],
})

/** A password never comes by a flag: others on the machine could read it. */
const create: Command = {
  ...withoutPassword,
  flags: [...withoutPassword.flags, { name: 'password-stdin', description: 'Read the password from stdin' }],
  async run(given, context) {
    const flags = flagsOf(apiUsers.create).filter(({ name }) => name !== 'password')
    const fromStdin = given.flags['password-stdin'] === true
    if (fromStdin && context.globals.inputJson === '-') fail('usage', 'Stdin holds either the password or the JSON, not both.')
    const input = await readFlags(flags, given, context)
    requireFlags(flags, input)
    const password = fromStdin ? { password: (await context.env.stdin.read()).replace(/\r?\n$/, '') } : {}
    const message = (_: unknown, { id }: { id: number }) => `Created user ${id}.`
    return perform(apiUsers.create, { body: { ...input.body, ...password } }, { view, message }, context)
  },
}

export const group: Group = {
  name: 'users',
  summary: 'Who signs in, and with which role',
  commands: [
    endpointCommand('list', apiUsers.list, {
      view,
      examples: [{ line: 'users list --role admin', why: 'Those who arrange the business' }],
    }),
    endpointCommand('get', apiUsers.get, { view, examples: [{ line: 'users get 2', why: 'One record' }] }),
    create,
    endpointCommand('update', apiUsers.update, {
      view,
      message: (_, { id, role }) => `Changed user ${id}; the role is ${role}.`,
      examples: [{ line: 'users update 2 --role admin', why: 'Let them arrange the business' }],
    }),
  ],
}
