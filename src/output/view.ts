import { canonicalInstant, clockOf, dateOf, offsetAt, offsetText, parseInstant, wallAt } from '../contract/time.ts'

/** How output is wanted: decided once, from flags, settings and the terminal. */
export interface Look {
  format: 'table' | 'json' | 'ndjson' | 'csv' | 'ids'
  /** Dotted paths, from `--fields`. */
  fields?: string[]
  /** True where a person looks at it: what is data in a pipe must not be obeyed there. */
  terminal: boolean
  /** Columns of the terminal. */
  width: number
  color: boolean
  /** IANA; shown times are in it. */
  zone: string
  accessible: boolean
}

export interface Column {
  /** Dotted path into the record. */
  field: string
  title: string
  /** Lower is dropped later, 0 is never dropped nor cut (the id). Left out: its position, from 0. */
  weight?: number
  /** Left out: `shown`. What it returns is made `safe`. */
  show?: (value: unknown, record: Record<string, unknown>, look: Look) => string
  tint?: (value: unknown) => 'green' | 'red' | 'yellow' | 'dim' | undefined
}

/** What a person sees of a kind of record. */
export interface View {
  columns: Column[]
  /** Sentence for stderr when nothing was found. */
  empty?: string
}

/** What is at a dotted path: arrays by index, keys that contain dots as they are. `undefined` where there is nothing. */
export function valueAt(record: unknown, path: string): unknown {
  if (typeof record !== 'object' || record === null) return undefined
  if (has(record, path)) return (record as Record<string, unknown>)[path]
  const dot = path.indexOf('.')
  if (dot < 0 || !has(record, path.slice(0, dot))) return undefined
  return valueAt((record as Record<string, unknown>)[path.slice(0, dot)], path.slice(dot + 1))
}

const has = (record: object, key: string) =>
  Array.isArray(record) ? /^\d+$/.test(key) && +key < record.length : Object.hasOwn(record, key)

/** An instant of the wire as `2026-12-01 09:00 +01:00` in the look's zone; anything else as `shown` has it. */
export const showInstant = (value: unknown, _record: Record<string, unknown>, look: Look): string => {
  const ms = typeof value === 'string' ? parseInstant(value) : undefined
  if (ms === undefined) return shown(value, look)
  const wall = wallAt(look.zone, ms)
  return `${dateOf(wall)} ${clockOf(wall)} ${offsetText(offsetAt(look.zone, ms))}`
}

/** Any value for a person, on one line and safe: nothing as `''`, instants in the look's zone, scalars joined, objects as JSON. */
export function shown(value: unknown, look: Look): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'string') return isWireInstant(value) ? showInstant(value, {}, look) : safe(value)
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (typeof value !== 'object') return String(value)
  if (Object.keys(value).length === 0) return ''
  if (Array.isArray(value) && value.every(isScalar)) return value.map((item) => shown(item, look)).join(', ')
  return safe(jsonText(value))
}

const isWireInstant = (text: string) => text.length === 27 && text.endsWith('Z') && canonicalInstant(text) === text
export const isScalar = (value: unknown): boolean => typeof value !== 'object' || value === null

const PLAIN = /^[\x20-\x7e]*$/
const UNSAFE = /[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff]/gu
const named: Record<string, string> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' }

/**
 * Text of others, harmless on a terminal: controls, escapes, line breaks and bidi controls become visible
 * escapes (`\x1b`, `\n`, `\u202e`), half a surrogate pair becomes U+FFFD. Safe text stays as it is.
 */
export function safe(text: string): string {
  if (PLAIN.test(text)) return text
  return text.replace(UNSAFE, (char) => {
    const code = char.charCodeAt(0)
    if (code >= 0xd800 && code <= 0xdfff) return '\ufffd'
    return named[char] ?? (code < 0x100 ? `\\x${hex(code, 2)}` : `\\u${hex(code, 4)}`)
  })
}

/** The same for text of several lines, which stay apart. */
export const safeLines = (text: string): string => text.split('\n').map(safe).join('\n')

/** JSON that means the same everywhere and is harmless on a terminal: what `JSON.stringify` lets through is escaped as `\u009b`. */
export function jsonText(value: unknown, indent?: number): string {
  const text = JSON.stringify(value, null, indent)
  return text.replace(/[\x7f-\x9f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g, (char) => `\\u${hex(char.charCodeAt(0), 4)}`)
}

const hex = (code: number, digits: number) => code.toString(16).padStart(digits, '0')
