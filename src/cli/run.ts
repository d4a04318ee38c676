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
    return report(error, argv, env)
  }
}

async function execute(argv: string[], env: Env, program: Program): Promise<number> {
  const chosen = await choose(argv, program.entries)
  if (chosen.kind === 'help') {
    const { commandHelp, groupHelp, rootHelp } = await import('./help.ts')
    const { about, name } = chosen
    await put(about === undefined ? rootHelp(program.entries) : 'commands' in about ? groupHelp(about) : commandHelp(about, name), env)
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
  let loss: AppError | undefined
  if (result.kind === 'text' && !(await put(result.text, env))) loss = (await import('../output/told-once.ts')).lossIn(result.text)
  if (result.kind === 'record') {
    const { renderRecord } = await import('../output/render.ts')
    const text = await renderRecord(result.record, result.view ?? { columns: [] }, look)
    if (!(await put(text, env))) loss = (await import('../output/told-once.ts')).lossOf([result.record], look)
  }
  if (result.kind === 'list') {
    const shown = await showList(result, context)
    exit = Math.max(exit, shown.exit)
    loss = shown.loss
  }
  if (result.message) await context.say(result.message)
  if (loss) throw loss
  return exit
}

/** Hands text to whoever reads stdout. False when nobody does any more, who has seen enough, as `head` has: no failure of ours. */
async function put(text: string, { stdout }: Env): Promise<boolean> {
  try {
    await stdout.write(text)
    return true
  } catch (error) {
    if (['EPIPE', 'ERR_STREAM_DESTROYED'].includes((error as { code?: string }).code ?? '')) return false
    throw error
  }
}

/** Shows rows as they happen, until nobody reads them any more, and then says what there is to say of the whole. */
async function showStream({ rows, view, goesOnUnread, after }: Extract<Result, { kind: 'stream' }>, { env, look }: Context): Promise<void> {
  const { renderStream } = await import('../output/render.ts')
  for await (const piece of renderStream(rows, view, look)) if (!(await put(piece, env)) && !goesOnUnread) break
  await after?.()
}

type Row = Record<string, unknown>

async function showList(
  { pages, view, total }: Extract<Result, { kind: 'list' }>,
  context: Context,
): Promise<{ exit: number; loss: AppError | undefined }> {
  const { env, look, globals } = context
  let shown = 0
  let last: Page<unknown>['pagination'] | undefined
  let page: Row[] = []
  let isRead = true
  let isWhole = false
  async function* rows(): AsyncGenerator<Row> {
    for await (const { collection, pagination } of pages) {
      last = pagination
      shown += collection.length
      page = collection as Row[]
      yield* page
    }
    isWhole = true
  }
  const { renderPage, renderRows } = await import('../output/render.ts')
  if (look.format === 'json') {
    const collection: Row[] = []
    for await (const row of rows()) collection.push(row)
    isRead = await put(await renderPage({ collection, pagination: { ...last, count: shown } }, view, look), env)
  } else {
    for await (const piece of renderRows(rows(), view, look)) {
      isRead = await put(piece, env)
      // No more pages are fetched for nobody.
      if (!isRead) break
    }
  }
  // What is told once comes as one page.
  const loss = isRead ? undefined : (await import('../output/told-once.ts')).lossOf(page, look)
  // Of rows that were not fetched there is nothing to say.
  if (!isWhole && shown < (globals.all ? Number.POSITIVE_INFINITY : globals.limit)) return { exit: 0, loss }
  if (shown === 0 && view.empty) await context.say(view.empty)
  if (!last?.next_page_token && (total ?? 0) <= shown) return { exit: 0, loss }
  await context.say(`Showing ${shown} of ${total ?? 'more'}. Use --all.`)
  return { exit: globals.requireComplete ? 12 : 0, loss }
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

/** Tells what went wrong on stderr, as JSON where results would be JSON. */
async function report(error: unknown, argv: string[], env: Env): Promise<number> {
  const known =
    error instanceof AppError
      ? error
      : new AppError('unexpected', `Something unexpected happened: ${(error as Error)?.message ?? error}.`, { cause: error })
  const { renderError } = await import('../output/errors.ts')
  const { safeLines } = await import('../output/view.ts')
  const debug = argv.includes('--debug') || Boolean(env.variables.BOOKCTL_DEBUG)
  const color = isColored(env.stderr.isTTY, argv.includes('--no-color'), env.variables)
  const text = renderError(known, { format: formatOfErrors(argv, env), color, verbose: debug })
  const stack = debug && !(error instanceof AppError) ? `${safeLines((error as Error)?.stack ?? '')}\n` : ''
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
