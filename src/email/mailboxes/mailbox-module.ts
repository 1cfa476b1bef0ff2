import type { TenantScope } from '../../storage/scope.ts'
import { transaction } from '../../storage/scope.ts'
import type { EffectiveConfig } from '../configs/config.service.ts'
import { hurry, releaseAll } from './mailbox.store.ts'
import { openOwnMailbox } from './mailbox-login.ts'
import { type MailboxReader, mailboxReader, type ReaderDeps } from './mailbox-reader.ts'

export type MailboxModule = {
  /** Logs in and out again. A mailbox that failed is then read at once. Rejects with what its server said, without secrets. */
  check(scope: TenantScope, config: EffectiveConfig): Promise<void>
  /** Reads mailboxes from now on. */
  start(): Promise<MailboxReader>
  /** For tests: reads all that are due, once, to their ends. */
  readDue(): Promise<void>
}

/** Mailboxes that are read by IMAP. */
export function mailboxModule({ isEmbedded, ...deps }: ReaderDeps & { isEmbedded: boolean }): MailboxModule {
  const { platform, clock } = deps
  const reader = mailboxReader(deps)
  return {
    check: async (scope, config) => {
      const mailbox = await openOwnMailbox(scope, config, deps)
      try {
        await mailbox.select()
      } finally {
        mailbox.close()
      }
      await transaction(scope, (tx) => hurry(tx, { ownerId: config.ownerId, now: clock.now() }))
    },
    start: async () => {
      // A process that was killed can no longer read them.
      if (isEmbedded) await releaseAll(platform)
      return reader.start()
    },
    readDue: reader.readDue,
  }
}
