import type { Command, Context, Given } from '../cli/command.ts'
import { pathFrom } from '../cli/files.ts'
import { userAgent } from '../cli/version.ts'
import type { Signal } from '../contract/endpoint.ts'
import { fail } from '../contract/errors.ts'

export const command: Command = {
  name: 'serve',
  summary: 'The service on a port',
  description:
    'Serves the database of the profile, or the one named. Prints one line on stdout when it is ready, and logs to stderr, a line of JSON each. SIGTERM and Ctrl-C stop it in order. A PostgreSQL address with a password belongs in BOOKCTL_DATABASE, not in a flag.',
  flags: [
    { name: 'port', placeholder: 'N', description: 'Port; 0 picks a free one; 4242 when left out' },
    { name: 'host', placeholder: 'ADDRESS', description: 'Address to listen on; 127.0.0.1 when left out' },
    { name: 'database', placeholder: 'FILE|URL', description: 'Another database: a file, or postgres://…' },
    { name: 'public-url', placeholder: 'URL', description: 'The address customers and clients know; kept by the database' },
    { name: 'allow-private-webhooks', description: 'Let webhook subscribers be on this machine and in private networks' },
    { name: 'rate-limit', placeholder: 'N', description: 'Requests a minute for each credential; 1200 when left out, 0 for no limit' },
    { name: 'quiet', short: 'q', description: 'Log faults, start and stop, not every request' },
  ],
  exits: [9, 130, 143],
  examples: [
    { line: 'serve', why: 'The profile, on http://127.0.0.1:4242' },
    { line: 'serve --port 0 -o json', why: 'For a script: prints {"url","pid"}' },
    {
      line: 'serve --database postgres://booking@db.example.com/booking --public-url https://booking.example.com',
      why: 'One of several machines',
    },
  ],
  async run(given, context) {
    const { env, look } = context
    const { serve } = await import('../service/serve.ts')
    const port = portOf(given)
    const public_url = given.flags['public-url'] as string | undefined
    if (public_url !== undefined && !(URL.canParse(public_url) && new URL(public_url).origin === public_url)) {
      fail('usage', `--public-url takes an origin, such as https://booking.example.com; "${public_url}" is none.`)
    }
    const serving = await serve({
      database: databaseOf(given, context),
      host: (given.flags.host as string | undefined) ?? '127.0.0.1',
      port,
      publicUrl: public_url,
      allowPrivateWebhooks: given.flags['allow-private-webhooks'] === true,
      rateLimit: rateLimitOf(given),
      quiet: given.flags.quiet === true,
      user_agent: userAgent,
      log: (line) => void env.stderr.write(`${line}\n`),
    })
    const text =
      look.format === 'json' && context.setting('output') !== undefined
        ? `${JSON.stringify({ url: serving.url, pid: env.pid })}\n`
        : `Listening on ${serving.url}\n`
    return {
      kind: 'text',
      text,
      async after() {
        await untilAborted(env.interrupt)
        await serving.stop()
      },
    }
  },
}

const untilAborted = (signal: Signal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })

function portOf({ flags }: Given): number {
  const text = (flags.port as string | undefined) ?? '4242'
  const port = Number(text)
  return /^\d{1,5}$/.test(text) && port <= 65_535 ? port : fail('usage', `--port must be a whole number from 0 to 65535; "${text}" is not.`)
}

function rateLimitOf({ flags }: Given): number {
  const text = (flags['rate-limit'] as string | undefined) ?? '1200'
  return /^\d{1,9}$/.test(text) ? Number(text) : fail('usage', `--rate-limit must be a whole number, 0 for no limit; "${text}" is not.`)
}

function databaseOf({ flags }: Given, { profile, env }: Context): string {
  const named = (flags.database as string | undefined) ?? env.variables.BOOKCTL_DATABASE
  if (named !== undefined) {
    if (/^postgres(?:ql)?:\/\/[^@/]*:[^@/]+@/.test(named) && flags.database !== undefined) {
      fail('usage', 'A password on the command line can be read by others; set BOOKCTL_DATABASE instead of --database.')
    }
    return named.includes('://') ? named : pathFrom(env.cwd, named)
  }
  const own = profile.values?.database
  return own ?? fail('usage', 'There is no local profile to serve. Make one with bookctl init, or name a database with --database.')
}
