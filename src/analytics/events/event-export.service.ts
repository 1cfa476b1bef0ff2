import { Readable } from 'node:stream'
import { csvLine } from '../../kernel/csv.ts'
import type { PlatformScope } from '../../storage/scope.ts'
import { type EventFilter, type EventRecord, listEventsBelow } from './event.store.ts'

const pageMax = 1000

/** Visits in one file; use `to` for older ones. */
export const exportEventsMax = 100_000

const header = csvLine([
  ...['id', 'type', 'at', 'visits', 'productId', 'productSlug', 'pageSlug', 'docSlug', 'downloadId', 'versionId'],
  ...['visitorHash', 'isBot', 'isRepeat', 'referrerHost', 'utm', 'device', 'agentFamily'],
])

/** The newest matching visits as CSV, with one page in memory at a time. */
export function exportEvents(platform: PlatformScope, filter: EventFilter): Readable {
  return Readable.from(pagesOf(platform, filter))
}

async function* pagesOf(platform: PlatformScope, filter: EventFilter): AsyncGenerator<string> {
  yield header
  let below: string | null = null
  for (let left = exportEventsMax; left > 0; left -= pageMax) {
    const events = await listEventsBelow(platform, filter, { below, limit: pageMax })
    if (events.length > 0) yield events.map(csvRow).join('')
    if (events.length < pageMax) return
    below = events.at(-1)?.id ?? null
  }
}

function csvRow(event: EventRecord): string {
  return csvLine([
    event.id,
    event.type,
    event.at.toISOString(),
    String(event.visits),
    event.productId,
    event.productSlug,
    event.pageSlug,
    event.docSlug,
    event.downloadId,
    event.versionId,
    event.visitorHash,
    String(event.isBot),
    String(event.isRepeat),
    event.referrerHost,
    event.utm && JSON.stringify(event.utm),
    event.device,
    event.agentFamily,
  ])
}
