import { createHash } from 'node:crypto'
import { type DefaultLimits, effectiveLimits } from '../../kernel/quota.ts'
import type { FileRows, OrganizationRows, TenantTable } from '../../kernel/tenant-table.ts'
import type { Tenant } from './tenant.rules.ts'

/** The names and the version of the file format. */
const format = 'atrium-tenant'
const organizationFormat = 'atrium-organization'
const version = 1

/** A tenant that is not erased. It may be deleted. */
export type UnerasedTenant = Omit<Tenant, 'keyPrefix'> & { deletedAt: Date | null }

/** The first line: the format, the tenant, and what the file leaves out. */
export function fileHeader(
  stored: UnerasedTenant,
  { tables, defaultLimits, now }: { tables: TenantTable[]; defaultLimits: DefaultLimits; now: Date },
): object {
  const tenant = { ...stored, limits: effectiveLimits(stored.limits, defaultLimits) }
  return { format, version, createdAt: now, tenant, ...listContents(tables) }
}

/** An organization whose rows are exported. */
export type ExportedOrganization = { id: string; tenantId: string; name: string }

/** The same of an organization. */
export function organizationHeader(
  { id, tenantId, name }: ExportedOrganization,
  tables: TenantTable[],
  now: Date,
): object {
  const organization = { id, tenantId, name }
  return { format: organizationFormat, version, createdAt: now, organization, ...listContents(tables) }
}

/** The tables of which an organization's export has rows, with the columns that it has. */
export function organizationTables(
  tables: TenantTable[],
): (TenantTable & { ofOrganization: OrganizationRows; inFile: FileRows })[] {
  return tables.flatMap((table) => {
    const { inFile, ofOrganization } = table
    if (inFile === null || ofOrganization === undefined) return []
    const { without = [] } = ofOrganization
    const columns = inFile.columns.filter((column) => !without.includes(column))
    const leftOut = {
      ...table.leftOut,
      ...Object.fromEntries(without.map((column) => [column, 'Not for all members.'])),
    }
    return [{ ...table, ofOrganization, leftOut, inFile: { ...inFile, columns } }]
  })
}

function listContents(tables: TenantTable[]) {
  const inFile = tables.filter((table) => table.inFile !== null).map(({ name }) => camelCase(name))
  const leftOut = tables.flatMap(({ name, leftOut }) =>
    Object.entries(leftOut).map(([column, reason]) => [`${camelCase(name)}.${camelCase(column)}`, reason]),
  )
  return { tables: inFile, leftOut: Object.fromEntries(leftOut) }
}

/** A line for a database row: names as in the API, sealed columns decrypted. */
export function fileRow({ name, inFile }: TenantTable, tenantId: string, row: Record<string, unknown>): object {
  const opened = (inFile?.opened ?? []).map(({ column, as, open }) => {
    const sealed = row[column]
    return [as, Buffer.isBuffer(sealed) ? open(sealed, { tenantId, id: String(row['id']) }) : null]
  })
  const fields = (inFile?.columns ?? []).map((column) => [camelCase(column), row[column]])
  return { table: camelCase(name), row: Object.fromEntries([...fields, ...opened]) }
}

/** Counts and hashes lines. `end` gives the last line; a file without it is truncated. */
export function lineCounter() {
  const hash = createHash('sha256')
  const counts: Record<string, number> = {}
  return {
    /** Returns the lines as text. They count for `table`; null for the header. */
    add: (table: string | null, lines: object[]): string => {
      if (table !== null) counts[camelCase(table)] = (counts[camelCase(table)] ?? 0) + lines.length
      const text = lines.map((line) => `${JSON.stringify(line)}\n`).join('')
      hash.update(text)
      return text
    },
    end: (): string => `${JSON.stringify({ end: true, counts, sha256: hash.digest('hex') })}\n`,
  }
}

/** `device_name` becomes `deviceName`. */
function camelCase(column: string): string {
  return column.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())
}
