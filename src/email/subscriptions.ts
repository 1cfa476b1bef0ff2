import type { PlatformScope, TenantScope } from '../storage/scope.ts'

/** What mails with an unsubscribe link belong to. */
export type Subscriptions = {
  /** Whether the receiver of a mail with this token may and wants to have it. */
  isWanted(scope: TenantScope, token: string): Promise<boolean>
  isKnown(platform: PlatformScope, token: string): Promise<boolean>
  /** False for an unknown token. Repeating it changes nothing. */
  unsubscribe(platform: PlatformScope, token: string): Promise<boolean>
}
