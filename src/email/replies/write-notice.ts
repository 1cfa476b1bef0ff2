import type { Clock } from '../../kernel/clock.ts'
import { newId } from '../../kernel/ids.ts'
import type { TenantScope } from '../../storage/scope.ts'
import type { Owner } from '../configs/config.rules.ts'
import { replySubject, signed } from './answer-text.rules.ts'
import { referencesMax } from './draft.rules.ts'
import { insertDraft } from './draft.store.ts'
import type { ReplySettings } from './examination.ts'
import { replyCaps } from './reply-caps.rules.ts'
import { takeReply } from './reply-count.store.ts'

/** Sends a draft. `isAutomatic`: without a person, and for which purpose. False: it is no longer a draft. */
export type Release = (
  tx: TenantScope,
  mail: { messageId: string; isAutomatic: boolean; purpose?: 'REPLY' | 'UNSUBSCRIBED' },
) => Promise<boolean>

export type NoticeDeps = {
  clock: Clock
  readSettings(scope: TenantScope, owner: Owner): Promise<ReplySettings & { address: string | null }>
  release: Release
  takeOfDay(tx: TenantScope): Promise<boolean>
}

/** What is answered, and by which words. */
export type Notice = {
  message: Owner & {
    id: string
    threadId: string | null
    from: { address: string } | null
    subject: string
    messageId: string | null
    references: readonly string[]
  }
  text: string
  /** `UNSUBSCRIBED`: it is sent to an address that has just asked for no more mails. */
  purpose: 'REPLY' | 'UNSUBSCRIBED'
}

/** Sends an answer that rests on nothing. False: a cap is reached, or nobody is to be answered. */
export type WriteNotice = (tx: TenantScope, notice: Notice) => Promise<boolean>

/** It counts as every answer that is sent by itself. */
export function noticeWriter({ clock, readSettings, release, takeOfDay }: NoticeDeps): WriteNotice {
  return async (tx, { message, text, purpose }) => {
    const { ownerId, orgId, threadId, from, subject, messageId, references } = message
    if (from === null) return false
    const settings = await readSettings(tx, { ownerId, orgId })
    const now = clock.now()
    const to = from.address.toLowerCase()
    const caps = replyCaps({ mail: { id: message.id, threadId, from: to }, ownerId, replies: settings.replies, now })
    if ((await takeReply(tx, caps)) !== null || !(await takeOfDay(tx))) return false
    const id = newId(now)
    await insertDraft(tx, {
      ...{ id, ownerId, orgId, threadId, answersId: message.id, now },
      ...{
        from: settings.identity.fromAddress ?? settings.address ?? '',
        to: [to],
        subject: replySubject(subject),
        text: signed(text, settings.identity.signature),
      },
      inReplyTo: messageId,
      references: [...references, ...(messageId === null ? [] : [messageId])].slice(-referencesMax),
      ...{ citations: [], places: [], cause: null },
    })
    return release(tx, { messageId: id, isAutomatic: true, purpose })
  }
}
