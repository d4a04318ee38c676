/**
 * What commands have at a service for as long as they run, written down before it is made: a run that is killed cannot take it
 * away, a later one can. A file for each run, so that none waits for another.
 */
import { readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { makePrivateDirectory } from './files.ts'

export interface Trace {
  profile: string
  /** Which service: its address, or the database of a local profile. */
  service: string
  /** The address that it was told. */
  url: string
  /** Of the process that takes it away itself, as long as it runs. */
  pid: number
}

export interface Left extends Trace {
  erase(): void
}

const folderIn = (state: string): string => join(state, 'listening')

const leftIn = (file: string, trace: Trace): Left => ({ ...trace, erase: () => rmSync(file, { force: true }) })

/** @throws where it cannot be written */
export function leaveTrace(state: string, name: string, trace: Trace): Left {
  const folder = folderIn(state)
  makePrivateDirectory(folder)
  const file = join(folder, `${name}.json`)
  // Moved into place, so that nobody reads half of it.
  writeFileSync(`${file}.new`, JSON.stringify(trace), { mode: 0o600 })
  renameSync(`${file}.new`, file)
  return leftIn(file, trace)
}

/** The traces there are, of whichever service. */
export function readTraces(state: string): Left[] {
  const folder = folderIn(state)
  return namesIn(folder).flatMap((name) => {
    const file = join(folder, name)
    const trace = traceIn(file)
    return trace ? [leftIn(file, trace)] : []
  })
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).filter((name) => name.endsWith('.json'))
  } catch {
    return []
  }
}

function traceIn(file: string): Trace | undefined {
  try {
    const { profile, service, url, pid } = JSON.parse(readFileSync(file, 'utf8'))
    return typeof service === 'string' && typeof url === 'string' && Number.isInteger(pid) ? { profile, service, url, pid } : undefined
  } catch {
    return undefined
  }
}
