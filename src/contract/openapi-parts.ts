import { wireErrorCodes } from './errors.ts'
import type { Json } from './json-schema.ts'

/** What every OpenAPI document of ours holds, whatever the endpoints are. */

const server = (name: string, description: string) => [
  { url: `{${name}}`, description, variables: { [name]: { default: 'http://127.0.0.1:4242', description } } },
]

/** The two addresses; with bookctl serve they are one. */
export const servers = {
  base_url: server('base_url', 'The base address'),
  api_url: server('api_url', 'The API address of webhook subscriptions and scheduled events'),
}

export const securitySchemes = {
  apiKey: { type: 'apiKey', in: 'header', name: 'api-key' },
  bearer: { type: 'http', scheme: 'bearer', description: 'A personal access token' },
}

export const parameters = {
  IdempotencyKey: {
    name: 'idempotency-key',
    in: 'header',
    description: 'Makes a retry safe: the same key gets the same reply for 24 hours, and nothing is done twice',
    schema: { type: 'string', minLength: 1, maxLength: 255 },
  },
  IfMatch: {
    name: 'if-match',
    in: 'header',
    description: 'The etag of the record as it was read; where it has changed since, nothing is done',
    schema: { type: 'string' },
  },
}

const header = (description: string, type = 'string') => ({ description, required: true, schema: { type } })
const sometimes = (description: string, type = 'string') => ({ ...header(description, type), required: false })

export const headers = {
  'x-request-id': header('Names the request in the log of the service'),
  etag: header('Names this state of the record, for if-match'),
  location: header('Where the new record is'),
  allow: header('The methods that are offered at this path, parted by commas'),
  'retry-after': header('Seconds to wait before another try', 'integer'),
  'x-ratelimit-limit': sometimes('How many requests this credential may make in a minute, where there is a limit', 'integer'),
  'x-ratelimit-remaining': sometimes('How many of them are left', 'integer'),
  'x-ratelimit-reset': sometimes('Seconds until the count begins anew', 'integer'),
  'idempotent-replayed': sometimes('true where the reply is the one that the idempotency-key got before'),
}

/** Headers that tell how a credential stands with its limit. */
export const limits = ['x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset'] as const

/** References to the headers of a reply; x-request-id is always one. */
export function responseHeaders(names: (keyof typeof headers)[]): Json {
  return Object.fromEntries(['x-request-id', ...names].map((name) => [name, { $ref: `#/components/headers/${name}` }]))
}

const text = (description: string) => ({ type: 'string', description })
const textOrNull = (description: string) => ({ type: ['string', 'null'], description })
const closed = (properties: Json, required = Object.keys(properties)) => ({
  type: 'object',
  properties,
  required,
  additionalProperties: false,
})

export const fixedSchemas = {
  Pagination: closed({
    count: { type: 'integer', minimum: 0, description: 'Rows on this page' },
    next_page: textOrNull('Address of the next page'),
    previous_page: textOrNull('Address of the page before'),
    next_page_token: textOrNull('The page_token of the next page; null on the last'),
    previous_page_token: textOrNull('The page_token of the page before; null on the first'),
  }),
  Error: closed({
    title: text('The kind of error, for people'),
    message: text('What is wrong and what to do'),
    details: {
      type: 'array',
      description: 'Every finding about the input',
      items: closed(
        {
          parameter: text('Which input, such as customer.email or working_hours[0].start'),
          message: text('What is wrong'),
          code: text('Why, for programs'),
        },
        ['message'],
      ),
    },
    code: { type: 'string', enum: wireErrorCodes, description: 'The kind of error, for programs' },
    request_id: text('The same as the header x-request-id'),
  }),
}

/** What each area is about, for the tags of the document. */
export const areaSentences: Record<string, string> = {
  customers: 'Those who book.',
  staff: 'Staff members, their hours and time off, and the times that can be booked.',
  services: 'What the business sells; a service groups appointment types.',
  appointmentTypes: 'What can be booked: name, length, who offers it.',
  appointments: 'Booked meetings of a customer with a staff member.',
  classes: 'Group offerings, and the sessions of their recurrence.',
  sessions: 'Dated meetings of a class, with their seats.',
  attendees: 'The places of customers in a session, and its waiting list.',
  account: 'Signing in, and who one is.',
  users: 'Those who sign in, as webhook readers see them.',
  memberships: 'The roles of users in the organization.',
  events: 'Appointments and sessions as webhook readers see them.',
  invitees: 'Who booked a scheduled event, with their answers.',
  noShows: 'That an invitee did not come.',
  webhooks: 'Wishes to have events posted to an address.',
  apiSubscriptions: 'The same webhook subscriptions, for an API key.',
  deliveries: 'Events on their way to subscriptions, with every attempt.',
  routingForms: 'Forms whose answers lead to an appointment type, a page or a message.',
  submissions: 'Routing forms that were sent in.',
  credentials: 'API keys and access tokens: listed, made, revoked.',
  apiUsers: 'Those who sign in: invited, changed, removed.',
  audit: 'Who wrote what, when and from where.',
}
