import type { Tokens } from '../../mime/mail-token.ts'
import type { TenantScope } from '../../storage/scope.ts'
import { findThreadByToken, hasCorrespondent } from '../threads/thread.store.ts'

export type Lookup = {
  ownerId: string
  /** In lower case; empty where the mail names nobody. */
  sender: string
  /** Of the recipient. */
  replyToken: Buffer | null
  bounceToken: Buffer | null
  inReplyTo: string | null
  references: string[]
}

export type FoundThread = {
  threadId: string
  /** The mail of ours that is answered, or that came back. */
  messageId: string
  /** The sender is not of the thread. */
  isStranger: boolean
}

/**
 * The thread of a mail: by the token of the recipient; by our Message-ID in `In-Reply-To`; by ours in `References`, newest first,
 * where the sender is of that thread. Never by subject or sender alone. Null: it begins one.
 */
export async function findThread(scope: TenantScope, tokens: Tokens, mail: Lookup): Promise<FoundThread | null> {
  const { ownerId, sender } = mail
  const byToken = async (token: Buffer | null) =>
    token && (await withStranger(scope, await findThreadByToken(scope, { ownerId, token }), sender))
  const direct =
    (await byToken(mail.replyToken ?? mail.bounceToken)) ?? (await byToken(tokenOfMessageId(tokens, mail.inReplyTo)))
  if (direct !== null) return direct
  for (const reference of mail.references.toReversed()) {
    const found = await byToken(tokenOfMessageId(tokens, reference))
    if (found !== null && !found.isStranger) return found
  }
  return null
}

async function withStranger(
  scope: TenantScope,
  found: { threadId: string; messageId: string } | null,
  sender: string,
): Promise<FoundThread | null> {
  if (found === null) return null
  return { ...found, isStranger: !(await hasCorrespondent(scope, { threadId: found.threadId, address: sender })) }
}

/** Null for a Message-ID that is none of ours. */
export function tokenOfMessageId(tokens: Tokens, messageId: string | null): Buffer | null {
  const name = /^<([^@<>]{26})@/.exec(messageId ?? '')?.[1]
  return name === undefined ? null : tokens.read('reply', name)
}
