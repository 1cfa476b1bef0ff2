import type { Jobs } from '../../jobs/jobs.ts'
import type { Clock } from '../../kernel/clock.ts'
import { newId } from '../../kernel/ids.ts'
import type { TenantScope } from '../../storage/scope.ts'
import { deliver } from '../deliveries/delivery.rules.ts'
import { wants } from '../endpoints/endpoint.rules.ts'
import type { EventType } from './event-types.ts'
import { type Hearer, holdEndpoints, insertMessages } from './message.store.ts'

export type News = {
  type: EventType
  data: Record<string, string>
  /** Of several with one name the first is told, at the time it says: whoever then looks sees what the others would have said. */
  coalesced?: { by: string; sendAt: Date }
  /** Told although the tenant is gone. */
  isFarewell?: boolean
  /** An endpoint that is not told. */
  except?: string
}

export type Publish = (tx: TenantScope, news: News[]) => Promise<void>
/** To one endpoint, whatever it wants to hear. The id of the message. */
export type SendTo = (tx: TenantScope, endpoint: Hearer, news: News) => Promise<string>

/** Writes what happened for every endpoint that wants to hear it, in the transaction in which it happens. */
export function publishing({ clock, jobs }: { clock: Clock; jobs: Jobs }): { publish: Publish; sendTo: SendTo } {
  const write = async (tx: TenantScope, asked: { news: News; to: Hearer[] }[], now: Date): Promise<string[]> => {
    const messages = asked.map(({ news: { type, data, coalesced }, to }) => ({
      ...{ id: newId(now), type, to, body: JSON.stringify({ type, timestamp: now.toISOString(), data }) },
      ...{ coalescedBy: coalesced?.by ?? null, sendAt: coalesced?.sendAt ?? now },
    }))
    const later = new Map(
      asked.flatMap(({ news }, at) => (news.coalesced ? [[messages[at]?.id, news.coalesced.sendAt]] : [])),
    )
    for (const planned of await insertMessages(tx, messages, now)) {
      const runAt = later.get(planned.messageId)
      const job = { data: { ...planned, attempt: 1 }, tenantId: tx.tenantId }
      await jobs.enqueue(tx, deliver, { ...job, ...(runAt === undefined ? {} : { runAt }) })
    }
    return messages.map(({ id }) => id)
  }

  const publish: Publish = async (tx, news) => {
    if (news.length === 0) return
    const hearers = await holdEndpoints(tx, { isFarewell: news.some(({ isFarewell = false }) => isFarewell) })
    if (hearers.length === 0) return
    const asked = news
      .map((one) => ({
        news: one,
        to: hearers.filter((hearer) => hearer.id !== one.except && wants(hearer, one.type)),
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
