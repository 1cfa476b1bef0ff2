/**
 * One table with rows of tenants, declared by its capability: what a tenant's export holds of it, and what happens to the
 * rows when the tenant is erased. A test compares the declarations with the existing tables and columns.
 */
export type TenantTable = {
  name: string
  /** Null: the tenant's file has no rows of this table. */
  inFile: FileRows | null
  /** The columns that are not in the file, with the reason. `*` means the whole table. */
  leftOut: Record<string, string>
  /** REDACTED rows stay, without anything that identifies a person. */
  onErasure: 'DELETED' | 'REDACTED'
  /** Columns that may hold megabytes, so that few rows are deleted at once. */
  largeColumns?: string[]
  /** The rows that the export of an organization holds. Absent: none. */
  ofOrganization?: OrganizationRows
}

/** The rows whose `column` is the id of the organization or, with `parent`, the id of a row of that table in the export. */
export type OrganizationRows = {
  column: string
  parent?: string
  /** What other columns must be. */
  where?: Record<string, string>
  /** A column that must not be null. */
  notNull?: string
  /** Only rows whose `column` has reached this column of the parent. */
  reached?: { column: string; parentColumn: string }
  /** Columns that the tenant's file has and the export does not. */
  without?: string[]
}

export type FileRows = {
  /** Columns that define the order of a tenant's rows. An index begins with `tenant_id` and these. */
  key: string[]
  /** Columns that are exported as they are, beside those of `opened`. */
  columns: string[]
  opened?: OpenedColumn[]
}

/** A sealed column that the tenant may read: it is exported decrypted, under the name `as`. */
export type OpenedColumn = { column: string; as: string; open(sealed: Buffer, row: TenantRow): string }

export type TenantRow = { tenantId: string; id: string }
