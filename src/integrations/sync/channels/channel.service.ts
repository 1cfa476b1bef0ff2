import { randomUUID } from 'node:crypto'
import type { OwnedConnections } from '../../../inbound/index.ts'
import type { Clock } from '../../../kernel/clock.ts'
import { mainCalendar } from '../../../providers/calendars/calendar-pages.ts'
import { type Channels, channelsOf, type MadeChannel } from '../../../providers/channels/channel-requests.ts'
import type { FeatureName } from '../../../providers/provider.ts'
import { ProviderUnreachable } from '../../../providers/provider-http.ts'
import { type TenantScope, transaction } from '../../../storage/scope.ts'
import type { Integration } from '../../integrations/integration.rules.ts'
import { GrantFailure } from '../../tokens/grant-failure.ts'
import type { CallApi } from '../../tokens/provider-calls.ts'
import { type Channel, type ChannelKey, findChannel, saveChannel } from './channel.store.ts'

export type ChannelDeps = {
  clock: Clock
  callApi: CallApi
  connections: Pick<OwnedConnections, 'ensure'>
  /** Of this service as providers reach it; null: they cannot. */
  address: string | null
}

type Keeping = { scope: TenantScope; integration: Integration; key: ChannelKey; channels: Channels }

/** Lets providers tell us of changes. Their messages are hints: without them everything is read by the clock all the same. */
export function channelKeeper({ clock, callApi, connections, address }: ChannelDeps) {
  /** Makes the channels of a feature, and renews them at half of their life. What fails is tried again at the next reading. */
  async function keep(scope: TenantScope, integration: Integration, feature: FeatureName): Promise<void> {
    const { provider, id: integrationId } = integration
    if (address === null || (provider !== 'google' && provider !== 'microsoft')) return
    try {
      for (const resource of resourcesOf(integration, feature)) {
        const key = { integrationId, feature, resource }
        await keepOne({ scope, integration, key, channels: channelsOf[provider] }, address)
      }
    } catch (error) {
      if (!(error instanceof GrantFailure || error instanceof ProviderUnreachable)) throw error
    }
  }

  async function keepOne({ scope, integration, key, channels }: Keeping, at: string): Promise<void> {
    const name = `${integration.provider}: ${integration.accountName ?? integration.id}`.slice(0, 100)
    const owned = { integrationId: integration.id, scheme: channels.scheme, name }
    // Committed before the provider is asked: Graph checks the address before it answers.
    const connection = await transaction(scope, (tx) => connections.ensure(tx, owned))
    const known = await findChannel(scope, key)
    const now = clock.now()
    const isLive = known !== null && known.connectionId === connection.id && known.expiresAt > now
    if (isLive && known.renewAt > now) return
    const renewed = isLive ? await renew({ scope, integration, key, channels }, known) : null
    const url = `${at}/assistant/v1/webhooks/inbound/${connection.channel}/${connection.id}`
    const ask = { ...key, id: randomUUID(), address: url, secret: connection.secret, now }
    const made = renewed ?? (await make({ scope, integration, key, channels }, ask))
    if (made === null) return
    const renewAt = new Date(now.getTime() + (made.expiresAt.getTime() - now.getTime()) / 2)
    await saveChannel(scope, key, { ...made, connectionId: connection.id, renewAt })
    // Two would tell everything twice.
    if (known !== null && known.externalId !== made.externalId)
      await callApi(scope, integration.id, (token) => channels.withdraw(token, known))
  }

  /** Null: it is over there, or cannot be prolonged. */
  async function renew({ scope, integration, channels }: Keeping, known: Channel): Promise<MadeChannel | null> {
    const request = channels.renew
    if (request === null) return null
    const now = clock.now()
    const { status, body } = await callApi(scope, integration.id, (token) => request(token, known, now))
    const ask = { feature: 'calendar', resource: '', id: known.externalId, address: '', secret: '', now } as const
    return status < 300 ? channels.made(body, ask) : null
  }

  async function make(
    { scope, integration, channels }: Keeping,
    ask: Parameters<Channels['make']>[1],
  ): Promise<MadeChannel | null> {
    const { status, body } = await callApi(scope, integration.id, (token) => channels.make(token, ask))
    return status < 300 ? channels.made(body, ask) : null
  }

  return { keep }
}

function resourcesOf({ provider, features, accountId }: Integration, feature: FeatureName): string[] {
  if (feature === 'calendar') {
    const { calendarIds = [] } = features.find(({ name }) => name === feature)?.settings ?? {}
    return calendarIds.length === 0 ? [mainCalendar] : calendarIds
  }
  const ofTranscripts = provider === 'microsoft' && feature === 'transcripts'
  return ofTranscripts ? [`users/${accountId ?? ''}/onlineMeetings/getAllTranscripts`] : []
}
