import { type JsonSchema, toJsonSchema, toJsonSchemaDefs } from '@valibot/to-json-schema'
import type { Endpoint, Schema } from './endpoint.ts'
import { shapeOf } from './shape.ts'

/** JSON as it stands in a document. */
export type Json = Record<string, unknown>

/** Records that several replies share, by the name of their component. */
export type Records = Record<string, Schema>

type Named = { area: string; endpoint: Endpoint }

/** Formats of ours that JSON Schema knows by another name. */
const formats: Record<string, string> = { instant: 'date-time', date: 'date', uri: 'uri', uuid: 'uuid', email: 'email', id: 'int64' }

const settings = {
  target: 'draft-2020-12',
  errorMode: 'ignore',
  overrideRef: ({ referenceId }: { referenceId: string }) => refTo(referenceId),
} as const

const refTo = (name: string): string => `#/components/schemas/${name}`

/**
 * What a caller may send. Not typeMode `input`: that one stops at the first transformation, and so loses the format
 * and the description of every instant.
 */
export const inputSchema = (schema: Schema): Json => clean(toJsonSchema(schema, { ...settings, typeMode: 'ignore' }))

/** What a reply holds; records that have a component are referred to. */
export function outputSchema(schema: Schema, records: Records): Json {
  const name = Object.keys(records).find((one) => records[one] === schema)
  if (name) return { $ref: refTo(name) }
  return clean(toJsonSchema(schema as never, { ...settings, typeMode: 'output', definitions: records as never }))
}

/** The components themselves. */
export function recordSchemas(records: Records): Record<string, Json> {
  const definitions = toJsonSchemaDefs(records as never, { ...settings, typeMode: 'output' }) as Record<string, JsonSchema>
  return Object.fromEntries(Object.entries(definitions).map(([name, schema]) => [name, clean(schema)]))
}

/** Names the records of lists and reads after their `resource_type`, or else after the path they are found at. */
export function nameRecords(endpoints: Named[]): Records {
  const records: Records = {}
  const found = endpoints.flatMap(({ area, endpoint }) => {
    const { page, rows, record } = endpoint.success
    const schema = page ?? rows ?? (endpoint.method === 'GET' ? record : undefined)
    return schema ? [{ area, path: endpoint.path, schema }] : []
  })
  for (const { area, path, schema } of found) {
    if (Object.values(records).includes(schema)) continue
    const name = shapeOf(schema).fields.resource_type?.choices[0] ?? nameOf(path)
    records[name in records ? `${pascal(area)}${name}` : name] = schema
  }
  return records
}

function nameOf(path: string): string {
  const words = path.split('/').filter((word) => word !== '' && !word.startsWith('{'))
  return pascal(singular(words.at(-1) as string))
}

const singular = (word: string): string =>
  word
    .replace(/ies$/, 'y')
    .replace(/(ss|x|ch|sh)es$/, '$1')
    .replace(/([^s])s$/, '$1')

/** `staff_members` and `staffMembers` as `StaffMembers`. */
const pascal = (words: string): string => words.replace(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase())

/** Takes out what belongs to no embedded schema, and says formats in the words of JSON Schema. */
function clean(node: unknown): Json {
  return cleanAny(node) as Json
}

function cleanAny(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(cleanAny)
  if (typeof node !== 'object' || node === null) return node
  // A field may have the name of a keyword: that is why properties are gone through one by one.
  const { $schema: _, $defs: __, format, ...rest } = node as Json
  const cleaned = Object.fromEntries(
    Object.entries(rest).map(([key, value]) => [key, key === 'properties' ? cleanEach(value as Json) : cleanAny(value)]),
  )
  if (typeof format !== 'string') return orNull(cleaned)
  return { ...cleaned, ...(formats[format] ? { format: formats[format] } : { 'x-format': format }) }
}

/** Either a plain type or null, said in one line: `type: ['string', 'null']`. */
function orNull({ anyOf, ...rest }: Json): Json {
  if (anyOf === undefined) return rest
  const [first, second] = anyOf as [Json, Json | undefined]
  const isPlain = second?.type === 'null' && typeof first.type === 'string' && !first.enum
  return isPlain ? { ...first, type: [first.type, 'null'], ...rest } : { anyOf, ...rest }
}

const cleanEach = (properties: Json): Json =>
  Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, cleanAny(schema)]))
