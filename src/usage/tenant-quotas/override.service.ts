import type { Clock } from '../../kernel/clock.ts'
import { type FieldRule, type Fitting, refuseBroken } from '../../kernel/field-rules.ts'
import { newId } from '../../kernel/ids.ts'
import { notFound, Refusal } from '../../kernel/refusal.ts'
import { type TenantScope, transaction } from '../../storage/scope.ts'
import type { Audit } from '../audit.ts'
import { isLimitedName, type LimitedName } from '../meters/meter.rules.ts'
import type { MeteringDeps } from '../meters/metering.service.ts'
import { lockTenant } from '../tenant-lock.store.ts'
import { overrideFrom, quotaRules, type SetQuota } from './override.rules.ts'
import type { QuotaChange } from './override.schema.ts'
import { deleteSetQuota, findSetQuota, findTenantLimit, insertGrant, saveOverride } from './override.store.ts'

export type OverrideDeps = { clock: Clock; audit: Audit; planOf: MeteringDeps['planOf'] }

export type OverrideService = ReturnType<typeof overrideService>

/** What administrators of the platform set for one tenant. It holds for the tenant's next use. */
export function overrideService({ clock, audit, planOf }: OverrideDeps) {
  const rules = (meter: string, body: Fitting<QuotaChange>): FieldRule[] =>
    isLimitedName(meter) ? quotaRules(meter, body, clock.now()) : []

  /** What is set now. Refuses NOT_FOUND for an unknown meter. */
  async function get(scope: TenantScope, meter: string): Promise<SetQuota & { name: LimitedName }> {
    const name = requireName(meter)
    return { name, ...(await findSetQuota(scope, name, clock.now())) }
  }

  /** Refuses NOT_FOUND for an unknown meter, and STATE_CONFLICT for a grant where there is no limit. */
  async function set(scope: TenantScope, meter: string, body: QuotaChange): Promise<SetQuota & { name: LimitedName }> {
    const name = requireName(meter)
    const now = clock.now()
    await refuseBroken(quotaRules(name, body, now))
    return transaction(scope, async (tx) => {
      await lockTenant(tx)
      const before = await findSetQuota(tx, name, now)
      if (body.grant !== undefined) await grant(tx, name, { amount: body.grant, reason: body.reason, now })
      else await saveOverride(tx, { name, override: overrideFrom(body, now), now })
      const after = await findSetQuota(tx, name, now)
      await audit(tx, {
        action: body.grant === undefined ? 'usage.quota.update' : 'usage.quota.grant',
        target: { type: 'quota', id: name },
        changes: { from: before, to: after, reason: body.reason },
      })
      return { name, ...after }
    })
  }

  async function grant(
    tx: TenantScope,
    name: LimitedName,
    { amount, reason, now }: { amount: number; reason: string; now: Date },
  ): Promise<void> {
    if ((await findTenantLimit(tx, name, { plan: planOf(tx, now), now })) === null)
      throw new Refusal('STATE_CONFLICT', { detail: `The tenant has no limit of ${name} to which a grant could add.` })
    await insertGrant(tx, { id: newId(now), name, amount, reason, now })
  }

  /** The plan decides again. Refuses NOT_FOUND where nothing is set. */
  async function remove(scope: TenantScope, meter: string): Promise<void> {
    const name = requireName(meter)
    const now = clock.now()
    await transaction(scope, async (tx) => {
      await lockTenant(tx)
      const before = await findSetQuota(tx, name, now)
      if (before.override === null && before.granted === 0) throw notFound()
      await deleteSetQuota(tx, name, now)
      await audit(tx, {
        action: 'usage.quota.delete',
        target: { type: 'quota', id: name },
        changes: { from: before, to: null },
      })
    })
  }

  return { rules, get, set, remove }
}

function requireName(meter: string): LimitedName {
  if (!isLimitedName(meter)) throw notFound()
  return meter
}
