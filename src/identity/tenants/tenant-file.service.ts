import { deleteTenantJobs } from '../../jobs/job.store.ts'
import type { Clock } from '../../kernel/clock.ts'
import { concurrencyLimit } from '../../kernel/concurrency-limit.ts'
import { invalidField, notFound, Refusal } from '../../kernel/refusal.ts'
import type { TenantTable } from '../../kernel/tenant-table.ts'
import type { EventBus } from '../../storage/events.ts'
import { type PlatformScope, scopeToTenant, transaction } from '../../storage/scope.ts'
import type { Audit } from '../audit/audit.store.ts'
import { openSpool, type SpooledFile } from './spool.ts'
import { refuseBuiltIn } from './tenant.rules.ts'
import { headOf, type KeptTenant, lineCounter, rowOf } from './tenant-file.rules.ts'
import { buryTenant, deleteRows, findKeptTenant, lockKeptTenant, pagesOf, readAsOfNow } from './tenant-file.store.ts'

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
export type TenantFile = SpooledFile & { slug: string }

/** All of a tenant as one file, and nothing of it any more. */
export function tenantFileService({ clock, events, audit, redactAudit, forgetKeyCallers, tables }: TenantFileDeps) {
  // Each holds a connection, on the embedded database the only one, until it has read all.
  const inTurn = concurrencyLimit(1, 4)

  /** As of one moment. Written to disk first: a slow reader holds no connection, and what fails is answered as a failure. */
  const spooled = async (platform: PlatformScope, id: string): Promise<SpooledFile> => {
    const spool = await openSpool()
    try {
      await transaction(platform, async (tx) => {
        await readAsOfNow(tx)
        const tenant = present(await findKeptTenant(tx, id))
        await spool.fill(linesOf(tx, tenant, { tables: tables(), now: clock.now() }))
      })
      return await spool.read()
    } catch (error) {
      await spool.close()
      throw error
    }
  }

  return {
    /** Also of a removed tenant, until it is erased. Refuses NOT_FOUND. */
    write: (platform: PlatformScope, id: string): Promise<TenantFile> =>
      inTurn(async () => {
        const { slug } = present(await findKeptTenant(platform, id))
        // Before a byte leaves: no file is handed out that is not written down.
        await transaction(platform, (tx) =>
          audit(tx, { action: 'tenant.export', target: { type: 'tenant', id }, tenantId: id }),
        )
        return { ...(await spooled(platform, id)), slug }
      }),

    /** How many rows of which table are gone. Refuses NOT_FOUND, STATE_CONFLICT, and VALIDATION_ERROR unless `confirm` is the slug. */
    erase: (
      platform: PlatformScope,
      { id, confirm }: { id: string; confirm: string },
    ): Promise<Record<string, number>> =>
      transaction(platform, async (tx) => {
        const now = clock.now()
        const tenant = present(await lockKeptTenant(tx, id))
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
        await buryTenant(tx, { id, now })
        await audit(tx, { action: 'tenant.erase', target: { type: 'tenant', id }, tenantId: id, changes: { erased } })
        return erased
      }),
  }
}

async function* linesOf(
  tx: PlatformScope,
  tenant: KeptTenant,
  { tables, now }: { tables: TenantTable[]; now: Date },
): AsyncGenerator<string> {
  const counter = lineCounter()
  yield counter.take(null, [headOf(tenant, tables, now)])
  for (const table of tables) {
    if (table.inFile === null) continue
    for await (const page of pagesOf(scopeToTenant(tx, tenant.id), table.name, table.inFile)) {
      yield counter.take(
        table.name,
        page.map((row) => rowOf(table, tenant.id, row)),
      )
    }
  }
  yield counter.end()
}

function refuseErasure(tenant: KeptTenant, confirm: string): void {
  if (confirm !== tenant.slug)
    throw invalidField('/body/confirm', { code: 'const', message: "must be the tenant's slug" })
  refuseBuiltIn(tenant, 'erased')
  if (tenant.deletedAt === null && tenant.status !== 'SUSPENDED')
    throw new Refusal('STATE_CONFLICT', { detail: 'The tenant is active: suspend or delete it first.' })
}

function present(tenant: KeptTenant | null): KeptTenant {
  if (tenant === null) throw notFound()
  return tenant
}
