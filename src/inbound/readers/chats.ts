import { type Json, valueAt } from '../json.ts'
import { Unprocessable } from '../processing.ts'
import { ignored, type NormalForm } from './normal-form.ts'
import { cleanText, externalIdOf, lineOf, listAt, urlOf } from './payload.ts'

const questionLengthMax = 4000

/** https://docs.slack.dev/apis/events-api: an envelope with `event`, and in `authorizations` who we are there. */
export function readSlack(payload: Json): NormalForm {
  const event = valueAt(payload, 'event')
  const type = valueAt(event, 'type')
  if (typeof type !== 'string') throw new Unprocessable('The delivery holds no event.')
  const isDirect = type === 'message' && valueAt(event, 'channel_type') === 'im'
  if (type !== 'app_mention' && !isDirect) return ignored(`Nothing follows from ${lineOf(type, 100) ?? 'it'}.`)
  // Edits, deletions, joins and what other apps write under the older name of a bot.
  const subtype = lineOf(valueAt(event, 'subtype'), 100)
  if (subtype !== null) return ignored(`A message of the subtype ${subtype} asks nothing.`)
  const conversation = externalIdOf(valueAt(event, 'channel'))
  const messageId = externalIdOf(valueAt(event, 'ts'))
  const isBot = valueAt(event, 'bot_id') !== undefined
  const user = externalIdOf(valueAt(event, 'user')) ?? (isBot ? externalIdOf(valueAt(event, 'bot_id')) : null)
  if (conversation === null || messageId === null || user === null)
    throw new Unprocessable('The message has no channel, time or user.')
  const own = listAt(valueAt(payload, 'authorizations'), 10).map((authorization) =>
    externalIdOf(valueAt(authorization, 'user_id')),
  )
  return {
    kind: 'chat.mention',
    workspace: externalIdOf(valueAt(payload, 'team_id')),
    conversation,
    thread: externalIdOf(valueAt(event, 'thread_ts')) ?? messageId,
    messageId,
    user,
    text: slackText(stringOf(valueAt(event, 'text')), own),
    isBot: isBot || own.includes(user),
    serviceUrl: null,
  }
}

/** https://docs.slack.dev/messaging/formatting-message-text: `<@U1>`, `<#C1|name>`, `<address|words>` and three entities. */
function slackText(text: string, own: (string | null)[]): string {
  const spoken = text
    .replace(/<@([A-Z0-9]{1,30})(?:\|[^<>]{0,100})?>/g, (_, user: string) => (own.includes(user) ? ' ' : `@${user}`))
    .replace(/<[^<>|]{1,3000}\|([^<>|]{1,3000})>/g, '$1')
    .replace(/<([^<>|]{1,3000})>/g, '$1')
  return cleanText(entitiesRead(spoken), questionLengthMax)
}

/** https://learn.microsoft.com/azure/bot-service/rest-api/bot-framework-rest-connector-api-reference#activity-object */
export function readBotFramework(payload: Json): NormalForm {
  const type = valueAt(payload, 'type')
  if (typeof type !== 'string') throw new Unprocessable('The activity has no type.')
  if (type !== 'message') return ignored(`Nothing follows from ${lineOf(type, 100) ?? 'it'}.`)
  const conversation = longIdOf(valueAt(payload, 'conversation', 'id'))
  const messageId = longIdOf(valueAt(payload, 'id'))
  const user = longIdOf(valueAt(payload, 'from', 'id'))
  if (conversation === null || messageId === null || user === null)
    throw new Unprocessable('The message has no conversation, id or sender.')
  const own = longIdOf(valueAt(payload, 'recipient', 'id'))
  const mentions = listAt(valueAt(payload, 'entities'), 50).filter(
    (entity) => valueAt(entity, 'type') === 'mention' && own !== null && valueAt(entity, 'mentioned', 'id') === own,
  )
  const isBetweenTwo = [undefined, 'personal'].includes(
    stringOrNone(valueAt(payload, 'conversation', 'conversationType')),
  )
  // With the right to read a whole channel an app is sent what is said to others, too.
  if (!isBetweenTwo && mentions.length === 0) return ignored('The message does not mention us.')
  const text = mentions.reduce<string>(
    (left, mention) => withoutFirst(left, stringOf(valueAt(mention, 'text'))),
    stringOf(valueAt(payload, 'text')).slice(0, questionLengthMax * 2),
  )
  return {
    kind: 'chat.mention',
    workspace: externalIdOf(valueAt(payload, 'channelData', 'tenant', 'id')),
    conversation,
    thread: longIdOf(valueAt(payload, 'replyToId')) ?? messageId,
    messageId,
    user,
    text: cleanText(entitiesRead(text.replace(/<[^<>]{0,500}>/g, ' ')), questionLengthMax),
    // 28: is the prefix of applications (https://learn.microsoft.com/azure/bot-service/bot-service-channels-reference).
    isBot: valueAt(payload, 'from', 'role') === 'bot' || user === own || user.startsWith('28:'),
    serviceUrl: urlOf(valueAt(payload, 'serviceUrl')),
  }
}

/** https://learn.microsoft.com/graph/change-notifications-delivery-webhooks: a list, also of what happened to subscriptions. */
export function readGraph(payload: Json): NormalForm {
  const value = valueAt(payload, 'value')
  if (!Array.isArray(value)) throw new Unprocessable('The delivery holds no notifications.')
  const resources = listAt(value, 100).map(
    (notification) =>
      lineOf(valueAt(notification, 'resource'), 500) ?? lineOf(valueAt(notification, 'lifecycleEvent'), 100),
  )
  return { kind: 'notification', resources: resources.filter((resource) => resource !== null) }
}

const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', nbsp: ' ', '#39': "'" }

/** In one pass: what comes out of an entity is not read as one again. */
function entitiesRead(text: string): string {
  return text.replace(/&(amp|lt|gt|quot|nbsp|#39);/g, (_, name: string) => entities[name] ?? '')
}

function withoutFirst(text: string, part: string): string {
  const found = part === '' ? -1 : text.indexOf(part)
  return found < 0 ? text : `${text.slice(0, found)} ${text.slice(found + part.length)}`
}

/** Ids of Teams are longer than those of others. */
function longIdOf(value: Json | undefined): string | null {
  return typeof value === 'string' && value.length <= 500 ? lineOf(value, 500) : null
}

function stringOf(value: Json | undefined): string {
  return typeof value === 'string' ? value : ''
}

function stringOrNone(value: Json | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined
}
