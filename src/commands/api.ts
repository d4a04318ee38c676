import type { Command, Context, Given, Result } from '../cli/command.ts'
import { isOnlyShown, shownInstead } from '../cli/endpoint-command.ts'
import { baseOf, everyPage, failureIn, shownRequest } from '../cli/raw.ts'
import type { AddressedRequest } from '../client/client.ts'
import { fail } from '../contract/errors.ts'
import { safeLines } from '../output/view.ts'

const methods = ['GET', 'POST', 'PATCH', 'PUT', 'DELETE'] as const
type Method = (typeof methods)[number]

export const command: Command = {
  name: 'api',
  summary: 'Any request, on either address',
  description:
    'The path decides the address: /api/v3 and /customers/available_time go to the base address with the API key, everything else to the API address with the access token. Fields go into the query of a GET and DELETE, and into the JSON body of the rest; a dot leads into an object, as in customer.name=Ada.',
  positional: {
    name: 'METHOD',
    description: `${methods.join(', ')}; GET where only a path is given, POST where there are fields too`,
    required: true,
  },
  second: { name: 'PATH', description: 'Such as /api/v3/me, with its query if it has one', required: false },
  flags: [
    { name: 'field', short: 'f', placeholder: 'NAME=TEXT', description: 'A field whose value is a text', repeat: true },
    {
      name: 'typed-field',
      short: 'F',
      placeholder: 'NAME=JSON',
      description: 'A field whose value is JSON: 5, true, null, ["a"]',
      repeat: true,
    },
    { name: 'header', short: 'H', placeholder: 'NAME: VALUE', description: 'A header', repeat: true },
    { name: 'input', placeholder: 'FILE', description: 'The body from a file, or - for stdin' },
    { name: 'all', description: 'Follow the pages of a list, and print them as one' },
    { name: 'include', short: 'i', description: 'Print the status and the headers too' },
  ],
  writes: true,
  exits: [3, 4, 5, 6, 7, 8, 9, 10],
  examples: [
    { line: 'api GET /api/v3/me', why: 'Read a record' },
    { line: 'api /api/v3/audit_log --all', why: 'A whole list, as one JSON' },
    { line: 'api POST /api/v3/customers -f name="Ada Lovelace" -F custom_fields=\'{"lens":"-2"}\'', why: 'Create a record' },
    { line: 'api DELETE /api/v3/customers/7 -F soft_delete=true -i', why: 'A parameter of the query, and the status' },
  ],
  async run(given, context) {
    const { globals, env } = context
    const request = await requestFrom(given, context)
    const all = given.flags.all === true
    if (all && request.method !== 'GET') fail('usage', '--all goes with GET.')
    if (all && given.flags.include === true)
      fail('usage', '--all makes one JSON of many replies, so there are no headers for --include to print.')
    const client = await context.client({ many: all })
    if (isOnlyShown(context)) return shown(request, client.address[request.base], globals.curl)
    if (all) return { kind: 'text', text: harmless(await everyPage(client, request, env.now), env) }
    const reply = await client.raw(request)
    const failure = failureIn(reply, { address: client.address[request.base], now: env.now() })
    const body = reply.body === '' || reply.body.endsWith('\n') ? reply.body : `${reply.body}\n`
    if (given.flags.include === true) {
      const head = [`HTTP ${reply.status}`, ...Object.entries(reply.headers).map(([name, value]) => `${name}: ${value}`)]
      const end = failure ? { exit: failure.exit, message: failure.message } : {}
      return { kind: 'text', text: harmless(`${head.join('\n')}\n\n${body}`, env), ...end }
    }
    if (failure) throw failure
    return { kind: 'text', text: harmless(body, env) }
  },
}

/** What came is data, byte for byte, unless a terminal would obey it. */
const harmless = (text: string, { stdout }: Context['env']): string => (stdout.isTTY ? safeLines(text) : text)

function shown(request: AddressedRequest, address: string, curl: boolean): Result {
  const { body } = request
  if (!curl && body !== undefined && !isJson(body)) fail('usage', 'The body is not JSON; --generate curl shows it as it is.')
  return shownInstead(shownRequest(request), address, curl)
}

async function requestFrom(given: Given, context: Context): Promise<AddressedRequest> {
  const fields = fieldsFrom(given)
  const hasFields = Object.keys(fields).length > 0
  const { method, path } = targetOf(given, hasFields || given.flags.input !== undefined)
  const headers = Object.fromEntries(texts(given, 'header').map(readHeader))
  const inQuery = method === 'GET' || method === 'DELETE'
  const url = inQuery && hasFields ? withQuery(path, fields) : path
  const body = given.flags.input === undefined ? undefined : await readInput(String(given.flags.input), context)
  if (body !== undefined && hasFields && !inQuery) fail('usage', 'Give the body either with --input or by fields, not both.')
  const text = body ?? (hasFields && !inQuery ? JSON.stringify(fields) : undefined)
  return { base: baseOf(url), method, url, headers, ...(text === undefined ? {} : { body: text }) }
}

function targetOf({ id, second }: Given, hasBody: boolean): { method: Method; path: string } {
  const alone = second === undefined && id?.startsWith('/')
  const path = alone ? id : second
  if (path === undefined) return fail('usage', 'Give a method and a path, such as: bookctl api GET /api/v3/me')
  const word = (alone ? (hasBody ? 'POST' : 'GET') : (id as string)).toUpperCase()
  const method = methods.find((one) => one === word) ?? fail('usage', `The method must be one of ${methods.join(', ')}; "${id}" is none.`)
  if (!/^\/[\x21-\x7e]*$/.test(path))
    fail('usage', 'The path must begin with / and be percent-encoded; the address is that of the profile.')
  // A dot segment would be folded away, and the credential go where another path should.
  if (/(?:^|\/)\.{1,2}(?:[/?#]|$)/.test(path) || path.startsWith('//')) fail('usage', `"${path}" is not a plain path.`)
  return { method, path }
}

function fieldsFrom(given: Given): Record<string, unknown> {
  const fields: Record<string, unknown> = {}
  for (const text of texts(given, 'field')) put(fields, ...readPair(text, '-f'))
  for (const text of texts(given, 'typed-field')) {
    const [name, value] = readPair(text, '-F')
    try {
      put(fields, name, JSON.parse(value))
    } catch (error) {
      fail('usage', `-F ${name} takes JSON; for a text write -f ${name}=…. (${(error as Error).message})`, { cause: error })
    }
  }
  return fields
}

const texts = ({ flags }: Given, name: string): string[] => (flags[name] as string[] | undefined) ?? []

function readPair(text: string, flag: string): [string, string] {
  const sign = text.indexOf('=')
  return sign < 1 ? fail('usage', `${flag} takes NAME=VALUE; "${text}" has no name.`) : [text.slice(0, sign), text.slice(sign + 1)]
}

function readHeader(text: string): [string, string] {
  const colon = text.indexOf(':')
  if (colon < 1) fail('usage', `-H takes "name: value"; "${text}" has no name.`)
  return [text.slice(0, colon).trim().toLowerCase(), text.slice(colon + 1).trim()]
}

/** `put(fields, 'customer.name', 'Ada')` makes `{"customer":{"name":"Ada"}}`. */
function put(fields: Record<string, unknown>, name: string, value: unknown): void {
  const parts = name.split('.')
  const last = parts.pop() as string
  let place = fields
  for (const part of parts) {
    if (!Object.hasOwn(place, part)) Object.defineProperty(place, part, { value: {}, enumerable: true, writable: true, configurable: true })
    const inner = place[part]
    if (typeof inner !== 'object' || inner === null || Array.isArray(inner)) fail('usage', `${name}: ${part} is not an object.`)
    place = inner as Record<string, unknown>
  }
  Object.defineProperty(place, last, { value, enumerable: true, writable: true, configurable: true })
}

function withQuery(path: string, fields: Record<string, unknown>): string {
  const [place = '', query = ''] = path.split('?')
  const search = new URLSearchParams(query)
  for (const [name, value] of Object.entries(fields)) search.append(name, typeof value === 'string' ? value : JSON.stringify(value))
  return `${place}?${search}`
}

async function readInput(file: string, { env }: Context): Promise<string> {
  if (file === '-') return env.stdin.read()
  return (await import('../cli/files.ts')).readTextFile(file, '--input')
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
