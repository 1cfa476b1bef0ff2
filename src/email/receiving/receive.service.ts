import { hashedKey } from '../../kernel/checksum.ts'
import { cleanLine } from '../../kernel/clean-text.ts'
import type { Clock } from '../../kernel/clock.ts'
import { newId } from '../../kernel/ids.ts'
import { Refusal } from '../../kernel/refusal.ts'
import { describeAttachments } from '../../mime/attachment-types.ts'
import { type CheckedMail, checkAuthenticity, type MailEnvelope, type ResolveRecords } from '../../mime/authenticity.ts'
import { type Complaint, readComplaint } from '../../mime/complaint-report.ts'
import { type MailComplexity, MailTooComplex } from '../../mime/mail-limits.ts'
import type { Tokens } from '../../mime/mail-token.ts'
import type { ParsedMail } from '../../mime/parse-mail.ts'
import { digestInSteps } from '../../mime/read-in-steps.ts'
import { readMail } from '../../mime/read-mail.ts'
import type { EventBus } from '../../storage/events.ts'
import { type PlatformScope, scopeToTenant, type TenantScope, transaction } from '../../storage/scope.ts'
import type { ReadStockLimit, TellStored } from '../../usage/index.ts'
import type { Owner } from '../configs/config.rules.ts'
import type { Configs } from '../configs/config.service.ts'
import { type Addressed, storeMessage } from '../inbox/mail-message.store.ts'
import type { Members } from '../members.ts'
import type { Authenticity } from '../message.rules.ts'
import { deleteThread, extendThread, insertThread } from '../threads/thread.store.ts'
import type { OnReceived } from './received-message.ts'
import type { RecipientName } from './recipient-name.ts'
import { type FoundThread, findThread } from './thread-lookup.service.ts'

export type Recipient = Owner & RecipientName & { tenantId: string }

export type ReceivedBytes = {
  bytes: Buffer
  envelope: MailEnvelope
  /** At least one. */
  recipients: Recipient[]
}

export type ReceiveDeps = {
  platform: PlatformScope
  clock: Clock
  events: EventBus
  tokens: Tokens
  configs: Configs
  members: Members
  resolve: ResolveRecords
  hostname: string
  readStockLimit: ReadStockLimit
  tellStored: TellStored
  /** The active user of the tenant with this verified address. */
  findVerifiedUser(scope: TenantScope, address: string): Promise<string | null>
  onReceived: OnReceived
  onBounce(tx: TenantScope, bounce: { owner: Owner; messageId: string; mail: ParsedMail }): Promise<void>
  onComplaint(tx: TenantScope, owner: Owner, complaint: Complaint): Promise<void>
  /** Whether it is the mail of a verification, which is not stored. */
  onRoundTrip(tx: TenantScope, mail: { owner: Owner; subject: string; authenticity: Authenticity }): Promise<boolean>
  count(outcome: 'received' | 'quarantined' | 'repeated' | 'bounce' | 'complaint'): void
}

const subjectLengthMax = 1000
const addressesMax = 100

type Read = { mail: ParsedMail | null; cause: MailComplexity | null; text: string }

export type Receiving = ReturnType<typeof receiveService>

/** A mail that was read and checked, and is not stored yet. */
export type PreparedMail = {
  /** Null: a provider keeps it. */
  raw: { bytes: Buffer; type: string } | null
  envelopeFrom: string | null
  read: Read
  /** SHA-256 of the body, or of all of a mail that has no Message-ID. */
  digest: string
  checked: CheckedMail
  attachments: Addressed['attachments']
}

export type StoredMail = { id: string; isNew: boolean }

export function receiveService(deps: ReceiveDeps) {
  const { platform, clock, events, tokens, configs, members } = deps

  /** Call it before the transaction: name servers may take long. Nothing in a mail makes it fail. */
  async function prepare({ bytes, envelope }: Pick<ReceivedBytes, 'bytes' | 'envelope'>): Promise<PreparedMail> {
    const [read, checked] = await Promise.all([
      readOrQuarantine(bytes),
      checkAuthenticity(bytes, envelope, { resolve: deps.resolve, hostname: deps.hostname }),
    ])
    const attachments = await describeAttachments(read.mail?.attachments ?? [])
    const digest = await unchangedDigest(read.mail, bytes)
    return { raw: { bytes, type: rawType }, envelopeFrom: envelope.from, read, digest, checked, attachments }
  }

  /**
   * Stores a mail for each owner of an address that it is for, once: when this returns it is committed. Refuses QUOTA_EXCEEDED
   * where a tenant has no room for it.
   */
  async function receive({ recipients, ...mail }: ReceivedBytes): Promise<void> {
    const prepared = await prepare(mail)
    // All owners in one transaction: the sender gets one answer for all.
    await transaction(platform, async (tx) => {
      for (const recipient of onePerOwner(recipients))
        await store(scopeToTenant(tx, recipient.tenantId), recipient, prepared)
    })
  }

  /**
   * Stores a mail for one owner. Null where there is nothing to store: the organization was deleted meanwhile, or it is the mail
   * of a verification. Refuses QUOTA_EXCEEDED.
   */
  async function store(
    tx: TenantScope,
    recipient: Recipient,
    prepared: PreparedMail,
    connectionId: string | null = null,
  ): Promise<StoredMail | null> {
    const { ownerId, orgId, tag } = recipient
    const { raw, envelopeFrom, read, digest, attachments } = prepared
    if (orgId !== null && !(await members.hold(tx, orgId))) return null
    const { mail } = read
    const sender = mail?.from.length === 1 ? (mail.from[0]?.address.toLowerCase() ?? '') : ''
    const authenticity = await believed(tx, recipient, prepared.checked)
    const owner = { ownerId, orgId }
    if (await deps.onRoundTrip(tx, { owner, subject: mail?.subject ?? '', authenticity })) return null
    const claimed = sender === '' ? null : await deps.findVerifiedUser(tx, sender)
    const senderUserId = authenticity === 'pass' ? claimed : null
    const thread = await findThread(tx, tokens, { ...recipient, sender, ...references(mail) })
    const now = clock.now()
    const subject = cleanLine(mail?.subject ?? '', subjectLengthMax)
    const threadId = thread?.threadId ?? newId(now)
    const isBounce = recipient.bounceToken !== null
    const complaint = mail && readComplaint(mail)
    const outcome = complaint ? 'complaint' : isBounce ? 'bounce' : null
    const messageId = newId(now)
    if (thread === null) await insertThread(tx, { id: threadId, ownerId, orgId, subject, now })
    const limit = await deps.readStockLimit(tx, 'storageBytes')
    const stored = await storeMessage(
      tx,
      {
        id: messageId,
        connectionId,
        // The same for the same mail, whichever way it came. Of its content too, so that nobody can keep another mail out by its Message-ID.
        effectKey: hashedKey('received', ownerId, mail?.messageId ?? '', digest),
        messageId: shortMessageId(mail, digest),
        inReplyTo: mail?.inReplyTo ?? null,
        references: mail?.references ?? [],
        from: cleanLine(mail?.from[0]?.address ?? '', 320),
        envelopeFrom: envelopeFrom === null ? null : cleanLine(envelopeFrom, 320),
        to: addresses(mail?.to),
        subject,
        text: read.text,
        verdicts: prepared.checked.verdicts,
        raw,
        receivedAt: now,
        addressed: {
          ...{ ownerId, orgId, threadId, authenticity, senderUserId, tag, attachments },
          cc: addresses(mail?.cc),
          isStranger: thread?.isStranger ?? false,
          ...statusOf(prepared, outcome),
        },
      },
      limit.max,
    )
    if (stored === null) throw new Refusal('QUOTA_EXCEEDED', { detail: `${limit.text}, and the mail does not fit.` })
    if (!stored.isNew) {
      if (thread === null) await deleteThread(tx, threadId)
      deps.count('repeated')
      return stored
    }
    await deps.tellStored(tx, limit)
    await extendThread(tx, {
      threadId,
      people: newPeople(thread, { sender, senderUserId, isReport: outcome !== null }),
      now,
    })
    await events.emit(tx, 'email.received', { tenantId: tx.tenantId, orgId, threadId, messageId })
    deps.count(read.cause === null ? (outcome ?? 'received') : 'quarantined')
    if (complaint) await deps.onComplaint(tx, owner, complaint)
    else if (isBounce && mail && thread) await deps.onBounce(tx, { owner, messageId: thread.messageId, mail })
    else if (!isBounce && isWhole(prepared) && namesSender(prepared))
      await deps.onReceived(tx, { ...owner, threadId, messageId })
    return stored
  }

  async function believed(tx: TenantScope, owner: Owner, { authenticity, arcSealer }: CheckedMail) {
    if (authenticity === 'pass' || arcSealer === null) return authenticity
    const { replies } = await configs.readEffective(tx, owner)
    return believedOf({ authenticity, arcSealer }, replies)
  }

  return { prepare, receive, store }
}

const rawType = 'message/rfc822'

/** A forwarder breaks signatures; one that the owner trusts says what it found before. */
export function believedOf(
  { authenticity, arcSealer }: Pick<CheckedMail, 'authenticity' | 'arcSealer'>,
  { trustedForwarders }: { trustedForwarders: readonly string[] },
): Authenticity {
  return trustedForwarders.some((domain) => domain.toLowerCase() === arcSealer) ? 'pass' : authenticity
}

/** Whether all of the mail is there. What a provider has taken apart is not answered: nobody can check who wrote it. */
function isWhole({ raw, read }: PreparedMail): boolean {
  return read.cause === null && raw?.type === rawType
}

/** Where it names nobody, nobody can be answered. */
const namesSender = ({ read: { mail } }: PreparedMail): boolean => mail?.from.length === 1

function statusOf(prepared: PreparedMail, outcome: 'bounce' | 'complaint' | null) {
  const { cause } = prepared.read
  if (cause !== null) return { status: 'quarantined', outcome, cause } as const
  if (outcome !== null) return { status: 'processed', outcome, cause } as const
  const ignored = { status: 'ignored', outcome: 'ignored' } as const
  if (!isWhole(prepared)) return { ...ignored, cause: 'NOT_WHOLE' } as const
  return namesSender(prepared) ? ({ status: 'received', outcome, cause } as const) : { ...ignored, cause: 'NO_SENDER' }
}

/** In one order, so that two mails to the same owners do not wait for each other. A token says more than a name without one. */
export function onePerOwner(recipients: readonly Recipient[]): Recipient[] {
  const owners = Map.groupBy(recipients.toSorted(byOwner), ({ ownerId }) => ownerId)
  return [...owners.values()].flatMap((all) => all.find((it) => it.replyToken ?? it.bounceToken) ?? all[0] ?? [])
}

function byOwner(a: Owner, b: Owner): number {
  return a.ownerId < b.ownerId ? -1 : 1
}

async function readOrQuarantine(bytes: Buffer): Promise<Read> {
  try {
    const mail = await readMail(bytes)
    return { mail, cause: null, text: mail.text }
  } catch (error) {
    if (error instanceof MailTooComplex) return { mail: null, cause: error.cause, text: '' }
    throw error
  }
}

function references(mail: ParsedMail | null) {
  return { inReplyTo: mail?.inReplyTo ?? null, references: mail?.references ?? [] }
}

function addresses(boxes: { address: string }[] = []): string[] {
  return boxes.slice(0, addressesMax).map(({ address }) => cleanLine(address, 320))
}

/** Nobody joins a thread by an answer: a stranger stays one. */
function newPeople(
  thread: FoundThread | null,
  { sender, senderUserId, isReport }: { sender: string; senderUserId: string | null; isReport: boolean },
) {
  if (sender === '' || isReport || thread?.isStranger) return []
  return [{ address: sender, userId: senderUserId }]
}

/** Servers on the way add lines above a mail: what they leave as it is counts. */
export function unchangedDigest(mail: ParsedMail | null, bytes: Buffer): Promise<string> {
  const end = bytes.indexOf('\r\n\r\n')
  return digestInSteps(mail?.messageId && end >= 0 ? bytes.subarray(end) : bytes)
}

const messageIdLengthMax = 250

/** Longer ids are stored as their digest: an index entry can hold about 2,700 bytes. */
function shortMessageId(mail: ParsedMail | null, digest: string): string {
  const id = mail?.messageId ? cleanLine(mail.messageId, 1000) : null
  if (id === null) return `sha256:${digest}`
  return id.length > messageIdLengthMax ? hashedKey('long', id) : id
}
