import type { PagedEndpoint } from '../client/client.ts'
import { curlOf, maskRequest } from '../client/mask.ts'
import type { Endpoint, HttpRequest, Input, Output, Page } from '../contract/endpoint.ts'
import { fail } from '../contract/errors.ts'
import { sortedBy } from '../contract/fields.ts'
import { fieldsOf } from '../contract/shape.ts'
import type { View } from '../output/view.ts'
import type { Command, Context, Example, Given, Result } from './command.ts'
import { type FieldFlag, flagsOf, paramFlag, type Renames, readFlags, requireFlags } from './endpoint-flags.ts'
import { inFlags } from './in-flags.ts'
import { limitedList } from './pages.ts'
import { confirmDestroying } from './prompt.ts'

type AnyInput = { params?: Record<string, unknown>; query?: Record<string, unknown>; body?: Record<string, unknown> }

interface Options<E extends Endpoint> {
  view?: View
  summary?: string
  description?: string
  examples: Example[]
  /** Names of flags, where the usual ones do not fit. */
  flags?: Renames
  /** The order where --sort is left out, for a list that people want in another one than the service's: `id:desc`. */
  sort?: string
  /** Fields that are no flags here. */
  without?: string[]
  /** Parts of the path that are typed as flags, each with its sentence: `{ session_id: 'The session' }`. */
  paramFlags?: Record<string, string>
  /** What would be lost, as in "erase customer 7"; such a command asks first. */
  destroys?: (input: AnyInput) => string
  /** What to say when it is done. */
  message?: (input: AnyInput, output: Output<E>) => string
  aliases?: string[]
  /** Flags of which one is needed, as `[['customer', 'customer-name']]`. */
  needs?: string[][]
}

const aliases: Record<string, string[]> = { list: ['ls'], delete: ['rm'] }

/**
 * A command that is one call of one endpoint: its flags, its checks and its help come from the contract. They are derived when
 * first asked for: of a group's commands one is run.
 */
export function endpointCommand<E extends Endpoint>(name: string, endpoint: E, options: Options<E>): Command {
  const { paramFlags = {}, sort } = options
  let derived: FieldFlag[] | undefined
  const flagsNow = () => {
    derived ??= [
      ...Object.entries(paramFlags).flatMap(([param, sentence]) => paramFlag(endpoint, param, sentence)),
      ...flagsOf(endpoint, options.flags)
        .filter(({ path }) => !options.without?.includes(path.join('.')))
        .map((flag) => (flag.name === 'sort' && sort ? { ...flag, description: sortedBy(sort) } : flag)),
    ]
    return derived
  }
  // The names between the braces of the path.
  const param = endpoint.path.split(/[{}]/).find((name, index) => index % 2 === 1 && !(name in paramFlags))
  const { success } = endpoint
  const writes = endpoint.method !== 'GET'
  return {
    name,
    aliases: options.aliases ?? aliases[name] ?? [],
    summary: options.summary ?? endpoint.summary,
    ...(options.description ? { description: options.description } : {}),
    ...(param
      ? {
          positional: { name: param.replace(/_/g, '-').toUpperCase(), description: `The id of the ${nounOf(param)}`, required: true },
        }
      : {}),
    get flags() {
      return flagsNow()
    },
    examples: options.examples,
    get fields() {
      return fieldsOf(success.record ?? success.page ?? success.rows ?? success.bare)
    },
    lists: success.page ? 'pages' : success.rows ? 'rows' : undefined,
    writes,
    destroys: options.destroys !== undefined,
    hasBody: endpoint.body !== undefined,
    exits: exitsOf(endpoint),
    async run(given, context) {
      const flags = flagsNow()
      const read = await readFlags(flags, given, context)
      if (sort) read.query.sort ??= sort
      const params = { ...read.params, ...(param ? { [param]: readId(given, param) } : {}) }
      requireFlags(flags, read, options.needs)
      if (endpoint.method === 'PATCH' && Object.keys(read.body).length === 0) failUnchanged(flags)
      try {
        return await perform(endpoint, { ...read, ...(endpoint.params ? { params } : { params: undefined }) } as AnyInput, options, context)
      } catch (error) {
        throw inFlags(error, flags)
      }
    },
  }
}

function failUnchanged(flags: FieldFlag[]): never {
  fail('usage', `There is nothing to change. Give at least one of ${flags.map(({ name }) => `--${name}`).join(', ')}.`)
}

/**
 * Calls an endpoint as the global flags want it: shown instead of sent, asked about first, or just done.
 */
export async function perform<E extends Endpoint>(
  endpoint: E,
  input: AnyInput,
  { view = { columns: [] }, destroys, message }: Pick<Options<E>, 'view' | 'destroys' | 'message'>,
  context: Context,
): Promise<Result> {
  const { globals, env } = context
  const client = await context.client({ many: endpoint.success.page !== undefined && (globals.all || globals.limit > 100) })
  const typed = input as Input<E>
  if (isOnlyShown(context)) return shownInstead(client.request(endpoint, typed), client.address[endpoint.base], globals.curl)
  if (destroys) await confirmDestroying(destroys(input), globals.yes, env, globals.noInput)
  if (endpoint.success.page) {
    const start = globals.pageToken === undefined ? input : { ...input, query: { ...input.query, page_token: globals.pageToken } }
    const limit = globals.all ? Number.POSITIVE_INFINITY : globals.limit
    const pages: AsyncIterable<Page<unknown>> = client.pages(endpoint as Endpoint as PagedEndpoint, start as never, { limit }) as never
    return { kind: 'list', pages, view }
  }
  const output = await client.call(endpoint, typed)
  const said = message ? { message: message(input, output) } : {}
  if (output === undefined) return { kind: 'done', ...said }
  if (endpoint.success.rows) {
    const { collection } = output as { collection: unknown[] }
    return { ...limitedList(collection, view, globals), ...said }
  }
  return { kind: 'record', record: output as Record<string, unknown>, view, ...said }
}

/** Whether requests are shown and not sent: with --dry-run, and with --generate curl. */
export const isOnlyShown = ({ globals }: Context): boolean => globals.dryRun || globals.curl

/** The request instead of its reply, secrets masked. */
export function shownInstead(request: HttpRequest, address: string, curl: boolean): Result {
  if (curl) return { kind: 'text', text: `${curlOf(request, address)}\n` }
  const { method, url, headers, body } = maskRequest(request)
  const record = { method, url: `${address}${url}`, headers, body: body === undefined ? null : JSON.parse(body) }
  return { kind: 'record', record, message: 'Dry run: nothing was sent.' }
}

/** The positional as the id that the path takes. @throws AppError `usage` when it is missing, or no number */
export function readId({ id }: Given, name: string): number | string {
  if (id === undefined) fail('usage', `The ${nounOf(name)} is missing: give its id.`)
  if (!name.endsWith('_id')) return id
  return /^[1-9]\d{0,14}$/.test(id) ? Number(id) : fail('usage', `The id of a ${nounOf(name)} is a whole number; "${id}" is not.`)
}

const nounOf = (param: string): string => param.replace(/_(?:id|uuid)$/, '').replaceAll('_', ' ')

function exitsOf({ errors = [], auth, role }: Endpoint): number[] {
  const exits = new Set<number>()
  if (auth !== 'none') exits.add(3)
  if (errors.includes('not_found')) exits.add(4)
  if (
    errors.some((code) =>
      ['already_exists', 'conflict', 'slot_taken', 'session_full', 'illegal_transition', 'precondition_failed'].includes(code),
    )
  )
    exits.add(5)
  if (role) exits.add(6)
  return [...exits, 7, 8, 9].sort((a, b) => a - b)
}
