import type { Json } from '../json.ts'
import { identifierAt } from '../schemes/identifiers.ts'
import { type IgnoredDelivery, type IntegrationHint, ignored } from './normalized-delivery.ts'

/** A transcript is there some time after its recording. */
export function readZoom(payload: Json, eventType: string): IntegrationHint | IgnoredDelivery {
  if (eventType !== 'recording.transcript_completed') return ignored(`Nothing is done for ${eventType}.`)
  const accountId = identifierAt(payload, 'payload', 'object', 'host_id')
  return accountId === null
    ? ignored('The event names no host.')
    : { kind: 'integration.hint', provider: 'zoom', accountId }
}
