import { escapeHtml } from '../../kernel/escape-html.ts'
import { fieldAt, listAt, textAt } from '../answer-fields.ts'
import { jsonRequest, type Target } from '../provider.ts'
import { slackApi, slackText, slackWritten, teamsMarker } from './chats.ts'
import {
  type AnswerText,
  type LookOutcome,
  lateSeconds,
  type WriteContext,
  type Writer,
  writeOutcome,
} from './writer.ts'

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

const pagesMax = 10
const lettersMax = 3000

/** In its thread. The metadata has the action's id. */
export const slackAnswer: Writer<AnswerText> = {
  lagSeconds: lateSeconds,
  write: async ({ text }, { action, call }) => {
    const { channelId = '', threadTs } = action.target
    const body = {
      channel: channelId,
      thread_ts: threadTs,
      text: slackText(text.slice(0, lettersMax)),
      unfurl_links: false,
      metadata: { event_type: 'atrium_answer', event_payload: { action: action.id } },
    }
    const request = { method: 'POST' as const, url: `${slackApi}/chat.postMessage`, body }
    return writeOutcome(await call((token) => jsonRequest(token, request)), (sent) => {
      const ts = textAt(sent, 'ts')
      return ts === null ? null : slackWritten(channelId, ts)
    })
  },
  look: async ({ action, call }): Promise<LookOutcome> => {
    const { channelId = '', threadTs = '' } = action.target
    let cursor = ''
    for (let page = 0; page < pagesMax; page++) {
      const url = new URL(`${slackApi}/conversations.replies`)
      const query = { channel: channelId, ts: threadTs, limit: '200', include_all_metadata: 'true', cursor }
      for (const [name, value] of Object.entries(query)) if (value !== '') url.searchParams.set(name, value)
      const { status, body } = await call((token) => jsonRequest(token, { method: 'GET', url: url.href }))
      if (status >= 300) return { kind: 'unknown' }
      const ours = listAt(body, 'messages').find(
        (it) => textAt(it, 'metadata', 'event_payload', 'action') === action.id,
      )
      const ts = textAt(ours, 'ts')
      if (ts !== null) return { kind: 'found', written: slackWritten(channelId, ts) }
      cursor = textAt(body, 'response_metadata', 'next_cursor') ?? ''
      if (cursor === '' || fieldAt(body, 'has_more') === false) return { kind: 'absent' }
    }
    return { kind: 'unknown' }
  },
}

function messagesUrl({ target }: WriteContext['action']): string {
  const { chatId = '', teamId = '', channelId = '', messageId = '' } = target
  const graph = 'https://graph.microsoft.com/v1.0'
  if (chatId !== '') return `${graph}/chats/${encodeURIComponent(chatId)}/messages`
  const channel = `${graph}/teams/${encodeURIComponent(teamId)}/channels/${encodeURIComponent(channelId)}`
  return `${channel}/messages/${encodeURIComponent(messageId)}/replies`
}

/** A reply in a channel, or a message in a chat, with the action's id in a link. Those of channels may not be readable. */
export const teamsAnswer: Writer<AnswerText> = {
  lagSeconds: lateSeconds,
  write: async ({ text }, { action, call }) => {
    const content = `<p>${escapeHtml(text).split('\n').join('<br>')}</p>${teamsMarker(action.id)}`
    const request = {
      method: 'POST' as const,
      url: messagesUrl(action),
      body: { body: { contentType: 'html', content } },
    }
    return writeOutcome(await call((token) => jsonRequest(token, request)), (sent) => {
      const externalId = textAt(sent, 'id')
      return externalId === null ? null : { externalId, externalUrl: textAt(sent, 'webUrl') }
    })
  },
  look: async ({ action, call }): Promise<LookOutcome> => {
    const url = `${messagesUrl(action)}?$top=50`
    const { status, body } = await call((token) => jsonRequest(token, { method: 'GET', url }))
    if (status >= 300) return { kind: 'unknown' }
    const message = listAt(body, 'value').find((it) => textAt(it, 'body', 'content')?.includes(action.id))
    const externalId = textAt(message, 'id')
    if (externalId !== null) return { kind: 'found', written: { externalId, externalUrl: textAt(message, 'webUrl') } }
    return listAt(body, 'value').length < 50 ? { kind: 'absent' } : { kind: 'unknown' }
  },
}

/** Whoever wrote in a chat, with the address that Slack has confirmed. Null: a program, or nobody with such an address. */
export function slackAddress(answer: unknown): string | null {
  const user = fieldAt(answer, 'user')
  const isPerson = fieldAt(user, 'is_bot') !== true && fieldAt(user, 'deleted') !== true
  return isPerson && fieldAt(user, 'is_email_confirmed') === true ? textAt(user, 'profile', 'email') : null
}

export function slackUserUrl(userId: string): string {
  return `${slackApi}/users.info?user=${encodeURIComponent(userId)}`
}
