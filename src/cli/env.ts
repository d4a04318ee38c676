/** The only reader of `process`, of the clock and of randomness. Everything else is handed an `Env`. */
import { fstatSync, statSync, writeSync } from 'node:fs'
import type { Readable, Writable } from 'node:stream'
import { createStop } from '../client/stop.ts'
import type { Signal } from '../contract/endpoint.ts'
import { AppError } from '../contract/errors.ts'

export interface Output {
  /** Resolves once the text is handed on, so that a slow pipe slows us down. Rejects with `EPIPE` when nobody reads any more; stderr never does. */
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
  /** Whether there is a process of this machine with that id. */
  isRunning(pid: number): boolean
  /** Milliseconds since the epoch. */
  now(): number
  /** A UUID. */
  newId(): string
  /** Tells requests apart in logs; needs no strength. */
  newRequestId(): string
  random(): number
  sleep(ms: number, signal?: Signal): Promise<void>
  /** The IANA zone of the machine. */
  zone(): string
  /** Aborted by Ctrl-C and by SIGTERM; the reason is the AppError to end with. */
  interrupt: Signal
  /** Listens for signals from now on, for a command that others will wait for. */
  listen(): void
}

/**
 * `release` says that all is done, and no signal need be waited for. It gives back whether the process may end at once: none of
 * node's own streams was used, which may still have something to write.
 */
export function systemEnv(): Env & { release(): boolean } {
  const { release, ...signals } = onSignals()
  let streams = 0
  const used = <S>(stream: S): S => {
    streams += 1
    return stream
  }
  return {
    variables: process.env,
    get stdin() {
      const stream = used(process.stdin)
      const read = () => {
        signals.listen()
        return readAll(stream)
      }
      return { isTTY: stream.isTTY === true, stream, read }
    },
    stdout: output(1, () => used(process.stdout)),
    stderr: unheard(output(2, () => used(process.stderr))),
    cwd: process.cwd(),
    home: process.env.HOME ?? process.env.USERPROFILE ?? '/',
    platform: process.platform,
    pid: process.pid,
    isRunning,
    now: () => Date.now(),
    newId: () => (require('node:crypto') as typeof import('node:crypto')).randomUUID(),
    newRequestId: () => `req_${Date.now().toString(36)}${Math.random().toString(36).slice(2, 10)}`,
    random: () => Math.random(),
    sleep,
    zone: () => process.env.TZ?.replace(/^:/, '') || Intl.DateTimeFormat().resolvedOptions().timeZone,
    ...signals,
    release() {
      release()
      return streams === 0
    },
  }
}

/**
 * Standard output and error. To a file, a pipe or nowhere text is written directly: node's own streams cost a tenth of the time a
 * short command takes, and would write just as synchronously. A terminal, and whatever cannot take more now, is left to them.
 */
function output(fd: 1 | 2, stream: () => NodeJS.WriteStream): Output {
  let direct: boolean | undefined
  let guarded = false
  const isDirect = () => {
    direct ??= isPlain(fd)
    return direct
  }
  const rest = (text: Buffer) => {
    direct = false
    const target = stream()
    // Without a listener a closed pipe would end the process with a stack; the write's own callback tells us.
    if (!guarded) target.on('error', () => undefined)
    guarded = true
    return new Promise<void>((resolve, reject) => target.write(text, (error) => (error ? reject(error) : resolve())))
  }
  return {
    get stream() {
      direct = false
      return stream()
    },
    get isTTY() {
      return !isDirect() && stream().isTTY === true
    },
    get columns() {
      return isDirect() ? undefined : stream().columns
    },
    async write(text) {
      const bytes = Buffer.from(text)
      const written = isDirect() ? writeDirectly(fd, bytes) : 0
      if (written < bytes.length) await rest(bytes.subarray(written))
    },
  }
}

/** Standard error: what cannot be told there cannot be told anywhere, and changes neither what is done nor the exit code. */
function unheard(target: Output): Output {
  const write = (text: string) => target.write(text).catch(() => undefined)
  return {
    write,
    get stream() {
      return target.stream
    },
    get isTTY() {
      return target.isTTY
    },
    get columns() {
      return target.columns
    },
  }
}

function isPlain(fd: number): boolean {
  try {
    if (process.platform === 'win32') return false
    const found = fstatSync(fd)
    return !found.isCharacterDevice() || found.rdev === statSync('/dev/null').rdev
  } catch {
    return false
  }
}

/** Gives back how many bytes went out before there was no room. @throws as `write(2)` does otherwise, `EPIPE` for one */
function writeDirectly(fd: number, bytes: Buffer): number {
  let written = 0
  try {
    while (written < bytes.length) written += writeSync(fd, bytes, written)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error
  }
  return written
}

async function readAll(stream: Readable): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of stream) chunks.push(Buffer.from(chunk as Uint8Array))
  return Buffer.concat(chunks).toString('utf8')
}

function isRunning(pid: number): boolean {
  try {
    // Signal 0 is none: it only asks.
    return process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

function sleep(ms: number, signal?: Signal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', done)
      resolve()
    }
    const timer = setTimeout(done, ms)
    if (signal?.aborted) done()
    else signal?.addEventListener('abort', done, { once: true })
  })
}

/**
 * The first signal asks for an orderly end; a second one ends the process at once. Nothing can be told of a signal before the
 * event loop turns, so nobody listens before either: a command on the local profile is over by then.
 */
function onSignals() {
  const controller = createStop()
  const soon = setImmediate(listen)
  function listen(): void {
    clearImmediate(soon)
    if (listening) return
    listening = true
    process.on('SIGINT', onInterrupt)
    process.on('SIGTERM', onTerminate)
  }
  const onInterrupt = () => end(new AppError('interrupted', 'Interrupted.'))
  const onTerminate = () => end(new AppError('terminated', 'Terminated.'))
  function end(reason: AppError): void {
    // Whoever signals again, by either, means at once.
    process.off('SIGINT', onInterrupt).off('SIGTERM', onTerminate)
    controller.abort(reason)
  }
  let listening = false
  return { interrupt: controller.signal, listen, release: () => clearImmediate(soon) }
}
