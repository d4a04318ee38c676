import * as v from 'valibot'
import type { Endpoint, HttpRequest, ObjectSchema } from '../../contract/endpoint.ts'
import { AppError, type ErrorDetail, fail, invalid } from '../../contract/errors.ts'
import { fieldsOf } from '../../contract/shape.ts'

export interface CheckedInput {
  params: Record<string, unknown>
  query: Record<string, unknown>
  body: unknown
}

const MOST_BYTES = 1024 * 1024

/**
 * A request's path, query and body, checked against the contract: all findings at once.
 * @throws AppError `invalid_argument`, `payload_too_large` or `unsupported_media_type`
 */
export function checkInput(
  endpoint: Endpoint,
  request: HttpRequest,
  params: Record<string, string>,
  query: [string, string][],
): CheckedInput {
  const details: ErrorDetail[] = []
  const take = (schema: ObjectSchema | undefined, given: unknown): Record<string, unknown> => {
    const result = v.safeParse(schema ?? v.strictObject({}), given)
    if (!result.success) details.push(...result.issues.map(detailOf))
    return result.output as Record<string, unknown>
  }
  const input = {
    params: take(endpoint.params, typed(endpoint.params, Object.entries(params))),
    query: take(endpoint.query, typed(endpoint.query, once(query))),
    body: endpoint.body ? take(endpoint.body, bodyOf(request)) : undefined,
  }
  if (details.length > 0) {
    const [first] = details as [ErrorDetail]
    const message = details.length === 1 ? sentence(first) : 'The supplied parameters are invalid.'
    throw new AppError('invalid_argument', message, { details })
  }
  return input
}

const sentence = ({ parameter, message }: ErrorDetail): string => (parameter ? `${parameter} ${message}.` : `${message}.`)

function detailOf(issue: v.BaseIssue<unknown>): ErrorDetail {
  const parameter = (v.getDotPath(issue) ?? '').replace(/\.(\d+)(?=\.|$)/g, '[$1]')
  const code = issue.type === 'strict_object' ? (issue.expected === 'never' ? 'unknown_field' : 'missing') : 'invalid'
  if (code === 'unknown_field') return { parameter, message: 'is not a known field', code }
  if (code === 'missing') return { parameter, message: parameter ? 'is required' : 'The body must be a JSON object', code }
  const message = issue.message.startsWith('Invalid') ? `must be ${issue.expected ?? 'something else'}`.replaceAll('"', '') : issue.message
  return { parameter, message: issue.kind === 'schema' && issue.received === 'undefined' ? 'is required' : message, code }
}

/** Texts of a path or query as the numbers and truth values that their schema expects; what does not fit stays a text, to be refused. */
function typed(schema: ObjectSchema | undefined, texts: [string, string][]): Record<string, unknown> {
  const fields = fieldsOf(schema)
  return Object.fromEntries(
    texts.map(([name, text]) => {
      const kind = fields[name]?.kind
      if (kind === 'number' && /^-?\d{1,15}$/.test(text)) return [name, Number(text)]
      if (kind === 'boolean' && (text === 'true' || text === 'false')) return [name, text === 'true']
      return [name, text]
    }),
  )
}

function once(entries: [string, string][]): [string, string][] {
  const names = new Set<string>()
  for (const [name, value] of entries) {
    if (names.has(name)) invalid(name, `${name} is given more than once.`)
    names.add(name)
    if (value.includes('\0')) invalid(name, `${name} must not contain NUL characters.`)
  }
  return entries
}

function bodyOf({ headers, body = '' }: HttpRequest): unknown {
  if (body === '') return {}
  if (body.length > MOST_BYTES || Buffer.byteLength(body) > MOST_BYTES) fail('payload_too_large', 'The body is larger than 1 MiB.')
  if (!/^application\/(?:json|[\w.-]+\+json)\s*(?:;|$)/i.test(headers['content-type'] ?? '')) {
    fail('unsupported_media_type', 'Send the body as JSON, with content-type: application/json.')
  }
  let parsed: unknown
  try {
    parsed = JSON.parse(body)
  } catch (error) {
    fail('invalid_argument', `The body is not JSON: ${(error as Error).message}.`)
  }
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) fail('invalid_argument', 'The body must be a JSON object.')
  // PostgreSQL holds no NUL in a text, and nobody means one.
  if (body.includes('\\u0000') || body.includes('\0')) fail('invalid_argument', 'The body must not contain NUL characters.')
  return parsed
}
