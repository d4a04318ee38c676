import { AppError, type ErrorDetail } from '../contract/errors.ts'
import type { FieldFlag } from './endpoint-flags.ts'

/**
 * An error of the service about its fields, as one about the flags that were typed: `time_zone must be …` becomes
 * `--time-zone must be …`. Any other error is given back as it is.
 */
export function inFlags(error: unknown, flags: FieldFlag[]): unknown {
  if (!(error instanceof AppError) || error.code !== 'invalid_argument') return error
  const flagOf = ({ parameter = '' }: ErrorDetail) => flags.find(({ path }) => isAt(path.join('.'), parameter))
  const details = error.details.map((detail) => {
    const flag = flagOf(detail)
    return flag ? { ...detail, parameter: `--${flag.name}` } : detail
  })
  const [first] = error.details
  const named = details[0]?.parameter
  const message =
    first?.parameter && named && error.message.startsWith(`${first.parameter} `)
      ? named + error.message.slice(first.parameter.length)
      : error.message
  const unanswered = error.details.some(({ code }) => code === 'missing_answer')
  const hints = unanswered
    ? [...error.hints, { command: '--answer "QUESTION=ANSWER"', why: 'answers a question; repeatable' }]
    : error.hints
  return new AppError(error.code, message, {
    details,
    hints,
    request_id: error.request_id,
    status: error.status ?? undefined,
    cause: error.cause,
  })
}

/** True for the field itself and for what is inside of it: `questions_and_answers[0].answer`. */
const isAt = (field: string, parameter: string): boolean =>
  parameter === field || parameter.startsWith(`${field}[`) || parameter.startsWith(`${field}.`)
