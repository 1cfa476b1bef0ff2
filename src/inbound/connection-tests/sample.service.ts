import type { Static } from 'typebox'
import type { Clock } from '../../kernel/clock.ts'
import { newId } from '../../kernel/ids.ts'
import { Refusal } from '../../kernel/refusal.ts'
import type { TenantScope } from '../../storage/scope.ts'
import type { Schemes } from '../connections/connection.rules.ts'
import { type Candidate, getCandidate } from '../connections/connection.store.ts'
import type { ConnectionSecrets } from '../connections/connection-secrets.ts'
import { deliveryEffects, type SampleResult } from '../deliveries/delivery.schema.ts'
import { getDelivery } from '../deliveries/delivery.store.ts'
import type { Ingest } from '../deliveries/ingest.service.ts'
import type { Processing } from '../deliveries/processing.service.ts'
import { deliveryVerifier, whyClosed } from '../deliveries/verification.service.ts'
import { incomingDelivery, type RawDelivery } from '../incoming-delivery.ts'

type Deps = {
  clock: Clock
  schemes: Schemes
  secrets: ConnectionSecrets
  ingest: Ingest
  processing: Processing
}

export type Samples = ReturnType<typeof sampleService>

type Result = Static<typeof SampleResult>

/** Tests a connection: a sample with a real signature is handled like every delivery. */
export function sampleService(deps: Deps) {
  const { clock, schemes, secrets, ingest, processing } = deps

  /** Refuses with NOT_FOUND, with STATE_CONFLICT where only the provider can sign, and with UNAVAILABLE. */
  async function send(scope: TenantScope, connectionId: string): Promise<Result> {
    const candidate = await getCandidate(scope, connectionId)
    const delivery = incomingDelivery(createSample(candidate))
    const closed = whyClosed(candidate)
    const verification =
      closed === null ? await deliveryVerifier(deps, delivery)(candidate) : { kind: 'failed' as const, ...closed }
    if (verification.kind === 'unavailable') throw new Refusal('UNAVAILABLE', { retryAfterSeconds: 30 })
    if (verification.kind === 'failed') {
      await ingest.reject(scope, candidate, delivery, verification)
      return notStored(verification, false)
    }
    const result = await ingest.ingest(scope, { ...verification, candidate, delivery })
    if (result.kind === 'stored') return process(scope, result.deliveryId)
    return notStored(result.kind === 'unusable' ? result : { cause: null, detail: 'A handshake.' }, true)
  }

  function createSample(candidate: Candidate): RawDelivery {
    const now = clock.now()
    const secret = candidate.secretSealed === null ? '' : secrets.open(candidate.secretSealed, candidate)
    const sample = schemes[candidate.scheme]?.sample({ secret, settings: candidate.settings, now, id: newId(now) })
    if (!sample)
      throw new Refusal('STATE_CONFLICT', {
        detail: 'Only the provider can sign for this scheme. Let the provider send a delivery.',
      })
    return sample
  }

  /** Processes it at once. The job then finds nothing left to do. */
  async function process(scope: TenantScope, id: string): Promise<Result> {
    // A failure is in the log of the delivery, and the job tries again.
    await processing.handle(scope, { id, run: 1 }, { attempt: 1, isLastAttempt: false }).catch(() => undefined)
    const delivery = await getDelivery(scope, id)
    const { status, cause, detail } = delivery
    return { isVerified: true, status, deliveryId: id, cause, detail, effects: deliveryEffects(delivery) }
  }

  return { send }
}

function notStored({ cause, detail }: Pick<Result, 'cause' | 'detail'>, isVerified: boolean): Result {
  return { isVerified, status: 'rejected', deliveryId: null, cause, detail, effects: [] }
}
