import { escapeHtml } from '../../kernel/escape-html.ts'
import { fieldAt, listAt, textAt } from '../answer-fields.ts'
import { jsonRequest } from '../provider.ts'
import {
  type LookOutcome,
  lateSeconds,
  type MeetingContent,
  type WriteContext,
  type Writer,
  writeOutcome,
} from './writer.ts'

export const slackApi = 'https://slack.com/api'
const eventType = 'atrium_summary'
const pagesMax = 10
const letterMax = 3000

/** Characters that Slack reads as marks (https://docs.slack.dev/messaging/formatting-message-text). */
export function slackText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

export function slackWritten(channelId: string, ts: string) {
  const url = new URL('https://slack.com/app_redirect')
  url.searchParams.set('channel', channelId)
  url.searchParams.set('message_ts', ts)
  return { externalId: ts, externalUrl: url.href }
}

/** The metadata of the message has the action's id, and the history shows metadata. */
export const slackSummary: Writer<MeetingContent> = {
  lagSeconds: lateSeconds,
  write: async ({ title, summary }, { action, call }) => {
    const channel = action.target['channelId'] ?? ''
    const body = {
      channel,
      text: `*${slackText(title)}*\n${slackText(summary).slice(0, letterMax)}`,
      unfurl_links: false,
      metadata: { event_type: eventType, event_payload: { action: action.id } },
    }
    const answer = await call((token) =>
      jsonRequest(token, { method: 'POST', url: `${slackApi}/chat.postMessage`, body }),
    )
    return writeOutcome(answer, (sent) => {
      const ts = textAt(sent, 'ts')
      return ts === null ? null : slackWritten(channel, ts)
    })
  },
  look: async ({ action, sentAt, call }): Promise<LookOutcome> => {
    const channel = action.target['channelId'] ?? ''
    let cursor = ''
    for (let page = 0; page < pagesMax; page++) {
      const url = new URL(`${slackApi}/conversations.history`)
      const oldest = String(Math.floor(sentAt.getTime() / 1000) - 60)
      for (const [name, value] of Object.entries({ channel, oldest, limit: '200', include_all_metadata: 'true' }))
        url.searchParams.set(name, value)
      if (cursor !== '') url.searchParams.set('cursor', cursor)
      const { status, body } = await call((token) => jsonRequest(token, { method: 'GET', url: url.href }))
      if (status >= 300) return { kind: 'unknown' }
      const message = listAt(body, 'messages').find(
        (it) => textAt(it, 'metadata', 'event_payload', 'action') === action.id,
      )
      const ts = textAt(message, 'ts')
      if (ts !== null) return { kind: 'found', written: slackWritten(channel, ts) }
      cursor = textAt(body, 'response_metadata', 'next_cursor') ?? ''
      if (cursor === '' || fieldAt(body, 'has_more') === false) return { kind: 'absent' }
    }
    return { kind: 'unknown' }
  },
}

/** Seen by nobody; nothing is there. */
export const teamsMarker = (actionId: string): string =>
  `<a href="https://atrium.invalid/actions/${actionId}">&#8203;</a>`

function channelMessages({ target }: WriteContext['action']): string {
  const [team, channel] = [target['teamId'] ?? '', target['channelId'] ?? ''].map(encodeURIComponent)
  return `https://graph.microsoft.com/v1.0/teams/${team}/channels/${channel}/messages`
}

/** The message has the action's id in a link. Only a directory that allows to read the channel lets us look for it. */
export const teamsSummary: Writer<MeetingContent> = {
  lagSeconds: lateSeconds,
  write: async ({ title, summary }, { action, call }) => {
    const paragraphs = escapeHtml(summary).split('\n').join('<br>')
    const content = `<p><strong>${escapeHtml(title)}</strong></p><p>${paragraphs}</p>${teamsMarker(action.id)}`
    const body = { body: { contentType: 'html', content } }
    const answer = await call((token) => jsonRequest(token, { method: 'POST', url: channelMessages(action), body }))
    return writeOutcome(answer, (sent) => {
      const externalId = textAt(sent, 'id')
      return externalId === null ? null : { externalId, externalUrl: textAt(sent, 'webUrl') }
    })
  },
  look: async ({ action, call }): Promise<LookOutcome> => {
    const url = `${channelMessages(action)}?$top=50`
    const { status, body } = await call((token) => jsonRequest(token, { method: 'GET', url }))
    if (status >= 300) return { kind: 'unknown' }
    const message = listAt(body, 'value').find((it) => textAt(it, 'body', 'content')?.includes(action.id))
    const externalId = textAt(message, 'id')
    if (externalId !== null) return { kind: 'found', written: { externalId, externalUrl: textAt(message, 'webUrl') } }
    return listAt(body, 'value').length < 50 ? { kind: 'absent' } : { kind: 'unknown' }
  },
}
