/** Why a language model was not asked, or gave nothing that could be used. Part of the API: meanings do not change. */
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

/** Carries no text of the endpoint: that may hold anything, the key too. */
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
