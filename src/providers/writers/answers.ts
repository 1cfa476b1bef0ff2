import { fieldAt, textAt } from '../answer-fields.ts'
import { graphApi } from '../microsoft.ts'
import type { Target } from '../provider.ts'
import { slackApi } from '../slack.ts'
import { lookInSlack, postToSlack, slackText, teamsLines, teamsWriter } from './chats.ts'
import { type AnswerText, lateSeconds, type Writer } from './writer.ts'

/** Where a question was asked. `workspace`, `team`, `conversation` and `thread` are the chat's own ids. */
export type ChatPlace = {
  channel: 'chat' | 'collab'
  workspace: string | null
  team: string | null
  conversation: string
  thread: string | null
}

/** Where the answer to a question goes, and which workspace's account may write there. Null: no account can. */
export type AnswerPlace = { provider: 'slack' | 'microsoft'; accountId: string | null; target: Target }

export function answerPlace({ channel, workspace, team, conversation, thread }: ChatPlace): AnswerPlace | null {
  if (channel === 'chat') {
    if (workspace === null || !/^[A-Z0-9]{1,30}$/.test(conversation) || !/^\d{1,20}\.\d{1,10}$/.test(thread ?? ''))
      return null
    return { provider: 'slack', accountId: workspace, target: { channelId: conversation, threadTs: thread ?? '' } }
  }
  const [id = '', root] = conversation.split(';messageid=')
  // Conversations of an app with one person begin with `a:`: nobody else's account can write there.
  if (!/^19:[\w.@=-]{1,200}$/.test(id)) return null
  if (!id.endsWith('@thread.tacv2')) return { provider: 'microsoft', accountId: null, target: { chatId: id } }
  if (team === null || !/^\d{1,20}$/.test(root ?? '')) return null
  return { provider: 'microsoft', accountId: null, target: { teamId: team, channelId: id, messageId: root ?? '' } }
}

const lettersMax = 3000

/** In its thread. */
export const slackAnswer: Writer<AnswerText> = {
  lagSeconds: lateSeconds,
  write: ({ text }, context) =>
    postToSlack(context, {
      eventType: 'atrium_answer',
      text: slackText(text.slice(0, lettersMax)),
      thread_ts: context.action.target['threadTs'],
    }),
  look: (context) =>
    lookInSlack(context, {
      method: 'conversations.replies',
      query: { ts: context.action.target['threadTs'] ?? '' },
    }),
}

/** A reply in a channel, or a message in a chat. Those of channels may not be readable. */
export const teamsAnswer = teamsWriter<AnswerText>(
  ({ target: { chatId = '', teamId = '', channelId = '', messageId = '' } }) => {
    if (chatId !== '') return `${graphApi}/chats/${encodeURIComponent(chatId)}/messages`
    const channel = `${graphApi}/teams/${encodeURIComponent(teamId)}/channels/${encodeURIComponent(channelId)}`
    return `${channel}/messages/${encodeURIComponent(messageId)}/replies`
  },
  ({ text }) => `<p>${teamsLines(text)}</p>`,
)

/** The author of a chat message, with the address that Slack has confirmed. Null: a program, or a person without such an address. */
export function slackAddress(answer: unknown): string | null {
  const user = fieldAt(answer, 'user')
  const isPerson = fieldAt(user, 'is_bot') !== true && fieldAt(user, 'deleted') !== true
  return isPerson && fieldAt(user, 'is_email_confirmed') === true ? textAt(user, 'profile', 'email') : null
}

export function slackUserUrl(userId: string): string {
  return `${slackApi}/users.info?user=${encodeURIComponent(userId)}`
}
