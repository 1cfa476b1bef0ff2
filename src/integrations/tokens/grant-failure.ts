import { Refusal } from '../../kernel/refusal.ts'

/** Why a call could not be made, or was not answered. */
export type FailureReason = 'REAUTH_REQUIRED' | 'PROVIDER_UNAVAILABLE' | 'APP_REFUSED' | 'HELD_UP' | 'GONE'

/** A call to a provider that gave no answer to use. */
export class GrantFailure extends Error {
  readonly reason: FailureReason
  /** When the provider takes calls again, if it said so. */
  readonly retryAt: Date | null

  constructor(reason: FailureReason, retryAt: Date | null = null) {
    super(`The provider cannot be used: ${reason}.`)
    this.name = 'GrantFailure'
    this.reason = reason
    this.retryAt = retryAt
  }
}

/** The refusal for a caller who waits for the answer. */
export function failureRefusal({ reason, retryAt }: GrantFailure, now: Date): Refusal {
  if (reason === 'REAUTH_REQUIRED') return new Refusal('REAUTH_REQUIRED')
  if (reason === 'GONE') return new Refusal('NOT_FOUND')
  const seconds = retryAt === null ? 5 : Math.max(1, Math.ceil((retryAt.getTime() - now.getTime()) / 1000))
  return new Refusal('UNAVAILABLE', { detail: 'The provider cannot be reached.', retryAfterSeconds: seconds })
}
