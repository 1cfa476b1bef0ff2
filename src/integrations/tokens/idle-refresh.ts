import type { Clock } from '../../kernel/clock.ts'
import { type PlatformScope, scopeToTenant } from '../../storage/scope.ts'
import { GrantFailure } from './grant-failure.ts'
import type { Tokens } from './token.service.ts'
import { listIdle } from './token.store.ts'

const weekMs = 7 * 24 * 3600_000
/** Of one run: the others have their turn an hour later. */
const batch = 500

/** Renews tokens that nobody used for a week, because grants die of idleness. */
export function idleRefresh({ platform, clock, tokens }: { platform: PlatformScope; clock: Clock; tokens: Tokens }) {
  return async ({ signal }: { signal: AbortSignal }): Promise<void> => {
    const before = new Date(clock.now().getTime() - weekMs)
    for (const { tenantId, id } of await listIdle(platform, { before, limit: batch })) {
      signal.throwIfAborted()
      await renew(tenantId, id)
    }
  }

  async function renew(tenantId: string, id: string): Promise<void> {
    const scope = scopeToTenant(platform, tenantId)
    try {
      const { version } = await tokens.requireTokens(scope, id)
      await tokens.renew(scope, id, version)
    } catch (error) {
      // The next run tries again; a dead grant has been marked.
      if (!(error instanceof GrantFailure)) throw error
    }
  }
}
