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

const header = (description: string, type = 'string') => ({ description, schema: { type } })

export const headers = {
  'x-request-id': header('Names the request in the log of the service'),
  etag: header('Names this state of the record, for if-match'),
  location: header('Where the new record is'),
  'retry-after': header('Seconds to wait before another try', 'integer'),
}

/** References to the headers of a reply; x-request-id is always one. */
export function responseHeaders(names: string[]): Json {
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
