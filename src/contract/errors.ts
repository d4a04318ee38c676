/**
 * The one table of errors, read both ways: the service turns a code into a status, the client turns a
 * status and code back into the same error, and the tool turns the code into its exit code.
 */
const onTheWire = {
  invalid_argument: { status: 400, title: 'Invalid Argument', exit: 2 },
  unauthenticated: { status: 401, title: 'Unauthenticated', exit: 3 },
  permission_denied: { status: 403, title: 'Permission Denied', exit: 6 },
  not_found: { status: 404, title: 'Resource Not Found', exit: 4 },
  method_not_allowed: { status: 405, title: 'Method Not Allowed', exit: 2 },
  already_exists: { status: 409, title: 'Already Exists', exit: 5 },
  conflict: { status: 409, title: 'Conflict', exit: 5 },
  slot_taken: { status: 409, title: 'Conflict', exit: 5 },
  session_full: { status: 409, title: 'Conflict', exit: 5 },
  illegal_transition: { status: 409, title: 'Conflict', exit: 5 },
  precondition_failed: { status: 412, title: 'Precondition Failed', exit: 5 },
  payload_too_large: { status: 413, title: 'Payload Too Large', exit: 2 },
  unsupported_media_type: { status: 415, title: 'Unsupported Media Type', exit: 2 },
  rate_limited: { status: 429, title: 'Too Many Requests', exit: 7 },
  internal: { status: 500, title: 'Internal Server Error', exit: 9 },
  unavailable: { status: 503, title: 'Service Unavailable', exit: 9 },
} as const

/** Errors that only the tool itself can have: they never cross the wire. */
const ofTheTool = {
  unexpected: { status: null, title: 'Unexpected Error', exit: 1 },
  declined: { status: null, title: 'Declined', exit: 1 },
  bad_file: { status: null, title: 'Unusable File', exit: 2 },
  usage: { status: null, title: 'Usage', exit: 2 },
  no_credential: { status: null, title: 'No Credential', exit: 3 },
  unreachable: { status: null, title: 'Unreachable', exit: 8 },
  bad_reply: { status: null, title: 'Bad Reply', exit: 9 },
  outcome_unknown: { status: null, title: 'Outcome Unknown', exit: 10 },
  partly_done: { status: null, title: 'Partly Done', exit: 11 },
  check_failed: { status: null, title: 'Check Failed', exit: 12 },
  interrupted: { status: null, title: 'Interrupted', exit: 130 },
  terminated: { status: null, title: 'Terminated', exit: 143 },
} as const

export const errorTable = { ...onTheWire, ...ofTheTool }

export type WireErrorCode = keyof typeof onTheWire
export type ErrorCode = keyof typeof errorTable

export const wireErrorCodes = Object.keys(onTheWire) as WireErrorCode[]

/** One finding about one input: `parameter` is a path such as `customer.email` or `working_hours[0].start`. */
export interface ErrorDetail {
  parameter?: string
  message: string
  code?: string
}

/** A command a person can paste, and what it is good for. */
export interface Hint {
  command: string
  why: string
}

interface ErrorExtras {
  details?: ErrorDetail[] | undefined
  hints?: Hint[] | undefined
  request_id?: string | undefined
  /** Seconds to wait before another try is welcome. */
  retry_after?: number | undefined
  /** The methods that are offered, where another was asked for. */
  allow?: string[] | undefined
  /** The status of the reply it was read from, where that differs from the table's. */
  status?: number | undefined
  cause?: unknown
}

/** The only error that is meant for people. Whatever else is thrown is a fault of ours. */
export class AppError extends Error {
  readonly code: ErrorCode
  readonly details: ErrorDetail[]
  readonly hints: Hint[]
  readonly request_id: string | undefined
  readonly retry_after: number | undefined
  readonly allow: string[] | undefined
  readonly status: number | null

  constructor(code: ErrorCode, message: string, extras: ErrorExtras = {}) {
    super(message, extras.cause === undefined ? undefined : { cause: extras.cause })
    this.name = 'AppError'
    this.code = code
    this.details = extras.details ?? []
    this.hints = extras.hints ?? []
    this.request_id = extras.request_id
    this.retry_after = extras.retry_after
    this.allow = extras.allow
    this.status = extras.status ?? errorTable[code].status
  }

  get exit(): number {
    return errorTable[this.code].exit
  }
}

/** Throws an `AppError`; the sentence names the input and says what to do. */
export function fail(code: ErrorCode, message: string, extras?: ErrorExtras): never {
  throw new AppError(code, message, extras)
}

/** An `invalid_argument` about one parameter. */
export function invalid(parameter: string, message: string, code?: string): never {
  fail('invalid_argument', message, { details: [{ parameter, message, ...(code ? { code } : {}) }] })
}

/**
 * The code for a status that came without one (a proxy's reply, say).
 * @returns `undefined` for a status the table does not hold.
 */
export function codeOfStatus(status: number): WireErrorCode | undefined {
  if (status === 409) return 'conflict'
  if (status === 422) return 'invalid_argument'
  if (status >= 500) return status === 502 || status === 503 || status === 504 ? 'unavailable' : 'internal'
  return wireErrorCodes.find((code) => onTheWire[code].status === status)
}
