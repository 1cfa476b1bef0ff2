import { cleanText } from '../../kernel/clean-text.ts'
import { type Json, valueAt } from '../json.ts'
import { Unprocessable } from '../processing.ts'
import { ignored, type NormalizedDelivery } from './normalized-delivery.ts'
import { listAt, oneLine, toExternalId, webUrl } from './payload.ts'

const questionLengthMax = 4000

/** https://docs.slack.dev/apis/events-api: an envelope with `event`. `authorizations` says which user we are. */
export function readSlack(payload: Json): NormalizedDelivery {
  const event = valueAt(payload, 'event')
  const type = valueAt(event, 'type')
  if (typeof type !== 'string') throw new Unprocessable('The delivery has no event.')
  const isDirect = type === 'message' && valueAt(event, 'channel_type') === 'im'
  if (type !== 'app_mention' && !isDirect) return ignored(`Nothing is done for ${oneLine(type, 100) ?? 'this event'}.`)
  // Edits, deletions, joins, and messages of other apps that use the older bot format.
  const subtype = oneLine(valueAt(event, 'subtype'), 100)
  if (subtype !== null) return ignored(`A message with the subtype ${subtype} is not a question.`)
  const conversation = toExternalId(valueAt(event, 'channel'))
  const messageId = toExternalId(valueAt(event, 'ts'))
  const isBot = valueAt(event, 'bot_id') !== undefined
  const user = toExternalId(valueAt(event, 'user')) ?? (isBot ? toExternalId(valueAt(event, 'bot_id')) : null)
  if (conversation === null || messageId === null || user === null)
    throw new Unprocessable('The message has no channel, no ts or no user.')
  const own = listAt(valueAt(payload, 'authorizations'), 10).map((authorization) =>
    toExternalId(valueAt(authorization, 'user_id')),
  )
  return {
    kind: 'chat.mention',
    workspace: toExternalId(valueAt(payload, 'team_id')),
    team: null,
    conversation,
    isDirect,
    thread: toExternalId(valueAt(event, 'thread_ts')) ?? messageId,
    messageId,
    user,
    text: slackText(stringOrEmpty(valueAt(event, 'text')), own),
    isBot: isBot || own.includes(user),
    serviceUrl: null,
  }
}

/** https://docs.slack.dev/messaging/formatting-message-text: `<@U1>`, `<#C1|name>`, `<url|text>` and three entities. */
function slackText(text: string, own: (string | null)[]): string {
  const plain = text
    .replace(/<@([A-Z0-9]{1,30})(?:\|[^<>]{0,100})?>/g, (_, user: string) => (own.includes(user) ? ' ' : `@${user}`))
    .replace(/<[^<>|]{1,3000}\|([^<>|]{1,3000})>/g, '$1')
    .replace(/<([^<>|]{1,3000})>/g, '$1')
  return cleanText(decodeEntities(plain), questionLengthMax)
}

/** https://learn.microsoft.com/azure/bot-service/rest-api/bot-framework-rest-connector-api-reference#activity-object */
export function readBotFramework(payload: Json): NormalizedDelivery {
  const type = valueAt(payload, 'type')
  if (typeof type !== 'string') throw new Unprocessable('The activity has no type.')
  if (type !== 'message') return ignored(`Nothing is done for ${oneLine(type, 100) ?? 'this event'}.`)
  const conversation = longExternalId(valueAt(payload, 'conversation', 'id'))
  const messageId = longExternalId(valueAt(payload, 'id'))
  const user = longExternalId(valueAt(payload, 'from', 'id'))
  if (conversation === null || messageId === null || user === null)
    throw new Unprocessable('The message has no conversation, no id or no sender.')
  const own = longExternalId(valueAt(payload, 'recipient', 'id'))
  const mentions = listAt(valueAt(payload, 'entities'), 50).filter(
    (entity) => valueAt(entity, 'type') === 'mention' && own !== null && valueAt(entity, 'mentioned', 'id') === own,
  )
  const isBetweenTwo = [undefined, 'personal'].includes(
    stringOrUndefined(valueAt(payload, 'conversation', 'conversationType')),
  )
  // An app that may read a whole channel also receives messages to others.
  if (!isBetweenTwo && mentions.length === 0) return ignored('The message does not mention us.')
  const text = mentions.reduce<string>(
    (remaining, mention) => removeFirst(remaining, stringOrEmpty(valueAt(mention, 'text'))),
    stringOrEmpty(valueAt(payload, 'text')).slice(0, questionLengthMax * 2),
  )
  return {
    kind: 'chat.mention',
    workspace: toExternalId(valueAt(payload, 'channelData', 'tenant', 'id')),
    team: toExternalId(valueAt(payload, 'channelData', 'team', 'aadGroupId')),
    conversation,
    isDirect: isBetweenTwo,
    thread: longExternalId(valueAt(payload, 'replyToId')) ?? messageId,
    messageId,
    user,
    text: cleanText(decodeEntities(text.replace(/<[^<>]{0,500}>/g, ' ')), questionLengthMax),
    // 28: is the prefix of applications (https://learn.microsoft.com/azure/bot-service/bot-service-channels-reference).
    isBot: valueAt(payload, 'from', 'role') === 'bot' || user === own || user.startsWith('28:'),
    serviceUrl: webUrl(valueAt(payload, 'serviceUrl')),
  }
}

/** https://learn.microsoft.com/graph/change-notifications-delivery-webhooks: a list, which also contains events of the subscriptions. */
export function readGraph(payload: Json): NormalizedDelivery {
  const value = valueAt(payload, 'value')
  if (!Array.isArray(value)) throw new Unprocessable('The delivery has no notifications.')
  const resources = listAt(value, 100).map(
    (notification) =>
      oneLine(valueAt(notification, 'resource'), 500) ?? oneLine(valueAt(notification, 'lifecycleEvent'), 100),
  )
  return { kind: 'notification', resources: resources.filter((resource) => resource !== null) }
}

const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', nbsp: ' ', '#39': "'" }

/** In one pass: a decoded entity is not decoded again. */
function decodeEntities(text: string): string {
  return text.replace(/&(amp|lt|gt|quot|nbsp|#39);/g, (_, name: string) => entities[name] ?? '')
}

function removeFirst(text: string, part: string): string {
  const start = part === '' ? -1 : text.indexOf(part)
  return start < 0 ? text : `${text.slice(0, start)} ${text.slice(start + part.length)}`
}

/** Ids of Teams are longer than those of other providers. */
function longExternalId(value: Json | undefined): string | null {
  return typeof value === 'string' && value.length <= 500 ? oneLine(value, 500) : null
}

function stringOrEmpty(value: Json | undefined): string {
  return typeof value === 'string' ? value : ''
}

function stringOrUndefined(value: Json | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined
}
