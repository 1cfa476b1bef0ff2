import type { Clock } from '../../kernel/clock.ts'
import type { FieldRule, Fitting } from '../../kernel/field-rules.ts'
import type { Page, PageRequest } from '../../kernel/paging.ts'
import { invalidField, notFound, Refusal } from '../../kernel/refusal.ts'
import type { EventBus } from '../../storage/events.ts'
import { inTenant, type TenantScope, transaction } from '../../storage/scope.ts'
import type { Audit } from '../audit.ts'
import { lockTenant } from '../tenant-lock.store.ts'
import type { OwnLimit, OwnLimitKey } from './own-limit.rules.ts'
import type { NewOwnLimit, OwnLimitQuery } from './own-limit.schema.ts'
import {
  countOwnLimits,
  deleteOwnLimit,
  deleteOwnLimitsOf,
  findOwnLimit,
  listOwnLimits,
  saveOwnLimit,
} from './own-limit.store.ts'

/** Whether an organization or a user of the tenant exists. It then does until the transaction ends. */
export type HoldSubject = (tx: TenantScope, id: string) => Promise<boolean>

export type OwnLimitDeps = {
  clock: Clock
  audit: Audit
  events: EventBus
  holdOrg: HoldSubject
  holdUser: HoldSubject
}

/** Far more than anybody sets by hand, and no more than a list shows quickly at its last page. */
const limitsMax = 10_000

export type OwnLimitService = ReturnType<typeof ownLimitService>

/** Limits that administrators of a tenant set for its organizations and users. The limit of the tenant holds besides. */
export function ownLimitService({ clock, audit, events, holdOrg, holdUser }: OwnLimitDeps) {
  events.on('org.deleted', (tx, { tenantId, orgId }) =>
    deleteOwnLimitsOf(inTenant(tx, tenantId), { scope: 'org', id: orgId }),
  )
  events.on('user.removed', (tx, { tenantId, userId }) =>
    deleteOwnLimitsOf(inTenant(tx, tenantId), { scope: 'user', id: userId }),
  )

  /** Refuses VALIDATION_ERROR for an organization or a user that the tenant does not have. */
  const set = (scope: TenantScope, body: NewOwnLimit): Promise<OwnLimit> =>
    transaction(scope, async (tx) => {
      const key = readKey(body, 'body')
      await lockTenant(tx)
      await requireSubject(tx, key)
      const before = await findOwnLimit(tx, key)
      if (before?.limit === body.limit) return before
      if (before === null && (await countOwnLimits(tx)) >= limitsMax)
        throw new Refusal('QUOTA_EXCEEDED', { detail: `A tenant can have at most ${limitsMax} limits of its own.` })
      const after = { ...key, limit: body.limit, updatedAt: clock.now() }
      await saveOwnLimit(tx, after)
      await record(tx, key, { from: before?.limit ?? null, to: body.limit })
      return after
    })

  /** Refuses NOT_FOUND where there is none. */
  const remove = (scope: TenantScope, query: OwnLimitQuery): Promise<void> =>
    transaction(scope, async (tx) => {
      const key = readKey(query, 'query')
      await lockTenant(tx)
      const before = await findOwnLimit(tx, key)
      if (before === null) throw notFound()
      await deleteOwnLimit(tx, key)
      await record(tx, key, { from: before.limit, to: null })
    })

  const record = (tx: TenantScope, { scope, id, meter }: OwnLimitKey, limit: { from: unknown; to: unknown }) =>
    audit(tx, {
      action: limit.to === null ? 'usage.limit.delete' : 'usage.limit.update',
      target: { type: scope, id },
      changes: { meter, limit },
    })

  async function requireSubject(tx: TenantScope, { scope, id }: OwnLimitKey): Promise<void> {
    if (id === null || (await (scope === 'org' ? holdOrg : holdUser)(tx, id))) return
    const message = `must be ${scope === 'org' ? 'an organization' : 'a user'} of the tenant`
    throw invalidField('/body/id', { code: 'unknown', message })
  }

  const list = (scope: TenantScope, page: PageRequest): Promise<Page<OwnLimit>> => listOwnLimits(scope, page)

  return { list, set, remove }
}

/** What a schema cannot say: `eachUser` has no id, the others need one. */
export const keyRules = (asked: Fitting<OwnLimitQuery>, place: 'body' | 'query'): FieldRule[] => [
  () => requireFittingId(asked, place),
]

function requireFittingId(asked: Fitting<OwnLimitQuery>, place: 'body' | 'query'): void {
  if (asked.scope === 'eachUser' && 'id' in asked)
    throw invalidField(`/${place}/id`, { code: 'unknown', message: 'is not a member of a limit of each user' })
  if ((asked.scope === 'org' || asked.scope === 'user') && !('id' in asked))
    throw invalidField(`/${place}/id`, { code: 'required', message: 'is required' })
}

function readKey(asked: OwnLimitQuery, place: 'body' | 'query'): OwnLimitKey {
  requireFittingId(asked, place)
  const { scope, id = null, meter } = asked
  return { scope, id, meter }
}
