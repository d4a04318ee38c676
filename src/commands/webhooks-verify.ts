import type { Command, Context, Given } from '../cli/command.ts'
import { failMissing } from '../cli/endpoint-flags.ts'
import { onePage } from '../cli/pages.ts'
import { type Recorded, readHeaders, readInput, readRecording, readSigningKeyFile } from '../cli/payload-files.ts'
import { fail } from '../contract/errors.ts'
import { fieldsOf } from '../contract/shape.ts'
import { at, parseInstant } from '../contract/time.ts'
import { Verified } from '../contract/webhooks-results.ts'
import { verificationView as view } from './webhooks-views.ts'

/** A payload to check, and the moment it is checked for, in seconds since the epoch; undefined where that does not matter. */
type Checked = Pick<Recorded, 'headers' | 'body'> & { now: number | undefined }

export const verify: Command = {
  name: 'verify',
  summary: 'Check the signature of a payload',
  description:
    'By both conventions, Standard Webhooks and t=…,v1=…; each that is there must hold. The payload is taken byte for byte. Of a recording every line is checked, each for the moment it came at.',
  positional: { name: 'FILE', description: 'The payload as it came; stdin when left out', required: false },
  flags: [
    { name: 'signing-key-file', placeholder: 'FILE', description: 'The signing key, or - for stdin', required: true },
    { name: 'header', short: 'H', placeholder: 'NAME: VALUE', description: 'A header that came with it', repeat: true },
    { name: 'headers-file', placeholder: 'FILE', description: 'The headers as lines, or as a JSON object' },
    { name: 'recording', placeholder: 'FILE', description: 'Check what webhooks listen --record wrote, instead of a payload' },
    { name: 'at', placeholder: 'INSTANT', description: 'Check its age as of then, such as 2026-12-01T09:00:00Z; now when left out' },
    { name: 'ignore-age', description: 'Let it be as old as it is' },
  ],
  fields: fieldsOf(Verified),
  exits: [12],
  examples: [
    {
      line: "webhooks verify body.json --signing-key-file key.txt --header 'calendly-webhook-signature: t=…,v1=…'",
      why: 'One header, typed',
    },
    { line: 'webhooks verify body.json --signing-key-file key.txt --headers-file headers.txt --ignore-age', why: 'One from long ago' },
    { line: 'webhooks verify --signing-key-file key.txt --recording events.ndjson', why: 'What webhooks listen recorded' },
  ],
  async run(given, context) {
    failMissing(['signing-key-file'].filter((name) => given.flags[name] === undefined))
    const checked = await checkedFrom(given, context)
    const key = await readSigningKeyFile(given.flags['signing-key-file'] as string, context.env)
    const { verify: check, faultIn } = await import('../service/desk.ts')
    let sound = true
    const rows = checked.flatMap(({ headers, body, now }) => {
      const conventions = check({ headers, body }, key, now)
      const holds = (other: string) => faultIn(check({ headers, body: other }, key, now)) === undefined
      sound &&= holds(body)
      return conventions.map(({ name: convention, present, fault }): Verified => {
        const why = present ? fault && `${fault}${likelyCause(body, holds)}` : 'not there'
        return { webhook_id: headers['webhook-id'] ?? null, convention, present, holds: present && fault === undefined, why: why ?? null }
      })
    })
    return { kind: 'list', pages: onePage(rows), view, ...(sound ? {} : { exit: 12, message: 'This is not to be believed as it is.' }) }
  },
}

/** @throws AppError `usage` where what was typed does not name one source for each thing */
async function checkedFrom(given: Given, context: Context): Promise<Checked[]> {
  const { flags, id } = given
  const { env } = context
  const typed = (flags.header as string[] | undefined) ?? []
  const file = flags['headers-file'] as string | undefined
  const moment = momentOf(given)
  if (flags.recording !== undefined) {
    if (id !== undefined || typed.length > 0 || file !== undefined) fail('usage', '--recording has payloads and headers of its own.')
    const recorded = readRecording(flags.recording as string, '--recording', env)
    const arrival = (received_at: string) => parseInstant(received_at) ?? fail('usage', `--recording: ${received_at} is not an instant.`)
    return recorded.map((one) => ({ ...one, now: moment === 'own' ? seconds(arrival(one.received_at)) : moment }))
  }
  if (id === undefined && flags['signing-key-file'] === '-')
    fail('usage', 'Stdin can be read once: name a file for the payload or the key.')
  const headers = readHeaders(typed, file, env)
  if (Object.keys(headers).length === 0) fail('usage', 'There are no headers to check: give --header, --headers-file or --recording.')
  const body = await readInput(id ?? '-', 'The payload', env)
  return [{ headers, body, now: moment === 'own' ? seconds(env.now()) : moment }]
}

/** For which moment: one that was typed, none, or the payload's own. */
function momentOf({ flags }: Given): number | undefined | 'own' {
  if (flags['ignore-age'] === true) return flags.at === undefined ? undefined : fail('usage', 'Give --at or --ignore-age, not both.')
  if (flags.at === undefined) return 'own'
  const text = String(flags.at)
  return parseInstant(text) === undefined
    ? fail('usage', `--at takes an instant, such as 2026-12-01T09:00:00Z; "${text}" is none.`)
    : seconds(at(text))
}

const seconds = (ms: number): number => Math.floor(ms / 1000)

/** What often happens to a body on its way into a file, where that is what happened to this one. */
function likelyCause(body: string, holds: (body: string) => boolean): string {
  const trimmed = body.replace(/\r?\n$/, '')
  if (trimmed !== body && holds(trimmed)) return ' Without the line break at the end it holds.'
  const compact = compactOf(body)
  return compact !== undefined && compact !== body && holds(compact) ? ' Written as compact JSON it holds.' : ''
}

function compactOf(body: string): string | undefined {
  try {
    return JSON.stringify(JSON.parse(body))
  } catch {
    return undefined
  }
}
