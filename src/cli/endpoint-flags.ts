import type { Endpoint } from '../contract/endpoint.ts'
import { AppError, type ErrorDetail, fail } from '../contract/errors.ts'
import { fieldsOf, type Shape } from '../contract/shape.ts'
import { instantOf } from '../contract/time.ts'
import type { Context, Flag, Given } from './command.ts'
import { type Edge, readMoment, show, windowSentence } from './dates.ts'

/** Where a field is said differently on the command line than on the wire. */
const words: Record<string, string> = {
  start_time: 'start',
  start_time_from: 'from',
  start_time_to: 'to',
  end_time: 'to',
  staff_member_id: 'staff',
  staff_member_ids: 'staff',
  appointment_type_id: 'type',
  customer_id: 'customer',
  service_id: 'service',
  class_id: 'class',
  session_id: 'session',
  questions_and_answers: 'answer',
  custom_fields: 'custom-field',
  'tracking.utm_campaign': 'utm-campaign',
  'tracking.utm_source': 'utm-source',
  'tracking.utm_medium': 'utm-medium',
  'tracking.utm_content': 'utm-content',
  'tracking.utm_term': 'utm-term',
  'tracking.salesforce_uuid': 'salesforce-uuid',
}

/** Handled by --limit, --all and --page-token. */
const ofPaging = ['count', 'page_token']

export type Part = 'params' | 'query' | 'body'

export interface FieldFlag extends Flag {
  part: Part
  /** Where the value goes, as a path of names. */
  path: string[]
  shape: Shape
  edge: Edge
  /** What an empty value sets to null: the field, or the object around it that can be cleared as a whole. */
  clears: string[] | undefined
}

/** A name said otherwise for one command: `{ start_time: 'from' }`. */
export type Renames = Record<string, string>

/** The flags of an endpoint: one for each field of its query and body, nested ones joined. */
export function flagsOf(endpoint: Endpoint, renames: Renames = {}): FieldFlag[] {
  return [...flagsIn('query', endpoint, renames), ...flagsIn('body', endpoint, renames)]
}

/** A part of the path that is a flag, as in `--session 12`. */
export function paramFlag(endpoint: Endpoint, name: string, description: string): FieldFlag[] {
  const shape = fieldsOf(endpoint.params)[name]
  return shape ? flagsAt('params', [name], { ...shape, description }, {}) : []
}

function flagsIn(part: 'query' | 'body', endpoint: Endpoint, renames: Renames): FieldFlag[] {
  return Object.entries(fieldsOf(endpoint[part]))
    .filter(([name]) => part === 'body' || !ofPaging.includes(name))
    .flatMap(([name, shape]) => flagsAt(part, [name], shape, renames))
    .map((flag) => (endpoint.method === 'PATCH' ? { ...flag, description: flag.description + clearing(flag) } : flag))
}

function flagsAt(part: Part, path: string[], shape: Shape, renames: Renames, around?: string[]): FieldFlag[] {
  const clears = shape.nullable ? path : around
  if (shape.kind === 'object') {
    return Object.entries(shape.fields).flatMap(([name, field]) =>
      flagsAt(part, [...path, name], { ...field, required: false }, renames, clears),
    )
  }
  const dotted = path.join('.')
  const name = renames[dotted] ?? words[dotted] ?? path.join('-').replaceAll('_', '-')
  const flag: FieldFlag = {
    name,
    part,
    path,
    shape,
    description: shape.description ?? '',
    edge: dotted.endsWith('_to') || dotted === 'to' || dotted === 'end_time' ? 'end' : 'start',
    required: shape.required,
    clears,
  }
  if (shape.kind === 'boolean') return [{ ...flag, negatable: true }]
  const choices = shape.kind === 'enum' && shape.choices.length <= 12 ? { choices: shape.choices } : {}
  return [{ ...flag, ...choices, placeholder: placeholderOf(shape), repeat: shape.kind === 'array' || shape.kind === 'map' }]
}

/** How a flag of a change says that it can clear, and what. */
function clearing({ clears, path }: FieldFlag): string {
  if (!clears) return ''
  return `; an empty value clears ${clears.length === path.length ? 'it' : `the ${clears.at(-1)}`}`
}

const placeholders: Record<string, string> = {
  instant: 'TIME',
  date: 'DATE',
  zone: 'ZONE',
  uri: 'URI',
  uuid: 'UUID',
  email: 'EMAIL',
  money: 'AMOUNT',
  currency: 'CODE',
  id: 'ID',
  local_time: 'HH:MM',
}

function placeholderOf({ kind, format, item }: Shape): string {
  if (kind === 'array')
    return item?.kind === 'object' ? (isAnswer(item) ? 'QUESTION=ANSWER' : 'JSON') : `${placeholderOf(item as Shape)}[,…]`
  if (kind === 'map') return 'NAME=VALUE'
  if (kind === 'any') return 'JSON'
  return (format && placeholders[format]) ?? (kind === 'number' ? 'N' : kind === 'enum' ? 'WORD' : 'TEXT')
}

const isAnswer = ({ fields }: Shape): boolean => 'question' in fields && 'answer' in fields

export interface ReadInput {
  params: Record<string, unknown>
  query: Record<string, unknown>
  body: Record<string, unknown>
}

/**
 * What was typed, as query and body. A body may come as JSON, and flags win over it. Dates are read in the
 * zone of the profile, and the window they come to is told on stderr.
 * @throws AppError `usage` naming every flag that is wrong, or every one that is missing
 */
export async function readFlags(flags: FieldFlag[], { flags: given }: Given, context: Context): Promise<ReadInput> {
  const input: ReadInput = { params: {}, query: {}, body: await readBody(context) }
  const wrong: AppError[] = []
  const details: ErrorDetail[] = []
  const moments: Partial<Record<Edge, number>> = {}
  for (const flag of flags) {
    const text = given[flag.name]
    if (text === undefined) continue
    try {
      if (flag.clears && [text].flat().at(-1) === '') {
        put(input[flag.part], flag.clears, null)
        continue
      }
      const value = await readValue(flag, text, context)
      if (flag.shape.format === 'instant' && typeof value === 'string') moments[flag.edge] = Date.parse(value)
      put(input[flag.part], flag.path, value)
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      wrong.push(error)
      details.push({ parameter: `--${flag.name}`, message: error.message.replace(new RegExp(`^--${flag.name}:? `), '') })
    }
  }
  if (wrong.length === 1) throw new AppError('usage', (wrong[0] as AppError).message, { details })
  if (wrong.length > 1) throw new AppError('usage', 'Several flags are wrong.', { details })
  const isWindow = flags.some(({ name, shape }) => name === 'from' && shape.format === 'instant')
  if (isWindow && (moments.start !== undefined || moments.end !== undefined)) {
    await context.say(windowSentence(moments.start, moments.end, context.look.zone))
  } else if (moments.start !== undefined) await context.say(`Start: ${show(moments.start, context.look.zone)} (${context.look.zone}).`)
  return input
}

/**
 * @param needs names of flags of which one is needed, each a list
 * @throws AppError `usage` that names every flag that is missing
 */
export function requireFlags(flags: FieldFlag[], input: ReadInput, needs: string[][] = []): void {
  const isGiven = ({ part, path }: FieldFlag) => input[part][path[0] as string] !== undefined
  const missing = flags.filter((flag) => flag.required && !isGiven(flag)).map(({ name }) => name)
  const unmet = needs.filter((names) => !flags.some((flag) => names.includes(flag.name) && isGiven(flag)))
  failMissing([...missing, ...unmet.map((names) => names.join(' or --'))])
}

/** @throws AppError `usage` that names every one of them, where there is any */
export function failMissing(names: string[]): void {
  if (names.length === 0) return
  const listed = names.map((name) => `--${name}`).join(', ')
  fail('usage', `${names.length === 1 ? 'A flag is' : 'Flags are'} missing: ${listed}.`, {
    details: names.map((name) => ({ parameter: `--${name}`, message: 'is required', code: 'missing' })),
  })
}

async function readBody({ globals, env }: Context): Promise<Record<string, unknown>> {
  if (globals.inputJson === undefined) return {}
  const { readTextFile } = await import('./files.ts')
  const text = globals.inputJson === '-' ? await env.stdin.read() : readTextFile(globals.inputJson, '--input-json')
  try {
    const body = JSON.parse(text)
    if (typeof body === 'object' && body !== null && !Array.isArray(body)) return body
  } catch (error) {
    fail('usage', `--input-json: this is not JSON: ${(error as Error).message}.`, { cause: error })
  }
  return fail('usage', '--input-json: the JSON must be an object.')
}

async function readValue(flag: FieldFlag, given: string | string[] | boolean, context: Context): Promise<unknown> {
  if (typeof given === 'boolean') return given
  const { shape } = flag
  const texts = typeof given === 'string' ? [given] : given
  if (shape.kind === 'map') return Object.fromEntries(texts.map((text) => readPair(flag.name, text)))
  if (shape.kind === 'array') return readList(flag, texts, shape.item as Shape, context)
  return readScalar(flag, texts.at(-1) as string, shape, context)
}

async function readList(flag: FieldFlag, texts: string[], item: Shape, context: Context): Promise<unknown[]> {
  if (isAnswer(item)) {
    return texts.map((text) => {
      const [question, answer] = readPair(flag.name, text)
      return { question, answer }
    })
  }
  if (item.kind === 'object') return texts.flatMap((text) => readJsonList(flag.name, text))
  const items = texts.flatMap((text) => text.split(',')).filter((text) => text.trim() !== '')
  return Promise.all(items.map((text) => readScalar(flag, text.trim(), item, context)))
}

async function readScalar({ name, edge }: FieldFlag, text: string, shape: Shape, context: Context): Promise<unknown> {
  if (shape.kind === 'number')
    return /^-?\d{1,15}$/.test(text) ? Number(text) : fail('usage', `--${name} must be a whole number; "${text}" is not.`)
  if (shape.kind === 'any') return readJson(name, text)
  if (shape.kind === 'enum' && !shape.choices.includes(text)) return failChoice(name, text, shape.choices)
  if (shape.format !== 'instant') return text
  const { at, note } = await readMoment(text, name, { now: context.env.now(), zone: context.look.zone, edge })
  if (note) await context.say(note)
  return instantOf(at)
}

async function failChoice(name: string, text: string, choices: string[]): Promise<never> {
  const near = (await import('./suggest.ts')).nearest(text, choices)
  return fail('usage', `--${name}: "${text}" is none of ${choices.join(', ')}.${near ? ` Did you mean ${near}?` : ''}`)
}

function readPair(name: string, text: string): [string, string] {
  const sign = text.indexOf('=')
  if (sign < 1) fail('usage', `--${name} takes NAME=VALUE; "${text}" has no name.`)
  return [text.slice(0, sign).trim(), text.slice(sign + 1).trim()]
}

function readJsonList(name: string, text: string): unknown[] {
  const parsed = readJson(name, text)
  return Array.isArray(parsed) ? parsed : [parsed]
}

function readJson(name: string, text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    return fail('usage', `--${name} takes JSON: ${(error as Error).message}.`, { cause: error })
  }
}

function put(target: Record<string, unknown>, [name, ...rest]: string[], value: unknown): void {
  const key = name as string
  if (rest.length === 0) target[key] = value
  else {
    const inner = { ...(target[key] as Record<string, unknown> | undefined) }
    put(inner, rest, value)
    target[key] = inner
  }
}
