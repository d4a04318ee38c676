import type { Command, Context, Given, Result } from '../cli/command.ts'
import { failMissing } from '../cli/endpoint-flags.ts'
import { onePage } from '../cli/pages.ts'
import { eventIn, readInput, readRecording, readSigningKeyFile } from '../cli/payload-files.ts'
import { userAgent } from '../cli/version.ts'
import { faultOfUrl } from '../contract/callback-url.ts'
import { deliveries } from '../contract/deliveries.ts'
import { fail } from '../contract/errors.ts'
import { fieldsOf } from '../contract/shape.ts'
import { type EventKind, eventKindNames } from '../contract/webhooks.ts'
import { Sent } from '../contract/webhooks-results.ts'
import { sentView as view } from './webhooks-views.ts'
import { targetOf, whoAmI, widestScope } from './whose.ts'

const MOST_SHOWN = 2048

export const send: Command = {
  name: 'send',
  summary: 'Sign a payload and post it to a receiver, from this machine',
  description:
    "Without a body it is the service's sample of that event. It is posted as the service does it: signed afresh, 10 s to connect and 15 s in all, no redirects. Of a recording every event is sent, in its order, and the result is a list.",
  flags: [
    { name: 'to', placeholder: 'URL', description: 'The receiver: https, or http to this machine', required: true },
    {
      name: 'event',
      placeholder: 'EVENT',
      description: 'Which kind of event; of a recording, only that kind',
      choices: [...eventKindNames],
    },
    { name: 'body', placeholder: 'JSON|@FILE', description: 'The body, sent as it is; @- for stdin' },
    { name: 'from-recording', placeholder: 'FILE', description: 'What webhooks listen --record wrote' },
    {
      name: 'signing-key-file',
      placeholder: 'FILE',
      description: 'The signing key, or - for stdin; a fresh one is made and shown when left out',
    },
    { name: 'webhook-id', placeholder: 'TEXT', description: 'The webhook-id of a single event; a fresh one when left out' },
  ],
  fields: fieldsOf(Sent),
  exits: [3, 7, 8, 9, 12],
  examples: [
    { line: 'webhooks send --to http://localhost:3000/hook --event invitee.created', why: 'A sample, signed with a fresh key' },
    {
      line: 'webhooks send --to http://localhost:3000/hook --body @body.json --signing-key-file key.txt',
      why: 'A body of your own',
    },
    {
      line: 'webhooks send --to http://localhost:3000/hook --from-recording events.ndjson --signing-key-file key.txt',
      why: 'Once more what came',
    },
  ],
  run: sendAll,
}

async function sendAll(given: Given, context: Context): Promise<Result> {
  const { flags } = given
  const { env, globals } = context
  const to = receiverFrom(given, 'to', globals.insecureHttp)
  const bodies = await bodiesFrom(given, context)
  const { failureOf, newSigningKey, openDeskPost, sendSigned } = await import('../service/desk.ts')
  const keyFile = flags['signing-key-file'] as string | undefined
  const key = keyFile === undefined ? newSigningKey() : await readSigningKeyFile(keyFile, env)
  const post = await openDeskPost({ now: env.now, anyHttp: globals.insecureHttp })
  const sent: Sent[] = []
  const refusals: string[] = []
  try {
    for (const body of bodies) {
      const webhook_id = (flags['webhook-id'] as string | undefined) ?? env.newId()
      const begin = env.now()
      const outcome = await sendSigned({ url: to, id: webhook_id, body, key, user_agent: userAgent }, post, begin)
      if (outcome.status === undefined) {
        const before = bodies.length > 1 ? ` ${sent.length} of ${bodies.length} were sent before.` : ''
        return fail('unreachable', `${to}: ${outcome.error}${before}`)
      }
      const milliseconds = Math.round(env.now() - begin)
      const reply = Buffer.from(outcome.reply).subarray(0, MOST_SHOWN).toString()
      sent.push({ to, event: eventIn(body) ?? null, webhook_id, status: outcome.status, milliseconds, reply })
      const refusal = failureOf(outcome)
      if (refusal !== undefined) refusals.push(refusal)
    }
  } finally {
    await post.close()
  }
  const shown = sent.map((one) => (keyFile === undefined ? { ...one, signing_key: key } : one))
  const end = ending(sent.length, refusals, keyFile === undefined)
  if (flags['from-recording'] !== undefined) return { kind: 'list', pages: onePage(shown), view, ...end }
  return { kind: 'record', record: { ...shown[0] }, view, ...end }
}

function ending(count: number, refusals: string[], isKeyFresh: boolean): { exit: number; message?: string } {
  const said = [
    ...(count === 1 ? refusals : []),
    ...(count > 1 && refusals.length > 0 ? [`The receiver did not take ${refusals.length} of ${count}.`] : []),
    ...(isKeyFresh
      ? ['It is signed with a fresh key, signing_key above. Keep it in a file for your receiver and for --signing-key-file.']
      : []),
  ]
  return { exit: refusals.length > 0 ? 12 : 0, ...(said.length > 0 && { message: said.join('\n') }) }
}

/** The address of a receiver that a flag names. @throws AppError `usage` for one that must not be sent to */
export function receiverFrom({ flags }: Given, flag: string, insecureHttp: boolean): string {
  failMissing([flag].filter((name) => flags[name] === undefined))
  const url = String(flags[flag])
  const fault = faultOfUrl(url, insecureHttp)
  if (fault === undefined) return url
  const plain = faultOfUrl(url, true) === undefined
  const home = fault.endsWith('https://') ? ', or with http:// and lead to this machine' : ''
  return fail('usage', `--${flag} ${fault}${home}${plain ? '; --insecure-http allows http elsewhere' : ''}.`)
}

async function bodiesFrom(given: Given, context: Context): Promise<string[]> {
  const { flags } = given
  const [event, body, recording] = ['event', 'body', 'from-recording'].map((name) => flags[name] as string | undefined)
  if (recording !== undefined) {
    if (body !== undefined) fail('usage', 'Give --body or --from-recording, not both.')
    const found = readRecording(recording, '--from-recording', context.env).map((one) => one.body)
    const wanted = event === undefined ? found : found.filter((one) => eventIn(one) === event)
    if (flags['webhook-id'] !== undefined && wanted.length > 1) fail('usage', '--webhook-id is for a single event.')
    return wanted.length > 0 ? wanted : fail('usage', `--from-recording: there is no ${event} in ${recording}.`)
  }
  if (body === '@-' && flags['signing-key-file'] === '-') fail('usage', 'Stdin can be read once: name a file for the body or the key.')
  if (body !== undefined) return [body.startsWith('@') ? await readInput(body.slice(1), '--body', context.env) : body]
  failMissing(event === undefined ? ['event or --body or --from-recording'] : [])
  return [await sampleOf(event as EventKind, context)]
}

/** The body that the service would send, of records that do not exist. */
async function sampleOf(event: EventKind, context: Context): Promise<string> {
  const me = await whoAmI(context)
  const query = { event, ...targetOf(widestScope(me), me) }
  return JSON.stringify(await (await context.client()).call(deliveries.sample, { query }))
}
