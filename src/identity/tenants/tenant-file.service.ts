import { deleteTenantJobs } from '../../jobs/job.store.ts'
import type { Clock } from '../../kernel/clock.ts'
import { concurrencyLimit } from '../../kernel/concurrency-limit.ts'
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
  /** Takes out of the audit log what names the tenant's persons. */
  redactAudit(tx: PlatformScope, tenantId: string, now: Date): Promise<number>
  /** After every commit that changes a tenant: no request is then answered by what was read of its keys before. */
  forgetKeyCallers(): void
  tables: () => TenantTable[]
}

export type TenantFiles = ReturnType<typeof tenantFileService>
export type TenantFile = FileContent & { slug: string }

/** All of a tenant as one file, and nothing of it any more. */
export function tenantFileService({ clock, events, audit, redactAudit, forgetKeyCallers, tables }: TenantFileDeps) {
  // Each holds a connection, on the embedded database the only one, until it has read all.
  const limited = concurrencyLimit(1, 4)

  /** As of one moment. Written to disk first: a slow reader holds no connection, and what fails is answered as a failure. */
  const writeTempFile = async (platform: PlatformScope, id: string): Promise<FileContent> => {
    const spool = await openTempFile()
    try {
      await transaction(platform, async (tx) => {
        await useSnapshot(tx)
        const tenant = requireTenant(await findUnerasedTenant(tx, id))
        await spool.writeGzip(fileLines(tx, tenant, { tables: tables(), now: clock.now() }))
      })
      return await spool.read()
    } catch (error) {
      await spool.close()
      throw error
    }
  }

  return {
    /** Also of a removed tenant, until it is erased. Refuses NOT_FOUND. */
    exportTenant: (platform: PlatformScope, id: string): Promise<TenantFile> =>
      limited(async () => {
        const { slug } = requireTenant(await findUnerasedTenant(platform, id))
        // Before a byte leaves: no file is handed out that is not written down.
        await transaction(platform, (tx) =>
          audit(tx, { action: 'tenant.export', target: { type: 'tenant', id }, tenantId: id }),
        )
        return { ...(await writeTempFile(platform, id)), slug }
      }),

    /** How many rows of which table are gone. Refuses NOT_FOUND, STATE_CONFLICT, and VALIDATION_ERROR unless `confirm` is the slug. */
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
        // Children first: what refers goes before what it refers to.
        for (const table of tables().toReversed()) {
          if (table.onErasure === 'DELETED') erased[table.name] = await deleteRows(scopeToTenant(tx, id), table)
        }
        await deleteTenantJobs(tx, id)
        await redactAudit(tx, id, now)
        tx.handle.afterCommit(forgetKeyCallers)
        await markErased(tx, { id, now })
        await audit(tx, { action: 'tenant.erase', target: { type: 'tenant', id }, tenantId: id, changes: { erased } })
        return erased
      }),
  }
}

async function* fileLines(
  tx: PlatformScope,
  tenant: UnerasedTenant,
  { tables, now }: { tables: TenantTable[]; now: Date },
): AsyncGenerator<string> {
  const counter = lineCounter()
  yield counter.take(null, [fileHeader(tenant, tables, now)])
  for (const table of tables) {
    if (table.inFile === null) continue
    for await (const page of rowPages(scopeToTenant(tx, tenant.id), table.name, table.inFile)) {
      yield counter.take(
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
    throw new Refusal('STATE_CONFLICT', { detail: 'The tenant is active: suspend or delete it first.' })
}

function requireTenant(tenant: UnerasedTenant | null): UnerasedTenant {
  if (tenant === null) throw notFound()
  return tenant
}
