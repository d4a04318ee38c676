import * as v from 'valibot'
import { canonicalInstant, isCivilDate, isZone } from './time.ts'

/**
 * The vocabulary of every record. A field's format travels with its schema (`v.metadata`), so that flags,
 * help, OpenAPI and the docs can speak of an instant or a zone and not of a mere string.
 */
export type Format = 'instant' | 'date' | 'local_time' | 'zone' | 'uri' | 'uuid' | 'email' | 'money' | 'currency' | 'id'

const format = (name: Format) => v.metadata<string, { readonly format: Format }>({ format: name })

export const text = (most: number) => v.pipe(v.string(), v.trim(), v.maxLength(most, `must have at most ${most} characters`))

/** A text that must say something. */
export const name = (most = 255) =>
  v.pipe(v.string(), v.trim(), v.nonEmpty('must not be empty'), v.maxLength(most, `must have at most ${most} characters`))

export const id = v.pipe(
  v.number('must be a whole number'),
  v.safeInteger('must be a whole number'),
  v.minValue(1, 'must be at least 1'),
  v.metadata<number, { readonly format: Format }>({ format: 'id' }),
)

export const uuid = v.pipe(v.string(), v.uuid('must be a UUID'), format('uuid'))

/** A full address; the last segment of one of ours is a UUID. */
export const uri = v.pipe(v.string(), v.url('must be a URI'), v.maxLength(2048), format('uri'))

/** ISO 8601 with `Z` or an offset; kept as UTC with six fractional digits. */
export const instant = v.pipe(
  v.string(),
  v.check((given) => canonicalInstant(given) !== undefined, 'must be a date and time with an offset, such as 2026-12-01T09:00:00Z'),
  v.transform((given) => canonicalInstant(given) as string),
  format('instant'),
)

export const date = v.pipe(v.string(), v.check(isCivilDate, 'must be a date that exists, written YYYY-MM-DD'), format('date'))

/** Wall-clock time; `24:00` ends a day. */
export const localTime = v.pipe(
  v.string(),
  v.regex(/^(?:[01]\d|2[0-3]):[0-5]\d$|^24:00$/, 'must be a time of day written HH:MM'),
  format('local_time'),
)

export const zone = v.pipe(v.string(), v.check(isZone, 'must be an IANA time zone, such as Europe/Paris'), format('zone'))

export const email = v.pipe(
  v.string(),
  v.trim(),
  v.maxLength(254, 'must have at most 254 characters'),
  v.email('must be an e-mail address'),
  format('email'),
)

/** A decimal string, never a float: `45.00`. */
export const money = v.pipe(
  v.string('must be a decimal string, such as "45.00"'),
  v.regex(/^\d{1,10}(?:\.\d{1,3})?$/, 'must be a decimal string, such as 45.00'),
  format('money'),
)

export const currency = v.pipe(v.string(), v.regex(/^[A-Z]{3}$/, 'must be a currency code, such as EUR'), format('currency'))

/** Whole minutes between two bounds. */
export const minutes = (least: number, most: number) => whole(least, most)

export const whole = (least: number, most: number) =>
  v.pipe(
    v.number('must be a whole number'),
    v.integer('must be a whole number'),
    v.minValue(least, `must be at least ${least}`),
    v.maxValue(most, `must be at most ${most}`),
  )

export const flag = v.boolean('must be true or false')

/** One of a few words. */
export const oneOf = <const T extends readonly string[]>(words: T) => v.picklist(words, `must be one of ${words.join(', ')}`)

/** A schema with the sentence that help, OpenAPI and the docs print for it. */
export function described<const S extends v.GenericSchema>(schema: S, sentence: string) {
  return v.pipe(schema, v.description(sentence))
}

/** May be left out, and may be cleared with null. */
export const clearable = <const S extends v.GenericSchema>(schema: S) => v.optional(v.nullable(schema))

/** Names and values. A list is refused: to `v.record` it would be an object without names. */
export function mapOf<const K extends v.GenericSchema<string, string>, const T extends v.GenericSchema>(key: K, value: T) {
  const map = v.record(key, value, 'must be an object')
  const run: (typeof map)['~run'] = (dataset, config) => map['~run'](Array.isArray(dataset.value) ? { value: 'a list' } : dataset, config)
  return { ...map, '~run': run }
}

/** How a list says its order. */
export const sortedBy = (order: string): string => `What to sort by; ${order} when left out`

/** The query fields that every list takes. */
export const paging = <const F extends readonly [string, ...string[]]>(sortable: F) => {
  const orders = sortable.flatMap((field) => [`${field}:asc`, `${field}:desc`])
  return {
    count: v.optional(described(whole(1, 100), 'How many rows a page has, 1 to 100; 20 when left out')),
    page_token: v.optional(described(v.pipe(v.string(), v.maxLength(1024)), 'Where to go on, from the page before')),
    sort: v.optional(described(oneOf(orders), sortedBy(`${sortable[0]}:asc`))),
  }
}

/** Created and last changed. */
export const stamps = { created_at: instant, updated_at: instant }

/** Every reply's record is closed: what is not declared here is not on the wire. */
export const record = v.strictObject
/** Every body and query is closed too: an unknown field is a 400 that names it. */
export const input = v.strictObject
