import { type Actor, anonymousActor, type Caller, systemCaller } from '../../kernel/caller.ts'
import type { Handle } from '../../storage/handle.ts'
import { mintPlatformScope, mintTenantScope } from '../../storage/mint.ts'
import type { PlatformScope, TenantScope } from '../../storage/scope.ts'
import type {
  Access,
  AdminAccess,
  BrowserSessionAccess,
  EndUserAccess,
  NodeAccess,
  OpenAccess,
  OpenKnowingAdminsAccess,
  OptionalKeyAccess,
  RunnerAccess,
  SignInAccess,
  TenantAdminAccess,
  TenantKeyAccess,
} from './access.ts'
import type {
  AdminCaller,
  Admitted,
  BrowserPage,
  BrowserSession,
  KeyCaller,
  NodeCaller,
  RunnerCaller,
  UserCaller,
} from './callers.ts'

/** What a handler gets for its access rule: scopes and the caller. */
export type Grant<A extends Access> = A extends OpenKnowingAdminsAccess
  ? { platform: PlatformScope; admin: AdminCaller | null }
  : A extends OpenAccess
    ? { platform: PlatformScope }
    : A extends AdminAccess
      ? { platform: PlatformScope; admin: AdminCaller }
      : A extends OptionalKeyAccess
        ? { scope: TenantScope; apiKey: KeyCaller | null }
        : A extends TenantKeyAccess
          ? { scope: TenantScope; apiKey: KeyCaller }
          : A extends TenantAdminAccess
            ? { scope: TenantScope }
            : A extends EndUserAccess
              ? { scope: TenantScope; user: UserCaller; apiKey: KeyCaller | null }
              : A extends NodeAccess
                ? { platform: PlatformScope; node: NodeCaller }
                : A extends RunnerAccess
                  ? { platform: PlatformScope; runner: RunnerCaller }
                  : A extends SignInAccess
                    ? { platform: PlatformScope; page: BrowserPage }
                    : A extends BrowserSessionAccess
                      ? { platform: PlatformScope; page: BrowserPage; session: BrowserSession }
                      : never

export type Origin = { ip: string; requestId: string }

/** Creates the scopes of an admitted caller over a database handle: the pool, or the transaction of an idempotent request. */
export function grantScopes(admitted: Admitted, handle: Handle, origin: Origin): Record<string, unknown> {
  const caller: Caller = { actor: callerActor(admitted), ...origin }
  switch (admitted.kind) {
    case 'open':
      return { platform: mintPlatformScope(handle, caller), admin: admitted.admin }
    case 'admin':
      return { platform: mintPlatformScope(handle, caller), admin: admitted.admin }
    case 'browser':
      return { platform: mintPlatformScope(handle, caller), page: admitted.page, session: admitted.session }
    case 'tenantKey':
      return { scope: mintTenantScope(handle, admitted.tenant.tenantId, caller), apiKey: admitted.apiKey }
    case 'endUser':
      return {
        scope: mintTenantScope(handle, admitted.tenant.tenantId, caller),
        user: admitted.user,
        apiKey: admitted.apiKey,
      }
    case 'node':
      return { platform: mintPlatformScope(handle, caller), node: admitted.node }
    case 'runner':
      return { platform: mintPlatformScope(handle, caller), runner: admitted.runner }
  }
}

/** For records of the HTTP layer itself, which belong to no caller. */
export function systemScope(handle: Handle): PlatformScope {
  return mintPlatformScope(handle, systemCaller)
}

function callerActor(admitted: Admitted): Actor {
  switch (admitted.kind) {
    case 'open':
      return anonymousActor
    case 'admin':
      return adminActor(admitted.admin)
    case 'browser':
      return admitted.session === null ? anonymousActor : adminActor(admitted.session.admin)
    case 'tenantKey':
      if (admitted.apiKey === null) return anonymousActor
      return { type: 'API_KEY', id: admitted.apiKey.id, label: admitted.apiKey.name }
    case 'endUser':
      return { type: 'USER', id: admitted.user.id, label: admitted.user.email }
    case 'node':
      return { type: 'NODE', id: admitted.node.serverId, label: admitted.node.serverName }
    case 'runner':
      return { type: 'RUNNER', id: admitted.runner.runnerId, label: admitted.runner.runnerName }
  }
}

export function adminActor({ id, label }: Pick<AdminCaller, 'id' | 'label'>): Actor {
  return { type: 'ADMIN', id, label }
}
