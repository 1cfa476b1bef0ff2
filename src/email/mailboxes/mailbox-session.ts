import type { Clock } from '../../kernel/clock.ts'
import { concurrencyLimit } from '../../kernel/concurrency-limit.ts'
import type { Tokens } from '../../mime/mail-token.ts'
import type { ImapMailbox, ListedMail } from '../../outgoing/imap-mailbox.ts'
import { type PlatformScope, scopeToTenant, transaction } from '../../storage/scope.ts'
import type { Configs, EffectiveConfig } from '../configs/config.service.ts'
import type { PreparedMail, Receiving, Recipient } from '../receiving/receive.service.ts'
import { ownName } from '../receiving/recipient-name.ts'
import { returnPath } from './mailbox.rules.ts'
import { type ClaimedMailbox, recordLook, saveCursor } from './mailbox.store.ts'
import { type LoginDeps, MailboxFailure, openOwnMailbox } from './mailbox-login.ts'

export type SessionDeps = Omit<LoginDeps, 'configs'> & {
  platform: PlatformScope
  clock: Clock
  tokens: Tokens
  domain: string | null
  configs: Pick<Configs, 'readEffective' | 'openPassword'>
  receiving: Pick<Receiving, 'prepare' | 'store'>
  countRefused(reason: string): void
}

type Session = { claimed: ClaimedMailbox; holder: string; signal: AbortSignal }

const mailBytesMax = 25 * 1024 * 1024
const listedAtOnce = 200
/** The server tells of new mail in between (IDLE). */
const lookMs = 60_000
/** Of mails that this process holds at once, each of up to 25 MiB. */
const mailsAtOnce = 4
/** The clock of the mail server may be behind ours. */
const slackMs = 10 * 60_000
/** Shorter than mails are kept: what is deleted here must not come again where a server gives all mails new numbers. */
const reachMs = 80 * 24 * 3600_000

/** Another process reads the mailbox now, or its settings have changed. */
export class LeaseLost extends Error {}

/** Reads a mailbox: once, or until the signal aborts. Rejects with what went wrong. */
export function mailboxSessions(deps: SessionDeps) {
  const { platform, clock } = deps
  const inTurn = concurrencyLimit(mailsAtOnce, Number.POSITIVE_INFINITY)

  async function run(session: Session, isOnce: boolean): Promise<void> {
    const scope = scopeToTenant(platform, session.claimed.tenantId)
    const config = await deps.configs.readEffective(scope, session.claimed)
    const mailbox = await openOwnMailbox(scope, config, deps)
    try {
      const { folder } = config.inbound
      if (folder !== null) await mailbox.createFolder(folder).catch(failedFolder)
      for (;;) {
        await look(session, config, mailbox)
        if (isOnce || session.signal.aborted) return
        await mailbox.waitForMail(lookMs, session.signal)
        if (session.signal.aborted) return
      }
    } finally {
      mailbox.close()
    }
  }

  async function look(session: Session, config: EffectiveConfig, mailbox: ImapMailbox): Promise<void> {
    const { claimed, holder, signal } = session
    const uidValidity = String((await mailbox.select()).uidValidity)
    // New numbers: all mails are looked at again, and those that are stored already are not stored twice.
    if (claimed.uidValidity !== uidValidity) Object.assign(claimed, { uidValidity, lastUid: 0 })
    const now = clock.now().getTime()
    const since = new Date(Math.max(claimed.since.getTime() - slackMs, now - reachMs))
    for (;;) {
      const listed = await mailbox.list({ afterUid: claimed.lastUid, since, limit: listedAtOnce })
      for (const mail of listed) {
        if (signal.aborted) return
        if (mail.arrivedAt >= since) await inTurn(() => take(session, config, { mailbox, mail }))
        claimed.lastUid = mail.uid
        const { tenantId, ownerId, lastUid } = claimed
        if (!(await saveCursor(scopeToTenant(platform, tenantId), { ownerId, holder, uidValidity, lastUid })))
          throw new LeaseLost()
      }
      if (listed.length < listedAtOnce) break
    }
    const { tenantId, ownerId } = claimed
    const at = clock.now()
    const nextLookAt = new Date(at.getTime() + lookMs)
    if (!(await recordLook(scopeToTenant(platform, tenantId), { ownerId, holder, now: at, nextLookAt })))
      throw new LeaseLost()
  }

  /**
   * Stores a mail, then moves it, then its UID counts as read: whenever this ends, the mail is stored or is read again, and one
   * that is read again is not stored twice.
   */
  async function take(
    { claimed }: Session,
    config: EffectiveConfig,
    { mailbox, mail: { uid, sizeBytes } }: { mailbox: ImapMailbox; mail: ListedMail },
  ): Promise<void> {
    if (sizeBytes > mailBytesMax) return deps.countRefused('TOO_LARGE')
    const bytes = await mailbox.read(uid)
    if (bytes === null) return
    const prepared = await deps.receiving.prepare({ bytes, envelope: { from: returnPath(bytes), client: null } })
    const recipient = recipientOf(claimed, config, prepared)
    await transaction(scopeToTenant(platform, claimed.tenantId), (tx) => deps.receiving.store(tx, recipient, prepared))
    const { folder } = config.inbound
    if (folder !== null) await mailbox.move(uid, folder).catch(failedFolder)
  }

  /** The owner of the mailbox. A mail that was forwarded there may be to one of the owner's addresses here, with a token. */
  function recipientOf(
    { tenantId, ownerId, orgId }: ClaimedMailbox,
    { stored }: EffectiveConfig,
    { read: { mail } }: PreparedMail,
  ): Recipient {
    return { tenantId, ownerId, orgId, ...ownName([...(mail?.to ?? []), ...(mail?.cc ?? [])], stored.localPart, deps) }
  }

  return { run }
}

function failedFolder(error: unknown): never {
  throw new MailboxFailure('FOLDER_FAILED', error instanceof Error ? error.message : 'The folder cannot be used.')
}
