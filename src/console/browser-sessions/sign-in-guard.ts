import { failureBucket, failureRefusal } from '../../http/access/caller-limit.ts'
import type { AdminCaller, Authenticator } from '../../http/access/callers.ts'
import { addressBucket, type RateCounter } from '../../http/limits/rate-limit.ts'
import type { Clock } from '../../kernel/clock.ts'
import { Refusal } from '../../kernel/refusal.ts'
import type { PlatformScope } from '../../storage/scope.ts'

export type SignInGuardDeps = {
  clock: Clock
  rateCounter: RateCounter
  /** Wrong credentials from one address in a rate limit window. */
  authFailuresMax: number
  /** The administrator with a key; null for a wrong one. */
  findAdmin: Authenticator['adminKey']
  noteWrongAdminKey: Authenticator['noteWrongAdminKey']
}

/** Counts wrong admin keys and links like wrong keys in a header: towards the same limit of the address. */
export function signInGuard({ clock, rateCounter, authFailuresMax, findAdmin, noteWrongAdminKey }: SignInGuardDeps) {
  const bucketOf = ({ caller: { ip } }: PlatformScope) => failureBucket(addressBucket(ip ?? ''))

  /** INVALID_CREDENTIALS, or RATE_LIMITED after too many. */
  const countFailure = async (platform: PlatformScope): Promise<Refusal> => {
    const now = clock.now()
    const verdict = await rateCounter.take(bucketOf(platform), authFailuresMax, now)
    return verdict.isAllowed ? new Refusal('INVALID_CREDENTIALS') : failureRefusal(verdict, now)
  }

  /** A full bucket refuses a guessable key, right or wrong. Otherwise it would not bound the guesses. */
  const refuseGuesser = async (platform: PlatformScope): Promise<void> => {
    const now = clock.now()
    const verdict = await rateCounter.peek(bucketOf(platform), authFailuresMax, now)
    if (!verdict.isAllowed) throw failureRefusal(verdict, now)
  }

  return {
    countFailure,
    /** Refuses INVALID_CREDENTIALS for a wrong key. */
    requireAdmin: async (platform: PlatformScope, adminKey: string): Promise<AdminCaller> => {
      const admin = await findAdmin(adminKey)
      if (admin === null) {
        const { ip, requestId } = platform.caller
        await noteWrongAdminKey({ ip: ip ?? '', requestId: requestId ?? '' })
        throw await countFailure(platform)
      }
      if (admin.isGuessable) await refuseGuesser(platform)
      return admin
    },
  }
}
