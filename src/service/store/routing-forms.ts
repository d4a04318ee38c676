import type { Tracking } from '../../contract/appointments.ts'
import type { FormQuestion, FormResult, FormRoute, RoutingForm, Submission } from '../../contract/routing-forms.ts'
import { decode, encode } from './codec.ts'
import type { Queries } from './engine.ts'
import { type PageOf, type PageRequest, pageOf } from './page.ts'
import { among, assignments, columns, row, type Sql, sql } from './sql.ts'

/** A routing form as kept: a result of the type `event_type` holds the UUID of the appointment type. */
export interface FormRow {
  id: number
  uuid: string
  name: string
  status: RoutingForm['status']
  questions: FormQuestion[]
  routes: FormRoute[]
  fallback: FormResult
  created_at: string
  updated_at: string
}

export interface SubmissionRow {
  id: number
  uuid: string
  form_uuid: string
  questions_and_answers: Submission['questions_and_answers']
  tracking: Tracking
  result: FormResult
  /** The invitee, where a booking followed; who waits for a seat is none yet. */
  event_uuid: string | null
  invitee_uuid: string | null
  created_at: string
  updated_at: string
}

type NewSubmission = Omit<SubmissionRow, 'id' | 'form_uuid'> & { routing_form_id: number }

const fields = ['id', 'uuid', 'name', 'status', 'questions', 'routes', 'fallback', 'created_at', 'updated_at'] as const
const shown = columns(fields)
const coding = { json: ['questions', 'routes', 'fallback'] }

const submission: Sql = sql`select ${columns(
  ['id', 'uuid', 'questions_and_answers', 'tracking', 'result', 'created_at', 'updated_at'],
  's',
)}, f.uuid as form_uuid,
    case when w.id is null then s.event_uuid end as event_uuid, case when w.id is null then s.invitee_uuid end as invitee_uuid
  from routing_form_submissions s
  join routing_forms f on f.id = s.routing_form_id
  left join session_attendees w on w.uuid = s.invitee_uuid and w.status = 'waiting'`
const submissionCoding = { json: ['questions_and_answers', 'tracking', 'result'] }

/** Routing forms of one organization at a time, and what was sent in. */
export function routingFormsStore(db: Queries) {
  const read = (found: object | undefined): FormRow | undefined => found && decode<FormRow>(found, coding)

  const findSubmission = async (organization: number, uuid: string): Promise<SubmissionRow | undefined> => {
    const found = await db.one<object>(sql`${submission} where s.organization_id = ${organization} and s.uuid = ${uuid}`)
    return found && decode<SubmissionRow>(found, submissionCoding)
  }

  return {
    async list(organization: number, paging: PageRequest): Promise<PageOf<FormRow>> {
      const listing = {
        select: sql`select ${shown} from routing_forms`,
        where: [sql`organization_id = ${organization}`],
        sortable: { created_at: 'created_at' },
        id: 'id',
        keyOf: ({ created_at }: FormRow) => created_at,
      }
      const page = await pageOf<FormRow>(db, listing, paging)
      return { ...page, rows: page.rows.map((form) => decode<FormRow>(form, coding)) }
    },

    async find(organization: number, uuid: string): Promise<FormRow | undefined> {
      return read(await db.one(sql`select ${shown} from routing_forms where organization_id = ${organization} and uuid = ${uuid}`))
    },

    async insert(organization: number, form: Omit<FormRow, 'id'>): Promise<FormRow> {
      const values = { organization_id: organization, ...encode(form, coding) }
      return read(await db.one(sql`insert into routing_forms ${row(values)} returning ${shown}`)) as FormRow
    },

    async update(organization: number, { id, uuid: _, ...form }: FormRow): Promise<FormRow> {
      const where = sql`organization_id = ${organization} and id = ${id}`
      return read(
        await db.one(sql`update routing_forms set ${assignments(encode(form, coding))} where ${where} returning ${shown}`),
      ) as FormRow
    },

    findSubmission,

    async submissions(organization: number, form: number, paging: PageRequest): Promise<PageOf<SubmissionRow>> {
      const listing = {
        select: submission,
        where: [sql`s.organization_id = ${organization}`, sql`s.routing_form_id = ${form}`],
        sortable: { created_at: 's.created_at' },
        id: 's.id',
        keyOf: ({ created_at }: SubmissionRow) => created_at,
      }
      const page = await pageOf<SubmissionRow>(db, listing, paging)
      return { ...page, rows: page.rows.map((one) => decode<SubmissionRow>(one, submissionCoding)) }
    },

    async insertSubmission(organization: number, given: NewSubmission): Promise<SubmissionRow> {
      await db.run(sql`insert into routing_form_submissions ${row({ organization_id: organization, ...encode(given, submissionCoding) })}`)
      return (await findSubmission(organization, given.uuid)) as SubmissionRow
    },

    /**
     * Takes away what those invitees answered who sent submissions in.
     * @returns the UUIDs of the submissions
     */
    async forget(organization: number, invitees: string[], { tracking }: { tracking: Tracking }): Promise<string[]> {
      const blank = assignments(encode({ questions_and_answers: [], tracking }, submissionCoding))
      const gone = await db.all<{ uuid: string }>(
        sql`update routing_form_submissions set ${blank}
            where organization_id = ${organization} and invitee_uuid in ${among(invitees)} returning uuid`,
      )
      return gone.map(({ uuid }) => uuid)
    },

    /** Tells a submission who came of it. */
    async settle(organization: number, uuid: string, invitee: { event_uuid: string; invitee_uuid: string }, now: string): Promise<void> {
      const where = sql`organization_id = ${organization} and uuid = ${uuid}`
      await db.run(sql`update routing_form_submissions set ${assignments({ ...invitee, updated_at: now })} where ${where}`)
    },
  }
}
