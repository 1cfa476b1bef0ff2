import type { HandleMention } from '../../inbound/index.ts'
import { hashedKey } from '../../kernel/checksum.ts'
import type { DraftedAnswers } from './drafted-answer.service.ts'

/**
 * Drafts an answer to a question from a chat. Two settings of the connection matter: `workspace`, the only one that may
 * ask, and `userId`, the user whose meetings may be quoted unless the connection belongs to an organization.
 */
export function mentionHandler(drafts: Pick<DraftedAnswers, 'ask'>): HandleMention {
  return async (tx, received, form) => {
    if (form.isBot) return ignored('It was written by a bot. Two bots that answer each other would never stop.')
    if (form.text === '') return ignored('The mention contains no question.')
    // Other workspaces can install the same app, and their questions arrive with the same valid signature.
    const workspace = received.settings['workspace']
    if (workspace !== undefined && workspace !== form.workspace) return ignored('It was asked in another workspace.')
    const userId = received.settings['userId']
    const effect = await drafts.ask(tx, {
      connectionId: received.connectionId,
      // One key for each message, because a provider may report one message in two deliveries.
      effectKey: hashedKey('answer', received.connectionId, form.conversation, form.messageId),
      channel: received.channel,
      workspace: form.workspace,
      team: form.team,
      conversation: form.conversation,
      isDirect: form.isDirect,
      thread: form.thread,
      serviceUrl: form.serviceUrl,
      askedBy: form.user,
      question: form.text,
      userId: typeof userId === 'string' && received.orgId === null ? userId : null,
      orgId: received.orgId,
    })
    return { kind: 'processed', effects: [effect] }
  }
}

function ignored(reason: string) {
  return { kind: 'ignored', reason } as const
}
