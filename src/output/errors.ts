import type { AppError, ErrorCode, ErrorDetail } from '../contract/errors.ts'
import { jsonText, type Look, safe } from './view.ts'

const retryable: ErrorCode[] = ['rate_limited', 'unavailable', 'unreachable']

/**
 * An error as text for stderr, ended by a line break. For `json` and `ndjson` one line of JSON, else sentences for a person. Text
 * that came from elsewhere is made safe.
 */
export function renderError(error: AppError, look: { format: Look['format']; color: boolean; verbose?: boolean }): string {
  return look.format === 'json' || look.format === 'ndjson' ? asJson(error) : asText(error, look)
}

function asJson(error: AppError): string {
  const { code, message, status, details, hints } = error
  const shape = {
    code,
    message,
    status,
    request_id: error.request_id ?? null,
    retryable: retryable.includes(code),
    exit_code: error.exit,
    details,
    hints: hints.map(({ command, why }) => ({ command, why })),
  }
  return `${jsonText({ error: shape })}\n`
}

function asText(error: AppError, look: { color: boolean; verbose?: boolean }): string {
  const longest = Math.max(0, ...error.hints.map((hint) => safe(hint.command).length))
  const lines = [
    look.color ? `\x1b[31m${safe(error.message)}\x1b[39m` : safe(error.message),
    ...error.details.filter((detail) => !repeats(detail, error.message)).map((detail) => `  ${safe(sentence(detail))}`),
    ...(error.hints.length > 0 ? ['Try:'] : []),
    ...error.hints.map((hint) => `  ${safe(hint.command).padEnd(longest)}   ${safe(hint.why)}`.trimEnd()),
    ...(error.request_id === undefined ? [] : [`Request id: ${safe(error.request_id)}`]),
    ...(look.verbose ? [`Code: ${error.code}`] : []),
    ...(look.verbose && error.cause instanceof Error ? [`Cause: ${safe(error.cause.message)}`] : []),
  ]
  return `${lines.join('\n')}\n`
}

const sentence = ({ parameter, message }: ErrorDetail) => (parameter ? `${parameter}: ${message}` : message)

/** True where the message says it all: the very same words, the same with the parameter before them, or which flags are missing. */
function repeats(detail: ErrorDetail, message: string): boolean {
  const whole = message.replace(/\.$/, '')
  const said = detail.message.replace(/\.$/, '')
  return (
    whole === said ||
    (detail.code === 'missing' && message.includes(String(detail.parameter))) ||
    (detail.parameter !== undefined && [`${detail.parameter}: ${said}`, `${detail.parameter} ${said}`].includes(whole))
  )
}
