import type { Jobs } from '../../jobs/jobs.ts'
import type { Clock } from '../../kernel/clock.ts'
import { newId } from '../../kernel/ids.ts'
import type { TenantScope } from '../../storage/scope.ts'
import { deliveryJob } from '../delivery-job.ts'
import { acceptsEvent } from '../endpoint.rules.ts'
import type { EventData, EventType } from '../event-types/event-types.ts'
import { insertMessages, lockRecipients, type Recipient } from './message.store.ts'

export type WebhookEvent = {
  type: EventType
  data: EventData
  /** Of several events with the same `by`, only the first is sent, at `sendAt`: a client that then reads sees all changes. */
  coalesced?: { by: string; sendAt: Date }
  /** Sent although the tenant is deleted. */
  isLastOfTenant?: boolean
  /** This endpoint does not get the event. */
  exceptEndpointId?: string
}

export type Publish = (tx: TenantScope, news: WebhookEvent[]) => Promise<void>
/** Sends to one endpoint, whatever it subscribes to. Returns the id of the message. */
export type SendTo = (tx: TenantScope, endpoint: Recipient, news: WebhookEvent) => Promise<string>

/** Writes an event for every endpoint that subscribes to it, in the transaction of the change. */
export function eventPublisher({ clock, jobs }: { clock: Clock; jobs: Jobs }): { publish: Publish; sendTo: SendTo } {
  const write = async (
    tx: TenantScope,
    asked: { news: WebhookEvent; to: Recipient[] }[],
    now: Date,
  ): Promise<string[]> => {
    const messages = asked.map(({ news: { type, data, coalesced }, to }) => ({
      id: newId(now),
      type,
      to,
      body: JSON.stringify({ type, timestamp: now.toISOString(), data }),
      coalescedBy: coalesced?.by ?? null,
      sendAt: coalesced?.sendAt ?? now,
    }))
    const later = new Map(
      asked.flatMap(({ news }, at) => (news.coalesced ? [[messages[at]?.id, news.coalesced.sendAt]] : [])),
    )
    for (const planned of await insertMessages(tx, messages, now)) {
      const runAt = later.get(planned.messageId)
      const job = { data: { ...planned, attempt: 1 }, tenantId: tx.tenantId }
      await jobs.enqueue(tx, deliveryJob, { ...job, ...(runAt === undefined ? {} : { runAt }) })
    }
    return messages.map(({ id }) => id)
  }

  const publish: Publish = async (tx, news) => {
    if (news.length === 0) return
    const hearers = await lockRecipients(tx, {
      isFarewell: news.some(({ isLastOfTenant: isFarewell = false }) => isFarewell),
    })
    if (hearers.length === 0) return
    const asked = news
      .map((one) => ({
        news: one,
        to: hearers.filter((hearer) => hearer.id !== one.exceptEndpointId && acceptsEvent(hearer, one.type)),
      }))
      .filter(({ to }) => to.length > 0)
    if (asked.length > 0) await write(tx, asked, clock.now())
  }

  const sendTo: SendTo = async (tx, endpoint, news) => {
    const [id = ''] = await write(tx, [{ news, to: [endpoint] }], clock.now())
    return id
  }

  return { publish, sendTo }
}
