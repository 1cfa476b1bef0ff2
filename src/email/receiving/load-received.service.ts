import { MailTooComplex } from '../../mime/mail-limits.ts'
import { readMail } from '../../mime/read-mail.ts'
import type { TenantScope } from '../../storage/scope.ts'
import { findReceived, readRaw } from '../message.store.ts'
import type { ReceivedMessage } from './received-message.ts'

type LoadDeps = { findVerifiedUser(scope: TenantScope, address: string): Promise<string | null> }

/** A received mail, read again from its bytes; null where it was deleted, or its bytes, or where it cannot be read. */
export async function loadReceived(
  scope: TenantScope,
  id: string,
  { findVerifiedUser }: LoadDeps,
): Promise<ReceivedMessage | null> {
  const stored = await findReceived(scope, id)
  const raw = stored && (await readRaw(scope, id))
  if (stored === null || raw?.type !== 'message/rfc822') return null
  try {
    const { from, ...mail } = await readMail(raw.bytes)
    const [sender = null, ...others] = from
    return {
      ...mail,
      ...stored,
      text: stored.text,
      from: others.length > 0 ? null : sender,
      claimedUserId: sender && (await findVerifiedUser(scope, sender.address.toLowerCase())),
    }
  } catch (error) {
    if (error instanceof MailTooComplex) return null
    throw error
  }
}
