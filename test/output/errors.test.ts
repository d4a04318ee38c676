import { expect, test } from 'vitest'
import { AppError } from '../../src/contract/errors.ts'
import { renderError } from '../../src/output/errors.ts'

const plain = { format: 'table', color: false } as const
const refused = new AppError('invalid_argument', 'The customer was not accepted.', {
  details: [{ parameter: 'email', message: 'must be an e-mail address' }, { message: 'and more' }],
  hints: [
    { command: 'bookctl customers create --help', why: 'what each flag takes' },
    { command: 'bookctl customers list', why: 'who is there' },
  ],
  request_id: 'req_1',
  cause: new Error('inner \x1b[31m'),
})

test('on a terminal an error is its message, its details, what to try and the request id', () => {
  expect(renderError(refused, plain)).toMatchInlineSnapshot(`
    "The customer was not accepted.
      email: must be an e-mail address
      and more
    Try:
      bookctl customers create --help   what each flag takes
      bookctl customers list            who is there
    Request id: req_1
    "
  `)
})

test('a detail that repeats the message is left out', () => {
  const one = new AppError('invalid_argument', 'email must be an e-mail address.', {
    details: [{ parameter: 'email', message: 'must be an e-mail address' }],
  })
  const two = new AppError('invalid_argument', 'Say who.', { details: [{ parameter: 'name', message: 'Say who' }] })
  expect([renderError(one, plain), renderError(two, plain)]).toEqual(['email must be an e-mail address.\n', 'Say who.\n'])
})

test('colour and the cause come only when asked for', () => {
  expect(renderError(refused, { ...plain, color: true, verbose: true })).toContain('\x1b[31mThe customer was not accepted.\x1b[39m\n')
  expect(renderError(refused, { ...plain, verbose: true })).toContain('Code: invalid_argument\nCause: inner \\x1b[31m\n')
  expect(renderError(refused, plain)).not.toContain('inner')
})

test.each(['json', 'ndjson'] as const)('in %s an error is one line with a stable shape', (format) => {
  const text = renderError(refused, { format, color: true })
  expect(text.split('\n')).toHaveLength(2)
  expect(JSON.parse(text)).toEqual({
    error: {
      code: 'invalid_argument',
      message: 'The customer was not accepted.',
      status: 400,
      request_id: 'req_1',
      retryable: false,
      exit_code: 2,
      details: refused.details,
      hints: refused.hints,
    },
  })
})

test('rate limits and services that cannot be reached are retryable, nothing else', () => {
  const retryable = (code: AppError['code']) =>
    JSON.parse(renderError(new AppError(code, 'x'), { format: 'json', color: false })).error.retryable
  const codes = ['rate_limited', 'unavailable', 'unreachable', 'internal', 'outcome_unknown', 'usage'] as const
  expect(codes.map(retryable)).toEqual([true, true, true, false, false, false])
})

test('control characters of a message, a detail and a request id are neutralised', () => {
  const error = new AppError('not_found', 'No \x1b[2J\u202e', { details: [{ parameter: 'a\nTry:', message: '\x07' }], request_id: '\x9b1' })
  expect(renderError(error, plain)).toBe('No \\x1b[2J\\u202e\n  a\\nTry:: \\x07\nRequest id: \\x9b1\n')
  expect(renderError(error, { format: 'json', color: false })).not.toMatch(/[\x07\x1b\x9b\u202e]/)
})
