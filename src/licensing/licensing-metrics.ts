import type { Metrics } from '../kernel/metrics.ts'
import { Refusal } from '../kernel/refusal.ts'
import type { EventBus } from '../storage/events.ts'
import { type Verdict, verdictCodes } from './licenses/license.rules.ts'
import type { Licenses } from './uses/use.service.ts'
import type { ValidationRequest } from './validation/validation.schema.ts'
import type { ValidationService } from './validation/validation.service.ts'

/** The services of licensing, counted from outside: what they do is theirs. */
export function licensingMetrics({ metrics, events }: { metrics: Metrics; events: EventBus }) {
  const uses = metrics.counter({
    name: 'license_uses_total',
    help: 'Uses asked for, by a product or by a validation with consume: TAKEN, or why there was none.',
    labels: ['product', 'outcome'],
  })
  const refunds = metrics.counter({ name: 'license_refunds_total', help: 'Uses given back: nothing came of them.' })()
  const validations = metrics.counter({
    name: 'license_validations_total',
    help: 'Validations answered, by the code of the answer.',
    labels: ['code'],
  })
  const byCode = new Map(verdictCodes.map((code) => [code, validations(code)]))

  const licenses = ({ consumeFor, refund }: Licenses): Licenses => ({
    consumeFor: async (tx, ask) => {
      try {
        const used = await consumeFor(tx, ask)
        tx.handle.afterCommit(() => uses(ask.product, 'TAKEN').add())
        return used
      } catch (error) {
        if (error instanceof Refusal) uses(ask.product, error.code).add()
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
    async (scope, keyProducts, question) => {
      const verdict = await validate(scope, keyProducts, question)
      byCode.get(verdict.code)?.add()
      await events.emit(scope, 'license.validated', {
        tenantId: scope.tenantId,
        product: productLabel(question, verdict),
      })
      if (question.consume !== true) return verdict
      const use = uses(productLabel(question, verdict), verdict.valid ? 'TAKEN' : verdict.code)
      scope.handle.afterCommit(() => use.add())
      return verdict
    }

  return { licenses, validation }
}

/** Empty unless it is a product that the license is good for: what a caller makes up is no label. */
function productLabel({ product = '' }: ValidationRequest, { code }: Verdict): string {
  return code === 'VALID' || code === 'USES_EXHAUSTED' ? product : ''
}
