/** The only reader of `process`, of the clock and of randomness. Everything else is handed an `Env`. */
import type { Readable, Writable } from 'node:stream'
import { AppError } from '../contract/errors.ts'

export interface Output {
  /** Resolves once the text is handed on, so that a slow pipe slows us down. Rejects with `EPIPE` when nobody reads any more. */
  write(text: string): Promise<void>
  isTTY: boolean
  /** Cells in a line, where it is a terminal. */
  columns: number | undefined
  stream: Writable
}

export interface Env {
  variables: Record<string, string | undefined>
  stdin: { isTTY: boolean; stream: Readable; read(): Promise<string> }
  stdout: Output
  stderr: Output
  cwd: string
  home: string
  platform: string
  pid: number
  /** Milliseconds since the epoch. */
  now(): number
  /** A UUID. */
  newId(): string
  /** Tells requests apart in logs; needs no strength. */
  newRequestId(): string
  random(): number
  sleep(ms: number, signal?: AbortSignal): Promise<void>
  /** The IANA zone of the machine. */
  zone(): string
  /** Aborted by Ctrl-C and by SIGTERM; the reason is the AppError to end with. */
  interrupt: AbortSignal
}

export function systemEnv(): Env {
  return {
    variables: process.env,
    get stdin() {
      const stream = process.stdin
      return { isTTY: stream.isTTY === true, stream, read: () => readAll(stream) }
    },
    stdout: output(() => process.stdout),
    stderr: output(() => process.stderr),
    cwd: process.cwd(),
    home: process.env.HOME ?? process.env.USERPROFILE ?? '/',
    platform: process.platform,
    pid: process.pid,
    now: () => Date.now(),
    newId: () => (require('node:crypto') as typeof import('node:crypto')).randomUUID(),
    newRequestId: () => `req_${Date.now().toString(36)}${Math.random().toString(36).slice(2, 10)}`,
    random: () => Math.random(),
    sleep,
    zone: () => process.env.TZ?.replace(/^:/, '') || Intl.DateTimeFormat().resolvedOptions().timeZone,
    interrupt: onSignals(),
  }
}

function output(stream: () => NodeJS.WriteStream): Output {
  let guarded = false
  return {
    get stream() {
      return stream()
    },
    get isTTY() {
      return stream().isTTY === true
    },
    get columns() {
      return stream().columns
    },
    write(text) {
      const target = stream()
      // Without a listener a closed pipe would end the process with a stack; the write's own callback tells us.
      if (!guarded) target.on('error', () => undefined)
      guarded = true
      return new Promise((resolve, reject) => target.write(text, (error) => (error ? reject(error) : resolve())))
    },
  }
}

async function readAll(stream: Readable): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of stream) chunks.push(Buffer.from(chunk as Uint8Array))
  return Buffer.concat(chunks).toString('utf8')
}

function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', done)
      resolve()
    }
    const timer = setTimeout(done, ms)
    if (signal?.aborted) done()
    else signal?.addEventListener('abort', done)
  })
}

/** The first signal asks for an orderly end; a second one ends the process at once. */
function onSignals(): AbortSignal {
  const controller = new AbortController()
  process.once('SIGINT', () => controller.abort(new AppError('interrupted', 'Interrupted.')))
  process.once('SIGTERM', () => controller.abort(new AppError('terminated', 'Terminated.')))
  return controller.signal
}
