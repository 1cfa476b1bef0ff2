import { eraseStoredAnswersOfTenant } from '../../http/idempotency.store.ts'
import { deleteTenantJobs } from '../../jobs/job.store.ts'
import type { Clock } from '../../kernel/clock.ts'
import { concurrencyLimit } from '../../kernel/concurrency-limit.ts'
import type { DefaultLimits } from '../../kernel/quota.ts'
import { invalidField, notFound, Refusal } from '../../kernel/refusal.ts'
import type { FileRows, TenantTable } from '../../kernel/tenant-table.ts'
import type { EventBus } from '../../storage/events.ts'
import { type PlatformScope, type Scope, scopeToTenant, type TenantScope, transaction } from '../../storage/scope.ts'
import type { Audit } from '../audit/audit.store.ts'
import { type FileContent, openTempFile, type TempFile } from './temp-file.ts'
import { refuseBuiltIn } from './tenant.rules.ts'
import {
  type ExportedOrganization,
  fileHeader,
  fileRow,
  lineCounter,
  organizationHeader,
  organizationTables,
  type UnerasedTenant,
} from './tenant-file.rules.ts'
import {
  deleteRows,
  findUnerasedTenant,
  lockUnerasedTenant,
  markErased,
  type OrganizationFilter,
  rowPages,
  useSnapshot,
} from './tenant-file.store.ts'

type TenantFileDeps = {
  clock: Clock
  events: EventBus
  audit: Audit
  defaultLimits: DefaultLimits
  /** The embedded database has one connection, which a transaction would keep from all other requests. */
  isEmbedded: boolean
  /** Removes personal data of the tenant's users from the audit log. */
  redactAudit(tx: PlatformScope, tenantId: string, now: Date): Promise<number>
  forgetKeyCallers(): void
  tables: () => TenantTable[]
}

export type TenantFiles = ReturnType<typeof tenantFileService>
export type TenantFile = FileContent & { slug: string }

/** Exports all data of a tenant as a file, and erases it. */
export function tenantFileService(deps: TenantFileDeps) {
  const { clock, events, audit, defaultLimits, isEmbedded, redactAudit, forgetKeyCallers, tables } = deps
  // Each export holds a database connection until it has read everything. The embedded database has only one.
  const limited = concurrencyLimit(1, 4)
  // Apart, so that users cannot keep an administrator waiting.
  const limitedForUsers = concurrencyLimit(1, 16)

  /** Writes a file first, so that a slow client holds no connection and a failure can be answered as an error. */
  const writeTempFile = async (write: (file: TempFile) => Promise<void>): Promise<FileContent> => {
    const file = await openTempFile()
    try {
      await write(file)
      return await file.read()
    } catch (error) {
      await file.close()
      throw error
    }
  }

  const inSnapshot = <S extends Scope>(scope: S, work: (tx: S) => Promise<void>): Promise<void> =>
    transaction(scope, async (tx) => {
      await useSnapshot(tx)
      await work(tx)
    })

  const tenantLines = async (platform: PlatformScope, id: string): Promise<AsyncIterable<string>> => {
    const tenant = requireTenant(await findUnerasedTenant(platform, id))
    const inFile = tables().flatMap((table) => (table.inFile === null ? [] : [{ table, rows: table.inFile }]))
    const header = fileHeader(tenant, { tables: tables(), defaultLimits, now: clock.now() })
    return fileLines(scopeToTenant(platform, id), header, inFile)
  }

  const organizationLines = (tx: TenantScope, organization: ExportedOrganization): AsyncIterable<string> => {
    const exported = organizationTables(tables())
    const inFile = exported.map((table) => {
      const filter = { tables: exported, rows: table.ofOrganization, orgId: organization.id }
      return { table, rows: table.inFile, filter }
    })
    return fileLines(tx, organizationHeader(organization, exported, clock.now()), inFile)
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
        const file = await writeTempFile((file) =>
          inSnapshot(platform, async (tx) => file.writeGzip(await tenantLines(tx, id))),
        )
        return { ...file, slug }
      }),

    /**
     * `authorize` refuses who may not export. On the embedded database other requests run between the pages, so the rows
     * are not of one moment, and who was allowed at first is asked again at the end.
     */
    exportOrganization: (
      scope: TenantScope,
      authorize: (tx: TenantScope) => Promise<ExportedOrganization>,
    ): Promise<FileContent> =>
      limitedForUsers(() =>
        writeTempFile(async (file) => {
          const write = async (tx: TenantScope) => file.writeGzip(organizationLines(tx, await authorize(tx)))
          if (!isEmbedded) return inSnapshot(scope, write)
          await write(scope)
          await authorize(scope)
        }),
      ),

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
        await audit(tx, { action: 'tenant.erase', target: { type: 'tenant', id }, tenantId: id, changes: { erased } })
        await eraseStoredAnswersOfTenant(tx, id, now)
        return erased
      }),
  }
}

type FilePart = { table: TenantTable; rows: FileRows; filter?: OrganizationFilter }

async function* fileLines(tx: TenantScope, header: object, parts: FilePart[]): AsyncGenerator<string> {
  const counter = lineCounter()
  yield counter.add(null, [header])
  for (const { table, ...part } of parts)
    for await (const page of rowPages(tx, { table: table.name, ...part }))
      yield counter.add(
        table.name,
        page.map((row) => fileRow(table, tx.tenantId, row)),
      )
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
