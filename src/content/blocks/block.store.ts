import type { Page, PageRequest } from '../../kernel/paging.ts'
import { listPage, many, maybeOne, one, run, type Sql, sql } from '../../storage/query.ts'
import type { PlatformScope } from '../../storage/scope.ts'
import type { Block, BlockType } from './block.rules.ts'

const columns = sql`id, key, locale, type, value, html, description, revision, created_at as "createdAt", updated_at as "updatedAt"`

export type BlockName = { key: string; locale: string }

/** Refuses with NOT_FOUND. */
export function getPublicBlock(platform: PlatformScope, { key, locale }: BlockName): Promise<Block> {
  return one(platform, sql<Block>`select ${columns} from content_blocks where key = ${key} and locale = ${locale}`)
}

/** Refuses with NOT_FOUND. */
export function getBlock(platform: PlatformScope, id: string): Promise<Block> {
  return one(platform, sql<Block>`select ${columns} from content_blocks where id = ${id}`)
}

/** Locked until the transaction ends. Refuses with NOT_FOUND. */
export function lockBlock(tx: PlatformScope, id: string): Promise<Block> {
  return one(tx, sql<Block>`select ${columns} from content_blocks where id = ${id} for update`)
}

/** Locked until the transaction ends. */
export function lockNamedBlock(tx: PlatformScope, { key, locale }: BlockName): Promise<Block | null> {
  return maybeOne(
    tx,
    sql<Block>`select ${columns} from content_blocks where key = ${key} and locale = ${locale} for update`,
  )
}

export type PublicBlockFilter = { keys: string[] | null; locale: string }

export function listPublicBlocks(
  platform: PlatformScope,
  { keys, locale }: PublicBlockFilter,
  page: PageRequest,
): Promise<Page<Block>> {
  const found = sql`from content_blocks where locale = ${locale} and (${keys}::text[] is null or key = any(${keys}))`
  return pageOf(platform, { found, order: sql`key collate "C"` }, page)
}

export type BlockFilter = {
  q: string | null
  prefix: string | null
  locale: string | null
  type: BlockType | null
}

export function listBlocks(
  platform: PlatformScope,
  { q, prefix, locale, type }: BlockFilter,
  page: PageRequest,
): Promise<Page<Block>> {
  const found = sql`from content_blocks where (${locale}::text is null or locale = ${locale})
    and (${type}::text is null or type = ${type})
    and (${prefix}::text is null or starts_with(key, ${prefix}))
    and (${q}::text is null or strpos(key, lower(${q})) > 0 or strpos(lower(coalesce(description, '')), lower(${q})) > 0)`
  return pageOf(platform, { found, order: sql`created_at desc, id desc` }, page)
}

export function listAllBlocks(platform: PlatformScope): Promise<Block[]> {
  return many(platform, sql<Block>`select ${columns} from content_blocks order by key collate "C", locale collate "C"`)
}

/** Null if a block of this name exists. Waits for another transaction that is creating one. */
export function insertBlock(tx: PlatformScope, block: Omit<Block, 'revision' | 'updatedAt'>): Promise<Block | null> {
  return maybeOne(
    tx,
    sql<Block>`insert into content_blocks (id, key, locale, type, value, html, description, created_at, updated_at)
      values (${block.id}, ${block.key}, ${block.locale}, ${block.type}, ${JSON.stringify(block.value)}::jsonb, ${block.html},
        ${block.description}, ${block.createdAt}, ${block.createdAt})
      on conflict (key, locale) do nothing returning ${columns}`,
  )
}

export function updateBlock(tx: PlatformScope, block: Block): Promise<Block> {
  return one(
    tx,
    sql<Block>`update content_blocks set type = ${block.type}, value = ${JSON.stringify(block.value)}::jsonb, html = ${block.html},
        description = ${block.description}, revision = revision + 1, updated_at = ${block.updatedAt}
      where id = ${block.id} returning ${columns}`,
  )
}

export async function deleteBlock(tx: PlatformScope, id: string): Promise<void> {
  await run(tx, sql`delete from content_blocks where id = ${id}`)
}

/**
 * Stops changes to all blocks while a bundle is compared with them; reads continue. EXCLUSIVE, because a weaker mode
 * admits `for update`, and the two transactions would deadlock.
 */
export async function lockAllBlocks(tx: PlatformScope): Promise<void> {
  await run(tx, sql`lock table content_blocks in exclusive mode`)
}

async function pageOf(
  platform: PlatformScope,
  { found, order }: { found: Sql; order: Sql },
  page: PageRequest,
): Promise<Page<Block>> {
  return listPage<Block>(platform, page, { columns, from: found, orderBy: order })
}
