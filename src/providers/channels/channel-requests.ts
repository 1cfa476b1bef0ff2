import { textAt } from '../answer-fields.ts'
import { mainCalendar } from '../calendars/calendar-pages.ts'
import { graphApi } from '../microsoft.ts'
import { type FeatureName, jsonRequest, type ProviderName, type ProviderRequest } from '../provider.ts'

/** A channel as its provider knows it. */
export type MadeChannel = { externalId: string; resourceId: string | null; expiresAt: Date }
export type ChannelAsk = {
  feature: FeatureName
  resource: string
  /** Proposed by us, where the provider takes one. */
  id: string
  /** Where messages are sent, and the secret that they repeat. */
  address: string
  secret: string
  now: Date
}

/** How a provider is asked to tell us of changes. */
export type Channels = {
  scheme: 'google-channel' | 'graph'
  make(accessToken: string, ask: ChannelAsk): ProviderRequest
  /** Null: the answer cannot be used. */
  made(answer: unknown, ask: ChannelAsk): MadeChannel | null
  /** Null: a channel cannot be prolonged, so another one is made in time. */
  renew: ((accessToken: string, channel: MadeChannel, now: Date) => ProviderRequest) | null
  withdraw(accessToken: string, channel: Pick<MadeChannel, 'externalId' | 'resourceId'>): ProviderRequest
}

const hourMs = 3_600_000
/** Google's longest is a week. */
const googleSeconds = 7 * 24 * 3600
/** Graph's longest for events and for transcripts is 4,230 minutes. */
const graphMs = 70 * hourMs

const json = (token: string, method: ProviderRequest['method'], url: string, body?: object) =>
  jsonRequest(token, { method, url, body })

const googleApi = 'https://www.googleapis.com/calendar/v3'

/** https://developers.google.com/workspace/calendar/api/guides/push */
const google: Channels = {
  scheme: 'google-channel',
  make: (token, { resource, id, address, secret }) =>
    json(token, 'POST', `${googleApi}/calendars/${encodeURIComponent(resource)}/events/watch`, {
      id,
      type: 'web_hook',
      address,
      token: secret,
      params: { ttl: String(googleSeconds) },
    }),
  made: (answer, { id, now }) => {
    const resourceId = textAt(answer, 'resourceId')
    const ms = Number(textAt(answer, 'expiration') ?? now.getTime() + googleSeconds * 1000)
    return resourceId === null || !(ms > now.getTime()) ? null : { externalId: id, resourceId, expiresAt: new Date(ms) }
  },
  renew: null,
  withdraw: (token, { externalId: id, resourceId }) =>
    json(token, 'POST', `${googleApi}/channels/stop`, { id, resourceId }),
}

const expirationDateTime = (now: Date) => new Date(now.getTime() + graphMs).toISOString()

/** https://learn.microsoft.com/graph/api/subscription-post-subscriptions. Graph asks the address for an echo before it answers. */
const microsoft: Channels = {
  scheme: 'graph',
  make: (token, { feature, resource, address, secret, now }) =>
    json(token, 'POST', `${graphApi}/subscriptions`, {
      changeType: feature === 'transcripts' ? 'created' : 'created,updated,deleted',
      notificationUrl: address,
      // Needed for transcripts that are watched for more than an hour.
      ...(feature === 'transcripts' ? { lifecycleNotificationUrl: address } : {}),
      resource: feature === 'transcripts' ? resource : calendarResource(resource),
      expirationDateTime: expirationDateTime(now),
      clientState: secret,
    }),
  made: (answer, { now }) => {
    const externalId = textAt(answer, 'id')
    const ms = Date.parse(textAt(answer, 'expirationDateTime') ?? expirationDateTime(now))
    return externalId === null || !(ms > now.getTime())
      ? null
      : { externalId, resourceId: null, expiresAt: new Date(ms) }
  },
  renew: (token, { externalId }, now) =>
    json(token, 'PATCH', `${graphApi}/subscriptions/${encodeURIComponent(externalId)}`, {
      expirationDateTime: expirationDateTime(now),
    }),
  withdraw: (token, { externalId }) =>
    json(token, 'DELETE', `${graphApi}/subscriptions/${encodeURIComponent(externalId)}`),
}

function calendarResource(calendarId: string): string {
  return calendarId === mainCalendar ? 'me/events' : `me/calendars/${encodeURIComponent(calendarId)}/events`
}

export const channelsOf = { google, microsoft } as const

/** Null: the provider has no channels. */
export function withdrawalOf(
  provider: ProviderName,
  accessToken: string,
  channel: Pick<MadeChannel, 'externalId' | 'resourceId'>,
): ProviderRequest | null {
  return provider === 'google' || provider === 'microsoft' ? channelsOf[provider].withdraw(accessToken, channel) : null
}
