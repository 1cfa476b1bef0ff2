import { many, maybeOne, sql } from '../../storage/query.ts'
import type { PlatformScope } from '../../storage/scope.ts'

/** A product whose records are read: no draft. */
export type PublicParent = { id: string; slug: string; name: string; tagline: string; status: string }

const columns = sql`id, slug, name, tagline, status`

export function findPublicParent(platform: PlatformScope, slug: string): Promise<PublicParent | null> {
  return maybeOne(
    platform,
    sql<PublicParent>`select ${columns} from products where slug = ${slug} and status <> 'DRAFT'`,
  )
}

export function listPublicParents(platform: PlatformScope): Promise<PublicParent[]> {
  return many(
    platform,
    sql<PublicParent>`select ${columns} from products where status <> 'DRAFT' order by is_featured desc, sort_order, name, id`,
  )
}

/** The product, which nobody else can change until the transaction ends; drafts too. */
export function lockParent(tx: PlatformScope, id: string): Promise<PublicParent | null> {
  return maybeOne(tx, sql<PublicParent>`select ${columns} from products where id = ${id} for update`)
}

export function findParentId(platform: PlatformScope, id: string): Promise<{ id: string } | null> {
  return maybeOne(platform, sql<{ id: string }>`select id from products where id = ${id}`)
}
