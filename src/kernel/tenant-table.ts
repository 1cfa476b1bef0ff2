/**
 * What a capability says of one of its tables that holds rows of tenants: what of them stands in a tenant's file, and
 * what becomes of them when the tenant is erased. A test compares these with the tables and columns that exist.
 */
export type TenantTable = {
  name: string
  /** Null: no row of it stands in the file. */
  inFile: FileRows | null
  /** What is not in the file and why, by column; `*` stands for the whole table. */
  leftOut: Record<string, string>
  /** REDACTED rows stay without what names a person. */
  onErasure: 'DELETED' | 'REDACTED'
}

export type FileRows = {
  /** Columns that give the rows of a tenant one order; with an index behind `tenant_id`. */
  key: string[]
  /** Columns as they stand in the file, beside those of `opened`. */
  columns: string[]
  opened?: OpenedColumn[]
}

/** A sealed column that the tenant may read: it stands open in the file, as `as`. */
export type OpenedColumn = { column: string; as: string; open(sealed: Buffer, row: TenantRow): string }

export type TenantRow = { tenantId: string; id: string }
