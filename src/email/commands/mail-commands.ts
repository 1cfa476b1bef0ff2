import type { MailAttachment } from '../../mime/parse-mail.ts'
import type { TenantScope } from '../../storage/scope.ts'
import type { Commands, Owner } from '../configs/config.rules.ts'

/** A mail that is proved to be from a user and may be a command. */
export type CommandMail = Owner & {
  userId: string
  /** The user's address, in lower case. */
  from: string
  /** What follows the plus sign in our address. */
  tag: string | null
  subject: string
  attachments: readonly MailAttachment[]
  allowed: Commands
}

/** What was done, in sentences for its sender. `isNew`: false where the same mail came before. */
export type CommandReport = { lines: string[]; isNew: boolean }

export type MailCommands = {
  /**
   * The command in a mail, to be carried out in a transaction; null: there is none. Reads files, may do what can be done twice. Refuses as the
   * routes do that do the same.
   */
  prepare(scope: TenantScope, mail: CommandMail): Promise<((tx: TenantScope) => Promise<CommandReport>) | null>
  /** What would be reported. Changes nothing. Refuses as `prepare` and the work in its transaction do. */
  foresee(scope: TenantScope, mail: CommandMail): Promise<CommandReport | null>
}
