import type { Metrics } from '../kernel/metrics.ts'
import { Refusal } from '../kernel/refusal.ts'
import type { EventBus } from '../storage/events.ts'
import { type Verdict, verdictCodes } from './licenses/license.rules.ts'
import type { Licenses } from './uses/use.service.ts'
import type { ValidationRequest } from './validation/validation.schema.ts'
import type { ValidationService } from './validation/validation.service.ts'

/** Wraps the services of licensing with metrics. */
export function licensingMetrics({ metrics, events }: { metrics: Metrics; events: EventBus }) {
  const uses = metrics.counter({
    name: 'license_uses_total',
    help: 'Requested license uses by outcome: TAKEN, or the reason why not.',
    labels: ['product', 'outcome'],
  })
  const refunds = metrics.counter({ name: 'license_refunds_total', help: 'Refunded license uses.' })()
  const validations = metrics.counter({
    name: 'license_validations_total',
    help: 'License validations by code.',
    labels: ['code'],
  })
  const byCode = new Map(verdictCodes.map((code) => [code, validations(code)]))

  const licenses = ({ consumeFor, refund, retake }: Licenses): Licenses => ({
    retake,
    consumeFor: async (tx, request) => {
      try {
        const used = await consumeFor(tx, request)
        tx.handle.afterCommit(() => uses(request.product, 'TAKEN').add())
        return used
      } catch (error) {
        if (error instanceof Refusal) uses(request.product, error.code).add()
        throw error
      }
    },
    refund: async (tx, use) => {
      const isFirst = await refund(tx, use)
      if (isFirst) tx.handle.afterCommit(() => refunds.add())
      return isFirst
    },
  })

  const validation =
    (validate: ValidationService): ValidationService =>
    async (scope, keyProducts, request) => {
      const verdict = await validate(scope, keyProducts, request)
      byCode.get(verdict.code)?.add()
      await events.emit(scope, 'license.validated', {
        tenantId: scope.tenantId,
        product: productLabel(request, verdict),
      })
      if (request.consume !== true) return verdict
      const use = uses(productLabel(request, verdict), verdict.valid ? 'TAKEN' : verdict.code)
      scope.handle.afterCommit(() => use.add())
      return verdict
    }

  return { licenses, validation }
}

/** Empty unless the license is for the product: made-up products must not become labels. */
function productLabel({ product = '' }: ValidationRequest, { code }: Verdict): string {
  return code === 'VALID' || code === 'USES_EXHAUSTED' ? product : ''
}
