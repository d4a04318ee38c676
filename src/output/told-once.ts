import { AppError, type Hint } from '../contract/errors.ts'
import type { Look } from './view.ts'

type Row = Record<string, unknown>

/** The fields in which an endpoint with `told: 'once'` tells its secret; a test holds the contract to them. */
export const onceFields = ['secret', 'signing_key'] as const

/**
 * The error for results that nobody read: what they told is kept nowhere, so that another must be made. `undefined` where they held
 * nothing of the kind, or it was not asked for.
 */
export function lossOf(rows: Row[], { fields, format }: Pick<Look, 'fields' | 'format'>): AppError | undefined {
  const asked = onceFields.filter((field) => (fields ? fields.includes(field) : format !== 'ids'))
  const lost = rows.flatMap((row) => asked.filter((field) => typeof row[field] === 'string').map((field) => ({ row, field })))
  if (lost.length === 0) return undefined
  const names = [...new Set(lost.map(({ field }) => field))].join(' and ')
  const message = `Stdout was closed before ${names} was written, which is told only once: it is lost, and another must be made.`
  return new AppError('unexpected', message, { hints: lost.flatMap(({ row }) => remediesFor(row)) })
}

/** The same for the text of a reply, with or without its headers before it. */
export function lossIn(text: string): AppError | undefined {
  const [, json] = /^(?:HTTP .*?\n\n)?(\{.*)$/s.exec(text) ?? []
  try {
    return json === undefined
      ? undefined
      : lossOf(
          [JSON.parse(json)].flatMap((body) => [body, body.resource ?? {}]),
          { format: 'json' },
        )
  } catch {
    return undefined
  }
}

/** How another is made: a subscription is given a new key, a credential is replaced. What was made for one run is made by the next. */
function remediesFor({ id, kind, uri }: Row): Hint[] {
  if (typeof uri === 'string') return [{ command: `bookctl webhooks rotate-key ${uri.split('/').at(-1)}`, why: 'gives it a new key' }]
  if (typeof kind !== 'string') return []
  return [
    { command: `bookctl credentials create --kind ${kind} --name NAME`, why: 'makes another' },
    { command: `bookctl credentials revoke ${id}`, why: 'ends the one that nobody knows' },
  ]
}
