import { randomBytes } from 'node:crypto'
import { type ExhaustedJob, type JobKind, type JobRun, type Jobs, jobHandler } from '../../jobs/jobs.ts'
import type { Clock } from '../../kernel/clock.ts'
import { errorLine } from '../../kernel/error-line.ts'
import { newId } from '../../kernel/ids.ts'
import { utcDay } from '../../kernel/period.ts'
import { Refusal } from '../../kernel/refusal.ts'
import type { Complaint } from '../../mime/complaint-report.ts'
import { bounceClass } from '../../mime/delivery-report.ts'
import type { Tokens } from '../../mime/mail-token.ts'
import type { ParsedMail } from '../../mime/parse-mail.ts'
import { Rejected } from '../../outgoing/smtp-transport.ts'
import type { EventBus } from '../../storage/events.ts'
import { type TenantScope, transaction } from '../../storage/scope.ts'
import type { Quotas } from '../../usage/index.ts'
import type { Owner } from '../configs/config.rules.ts'
import type { Configs, EffectiveConfig } from '../configs/config.service.ts'
import type { Dkim } from '../dkim/dkim.service.ts'
import { readRecipient } from '../receiving/recipient-name.ts'
import { tokenOfMessageId } from '../receiving/thread-lookup.service.ts'
import type { Suppressions } from '../suppressions/suppression.service.ts'
import { extendThread, findThreadByToken, insertThread } from '../threads/thread.store.ts'
import { takeMail } from './day-count.store.ts'
import { NotSendable, ownerTransport, senderAccount, type TransportDeps } from './owner-transport.ts'
import {
  type ClaimedMessage,
  claimMessage,
  endWaiting,
  findRecipients,
  giveUp,
  insertOutgoing,
  isClaimed,
  recordAttempt,
  recordBounced,
  releaseDraft,
  requeueFailed,
  waitForSender,
} from './sending.store.ts'

/** Ten tries in about two hours. */
const sendMessage: JobKind<{ messageId: string }> = {
  name: 'email.message.send',
  attemptsMax: 10,
  backoffSeconds: 15,
  timeoutSeconds: 90,
}

const releaseMessages: JobKind<object> = {
  name: 'email.messages.release',
  attemptsMax: 5,
  backoffSeconds: 15,
  timeoutSeconds: 120,
}
const releasedAtOnce = 200

export type NewMail = Owner & {
  /** Null: it begins a thread. */
  threadId: string | null
  to: { address: string; userId: string | null }[]
  subject: string
  text: string
  inReplyTo: string | null
  references: string[]
  status: 'draft' | 'queued'
}

export type SendingDeps = TransportDeps & {
  clock: Clock
  jobs: Jobs
  events: EventBus
  configs: Configs
  tokens: Tokens
  suppressions: Pick<Suppressions, 'find' | 'hold' | 'recordBounce'>
  dkim: Pick<Dkim, 'signer'>
  quotas: Pick<Quotas, 'readLimits'>
  domain: string | null
}

/** Longer than an attempt may take. A claim that is older belongs to a process that died. */
const claimMs = 120_000

export type Sending = ReturnType<typeof sendingService>

/** Mails of threads, on their way out. */
export function sendingService(deps: SendingDeps) {
  const { clock, jobs, events, configs, tokens, suppressions, domain } = deps

  const enqueue = (tx: TenantScope, messageId: string) =>
    jobs.enqueue(tx, sendMessage, { data: { messageId }, tenantId: tx.tenantId })

  /** Adds a mail to a thread, or begins one. */
  async function add(tx: TenantScope, mail: NewMail): Promise<{ id: string; threadId: string }> {
    const { ownerId, orgId, subject, status } = mail
    const now = clock.now()
    const id = newId(now)
    const threadId = mail.threadId ?? newId(now)
    if (mail.threadId === null) await insertThread(tx, { id: threadId, ownerId, orgId, subject, now })
    const config = await configs.readEffective(tx, mail)
    const from = await senderOf(tx, config)
    const text = withSignature(mail.text, config.identity.signature)
    await insertOutgoing(tx, { ...mail, id, threadId, from, text, to: mail.to.map(({ address }) => address), now })
    const people = mail.to.map(({ address, userId }) => ({ address: address.toLowerCase(), userId }))
    await extendThread(tx, { threadId, people, now })
    if (status === 'queued') await release(tx, { messageId: id, isAutomatic: false })
    return { id, threadId }
  }

  /** The sender of an owner's mails. */
  async function senderOf(scope: TenantScope, config: EffectiveConfig): Promise<string> {
    const { identity, address } = config
    if (identity.fromAddress !== null) return identity.fromAddress
    return (await accountOf(scope, config))?.address ?? address ?? deps.smtp?.from ?? 'no-reply@localhost'
  }

  const accountOf = (scope: TenantScope, config: EffectiveConfig) =>
    senderAccount(scope, config, { findAccount: deps.accounts().find })

  /** Takes one of the mails that the tenant may send today. False: there is none left. */
  async function takeOfDay(tx: TenantScope): Promise<boolean> {
    const { maxMailsPerDay: max } = await deps.quotas.readLimits(tx)
    return takeMail(tx, { day: utcDay(clock.now()), max })
  }

  /**
   * Sends a draft. False if it is no longer one. Refuses QUOTA_EXCEEDED to people; who sends without one calls `takeOfDay`
   * before.
   */
  async function release(
    tx: TenantScope,
    {
      messageId: id,
      isAutomatic,
      purpose = 'REPLY',
    }: { messageId: string; isAutomatic: boolean; purpose?: 'REPLY' | 'UNSUBSCRIBED' },
  ): Promise<boolean> {
    const token = randomBytes(10)
    const messageId = `<${tokens.write('reply', token)}@${domain ?? 'localhost'}>`
    if (!(await releaseDraft(tx, { id, token, messageId, automatic: isAutomatic ? purpose : null }))) return false
    await enqueue(tx, id)
    if (!isAutomatic && !(await takeOfDay(tx)))
      throw new Refusal('QUOTA_EXCEEDED', {
        detail: 'The tenant has sent as many mails today as maxMailsPerDay allows.',
      })
    return true
  }

  /** Tries a failed mail again. False where it has not failed. */
  async function requeue(tx: TenantScope, messageId: string): Promise<boolean> {
    const isWaiting = await requeueFailed(tx, messageId)
    if (isWaiting) await enqueue(tx, messageId)
    return isWaiting
  }

  /** A kill between the server's yes and our note sends a mail twice; both have the same Message-ID. */
  async function deliver({ scope, data, isLastAttempt }: JobRun<{ messageId: string }>): Promise<void> {
    if (scope.kind !== 'tenant') throw new Error('A mail belongs to a tenant.')
    const now = clock.now()
    const claim = { id: data.messageId, now, claimedUntil: new Date(now.getTime() + claimMs) }
    const mail = await claimMessage(scope, claim)
    if (mail === null) {
      // Another attempt may have died: what it began is tried again when its claim is over.
      if (await isClaimed(scope, data.messageId)) throw new Error('Another attempt runs.')
      return
    }
    const { id } = mail
    const close = (status: 'deferred' | 'failed' | 'suppressed', error: string | null, cause: string | null = null) =>
      recordAttempt(scope, { id, status, error, cause, sentAt: null })
    const wanted = await unsuppressed(scope, mail)
    if (wanted.length === 0) return void (await close('suppressed', null, 'SUPPRESSED'))
    try {
      const config = await configs.readEffective(scope, mail)
      if (!mayUseSender(config)) return void (await waitForSender(scope, id))
      const signer = await signerOf(scope, config)
      const senders = {
        from: await senderOf(scope, config),
        account: (await accountOf(scope, config))?.address ?? null,
      }
      const options = mailOptions(config, { ...mail, to: wanted }, senders)
      await ownerTransport(scope, config, deps).send(signer === null ? options : { ...options, dkim: signer })
    } catch (error) {
      const line = errorLine(error instanceof Error ? error.message : String(error))
      if (error instanceof Rejected) return bounce(scope, id, line)
      await close(isLastAttempt ? 'failed' : 'deferred', line, error instanceof NotSendable ? 'NOT_SENDABLE' : null)
      if (isLastAttempt) return
      throw new Error(line)
    }
    await transaction(scope, async (tx) => {
      const isSent = await recordAttempt(tx, { id, status: 'sent', error: null, cause: null, sentAt: clock.now() })
      if (isSent) await events.emit(tx, 'email.sent', { tenantId: tx.tenantId, orgId: mail.orgId, messageId: id })
    })
  }

  /** The process of the last attempt died, or it took too long. */
  async function fail({ scope, data, reason }: ExhaustedJob<object>): Promise<void> {
    if (scope.kind !== 'tenant') throw new Error('A mail belongs to a tenant.')
    await giveUp(scope, { id: (data as { messageId: string }).messageId, error: errorLine(reason) })
  }

  const bounce = (scope: TenantScope, id: string, error: string): Promise<void> =>
    transaction(scope, async (tx) => {
      const isBounced = await recordAttempt(tx, { id, status: 'bounced', error, cause: 'REJECTED', sentAt: null })
      if (isBounced) await events.emit(tx, 'email.bounced', { tenantId: tx.tenantId, messageId: id })
    })

  function signerOf(scope: TenantScope, { identity: { fromAddress }, senderFrom }: EffectiveConfig) {
    return fromAddress === null ? null : deps.dkim.signer(scope, { ownerId: senderFrom.ownerId, fromAddress })
  }

  /** Mails that wait for their sender are tried again. Call it when that sender may have become another. */
  const releaseWaiting = (tx: TenantScope): Promise<void> =>
    jobs.enqueue(tx, releaseMessages, { data: {}, tenantId: tx.tenantId })

  /** Those that still may not be sent wait again. Can run twice. */
  async function enqueueWaiting({ scope }: JobRun<object>): Promise<void> {
    if (scope.kind !== 'tenant') throw new Error('A mail belongs to a tenant.')
    const some = () =>
      transaction(scope, async (tx) => {
        const ids = await endWaiting(tx, releasedAtOnce)
        for (const id of ids) await enqueue(tx, id)
        return ids.length
      })
    while ((await some()) === releasedAtOnce);
  }

  async function unsuppressed(scope: TenantScope, { to, automatic }: ClaimedMessage): Promise<string[]> {
    const wanted: string[] = []
    for (const address of to) {
      const suppression = await suppressions.find(scope, address.toLowerCase())
      // The answer to "stop" is the last mail.
      const isLast = automatic === 'UNSUBSCRIBED' && suppression?.reason === 'unsubscribed'
      if (suppression === null || isLast) wanted.push(address)
    }
    return wanted
  }

  /** @param senders.account that of a provider, which takes no other envelope sender */
  function mailOptions(
    { identity, address }: EffectiveConfig,
    mail: ClaimedMessage,
    { from, account }: { from: string; account: string | null },
  ) {
    const withToken = (use: 'reply' | 'bounce') => address?.replace('@', `+${tokens.write(use, mail.token)}@`) ?? null
    const replyTo = withToken('reply')
    return {
      from: { name: identity.fromName ?? '', address: from },
      to: mail.to.map((address) => ({ name: '', address })),
      ...(replyTo === null ? {} : { replyTo: { name: '', address: replyTo } }),
      // Reports of mails that did not arrive find their mail by it, and nobody answers there.
      envelope: { from: account ?? withToken('bounce') ?? from, to: mail.to },
      subject: mail.subject,
      text: mail.text,
      date: mail.createdAt,
      messageId: mail.messageId,
      ...(mail.inReplyTo === null ? {} : { inReplyTo: mail.inReplyTo }),
      references: mail.references,
      headers:
        mail.automatic === null
          ? {}
          : // RFC 3834, and what Exchange reads: neither is to be answered by a program.
            { 'Auto-Submitted': 'auto-replied', 'X-Auto-Response-Suppress': 'All' },
    }
  }

  /** A report came to the token of a mail of ours. */
  async function onBounce(
    tx: TenantScope,
    { owner, messageId, mail }: { owner: Owner; messageId: string; mail: ParsedMail },
  ): Promise<void> {
    const kind = bounceClass(mail)
    if (kind === null) return
    // To whom we sent it, whatever the report says.
    const to = kind === 5 ? await recordBounced(tx, messageId) : ((await findRecipients(tx, messageId))?.to ?? null)
    if (to === null) return
    if (to.length === 1)
      for (const address of to)
        await suppressions.recordBounce(tx, { owner, address: address.toLowerCase(), class: kind })
    if (kind === 5) await events.emit(tx, 'email.bounced', { tenantId: tx.tenantId, messageId })
  }

  /** Somebody reported a mail as spam. Which it was, tokens of ours tell, which only its recipient has. */
  async function onComplaint(tx: TenantScope, owner: Owner, { mailFrom, messageIds }: Complaint): Promise<void> {
    const senders =
      domain === null ? [] : mailFrom.map((address) => readRecipient(address, { domain, tokens })?.bounceToken)
    for (const token of [...senders, ...messageIds.map((id) => tokenOfMessageId(tokens, id))]) {
      const found = token && (await findThreadByToken(tx, { ownerId: owner.ownerId, token }))
      const [address, ...others] = found ? ((await findRecipients(tx, found.messageId))?.to ?? []) : []
      // Of several nobody knows who it was.
      if (address === undefined || others.length > 0) continue
      return void (await suppressions.hold(tx, { owner, address: address.toLowerCase(), reason: 'complaint' }))
    }
  }

  return {
    ...{ add, release, requeue, takeOfDay, releaseWaiting, onBounce, onComplaint },
    jobs: [{ ...jobHandler(sendMessage, deliver), onExhausted: fail }, jobHandler(releaseMessages, enqueueWaiting)],
  }
}

/** What is stored is what is sent. */
function withSignature(text: string, signature: string | null): string {
  return signature === null || signature.trim() === '' ? text : `${text}\n\n-- \n${signature.trimEnd()}`
}

/** An address at a domain of one's own sends nothing before that domain was shown to be one's own. */
function mayUseSender({ identity, senderFrom }: EffectiveConfig): boolean {
  return identity.fromAddress === null || senderFrom.sending === 'verified'
}
