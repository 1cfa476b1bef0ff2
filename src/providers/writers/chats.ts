import { escapeHtml } from '../../kernel/escape-html.ts'
import { fieldAt, listAt, textAt } from '../answer-fields.ts'
import { graphApi } from '../microsoft.ts'
import { jsonRequest } from '../provider.ts'
import { slackApi } from '../slack.ts'
import {
  type LookOutcome,
  lateSeconds,
  type MeetingContent,
  type WriteContext,
  type WriteOutcome,
  type Writer,
  type Written,
  writeOutcome,
} from './writer.ts'

const pagesMax = 10
const lettersMax = 3000

/** Characters that Slack reads as marks (https://docs.slack.dev/messaging/formatting-message-text). */
export function slackText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

function slackWritten(channelId: string, message: unknown): Written | null {
  const ts = textAt(message, 'ts')
  if (ts === null) return null
  const url = new URL('https://slack.com/app_redirect')
  url.searchParams.set('channel', channelId)
  url.searchParams.set('message_ts', ts)
  return { externalId: ts, externalUrl: url.href }
}

/** The metadata of the message has the action's id. */
export async function postToSlack(
  { action, call }: WriteContext,
  { eventType, ...message }: { eventType: string; text: string; thread_ts?: string | undefined },
): Promise<WriteOutcome> {
  const channel = action.target['channelId'] ?? ''
  const metadata = { event_type: eventType, event_payload: { action: action.id } }
  const body = { channel, ...message, unfurl_links: false, metadata }
  const answer = await call((token) =>
    jsonRequest(token, { method: 'POST', url: `${slackApi}/chat.postMessage`, body }),
  )
  return writeOutcome(answer, (sent) => slackWritten(channel, sent))
}

/** Looks for the action's id in the metadata of messages, page by page. `method`: of Slack, which lists the messages. */
export async function lookInSlack(
  { action, call }: WriteContext,
  { method, query }: { method: string; query: Record<string, string> },
): Promise<LookOutcome> {
  const channel = action.target['channelId'] ?? ''
  let cursor = ''
  for (let page = 0; page < pagesMax; page++) {
    const url = new URL(`${slackApi}/${method}`)
    const parameters = { channel, ...query, limit: '200', include_all_metadata: 'true', cursor }
    for (const [name, value] of Object.entries(parameters)) if (value !== '') url.searchParams.set(name, value)
    const { status, body } = await call((token) => jsonRequest(token, { method: 'GET', url: url.href }))
    if (status >= 300) return { kind: 'unknown' }
    const message = listAt(body, 'messages').find(
      (it) => textAt(it, 'metadata', 'event_payload', 'action') === action.id,
    )
    const written = slackWritten(channel, message)
    if (written !== null) return { kind: 'found', written }
    cursor = textAt(body, 'response_metadata', 'next_cursor') ?? ''
    if (cursor === '' || fieldAt(body, 'has_more') === false) return { kind: 'absent' }
  }
  return { kind: 'unknown' }
}

export const slackSummary: Writer<MeetingContent> = {
  lagSeconds: lateSeconds,
  write: ({ title, summary }, context) =>
    postToSlack(context, {
      eventType: 'atrium_summary',
      text: `*${slackText(title)}*\n${slackText(summary).slice(0, lettersMax)}`,
    }),
  look: (context) => {
    const oldest = String(Math.floor(context.sentAt.getTime() / 1000) - 60)
    return lookInSlack(context, { method: 'conversations.history', query: { oldest } })
  },
}

const messagesOfPage = 50

/** Seen by nobody; nothing is there. */
const teamsMarker = (actionId: string): string => `<a href="https://atrium.invalid/actions/${actionId}">&#8203;</a>`

export const teamsLines = (text: string): string => escapeHtml(text).split('\n').join('<br>')

function teamsWritten(message: unknown): Written | null {
  const externalId = textAt(message, 'id')
  return externalId === null ? null : { externalId, externalUrl: textAt(message, 'webUrl') }
}

/**
 * Writes messages with the action's id in a link. They can be looked for only where the directory allows to read them.
 * @param url of the messages among which they are written.
 */
export function teamsWriter<Content>(
  url: (action: WriteContext['action']) => string,
  html: (content: Content) => string,
): Writer<Content> {
  return {
    lagSeconds: lateSeconds,
    write: async (written, { action, call }) => {
      const body = { body: { contentType: 'html', content: `${html(written)}${teamsMarker(action.id)}` } }
      const answer = await call((token) => jsonRequest(token, { method: 'POST', url: url(action), body }))
      return writeOutcome(answer, teamsWritten)
    },
    look: async ({ action, call }): Promise<LookOutcome> => {
      const page = { method: 'GET' as const, url: `${url(action)}?$top=${messagesOfPage}` }
      const { status, body } = await call((token) => jsonRequest(token, page))
      if (status >= 300) return { kind: 'unknown' }
      const messages = listAt(body, 'value')
      const written = teamsWritten(messages.find((it) => textAt(it, 'body', 'content')?.includes(action.id)))
      if (written !== null) return { kind: 'found', written }
      return messages.length < messagesOfPage ? { kind: 'absent' } : { kind: 'unknown' }
    },
  }
}

export const teamsSummary = teamsWriter<MeetingContent>(
  ({ target }) => {
    const [team, channel] = [target['teamId'] ?? '', target['channelId'] ?? ''].map(encodeURIComponent)
    return `${graphApi}/teams/${team}/channels/${channel}/messages`
  },
  ({ title, summary }) => `<p><strong>${escapeHtml(title)}</strong></p><p>${teamsLines(summary)}</p>`,
)
