/** Why a language model was not asked, or gave no usable answer. Part of the API: the meanings never change. */
export const modelFailureReasons = [
  'TIMEOUT',
  'UNREACHABLE',
  'RATE_LIMITED',
  'REFUSED',
  'TOO_LARGE',
  'INVALID_OUTPUT',
  'BUDGET_SPENT',
  'PAUSED',
] as const
export type ModelFailureReason = (typeof modelFailureReasons)[number]

/** Holds no text of the endpoint, which could contain anything, even the key. */
export class ModelFailure extends Error {
  readonly reason: ModelFailureReason
  readonly retryAfterSeconds: number | undefined

  constructor(reason: ModelFailureReason, retryAfterSeconds?: number) {
    super(`The language model: ${reason}`)
    this.name = 'ModelFailure'
    this.reason = reason
    this.retryAfterSeconds = retryAfterSeconds
  }
}
