import type { Clock } from '../kernel/clock.ts'
import { type CircuitBreaker, circuitBreaker } from './circuit-breaker.ts'

/** Of one tenant's failures in a row so many count against the endpoint. More say something about the tenant's meetings. */
const sharedFailuresMax = 2

export type TenantCircuits = {
  /** Whether a request of the tenant may be sent now. If so, call `succeeded` or `failed` afterwards. */
  mayRequest(tenantId: string): boolean
  succeeded(tenantId: string): void
  /** `pauseForSeconds`: the pause that the endpoint asked for. It holds for all, because they share the key. */
  failed(tenantId: string, pauseForSeconds?: number): void
}

/**
 * The circuit breakers of one endpoint and key: one for each tenant, and one for all. A tenant's text can make a model fail
 * (too long, refused by a filter, no end), and must not take the model from others. So its failures pause the model for
 * itself; for all it is paused by failures of three tenants, with no success between them. Of one process.
 */
export function tenantCircuits(clock: Clock): TenantCircuits {
  const shared = circuitBreaker(clock)
  /** Tenants whose last request failed. */
  const failing = new Map<string, { own: CircuitBreaker; sharedFailures: number }>()

  return {
    mayRequest: (tenantId) => {
      const own = failing.get(tenantId)?.own
      if (own !== undefined && !own.mayRequest()) return false
      if (shared.mayRequest()) return true
      own?.cancelled()
      return false
    },
    succeeded: (tenantId) => {
      shared.succeeded()
      failing.delete(tenantId)
      for (const each of failing.values()) each.sharedFailures = 0
    },
    failed: (tenantId, pauseForSeconds) => {
      const tenant = failing.get(tenantId) ?? { own: circuitBreaker(clock), sharedFailures: 0 }
      failing.set(tenantId, tenant)
      tenant.own.failed()
      tenant.sharedFailures++
      if (pauseForSeconds !== undefined || tenant.sharedFailures <= sharedFailuresMax) shared.failed(pauseForSeconds)
      else shared.cancelled()
    },
  }
}
