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
