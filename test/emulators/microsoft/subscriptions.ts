import { randomUUID } from 'node:crypto'
import { jsonOf, ok, type Routes } from '../call.ts'
import type { Controls, World } from '../emulator.ts'
import type { secured } from '../secured.ts'
import { graphError } from './graph-error.ts'
import { directoryId } from './microsoft-oauth.ts'

export type Notify = (resource: string, changeType: string, id: string) => void

type Subscription = {
  id: string
  resource: string
  changeTypes: string[]
  notificationUrl: string
  clientState: string
  expiresAt: number
}

/** Of events; https://learn.microsoft.com/graph/api/resources/subscription. */
const subscriptionMsMax = 10_080 * 60_000

/** https://learn.microsoft.com/graph/change-notifications-delivery-webhooks: the address must echo a token before it is accepted. */
export function graphSubscriptions(
  world: World,
  api: ReturnType<typeof secured>,
): { routes: Routes; controls: Controls; notify: Notify } {
  const subscriptions = new Map<string, Subscription>()
  const at = 'graph.microsoft.com/v1.0/subscriptions'
  const missing = graphError(404, 'ResourceNotFound', 'The object was not found.')

  const end = (value: unknown): number | null => {
    const ms = Date.parse(String(value))
    const now = world.clock.now().getTime()
    return ms > now && ms <= now + subscriptionMsMax ? ms : null
  }
  const tooLong = graphError(400, 'ExtensionError', 'Subscription expiration can only be 10080 minutes in the future.')

  return {
    notify: (resource, changeType, id) => {
      for (const subscription of subscriptions.values()) {
        const isAbout = subscription.resource.replace(/^\//, '').toLowerCase().startsWith(resource.toLowerCase())
        if (!isAbout || !subscription.changeTypes.includes(changeType)) continue
        if (subscription.expiresAt <= world.clock.now().getTime()) continue
        const resourceData = { '@odata.type': '#Microsoft.Graph.Event', id, '@odata.etag': `W/"${world.next()}"` }
        const { clientState, id: subscriptionId } = subscription
        const item = {
          subscriptionId,
          clientState,
          changeType,
          tenantId: directoryId,
          resource: `${resource}/${id}`,
          resourceData,
        }
        const body = JSON.stringify({ value: [item] })
        world.deliver({
          url: subscription.notificationUrl,
          about: id,
          sign: () => ({ headers: { 'content-type': 'application/json' }, body }),
        })
      }
    },
    routes: {
      [`POST ${at}`]: api([], async (call) => {
        const { resource, changeType, notificationUrl, clientState, expirationDateTime } = jsonOf(call)
        const expiresAt = end(expirationDateTime)
        if (expiresAt === null) return tooLong
        if (!(await echoes(String(notificationUrl))))
          return graphError(
            400,
            'ValidationError',
            'Subscription validation request failed. Must respond with 200 OK to this request.',
          )
        const subscription: Subscription = {
          id: randomUUID(),
          resource: String(resource),
          changeTypes: String(changeType).split(','),
          notificationUrl: String(notificationUrl),
          clientState: String(clientState ?? ''),
          expiresAt,
        }
        subscriptions.set(subscription.id, subscription)
        return { status: 201, body: shown(subscription) }
      }),
      [`PATCH ${at}/:id`]: api([], (call) => {
        const subscription = subscriptions.get(call.params['id'] ?? '')
        if (subscription === undefined) return missing
        const expiresAt = end(jsonOf(call)['expirationDateTime'])
        if (expiresAt === null) return tooLong
        subscription.expiresAt = expiresAt
        return ok(shown(subscription))
      }),
      [`DELETE ${at}/:id`]: api([], ({ params }) =>
        subscriptions.delete(params['id'] ?? '') ? { status: 204 } : missing,
      ),
    },
    controls: { subscriptions: () => [...subscriptions.values()].map(shown) },
  }
}

async function echoes(url: string): Promise<boolean> {
  const token = `Validation: ${randomUUID()}`
  const address = new URL(url)
  address.searchParams.set('validationToken', token)
  const answer = await fetch(address, { method: 'POST', signal: AbortSignal.timeout(10_000) }).catch(() => null)
  return answer?.status === 200 && (await answer.text()) === token
}

function shown({ expiresAt, changeTypes, clientState: _clientState, ...rest }: Subscription) {
  return { ...rest, changeType: changeTypes.join(','), expirationDateTime: new Date(expiresAt).toISOString() }
}
