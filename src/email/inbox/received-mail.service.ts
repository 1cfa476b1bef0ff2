import { createHash } from 'node:crypto'
import type { HandleMail } from '../../inbound/index.ts'
import { hashedKey } from '../../kernel/checksum.ts'
import type { Clock } from '../../kernel/clock.ts'
import { newId } from '../../kernel/ids.ts'
import { type PlatformScope, transaction } from '../../storage/scope.ts'
import { deleteMessagesBefore, storeMessage } from './mail-message.store.ts'

/** Longer ids are stored as their digest: an index entry can hold about 2,700 bytes. */
const messageIdLengthMax = 250
const retentionMs = 90 * 24 * 60 * 60 * 1000
/** A mail may have 25 MiB. With so few rows a transaction stays short. */
const batchRows = 100

/** Stores a received mail once, even if it is delivered or replayed twice. */
export function receivedMailHandler(clock: Clock): HandleMail {
  return async (tx, received, { kind: _, messageId: sentId, ...mail }) => {
    const messageId = sentId ?? `sha256:${createHash('sha256').update(received.body).digest('hex')}`
    const { id, isNew } = await storeMessage(tx, {
      ...mail,
      messageId: messageId.length > messageIdLengthMax ? hashedKey('long', messageId) : messageId,
      id: newId(clock.now()),
      connectionId: received.connectionId,
      effectKey: hashedKey('mail', received.connectionId, messageId),
      receivedAt: received.receivedAt,
    })
    const effect = { kind: 'message', action: isNew ? 'stored' : 'unchanged', targetId: id } as const
    const reason = 'The provider stored the mail in a bucket that is not connected.'
    return {
      kind: 'processed',
      effects: [mail.raw === null ? { ...effect, status: 'PENDING', reason } : { ...effect, status: 'DONE' }],
    }
  }
}

/** Deletes mails after 90 days. It can be interrupted at any point and run on several nodes at once. */
export async function deleteOldMessages(platform: PlatformScope, clock: Clock): Promise<void> {
  const before = new Date(clock.now().getTime() - retentionMs)
  let removed: number
  do {
    removed = await transaction(platform, (tx) => deleteMessagesBefore(tx, before, batchRows))
  } while (removed === batchRows)
}
