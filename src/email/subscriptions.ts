import type { PlatformScope, TenantScope } from '../storage/scope.ts'

/** What mails with an unsubscribe link belong to. */
export type Subscriptions = {
  /** Whether the receiver of a mail with this token may and wants to have it. */
  isWanted(scope: TenantScope, token: string): Promise<boolean>
  isKnown(platform: PlatformScope, token: string): Promise<boolean>
  /** False for an unknown token. Repeating it changes nothing. */
  unsubscribe(platform: PlatformScope, token: string): Promise<boolean>
}

/** Several as one. The prefix of a token tells each of them whether it is one of theirs. */
export function allSubscriptions(all: readonly Subscriptions[]): Subscriptions {
  const first = async (asks: (one: Subscriptions) => Promise<boolean>): Promise<boolean> => {
    for (const one of all) if (await asks(one)) return true
    return false
  }
  return {
    isWanted: (scope, token) => first((one) => one.isWanted(scope, token)),
    isKnown: (platform, token) => first((one) => one.isKnown(platform, token)),
    unsubscribe: (platform, token) => first((one) => one.unsubscribe(platform, token)),
  }
}
