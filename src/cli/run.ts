import type { Page, Signal } from '../contract/endpoint.ts'
import { AppError } from '../contract/errors.ts'
import type { Look } from '../output/view.ts'
import type { Context, Entry, Given, OpenLocal, Result } from './command.ts'
import { isColored, openContext } from './context.ts'
import type { Env } from './env.ts'
import { choose } from './program.ts'

/** Milliseconds between a signal and the end of a command that does not heed it. */
const GRACE = 250

export interface Program {
  entries: Entry[]
  openLocal: OpenLocal
}

/**
 * The whole program: what was typed → its exit code. Every error ends here, in one place and one shape; nothing below
 * prints, and nothing below ends the process.
 */
export async function run(argv: string[], env: Env, program: Program): Promise<number> {
  try {
    return await execute(argv, env, program)
  } catch (error) {
    // Whoever read our output has seen enough, as `head` does: no failure of ours.
    if (isClosedPipe(error)) return 0
    return report(error, argv, env)
  }
}

async function execute(argv: string[], env: Env, program: Program): Promise<number> {
  const chosen = await choose(argv, program.entries)
  if (chosen.kind === 'help') {
    const { commandHelp, groupHelp, rootHelp } = await import('./help.ts')
    const { about, name } = chosen
    await env.stdout.write(
      about === undefined ? rootHelp(program.entries) : 'commands' in about ? groupHelp(about) : commandHelp(about, name),
    )
    return 0
  }
  const { context, close } = openContext(chosen.given, env, program)
  const perform = async () => {
    const result = await chosen.command.run(chosen.given, context)
    const after = result.kind === 'stream' ? () => showStream(result, context) : result.after
    // Whoever reads that it is ready may send a signal at once.
    if (after) env.listen()
    return { exit: await show(result, context), after }
  }
  try {
    const { exit, after } = await Promise.race([perform(), leave(env)])
    if (!after) return exit
    // What goes on, goes on until a signal, and ends in its own order, however long that takes.
    await after()
    return env.interrupt.aborted ? interruption(env.interrupt).exit : exit
  } finally {
    await close()
  }
}

async function show(result: Result, context: Context): Promise<number> {
  const { env, look } = context
  let exit = result.exit ?? 0
  if (result.kind === 'text') await env.stdout.write(result.text)
  if (result.kind === 'record') {
    const { renderRecord } = await import('../output/render.ts')
    await env.stdout.write(await renderRecord(result.record, result.view ?? { columns: [] }, look))
  }
  if (result.kind === 'list') exit = Math.max(exit, await showList(result, context))
  if (result.message) await context.say(result.message)
  return exit
}

/** Shows rows as they happen, and then what there is to say of the whole. */
async function showStream({ rows, view, after }: Extract<Result, { kind: 'stream' }>, { env, look }: Context): Promise<void> {
  const { renderStream } = await import('../output/render.ts')
  for await (const piece of renderStream(rows, view, look)) await env.stdout.write(piece)
  await after?.()
}

type Row = Record<string, unknown>

async function showList({ pages, view, total }: Extract<Result, { kind: 'list' }>, context: Context): Promise<number> {
  const { env, look, globals } = context
  let shown = 0
  let last: Page<unknown>['pagination'] | undefined
  async function* rows(): AsyncGenerator<Row> {
    for await (const { collection, pagination } of pages) {
      last = pagination
      shown += collection.length
      yield* collection as Row[]
    }
  }
  const { renderPage, renderRows } = await import('../output/render.ts')
  if (look.format === 'json') {
    const collection: Row[] = []
    for await (const row of rows()) collection.push(row)
    await env.stdout.write(await renderPage({ collection, pagination: { ...last, count: shown } }, view, look))
  } else {
    for await (const piece of renderRows(rows(), view, look)) await env.stdout.write(piece)
  }
  if (shown === 0 && view.empty) await context.say(view.empty)
  if (!last?.next_page_token && (total ?? 0) <= shown) return 0
  await context.say(`Showing ${shown} of ${total ?? 'more'}. Use --all.`)
  return globals.requireComplete ? 12 : 0
}

/**
 * Ends a command that a signal did not end: one that reads stdin, say. A call to the service ends itself, and can tell
 * whether anything was changed; it is given the time to say so.
 */
async function leave({ interrupt, sleep }: Env): Promise<never> {
  await new Promise<void>((resolve) => {
    if (interrupt.aborted) resolve()
    else interrupt.addEventListener('abort', () => resolve(), { once: true })
  })
  await sleep(GRACE)
  throw interruption(interrupt)
}

/** The error that a signal ends a command with. */
const interruption = ({ reason }: Signal): AppError => (reason instanceof AppError ? reason : new AppError('interrupted', 'Interrupted.'))

const isClosedPipe = (error: unknown): boolean => ['EPIPE', 'ERR_STREAM_DESTROYED'].includes((error as { code?: string })?.code ?? '')

/** Tells what went wrong on stderr, as JSON where results would be JSON. */
async function report(error: unknown, argv: string[], env: Env): Promise<number> {
  const known =
    error instanceof AppError
      ? error
      : new AppError('unexpected', `Something unexpected happened: ${(error as Error)?.message ?? error}.`, { cause: error })
  const { renderError } = await import('../output/errors.ts')
  const debug = argv.includes('--debug') || Boolean(env.variables.BOOKCTL_DEBUG)
  const color = isColored(env.stderr.isTTY, argv.includes('--no-color'), env.variables)
  const text = renderError(known, { format: formatOfErrors(argv, env), color, verbose: debug })
  const stack = debug && !(error instanceof AppError) ? `${(error as Error)?.stack ?? ''}\n` : ''
  await env.stderr.write(text + stack)
  return known.exit
}

/** Found without parsing, since parsing may be what failed. */
function formatOfErrors(argv: string[], env: Env): Look['format'] {
  const given: Given['flags'] = {}
  for (const [index, word] of argv.entries()) {
    if (word === '--') break
    if (word === '--json') given.output = 'json'
    if (word === '-o' || word === '--output') given.output = argv[index + 1]
    if (word.startsWith('--output=')) given.output = word.slice(9)
    if (/^-o[a-z]+$/.test(word)) given.output = word.slice(2)
  }
  const format = given.output ?? env.variables.BOOKCTL_OUTPUT ?? (env.stdout.isTTY ? 'table' : 'json')
  return format === 'table' || format === 'ids' || format === 'csv' ? 'table' : 'json'
}
