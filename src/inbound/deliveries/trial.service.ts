import type { Static } from 'typebox'
import type { Clock } from '../../kernel/clock.ts'
import { newId } from '../../kernel/ids.ts'
import { Refusal } from '../../kernel/refusal.ts'
import type { TenantScope } from '../../storage/scope.ts'
import type { Schemes } from '../connections/connection.rules.ts'
import { getCandidate } from '../connections/connection.store.ts'
import type { ConnectionSecrets } from '../connections/connection-secrets.ts'
import { effectsOf } from './delivery.schema.ts'
import { getDelivery } from './delivery.store.ts'
import type { Intakes } from './intake.service.ts'
import type { Processing } from './processing.service.ts'
import type { TrialAnswer } from './trial.schema.ts'

type Deps = {
  clock: Clock
  schemes: Schemes
  secrets: ConnectionSecrets
  intakes: Intakes
  processing: Processing
}

export type Trials = ReturnType<typeof trialService>

/** Tries a connection out: a sample that is really signed goes the way of every delivery. */
export function trialService({ clock, schemes, secrets, intakes, processing }: Deps) {
  /** Refuses with NOT_FOUND, and with STATE_CONFLICT where only the provider can sign. */
  async function run(scope: TenantScope, connectionId: string): Promise<Static<typeof TrialAnswer>> {
    const candidate = await getCandidate(scope, connectionId)
    const now = clock.now()
    const secret = candidate.secretSealed === null ? '' : secrets.open(candidate.secretSealed, candidate)
    const raw = schemes[candidate.scheme]?.sample({ secret, settings: candidate.settings, now, id: newId(now) }) ?? null
    if (raw === null)
      throw new Refusal('STATE_CONFLICT', { detail: 'Only the provider can sign: let it send something.' })
    const intake = await intakes.finish(scope, { candidate, raw, judged: await intakes.judge(candidate, raw) })
    if (intake.kind !== 'stored') {
      const isVerified = intake.kind !== 'refused'
      const { cause, detail } = intake.kind === 'handshake' ? { cause: null, detail: 'A handshake.' } : intake
      return { isVerified, status: 'rejected', deliveryId: null, cause, detail, effects: [] }
    }
    return settled(scope, intake.deliveryId)
  }

  /** At once, in place of the job: that finds it done. */
  async function settled(scope: TenantScope, id: string): Promise<Static<typeof TrialAnswer>> {
    // Its failure is in the log of the delivery, and the job tries again.
    await processing.handle(scope, { id, run: 1 }, { attempt: 1, isLastAttempt: false }).catch(() => undefined)
    const delivery = await getDelivery(scope, id)
    const { status, cause, detail } = delivery
    return { isVerified: true, status, deliveryId: id, cause, detail, effects: effectsOf(delivery) }
  }

  return { run }
}
