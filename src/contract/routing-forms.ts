import * as v from 'valibot'
import { Tracking } from './appointments.ts'
import { endpoint } from './endpoint.ts'
import { described, flag, input, name, oneOf, paging, record, stamps, text, uri, uuid } from './fields.ts'

export const formStatuses = ['draft', 'published'] as const
export const formQuestionKinds = ['name', 'text', 'email', 'phone', 'textarea', 'select', 'radios'] as const
export const operators = ['equals', 'not_equals', 'contains'] as const

/** The kinds whose answer is one of a few. */
export const isChoice = (type: (typeof formQuestionKinds)[number]): boolean => type === 'select' || type === 'radios'

const choices = v.nullable(v.array(v.string()))

export const FormQuestion = record({
  uuid,
  name: v.string(),
  type: oneOf(formQuestionKinds),
  required: v.boolean(),
  answer_choices: described(choices, 'What can be answered, of the kinds select and radios'),
})
export type FormQuestion = v.InferOutput<typeof FormQuestion>

const webAddress = v.pipe(
  uri,
  v.check((given) => /^https?:$/.test(new URL(given).protocol), 'must begin with https:// or http://'),
)

/** Where an answer leads: an appointment type to book, a page elsewhere, or a message. */
export const FormResult = v.variant(
  'type',
  [
    v.strictObject({ type: v.literal('event_type'), value: described(uri, 'URI of an appointment type') }),
    v.strictObject({ type: v.literal('external_url'), value: webAddress }),
    v.strictObject({
      type: v.literal('custom_message'),
      value: v.strictObject({ headline: name(255), body: text(10_000) }),
    }),
  ],
  'must have a type: event_type, external_url or custom_message',
)
export type FormResult = v.InferOutput<typeof FormResult>

export const FormRoute = v.strictObject({
  conditions: v.pipe(
    v.array(
      v.strictObject({
        question: described(name(255), 'Which question, by its name'),
        operator: described(oneOf(operators), 'How the answer is compared; letters in either case are the same'),
        value: described(text(1000), 'With what'),
      }),
    ),
    v.minLength(1, 'must hold at least one condition'),
    v.maxLength(20),
  ),
  result: FormResult,
})
export type FormRoute = v.InferOutput<typeof FormRoute>

export const RoutingForm = record({
  uri,
  organization: uri,
  name: v.string(),
  status: oneOf(formStatuses),
  questions: v.array(FormQuestion),
  routes: described(v.array(FormRoute), 'The first whose conditions all hold decides'),
  fallback: described(FormResult, 'Where every other answer leads'),
  ...stamps,
})
export type RoutingForm = v.InferOutput<typeof RoutingForm>

export const Submission = record({
  uri,
  routing_form: uri,
  questions_and_answers: v.array(record({ question_uuid: v.nullable(uuid), question: v.string(), answer: v.nullable(v.string()) })),
  tracking: Tracking,
  result: FormResult,
  submitter: described(v.nullable(uri), 'The invitee, where a booking followed; the latest, where several did'),
  submitter_type: v.nullable(v.literal('Invitee')),
  ...stamps,
})
export type Submission = v.InferOutput<typeof Submission>

const NewQuestion = v.pipe(
  v.strictObject({
    name: described(name(255), 'The question'),
    type: described(oneOf(formQuestionKinds), 'How it is answered'),
    required: v.optional(described(flag, 'Whether it must be answered'), false),
    answer_choices: v.optional(
      v.nullable(
        v.pipe(
          v.array(name(255)),
          v.maxLength(100),
          v.check((given) => new Set(given).size === given.length, 'must differ from each other'),
        ),
      ),
      null,
    ),
  }),
  v.forward(
    v.check(
      ({ type, answer_choices }) => isChoice(type) === Boolean(answer_choices?.length),
      'belong to select and radios, which need some',
    ),
    ['answer_choices'],
  ),
)
export type NewQuestion = v.InferOutput<typeof NewQuestion>

const questions = v.pipe(
  v.array(NewQuestion),
  v.minLength(1, 'must hold at least one question'),
  v.maxLength(50),
  v.check((given) => new Set(given.map((one) => one.name)).size === given.length, 'must have names that differ from each other'),
)
const routes = v.pipe(v.array(FormRoute), v.maxLength(100))
const sentences = {
  name: 'What the form is called',
  status: 'draft, or published: only then it can be sent in',
  routes: 'Where answers lead: [{"conditions":[{"question","operator","value"}],"result":{"type","value"}}]; the first that fits decides',
  fallback: 'Where every other answer leads: {"type":"external_url","value":"https://…"}, or event_type, or custom_message',
}

const formParams = v.strictObject({ routing_form_uuid: uuid })

export const routingForms = {
  list: endpoint({
    method: 'GET',
    base: 'api_url',
    path: '/routing_forms',
    auth: 'access_token',
    summary: 'List routing forms',
    query: input({ organization: described(uri, 'URI of the organization'), ...paging(['created_at']) }),
    success: { status: 200, page: RoutingForm },
    errors: ['permission_denied'],
    origin: 'facts',
    note: 'routes and fallback are ours.',
  }),
  get: endpoint({
    method: 'GET',
    base: 'api_url',
    path: '/routing_forms/{routing_form_uuid}',
    auth: 'access_token',
    summary: 'Read a routing form',
    params: formParams,
    success: { status: 200, record: RoutingForm },
    errors: ['not_found'],
    origin: 'facts',
    note: 'routes and fallback are ours.',
  }),
  create: endpoint({
    method: 'POST',
    base: 'api_url',
    path: '/routing_forms',
    auth: 'access_token',
    role: 'admin',
    summary: 'Create a routing form',
    body: input({
      name: described(name(), sentences.name),
      status: v.optional(described(oneOf(formStatuses), sentences.status), 'published'),
      questions: described(questions, 'What is asked: [{"name","type","required","answer_choices"}]'),
      routes: v.optional(described(routes, sentences.routes), []),
      fallback: described(FormResult, sentences.fallback),
    }),
    success: { status: 201, record: RoutingForm },
    origin: 'ours',
  }),
  update: endpoint({
    method: 'PATCH',
    base: 'api_url',
    path: '/routing_forms/{routing_form_uuid}',
    auth: 'access_token',
    role: 'admin',
    summary: 'Change a routing form, or publish it',
    params: formParams,
    body: input({
      name: v.optional(described(name(), sentences.name)),
      status: v.optional(described(oneOf(formStatuses), sentences.status)),
      routes: v.optional(described(routes, sentences.routes)),
      fallback: v.optional(described(FormResult, sentences.fallback)),
    }),
    success: { status: 200, record: RoutingForm },
    errors: ['not_found', 'precondition_failed'],
    origin: 'ours',
    note: 'The questions stay as they are, because answers refer to them.',
  }),
  submit: endpoint({
    method: 'POST',
    base: 'api_url',
    path: '/routing_forms/{routing_form_uuid}/submissions',
    auth: 'access_token',
    summary: 'Send a routing form in',
    params: formParams,
    body: input({
      questions_and_answers: v.optional(
        described(
          v.pipe(
            v.array(v.strictObject({ question: described(name(255), 'The question, by its name or UUID'), answer: text(10_000) })),
            v.maxLength(50),
          ),
          'The answers: [{"question","answer"}]',
        ),
        [],
      ),
      tracking: v.optional(described(Tracking, 'Where the submission came from')),
    }),
    success: { status: 201, record: Submission },
    errors: ['not_found', 'conflict'],
    origin: 'ours',
  }),
}

export const submissions = {
  list: endpoint({
    method: 'GET',
    base: 'api_url',
    path: '/routing_form_submissions',
    auth: 'access_token',
    summary: 'List the submissions of a routing form',
    query: input({ form: described(uri, 'URI of the routing form'), ...paging(['created_at']) }),
    success: { status: 200, page: Submission },
    errors: ['not_found'],
    origin: 'facts',
  }),
  get: endpoint({
    method: 'GET',
    base: 'api_url',
    path: '/routing_form_submissions/{submission_uuid}',
    auth: 'access_token',
    summary: 'Read a submission of a routing form',
    params: v.strictObject({ submission_uuid: uuid }),
    success: { status: 200, record: Submission },
    errors: ['not_found'],
    origin: 'facts',
  }),
}
