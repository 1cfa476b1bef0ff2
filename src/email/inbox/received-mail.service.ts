import { createHash } from 'node:crypto'
import type { Handle, ReceivedMail } from '../../inbound/index.ts'
import { hashedKey } from '../../kernel/checksum.ts'
import type { Clock } from '../../kernel/clock.ts'
import { newId } from '../../kernel/ids.ts'
import { Refusal } from '../../kernel/refusal.ts'
import type { PlatformScope } from '../../storage/scope.ts'
import type { ReadStockLimit, StockLimit, TellStored } from '../../usage/index.ts'
import { deleteEmptyThreads } from '../threads/thread.store.ts'
import { deleteMessagesBefore, dropRawBefore, storeMessage } from './mail-message.store.ts'

/** Longer ids are stored as their digest: an index entry can hold about 2,700 bytes. */
const messageIdLengthMax = 250
const dayMs = 24 * 60 * 60 * 1000
const retentionMs = 90 * dayMs
const rawRetentionMs = 30 * dayMs

export type StoreUnaddressed = Handle<ReceivedMail>

/**
 * Stores a mail to no address of ours once, even if it is delivered or replayed twice. Refuses with QUOTA_EXCEEDED where the tenant has no
 * room for it: then the delivery fails, keeps its body for a week, and can be replayed.
 */
export function unaddressedMailHandler({
  clock,
  readStockLimit,
  tellStored,
}: {
  clock: Clock
  readStockLimit: ReadStockLimit
  tellStored: TellStored
}): StoreUnaddressed {
  return async (tx, received, { kind: _, messageId: sentId, ...mail }) => {
    const limit = await readStockLimit(tx, 'storageBytes')
    const messageId = sentId ?? `sha256:${createHash('sha256').update(received.body).digest('hex')}`
    const message = {
      ...mail,
      messageId: messageId.length > messageIdLengthMax ? hashedKey('long', messageId) : messageId,
      id: newId(clock.now()),
      connectionId: received.connectionId,
      addressed: null,
      effectKey: hashedKey('mail', received.connectionId, messageId),
      receivedAt: received.receivedAt,
    }
    const stored = await storeMessage(tx, message, limit.max)
    if (stored === null) throw noRoom(limit)
    const { id, isNew } = stored
    if (isNew) await tellStored(tx, limit)
    const effect = { kind: 'message', action: isNew ? 'stored' : 'unchanged', targetId: id } as const
    const reason = 'The provider stored the mail in a bucket that is not connected.'
    return {
      kind: 'processed',
      effects: [mail.raw === null ? { ...effect, status: 'PENDING', reason } : { ...effect, status: 'DONE' }],
    }
  }
}

function noRoom({ text }: StockLimit): Refusal {
  const detail = `${text}, and the tenant's mails and documents leave no room for another mail of this size.`
  return new Refusal('QUOTA_EXCEEDED', { detail })
}

/** Deletes mails after 90 days, and then threads. It can be interrupted at any point and run on several nodes at once. */
export async function deleteOldMessages(platform: PlatformScope, clock: Clock): Promise<void> {
  const before = new Date(clock.now().getTime() - retentionMs)
  while ((await deleteMessagesBefore(platform, before)) > 0);
  while ((await deleteEmptyThreads(platform, before)) > 0);
}

/** Drops the bytes of mails as they came after 30 days. The same holds. */
export async function dropOldRaw(platform: PlatformScope, clock: Clock): Promise<void> {
  const before = new Date(clock.now().getTime() - rawRetentionMs)
  while ((await dropRawBefore(platform, before)) > 0);
}
