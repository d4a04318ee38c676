import { AppError, type ErrorDetail, fail } from '../../contract/errors.ts'
import type { contract } from '../../contract/index.ts'
import type { FormResult, FormRoute, NewQuestion, RoutingForm, Submission } from '../../contract/routing-forms.ts'
import { instantOf } from '../../contract/time.ts'
import { checkSubmission, findingsInRoutes, resultOf } from '../domain/routing.ts'
import type { FormRow, SubmissionRow } from '../store/routing-forms.ts'
import { noTracking } from './booker.ts'
import { found, given } from './find.ts'
import type { Context, Handlers } from './handler.ts'
import { tellOfAll } from './tell.ts'
import { eventTypeUri, inviteeUri, organizationUri, routingFormUri, submissionUri, uuidIn } from './uris.ts'

export const routingForms: Handlers<typeof contract.routingForms> = {
  async list({ query }, context) {
    const { store, principal } = context
    const { organization, ...paging } = query
    if (uuidIn(organization, 'organizations', 'organization') !== principal.organization_uuid) {
      fail('permission_denied', 'You do not have permission to access this resource.')
    }
    const page = await store.routingForms.list(principal.organization_id, paging)
    return { ...page, rows: page.rows.map((row) => shown(row, context)) }
  },

  get: async ({ params }, context) => shown(await find(context, params.routing_form_uuid), context),

  async create({ body }, context) {
    const { store, principal, now, newId } = context
    const stamp = instantOf(now)
    const routing = await checked(body, body.questions, context)
    const questions = body.questions.map((question) => ({ uuid: newId(), ...question }))
    const form = { uuid: newId(), name: body.name, status: body.status, questions, ...routing, created_at: stamp, updated_at: stamp }
    return shown(await store.routingForms.insert(principal.organization_id, form), context)
  },

  async update({ params, body }, context) {
    const { store, principal, now } = context
    const form = await find(context, params.routing_form_uuid)
    const { routes, fallback, ...rest } = given(body)
    const routing = await checked({ routes, fallback }, form.questions, context)
    const changed = { ...form, ...rest, ...given(routing), updated_at: instantOf(now) }
    return shown(await store.routingForms.update(principal.organization_id, changed), context)
  },

  async submit({ params, body }, context) {
    const { store, principal, now, newId } = context
    const form = await find(context, params.routing_form_uuid)
    if (form.status !== 'published') fail('conflict', `The routing form ${form.name} is a draft; publish it before it is sent in.`)
    const questions_and_answers = checkSubmission(form.questions, body.questions_and_answers)
    const stamp = instantOf(now)
    const row = await store.routingForms.insertSubmission(principal.organization_id, {
      routing_form_id: form.id,
      uuid: newId(),
      questions_and_answers,
      tracking: body.tracking ?? noTracking,
      result: resultOf(form, questions_and_answers),
      event_uuid: null,
      invitee_uuid: null,
      created_at: stamp,
      updated_at: stamp,
    })
    const submission = shownSubmission(row, context)
    await tellOfAll(context, 'routing_form_submission.created', submission)
    return submission
  },
}

export const submissions: Handlers<typeof contract.submissions> = {
  async list({ query }, context) {
    const { form, ...paging } = query
    const { id } = await find(context, uuidIn(form, 'routing_forms', 'form'))
    const page = await context.store.routingForms.submissions(context.principal.organization_id, id, paging)
    return { ...page, rows: page.rows.map((row) => shownSubmission(row, context)) }
  },

  async get({ params }, context) {
    const { store, principal } = context
    const { submission_uuid } = params
    const row = await store.routingForms.findSubmission(principal.organization_id, submission_uuid)
    return shownSubmission(found(row, 'submission', submission_uuid), context)
  },
}

async function find({ store, principal }: Context, uuid: string): Promise<FormRow> {
  return found(await store.routingForms.find(principal.organization_id, uuid), 'routing form', uuid)
}

interface Routing {
  routes?: FormRoute[] | undefined
  fallback?: FormResult | undefined
}

/**
 * Routes and fallback as they are kept.
 * @throws AppError `invalid_argument` with every question that is not asked and every appointment type that is not there
 */
async function checked<R extends Routing>({ routes, fallback }: R, questions: NewQuestion[], context: Context) {
  const details = findingsInRoutes(routes ?? [], questions)
  const kept: FormRoute[] = []
  for (const [index, { conditions, result }] of (routes ?? []).entries()) {
    kept.push({ conditions, result: await keptResult(result, `routes[${index}].result.value`, details, context) })
  }
  const last = fallback && (await keptResult(fallback, 'fallback.value', details, context))
  if (details.length > 0) throw new AppError('invalid_argument', details[0]?.message as string, { details })
  return { routes: routes && kept, fallback: last } as { routes: R['routes']; fallback: R['fallback'] }
}

/** A result with the UUID of its appointment type instead of the URI. */
async function keptResult(result: FormResult, parameter: string, details: ErrorDetail[], context: Context): Promise<FormResult> {
  if (result.type !== 'event_type') return result
  const [, value = ''] = /\/event_types\/([^/]+)\/?$/.exec(new URL(result.value).pathname) ?? []
  if (!(await context.store.appointmentTypes.hasUuid(context.principal.organization_id, value))) {
    details.push({ parameter, message: `There is no appointment type ${result.value}.`, code: 'not_found' })
  }
  return { type: 'event_type', value }
}

const shownResult = (result: FormResult, address: string): FormResult =>
  result.type === 'event_type' ? { type: 'event_type', value: eventTypeUri(address, result.value) } : result

function shown(form: FormRow, { principal, address }: Context): RoutingForm {
  const { name, status, questions, routes, fallback, created_at, updated_at } = form
  return {
    uri: routingFormUri(address, form.uuid),
    organization: organizationUri(address, principal.organization_uuid),
    name,
    status,
    questions,
    routes: routes.map(({ conditions, result }) => ({ conditions, result: shownResult(result, address) })),
    fallback: shownResult(fallback, address),
    created_at,
    updated_at,
  }
}

export function shownSubmission(row: SubmissionRow, { address }: Pick<Context, 'address'>): Submission {
  const { questions_and_answers, tracking, result, event_uuid, invitee_uuid, created_at, updated_at } = row
  const submitter = event_uuid && invitee_uuid ? inviteeUri(address, event_uuid, invitee_uuid) : null
  return {
    uri: submissionUri(address, row.uuid),
    routing_form: routingFormUri(address, row.form_uuid),
    questions_and_answers,
    tracking,
    result: shownResult(result, address),
    submitter,
    submitter_type: submitter === null ? null : 'Invitee',
    created_at,
    updated_at,
  }
}
