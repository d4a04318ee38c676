import { execFileSync } from 'node:child_process'
import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { openRecording } from '../../src/cli/payload-files.ts'

const folder = mkdtempSync(join(tmpdir(), 'bookctl-recording-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const at = (name: string) => join(folder, name)
const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8)
const recorded = { received_at: '2026-11-23T08:00:00.000000Z', headers: { 'webhook-id': 'id' }, body: '{}' }

describe('a recording', () => {
  test('is made for its owner alone, and added to', () => {
    for (const _ of [1, 2]) {
      const recording = openRecording('events.ndjson', { cwd: folder } as never)
      recording.add(recorded)
      recording.close()
    }
    const line = `${JSON.stringify(recorded)}\n`
    expect([readFileSync(at('events.ndjson'), 'utf8'), modeOf(at('events.ndjson'))]).toEqual([line + line, '600'])
  })

  test('is not made of a pipe that nobody reads, and that does not wait for somebody', () => {
    execFileSync('mkfifo', [at('pipe')])
    chmodSync(at('pipe'), 0o644)
    expect(() => openRecording('pipe', { cwd: folder } as never)).toThrow('it is not a file')
    expect(modeOf(at('pipe'))).toBe('644')
  })

  test('is not made of what holds something else, by its name or through a link', () => {
    writeFileSync(at('victim'), 'precious\n', { mode: 0o644 })
    chmodSync(at('victim'), 0o644)
    symlinkSync(at('victim'), at('link'))
    for (const name of ['victim', 'link']) {
      expect(() => openRecording(name, { cwd: folder } as never)).toThrow('it holds something else already, and was left as it was')
    }
    expect([readFileSync(at('victim'), 'utf8'), modeOf(at('victim'))]).toEqual(['precious\n', '644'])
  })
})
