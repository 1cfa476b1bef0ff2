import { createHash } from 'node:crypto'
import type { TenantTable } from '../../kernel/tenant-table.ts'
import type { Tenant } from './tenant.rules.ts'

/** The name and version of the form; a reader refuses any other. */
const format = 'atrium-tenant'
const version = 1

/** A tenant that has not been erased; removed ones are such. */
export type UnerasedTenant = Omit<Tenant, 'keyPrefix'> & { deletedAt: Date | null }

/** First line: what the file is, whose, and what is not in it. */
export function fileHeader(tenant: UnerasedTenant, tables: TenantTable[], now: Date): object {
  const inFile = tables.filter((table) => table.inFile !== null).map(({ name }) => camelCase(name))
  const leftOut = tables.flatMap(({ name, leftOut }) =>
    Object.entries(leftOut).map(([column, reason]) => [`${camelCase(name)}.${camelCase(column)}`, reason]),
  )
  return { format, version, createdAt: now, tenant, tables: inFile, leftOut: Object.fromEntries(leftOut) }
}

/** A line of the file for a row as the database gave it: names as the API spells them, sealed members open. */
export function fileRow({ name, inFile }: TenantTable, tenantId: string, row: Record<string, unknown>): object {
  const opened = (inFile?.opened ?? []).map(({ column, as, open }) => {
    const sealed = row[column]
    return [as, Buffer.isBuffer(sealed) ? open(sealed, { tenantId, id: String(row['id']) }) : null]
  })
  const plain = (inFile?.columns ?? []).map((column) => [camelCase(column), row[column]])
  return { table: camelCase(name), row: Object.fromEntries([...plain, ...opened]) }
}

/** Counts and hashes the lines that go through it; `end` is the last one, without which a file has been cut. */
export function lineCounter() {
  const hash = createHash('sha256')
  const counts: Record<string, number> = {}
  return {
    /** The lines as text. `table` counts them; null for the head. */
    take: (table: string | null, lines: object[]): string => {
      if (table !== null) counts[camelCase(table)] = (counts[camelCase(table)] ?? 0) + lines.length
      const text = lines.map((line) => `${JSON.stringify(line)}\n`).join('')
      hash.update(text)
      return text
    },
    end: (): string => `${JSON.stringify({ end: true, counts, sha256: hash.digest('hex') })}\n`,
  }
}

/** `device_name` as the API spells it: `deviceName`. */
function camelCase(column: string): string {
  return column.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())
}
