import { invalidField } from '../../kernel/refusal.ts'
import { type TenantScope, transaction } from '../../storage/scope.ts'
import type { Audit } from '../audit.ts'
import { defaultPercents } from '../meters/meter.rules.ts'
import { lockTenant } from '../tenant-lock.store.ts'
import type { ThresholdChange } from './threshold-setting.schema.ts'
import {
  deleteThresholdSetting,
  listThresholdSettings,
  saveThresholdSetting,
  type ThresholdSetting,
} from './threshold-setting.store.ts'

export type ThresholdSettings = ReturnType<typeof thresholdSettings>

/** At which percentages of its limits a tenant is told. */
export function thresholdSettings({ audit }: { audit: Audit }) {
  /** Those of all other meters first, also if they are the default. */
  async function list(scope: TenantScope): Promise<ThresholdSetting[]> {
    const set = await listThresholdSettings(scope)
    return set[0]?.meter === null ? set : [{ meter: null, percents: [...defaultPercents] }, ...set]
  }

  const set = (scope: TenantScope, { meter: named, percents: after }: ThresholdChange): Promise<ThresholdSetting[]> =>
    transaction(scope, async (tx) => {
      const meter = named ?? null
      requireAscending(after)
      await lockTenant(tx)
      const before = (await listThresholdSettings(tx)).find((setting) => setting.meter === meter)?.percents ?? null
      if (JSON.stringify(before) !== JSON.stringify(after)) {
        if (after === null) await deleteThresholdSetting(tx, meter)
        else await saveThresholdSetting(tx, { meter, percents: after })
        await audit(tx, {
          action: 'usage.thresholds.update',
          target: { type: 'thresholds', id: meter },
          changes: { percents: { from: before, to: after } },
        })
      }
      return list(tx)
    })

  return { list, set }
}

export function requireAscending(percents: readonly number[] | null | undefined): void {
  if (percents?.some((percent, at) => at > 0 && percent <= (percents[at - 1] ?? 0)))
    throw invalidField('/body/percents', { code: 'order', message: 'must be ascending' })
}
