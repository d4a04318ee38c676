import { instantOf } from '../../contract/time.ts'
import type { EventKind } from '../../contract/webhooks.ts'
import type { Principal } from '../store/account.ts'
import type { EventRow, InviteeRow } from '../store/events.ts'
import type { SubmissionRow } from '../store/routing-forms.ts'
import { noTracking } from './booker.ts'
import { shownSubmission } from './routing-forms.ts'
import { inviteePayload } from './tell.ts'

interface Situation {
  principal: Principal
  now: number
  address: string
}

const EVENT = '4b3c9a52-0b1e-4c57-9f0e-2f7c3f1f0a01'
const INVITEE = '4b3c9a52-0b1e-4c57-9f0e-2f7c3f1f0a02'
const TYPE = '4b3c9a52-0b1e-4c57-9f0e-2f7c3f1f0a03'
const NO_SHOW = '4b3c9a52-0b1e-4c57-9f0e-2f7c3f1f0a04'
const FORM = '4b3c9a52-0b1e-4c57-9f0e-2f7c3f1f0a05'
const SUBMISSION = '4b3c9a52-0b1e-4c57-9f0e-2f7c3f1f0a06'
const QUESTION = '4b3c9a52-0b1e-4c57-9f0e-2f7c3f1f0a07'
const DAY = 86_400_000

/** The payload of a kind of event about records that do not exist, made by what makes the real ones. */
export function samplePayload(kind: EventKind, { principal, now, address }: Situation): object {
  const stamps = { created_at: instantOf(now), updated_at: instantOf(now) }
  if (kind === 'routing_form_submission.created') {
    const submission: SubmissionRow = {
      id: 1,
      uuid: SUBMISSION,
      form_uuid: FORM,
      questions_and_answers: [{ question_uuid: QUESTION, question: 'What brings you here?', answer: 'A first visit' }],
      tracking: noTracking,
      result: { type: 'event_type', value: TYPE },
      event_uuid: null,
      invitee_uuid: null,
      ...stamps,
    }
    return shownSubmission(submission, { address })
  }
  const isCanceled = kind === 'invitee.canceled'
  const status = isCanceled ? 'canceled' : 'active'
  const cancellation = isCanceled
    ? { canceled_by: principal.name, reason: 'Fell ill', canceler_type: 'host' as const, created_at: stamps.created_at }
    : null
  const start = Math.floor(now / DAY + 1) * DAY + DAY / 2
  const event: EventRow = {
    id: 1,
    kind: 'appointment',
    source_id: 1,
    uuid: EVENT,
    name: 'First visit',
    status,
    start_time: instantOf(start),
    end_time: instantOf(start + 30 * 60_000),
    type_uuid: TYPE,
    location: 'Main Street 1',
    total: 1,
    active: isCanceled ? 0 : 1,
    seats: 1,
    host_id: principal.user_id,
    host_uuid: principal.user_uuid,
    host_name: principal.name,
    host_email: 'host@example.com',
    busy_from: isCanceled ? null : instantOf(start),
    busy_to: isCanceled ? null : instantOf(start + 30 * 60_000),
    cancellation,
    ...stamps,
  }
  const invitee: InviteeRow = {
    id: 1,
    kind: 'appointment',
    source_id: 1,
    held_id: 1,
    uuid: INVITEE,
    event_uuid: EVENT,
    name: 'Ada Lovelace',
    email: 'ada@example.com',
    status,
    time_zone: 'Europe/London',
    questions_and_answers: [{ question: 'Anything we should know?', answer: 'I come by train', position: 0 }],
    tracking: noTracking,
    rescheduled: false,
    old_event: null,
    old_invitee: null,
    new_event: null,
    new_invitee: null,
    cancellation,
    submission_uuid: null,
    no_show_uuid: kind === 'invitee_no_show.created' ? NO_SHOW : null,
    no_show_at: kind === 'invitee_no_show.created' ? stamps.created_at : null,
    ...stamps,
  }
  return inviteePayload(invitee, event, address)
}
