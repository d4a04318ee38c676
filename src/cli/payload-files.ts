/** What the desk's side of webhooks keeps in files: signing keys, headers, and recordings of what came. */
import { fail } from '../contract/errors.ts'
import { exists, openPrivateLog, pathFrom, readTextFile, writePrivateFile } from './files.ts'

type Where = { stdin: { read(): Promise<string> }; cwd: string }

/** A delivery as it came: one line of a recording. */
export interface Recorded {
  received_at: string
  /** Names in lower case. */
  headers: Record<string, string>
  /** As it came, before anybody parsed it. */
  body: string
}

/** The text of a file, or of stdin for `-`. @throws AppError `usage` when it cannot be read */
export function readInput(path: string, flag: string, { stdin, cwd }: Where): Promise<string> | string {
  return path === '-' ? stdin.read() : readTextFile(pathFrom(cwd, path), flag)
}

/** A signing key, without the line break that editors put behind it. @throws AppError `usage` when there is none */
export async function readSigningKeyFile(path: string, where: Where): Promise<string> {
  const key = (await readInput(path, '--signing-key-file', where)).replace(/\r?\n$/, '')
  return key || fail('usage', `--signing-key-file: there is no signing key ${path === '-' ? 'on stdin' : `in ${path}`}.`)
}

/** The signing key of a file; where there is no such file yet, a fresh key, which the file holds from then on (0600). */
export async function keepSigningKey(path: string, fresh: () => string, where: Where): Promise<string> {
  const file = pathFrom(where.cwd, path)
  if (path === '-' || exists(file)) return readSigningKeyFile(path, where)
  const key = fresh()
  writePrivateFile(file, '--signing-key-file', `${key}\n`)
  return key
}

/** Headers as they were typed, or as a file has them: lines of `Name: value`, or a JSON object. Names in lower case. */
export function readHeaders(typed: string[], file: string | undefined, where: Where): Record<string, string> {
  const text = file === undefined ? '' : readTextFile(pathFrom(where.cwd, file), '--headers-file')
  const ofFile = text.trimStart().startsWith('{') ? fromObject(text) : text.split(/\r?\n/).filter((line) => line.trim() !== '')
  return Object.fromEntries([
    ...ofFile.map((line) => readHeader(line, '--headers-file')),
    ...typed.map((one) => readHeader(one, '--header')),
  ])
}

function fromObject(text: string): string[] {
  try {
    return Object.entries(JSON.parse(text)).map(([name, value]) => `${name}: ${value}`)
  } catch (error) {
    return fail('usage', `--headers-file: this is not JSON: ${(error as Error).message}.`, { cause: error })
  }
}

function readHeader(text: string, flag: string): [string, string] {
  const colon = text.indexOf(':')
  if (colon < 1) fail('usage', `${flag} takes "name: value"; "${text}" has no name.`)
  return [text.slice(0, colon).trim().toLowerCase(), text.slice(colon + 1).trim()]
}

/** What `webhooks listen --record` has written. @throws AppError `usage` that names the line that is something else */
export function readRecording(path: string, flag: string, where: Where): Recorded[] {
  const lines = readTextFile(pathFrom(where.cwd, path), flag).split('\n')
  const recorded = lines.flatMap((line, index) => (line.trim() === '' ? [] : [recordedIn(line, `${flag}: line ${index + 1} of ${path}`)]))
  return recorded.length > 0 ? recorded : fail('usage', `${flag}: there is nothing in ${path}.`)
}

function recordedIn(line: string, place: string): Recorded {
  try {
    const { received_at, headers, body } = JSON.parse(line)
    const isHeaders = typeof headers === 'object' && headers !== null && Object.values(headers).every((value) => typeof value === 'string')
    if (typeof received_at === 'string' && isHeaders && typeof body === 'string') return { received_at, headers, body }
  } catch {
    // Told below.
  }
  return fail('usage', `${place} is no recorded delivery; each line is {"received_at", "headers", "body"}.`)
}

export interface Recording {
  add(recorded: Recorded): void
  close(): void
}

/** A recording to add to. It holds personal data, so that only its owner may read it; what is no recording is left alone. */
export function openRecording(path: string, { cwd }: Where): Recording {
  const log = openPrivateLog(pathFrom(cwd, path), '--record', { beginning: /^\s*\{\s*"(received_at|headers|body)"\s*:/ })
  return { add: (recorded) => log.add(JSON.stringify(recorded)), close: log.close }
}

/** The kind of event that a body says it is; undefined where it says nothing. */
export function eventIn(body: string): string | undefined {
  const { event } = objectIn(body)
  return typeof event === 'string' ? event : undefined
}

/** A body's members; none where it is no JSON object. */
export function objectIn(body: string): { event?: unknown; payload?: { name?: unknown; uri?: unknown } } {
  try {
    return JSON.parse(body) ?? {}
  } catch {
    return {}
  }
}
