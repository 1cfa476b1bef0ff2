import type { ApiErrorCode } from './generated/error-codes.ts'

/**
 * The codes of the service, and four of the SDK: `NETWORK_ERROR` (no answer), `TIMEOUT` (no answer in time),
 * `UNEXPECTED_ANSWER` (an answer that is not from the service, such as a proxy's page) and `UNSUPPORTED` (the runtime lacks
 * a function that the call needs).
 */
export type ErrorCode = ApiErrorCode | 'NETWORK_ERROR' | 'TIMEOUT' | 'UNEXPECTED_ANSWER' | 'UNSUPPORTED'

/** `path` is a JSON pointer to the invalid value, such as `/body/email`. */
export type FieldError = { path: string; code: string; message: string }

export type ErrorDetails = {
  code: ErrorCode
  message: string
  /** 0: there was no answer. */
  status?: number
  requestId?: string | null
  errors?: FieldError[]
  /** What the current state allows, with 409. */
  allowed?: string[]
  /** Null: the service named no time. */
  retryAfterMs?: number | null
  cause?: unknown
}

/** A call that did not succeed. `code` says why; `message` is for a person. */
export class AtriumError<Code extends ErrorCode = ErrorCode> extends Error {
  readonly code: Code
  readonly status: number
  readonly requestId: string | null
  readonly errors: FieldError[]
  readonly allowed: string[]
  readonly retryAfterMs: number | null

  constructor(details: ErrorDetails & { code: Code }) {
    super(details.message, { cause: details.cause })
    this.name = new.target.name
    this.code = details.code
    this.status = details.status ?? 0
    this.requestId = details.requestId ?? null
    this.errors = details.errors ?? []
    this.allowed = details.allowed ?? []
    this.retryAfterMs = details.retryAfterMs ?? null
  }
}

export type LicenseErrorCode = 'LICENSE_REQUIRED' | 'LICENSE_REVOKED' | 'LICENSE_EXPIRED' | 'LICENSE_EXHAUSTED'

/** A license does not allow the call. Nothing was connected and no use was taken. */
export class LicenseError extends AtriumError<LicenseErrorCode> {}

/** Whether a caught value is an error of the SDK with this code, or with one of these. */
export function isCode<Code extends ErrorCode>(error: unknown, ...codes: Code[]): error is AtriumError<Code> {
  return error instanceof AtriumError && (codes as ErrorCode[]).includes(error.code)
}
