import { addressBucket } from '../../http/limits/rate-limit.ts'
import type { Log } from '../../http/server-deps.ts'
import { anonymousActor, type Caller } from '../../kernel/caller.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { PlatformScope } from '../../storage/scope.ts'
import type { Audit } from '../audit/audit.store.ts'

/** More addresses than this in one minute are a flood, which the rate limit shows. They must not fill the audit log. */
const addressesMax = 1000

type WrongAdminKeyDeps = { platform: PlatformScope; clock: Clock; audit: Audit; log: Pick<Log, 'warn'> }

/** Audits wrong admin keys: at most one entry for each client address and minute. It never fails. */
export function wrongAdminKeyAudit({ platform, clock, audit, log }: WrongAdminKeyDeps) {
  let minute = 0
  const audited = new Set<string>()

  return async ({ ip, requestId }: Pick<Caller, 'ip' | 'requestId'>): Promise<void> => {
    const currentMinute = Math.floor(clock.now().getTime() / 60_000)
    if (currentMinute !== minute) audited.clear()
    minute = currentMinute
    const address = addressBucket(ip ?? '')
    if (audited.has(address) || audited.size >= addressesMax) return
    audited.add(address)
    const scope: PlatformScope = { ...platform, caller: { actor: anonymousActor, ip, requestId } }
    const entry = { action: 'adminKey.refused', target: { type: 'adminKey', id: null }, outcome: 'DENIED' } as const
    // The caller is refused all the same.
    await audit(scope, { ...entry, oncePerMinute: address }).catch((error: unknown) => {
      audited.delete(address)
      log.warn({ err: error }, 'A wrong admin key could not be audited')
    })
  }
}
