import type { Command, Group } from '../cli/command.ts'
import { endpointCommand } from '../cli/endpoint-command.ts'
import { routingForms, submissions } from '../contract/routing-forms.ts'
import { submissionView, routingFormView as view } from './views.ts'
import { byUri, uuidOf, whoAmI } from './whose.ts'

const example = '5f0c0b5e-9d0e-4c0e-8a52-6b3f8a0d2c11'

const everyField = endpointCommand('list', routingForms.list, {
  view,
  examples: [{ line: 'routing-forms list', why: 'The forms of your organization' }],
})

/** Of the caller's own organization, unless another is named. */
const list: Command = {
  ...everyField,
  flags: everyField.flags.map((flag) => (flag.name === 'organization' ? { ...flag, required: false } : flag)),
  async run(given, context) {
    const organization = given.flags.organization ?? (await whoAmI(context)).current_organization
    return everyField.run({ ...given, flags: { ...given.flags, organization } }, context)
  },
}

const ofForm = endpointCommand('submissions', submissions.list, {
  view: submissionView,
  summary: 'List the submissions of a routing form, or read one',
  examples: [
    { line: `routing-forms submissions --form ${example}`, why: 'What was sent in' },
    { line: `routing-forms submissions ${example}`, why: 'One submission, by UUID or URI' },
  ],
})
const one = endpointCommand('submissions', submissions.get, { view: submissionView, examples: [] })

/** Without an argument a list, by the UUID or URI of the form; with one, that submission. */
const sent: Command = {
  ...ofForm,
  flags: ofForm.flags.map((flag) =>
    flag.name === 'form' ? { ...flag, required: false, description: 'UUID or URI of the routing form; needed for the list' } : flag,
  ),
  positional: { name: 'UUID', description: 'UUID or URI of one submission', required: false },
  exits: [3, 4, 6, 7, 8, 9],
  async run(given, context) {
    if (given.id !== undefined) return one.run({ ...given, id: uuidOf(given.id) }, context)
    const form = given.flags.form as string | undefined
    if (form === undefined || form.includes('/')) return ofForm.run(given, context)
    const { address } = await context.client()
    const uri = `${address.api_url.replace(/\/+$/, '')}/routing_forms/${form}`
    return ofForm.run({ ...given, flags: { ...given.flags, form: uri } }, context)
  },
}

export const group: Group = {
  name: 'routing-forms',
  aliases: ['forms'],
  summary: 'Forms whose answers lead to what can be booked',
  commands: [
    list,
    byUri(
      endpointCommand('get', routingForms.get, {
        view,
        examples: [{ line: `routing-forms get ${example} --json`, why: 'One form, with questions and routes' }],
      }),
      'routing form',
    ),
    endpointCommand('create', routingForms.create, {
      view,
      flags: { questions: 'question', routes: 'route' },
      description: 'Questions, routes and the fallback are JSON: give each in a flag of its own, or the whole form with --input-json.',
      message: (_, { name }) => `Created the routing form ${name}.`,
      examples: [
        { line: 'routing-forms create --input-json form.json', why: 'From a file' },
        {
          line: `routing-forms create --name Contact --question '{"name":"E-mail","type":"email","required":true}' --fallback '{"type":"external_url","value":"https://example.com"}'`,
          why: 'One question, one result',
        },
      ],
    }),
    byUri(
      endpointCommand('update', routingForms.update, {
        view,
        flags: { routes: 'route' },
        message: (_, { name }) => `Changed the routing form ${name}.`,
        examples: [{ line: `routing-forms update ${example} --status published`, why: 'From now on it can be sent in' }],
      }),
      'routing form',
    ),
    byUri(
      endpointCommand('submit', routingForms.submit, {
        view: submissionView,
        message: (_, { result }) =>
          `Sent in; it leads to ${result.type === 'custom_message' ? `the message "${result.value.headline}"` : result.value}.`,
        examples: [
          {
            line: `routing-forms submit ${example} --answer "E-mail=ada@example.com" --answer "Size=Large"`,
            why: 'Answer and see where it leads',
          },
        ],
      }),
      'routing form',
    ),
    sent,
  ],
}
