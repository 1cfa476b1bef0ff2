import type { HandleMention } from '../../inbound/index.ts'
import { hashedKey } from '../../kernel/checksum.ts'
import type { DraftedAnswers } from './drafted-answer.service.ts'

/**
 * Drafts an answer to a question from a chat. Of the connection's settings it reads `workspace`, the only one that may ask,
 * and `userId`, whose meetings may be quoted.
 */
export function mentionHandler(drafts: Pick<DraftedAnswers, 'ask'>): HandleMention {
  return async (tx, received, form) => {
    if (form.isBot) return ignored('A program wrote it: two that answer each other never end.')
    if (form.text === '') return ignored('The mention asks nothing.')
    // An app that others can install, too, brings their questions with the same good signature.
    const workspace = received.settings['workspace']
    if (workspace !== undefined && workspace !== form.workspace) return ignored('It was asked in another workspace.')
    const userId = received.settings['userId']
    const effect = await drafts.ask(tx, {
      connectionId: received.connectionId,
      // By message and not by delivery: a provider may tell of one message in two events.
      effectKey: hashedKey('answer', received.connectionId, form.conversation, form.messageId),
      channel: received.channel,
      conversation: form.conversation,
      thread: form.thread,
      serviceUrl: form.serviceUrl,
      askedBy: form.user,
      question: form.text,
      userId: typeof userId === 'string' ? userId : null,
    })
    return { kind: 'processed', effects: [effect] }
  }
}

function ignored(reason: string) {
  return { kind: 'ignored', reason } as const
}
