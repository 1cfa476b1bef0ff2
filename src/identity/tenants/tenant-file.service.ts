import { eraseStoredAnswersOfTenant } from '../../http/idempotency.store.ts'
import { deleteTenantJobs } from '../../jobs/job.store.ts'
import type { Clock } from '../../kernel/clock.ts'
import { concurrencyLimit } from '../../kernel/concurrency-limit.ts'
import type { DefaultLimits } from '../../kernel/quota.ts'
import { invalidField, notFound, Refusal } from '../../kernel/refusal.ts'
import type { TenantTable } from '../../kernel/tenant-table.ts'
import type { EventBus } from '../../storage/events.ts'
import { type PlatformScope, scopeToTenant, transaction } from '../../storage/scope.ts'
import type { Audit } from '../audit/audit.store.ts'
import { type FileContent, openTempFile } from './temp-file.ts'
import { refuseBuiltIn } from './tenant.rules.ts'
import { fileHeader, fileRow, lineCounter, type UnerasedTenant } from './tenant-file.rules.ts'
import {
  deleteRows,
  findUnerasedTenant,
  lockUnerasedTenant,
  markErased,
  rowPages,
  useSnapshot,
} from './tenant-file.store.ts'

type TenantFileDeps = {
  clock: Clock
  events: EventBus
  audit: Audit
  defaultLimits: DefaultLimits
  /** Removes personal data of the tenant's users from the audit log. */
  redactAudit(tx: PlatformScope, tenantId: string, now: Date): Promise<number>
  forgetKeyCallers(): void
  tables: () => TenantTable[]
}

export type TenantFiles = ReturnType<typeof tenantFileService>
export type TenantFile = FileContent & { slug: string }

/** Exports all data of a tenant as a file, and erases it. */
export function tenantFileService(deps: TenantFileDeps) {
  const { clock, events, audit, defaultLimits, redactAudit, forgetKeyCallers, tables } = deps
  // Each export holds a database connection until it has read everything. The embedded database has only one.
  const limited = concurrencyLimit(1, 4)

  /** Reads a consistent snapshot into a file first, so that a slow client holds no connection and a failure can be answered as an error. */
  const writeTempFile = async (platform: PlatformScope, id: string): Promise<FileContent> => {
    const file = await openTempFile()
    try {
      await transaction(platform, async (tx) => {
        await useSnapshot(tx)
        const tenant = requireTenant(await findUnerasedTenant(tx, id))
        await file.writeGzip(fileLines(tx, tenant, { tables: tables(), defaultLimits, now: clock.now() }))
      })
      return await file.read()
    } catch (error) {
      await file.close()
      throw error
    }
  }

  return {
    /** Also exports a deleted tenant until it is erased. Refuses NOT_FOUND. */
    exportTenant: (platform: PlatformScope, id: string): Promise<TenantFile> =>
      limited(async () => {
        const { slug } = requireTenant(await findUnerasedTenant(platform, id))
        // Audited before any data is sent: no export without an entry.
        await transaction(platform, (tx) =>
          audit(tx, { action: 'tenant.export', target: { type: 'tenant', id }, tenantId: id }),
        )
        return { ...(await writeTempFile(platform, id)), slug }
      }),

    /** Returns the number of deleted rows per table. Refuses NOT_FOUND, STATE_CONFLICT, and VALIDATION_ERROR unless `confirm` is the slug. */
    erase: (
      platform: PlatformScope,
      { id, confirm }: { id: string; confirm: string },
    ): Promise<Record<string, number>> =>
      transaction(platform, async (tx) => {
        const now = clock.now()
        const tenant = requireTenant(await lockUnerasedTenant(tx, id))
        refuseErasure(tenant, confirm)
        if (tenant.deletedAt === null) await events.emit(tx, 'tenant.removed', { tenantId: id })
        await events.emit(tx, 'tenant.erasing', { tenantId: id })
        const erased: Record<string, number> = {}
        // Children first, because of the foreign keys.
        for (const table of tables().toReversed()) {
          if (table.onErasure === 'DELETED') erased[table.name] = await deleteRows(scopeToTenant(tx, id), table)
        }
        await deleteTenantJobs(tx, id)
        await redactAudit(tx, id, now)
        tx.handle.afterCommit(forgetKeyCallers)
        await markErased(tx, { id, now })
        await eraseStoredAnswersOfTenant(tx, id)
        await audit(tx, { action: 'tenant.erase', target: { type: 'tenant', id }, tenantId: id, changes: { erased } })
        return erased
      }),
  }
}

async function* fileLines(
  tx: PlatformScope,
  tenant: UnerasedTenant,
  about: { tables: TenantTable[]; defaultLimits: DefaultLimits; now: Date },
): AsyncGenerator<string> {
  const counter = lineCounter()
  yield counter.add(null, [fileHeader(tenant, about)])
  for (const table of about.tables) {
    if (table.inFile === null) continue
    for await (const page of rowPages(scopeToTenant(tx, tenant.id), table.name, table.inFile)) {
      yield counter.add(
        table.name,
        page.map((row) => fileRow(table, tenant.id, row)),
      )
    }
  }
  yield counter.end()
}

function refuseErasure(tenant: UnerasedTenant, confirm: string): void {
  if (confirm !== tenant.slug)
    throw invalidField('/body/confirm', { code: 'const', message: "must be the tenant's slug" })
  refuseBuiltIn(tenant, 'erased')
  if (tenant.deletedAt === null && tenant.status !== 'SUSPENDED')
    throw new Refusal('STATE_CONFLICT', { detail: 'The tenant is active. Suspend or delete it first.' })
}

function requireTenant(tenant: UnerasedTenant | null): UnerasedTenant {
  if (tenant === null) throw notFound()
  return tenant
}
