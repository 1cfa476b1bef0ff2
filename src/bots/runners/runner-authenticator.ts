import type { RunnerAuthenticator, RunnerCaller } from '../../http/access/callers.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { PlatformScope } from '../../storage/scope.ts'
import { findRunnerByEnrollment, findRunnerByToken } from './runner.store.ts'
import { readToken } from './runner-token.rules.ts'

/** A runner with 20 meetings sends entries and events of each every second or two. */
const runnerRequestsPerSecond = 60

/** Nothing about runners is cached: one whose token was revoked is refused from its next request on. */
export function runnerAuthenticator({
  platform,
  clock,
}: {
  platform: PlatformScope
  clock: Clock
}): RunnerAuthenticator {
  const verified = async (
    tokenHash: Buffer | null,
    find: (hash: Buffer) => Promise<Omit<RunnerCaller, 'tokenHash'> | null>,
  ): Promise<RunnerCaller | null> => {
    const runner = tokenHash === null ? null : await find(tokenHash)
    return runner === null || tokenHash === null ? null : { ...runner, tokenHash }
  }
  return {
    runnerRequestsPerSecond,
    runnerToken: (text) => verified(readToken('runner', text), (hash) => findRunnerByToken(platform, hash)),
    runnerEnrollmentToken: (text) =>
      verified(readToken('enrollment', text), (hash) => findRunnerByEnrollment(platform, hash, clock.now())),
  }
}
