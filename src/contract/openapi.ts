/** Endpoints → an OpenAPI 3.1 document. For the generator and the tests: nothing that the tool loads reaches this file. */
import type { Endpoint, ObjectSchema } from './endpoint.ts'
import { errorTable, type WireErrorCode, wireErrorCodes } from './errors.ts'
import { inputSchema, type Json, nameRecords, outputSchema, type Records, recordSchemas } from './json-schema.ts'
import { areaSentences, fixedSchemas, headers, limits, parameters, responseHeaders, securitySchemes, servers } from './openapi-parts.ts'
import { fieldsOf } from './shape.ts'

/** The endpoints of one area, as the contract holds them. */
export type Areas = Record<string, Record<string, Endpoint>>

/** The whole document, as data; the same for the same contract. */
export function openapi(areas: Areas): Json {
  const all = Object.entries(areas).flatMap(([area, endpoints]) =>
    Object.entries(endpoints).map(([name, endpoint]) => ({ area, name, endpoint })),
  )
  const records = nameRecords(all)
  const paths: Record<string, Json> = {}
  for (const { area, name, endpoint } of all) {
    paths[endpoint.path] = { ...paths[endpoint.path], [endpoint.method.toLowerCase()]: operation(area, name, endpoint, records) }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Appointment Booking Service',
      version: '3.0.0',
      description:
        'Customers, staff, services and appointments of a business. x-origin says where the description of an operation comes from: given by the interface, known from public facts, or ours. Where PATCH is offered, PUT does the same. Bodies and records are closed: an unknown field is refused, and none is sent. A path that is not here is a 404; a method that is not here at a path that is, a 405 (components/responses/method_not_allowed) whose allow header names those that are.',
    },
    servers: servers.base_url,
    tags: Object.keys(areas).map((area) => ({ name: tagOf(area), description: areaSentences[area] })),
    paths,
    components: {
      securitySchemes,
      parameters,
      headers,
      responses: sharedReplies(all.map(({ endpoint }) => endpoint)),
      schemas: { ...recordSchemas(records), ...fixedSchemas },
    },
  }
}

/** The name of an operation: `appointments_no_show`. */
export const operationId = (area: string, name: string): string => `${snake(area)}_${snake(name)}`

/** The codes an endpoint may answer with: its own, and those that are always possible; by status. */
export function errorsOf({ method, auth, role, body, errors = [] }: Endpoint): [number, WireErrorCode[]][] {
  const codes = new Set<WireErrorCode>([
    // Whatever an endpoint takes, a parameter that it does not know is one.
    'invalid_argument',
    ...(auth === 'none' ? [] : (['unauthenticated'] as const)),
    ...(role ? (['permission_denied'] as const) : []),
    ...errors,
    // An idempotency key that was used for another request.
    ...(method === 'POST' && auth !== 'none' ? (['conflict'] as const) : []),
    ...(body ? (['payload_too_large', 'unsupported_media_type'] as const) : []),
    ...(['rate_limited', 'internal', 'unavailable'] as const),
  ])
  const statuses = [...new Set([...codes].map(statusOf))].sort((a, b) => a - b)
  return statuses.map((status) => [status, [...codes].filter((code) => statusOf(code) === status).sort()])
}

const statusOf = (code: WireErrorCode): number => errorTable[code].status

function operation(area: string, name: string, endpoint: Endpoint, records: Records): Json {
  const { base, auth, role, summary, body, origin, note, errors = [] } = endpoint
  const description = [note, role ? `For the role ${role}${role === 'admin' ? ' or owner' : ''}.` : undefined].filter(Boolean).join(' ')
  const own = [...parametersOf('path', endpoint.params), ...parametersOf('query', endpoint.query)]
  const shared = [
    ...(endpoint.method === 'POST' && auth !== 'none' ? [{ $ref: '#/components/parameters/IdempotencyKey' }] : []),
    ...(errors.includes('precondition_failed') ? [{ $ref: '#/components/parameters/IfMatch' }] : []),
  ]
  return {
    operationId: operationId(area, name),
    tags: [tagOf(area)],
    summary,
    ...(description ? { description } : {}),
    ...(base === 'api_url' ? { servers: servers.api_url } : {}),
    security: { api_key: [{ apiKey: [] }], access_token: [{ bearer: [] }], either: [{ apiKey: [] }, { bearer: [] }], none: [] }[auth],
    ...(own.length + shared.length > 0 ? { parameters: [...own, ...shared] } : {}),
    ...(body ? { requestBody: requestBody(body) } : {}),
    responses: { ...success(endpoint, records), ...Object.fromEntries(errorsOf(endpoint).map(errorReply)) },
    'x-origin': origin,
  }
}

function parametersOf(where: 'path' | 'query', schema: ObjectSchema | undefined): Json[] {
  if (!schema) return []
  const { properties = {}, required = [] } = inputSchema(schema) as { properties?: Record<string, Json>; required?: string[] }
  return Object.entries(properties).map(([name, { description, ...rest }]) => ({
    name,
    in: where,
    ...(description ? { description } : {}),
    ...(required.includes(name) ? { required: true } : {}),
    schema: rest,
  }))
}

function requestBody(body: ObjectSchema): Json {
  const schema = inputSchema(body)
  return { ...(schema.required ? { required: true } : {}), content: json(schema) }
}

const json = (schema: Json): Json => ({ 'application/json': { schema } })

function success({ method, success: { status, record, page, rows, bare }, auth }: Endpoint, records: Records): Json {
  const envelope = (properties: Json) => ({ type: 'object', properties, required: Object.keys(properties), additionalProperties: false })
  const list = (schema: Json) => ({ type: 'array', items: schema })
  const { id, uri } = fieldsOf(record)
  const sent = responseHeaders([
    ...(record && auth !== 'none' ? (['etag'] as const) : []),
    ...(status === 201 && (id ?? uri) ? (['location'] as const) : []),
    ...(method === 'POST' && auth !== 'none' ? (['idempotent-replayed'] as const) : []),
    ...(auth === 'none' ? [] : limits),
  ])
  const reply = (description: string, schema?: Json) => ({
    [status]: { description, headers: sent, ...(schema ? { content: json(schema) } : {}) },
  })
  if (record) return reply(status === 201 ? 'The new record.' : 'The record.', envelope({ resource: outputSchema(record, records) }))
  if (page)
    return reply(
      'A page of records.',
      envelope({ collection: list(outputSchema(page, records)), pagination: { $ref: '#/components/schemas/Pagination' } }),
    )
  if (rows) return reply('The rows.', envelope({ collection: list(outputSchema(rows, records)) }))
  if (bare) return reply('The document.', outputSchema(bare, records))
  return reply('Done.')
}

/** A status that only one code has is the same reply everywhere. */
function errorReply([status, codes]: [number, WireErrorCode[]]): [string, Json] {
  return [String(status), codes.length === 1 ? { $ref: `#/components/responses/${codes[0]}` } : errorBody(status, codes)]
}

function sharedReplies(endpoints: Endpoint[]): Json {
  const alone = new Set(endpoints.flatMap((one) => errorsOf(one)).flatMap(([, codes]) => (codes.length === 1 ? codes : [])))
  // Of no operation: it is the reply to a method that is none.
  alone.add('method_not_allowed')
  return Object.fromEntries(wireErrorCodes.filter((code) => alone.has(code)).map((code) => [code, errorBody(statusOf(code), [code])]))
}

function errorBody(status: number, codes: WireErrorCode[]): Json {
  const { title } = errorTable[codes[0] as WireErrorCode]
  const own = status === 429 || status === 503 ? (['retry-after'] as const) : status === 405 ? (['allow'] as const) : []
  const sent = responseHeaders([...own, ...limits])
  return { description: `${title}: ${codes.join(', ')}.`, headers: sent, content: json({ $ref: '#/components/schemas/Error' }) }
}

const snake = (words: string): string => words.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

/** `appointmentTypes` as `Appointment types`. */
export const tagOf = (area: string): string =>
  snake(area)
    .replaceAll('_', ' ')
    .replace(/^./, (letter) => letter.toUpperCase())
