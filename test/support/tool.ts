import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough, Readable } from 'node:stream'
import { setTimeout } from 'node:timers/promises'
import type { Env, Output } from '../../src/cli/env.ts'
import { run } from '../../src/cli/run.ts'
import { entries } from '../../src/commands/index.ts'
import type { Transport } from '../../src/contract/endpoint.ts'
import { createApp } from '../../src/service/app.ts'
import { checkReply } from './contract-check.ts'
import type { ServiceWorld } from './service.ts'

export interface Ran {
  exit: number
  stdout: string
  stderr: string
}

export interface Tool {
  /** Where it runs: files are named from here. */
  home: string
  /** Runs the tool in this process, on a local profile whose service is that of the world. */
  run(args: string[], stdin?: string): Promise<Ran>
  /** The same, with stdout read as JSON; expects exit 0. */
  // biome-ignore lint/suspicious/noExplicitAny: a test says what it expects of a result
  json(args: string[], stdin?: string): Promise<any>
  close(): void
}

export interface ToolOptions {
  /** Waits as long as it is told to, for what others do meanwhile; a tool without it waits for nothing. */
  isPatient?: boolean
}

/** The tool of whoever the world's owner trusts with the database file: its requests are the owner's. */
export function createTool({ service, owner, clock }: ServiceWorld, { isPatient = false }: ToolOptions = {}): Tool {
  const home = mkdtempSync(join(tmpdir(), 'bookctl-tool-'))
  const config = join(home, 'config')
  mkdirSync(config, { mode: 0o700 })
  const profiles = { local: { database: 'business.db', user: owner.user_uuid } }
  writeFileSync(join(config, 'config.json'), JSON.stringify({ profile: 'local', settings: {}, profiles }), { mode: 0o600 })
  const trusted = async () => (await service.store.account.principalOfUser(owner.user_uuid)) as never
  const app = createApp(service.world, { trusted })
  const transport: Transport = async (request) => {
    const reply = await app(request)
    checkReply(request.method, request.url, reply)
    return reply
  }
  const openLocal = async () => ({
    transport,
    address: service.world.address,
    delivered: async () => undefined,
    close: async () => undefined,
  })
  let counted = 0

  const runOnce = async (args: string[], stdin = ''): Promise<Ran> => {
    const [stdout, stderr] = [outputTo(), outputTo()]
    const env: Env = {
      variables: { BOOKCTL_CONFIG_DIR: config },
      stdin: { isTTY: false, stream: Readable.from([stdin]), read: async () => stdin },
      stdout,
      stderr,
      cwd: home,
      home,
      platform: 'linux',
      pid: 1,
      isRunning: () => false,
      now: clock.now,
      newId: () => {
        counted += 1
        return `10000000-0000-4000-8000-${String(counted).padStart(12, '0')}`
      },
      newRequestId: () => 'req',
      random: () => 0.5,
      sleep: isPatient ? (ms) => setTimeout(ms) : async () => undefined,
      zone: () => 'UTC',
      listen: () => undefined,
      interrupt: new AbortController().signal,
    }
    const exit = await run(args, env, { entries, openLocal })
    return { exit, stdout: stdout.text(), stderr: stderr.text() }
  }

  return {
    home,
    run: runOnce,
    async json(args, stdin) {
      const { exit, stdout, stderr } = await runOnce(args, stdin)
      if (exit !== 0) throw new Error(`bookctl ${args.join(' ')}: exit ${exit}\n${stderr}`)
      return JSON.parse(stdout)
    },
    close: () => rmSync(home, { recursive: true, force: true }),
  }
}

function outputTo(): Output & { text(): string } {
  let written = ''
  return {
    async write(text) {
      written += text
    },
    isTTY: false,
    columns: undefined,
    stream: new PassThrough(),
    text: () => written,
  }
}
