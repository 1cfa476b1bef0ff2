import type { Page, PageRequest } from '../../kernel/paging.ts'
import { listPage, many, maybeOne, one, run, sql } from '../../storage/query.ts'
import type { PlatformScope } from '../../storage/scope.ts'
import type { Slot, SlotKind } from './slot.rules.ts'

const columns = sql`id, slug, kind, title, subtitle, body, body_html as "bodyHtml", media_id as "mediaId", href, cta_label as "ctaLabel",
  product_slug as "productSlug", links, position as "order", is_active as "isActive", starts_at as "startsAt", ends_at as "endsAt",
  revision, created_at as "createdAt", updated_at as "updatedAt"`

/** Admits one writer of slots at a time, on all nodes, because order and count concern all slots of a kind. */
export async function lockSlots(tx: PlatformScope): Promise<void> {
  await run(tx, sql`select pg_advisory_xact_lock(hashtextextended('homepage slots', 0))`)
}

/** Refuses with NOT_FOUND. */
export function getSlot(platform: PlatformScope, id: string): Promise<Slot> {
  return one(platform, sql<Slot>`select ${columns} from homepage_slots where id = ${id}`)
}

export function hasSlug(platform: PlatformScope, slug: string): Promise<unknown> {
  return maybeOne(platform, sql`select 1 as found from homepage_slots where slug = ${slug}`)
}

export type SlotFilter = { kind: SlotKind | null; isActive: boolean | null }

export async function listSlots(
  platform: PlatformScope,
  { kind, isActive }: SlotFilter,
  page: PageRequest,
): Promise<Page<Slot>> {
  const found = sql`from homepage_slots where (${kind}::text is null or kind = ${kind})
    and (${isActive}::boolean is null or is_active = ${isActive})`
  return listPage<Slot>(platform, page, { columns, from: found, orderBy: sql`kind, position, id` })
}

export function listSlotsOfKind(platform: PlatformScope, kind: SlotKind): Promise<Slot[]> {
  return many(platform, sql<Slot>`select ${columns} from homepage_slots where kind = ${kind} order by position, id`)
}

export function listAllSlots(platform: PlatformScope): Promise<Slot[]> {
  return many(platform, sql<Slot>`select ${columns} from homepage_slots order by kind, position, slug`)
}

export function listLiveSlots(platform: PlatformScope, now: Date): Promise<Slot[]> {
  return many(
    platform,
    sql<Slot>`select ${columns} from homepage_slots
      where is_active and (starts_at is null or starts_at <= ${now}) and (ends_at is null or ends_at > ${now})
      order by kind, position, id`,
  )
}

/** The next time at which a slot appears or disappears by schedule. */
export async function nextSlotChange(platform: PlatformScope, now: Date): Promise<Date | null> {
  const { at } = await one(
    platform,
    sql<{
      at: Date | null
    }>`select least(min(starts_at) filter (where starts_at > ${now}), min(ends_at) filter (where ends_at > ${now})) as at
      from homepage_slots where is_active`,
  )
  return at
}

export async function countSlots(platform: PlatformScope, kind: SlotKind): Promise<{ count: number; last: number }> {
  return one(
    platform,
    sql<{ count: number; last: number }>`select count(*)::int as count, coalesce(max(position), -1) as last
      from homepage_slots where kind = ${kind}`,
  )
}

export async function insertSlot(tx: PlatformScope, slot: Omit<Slot, 'revision' | 'updatedAt'>): Promise<Slot> {
  return one(
    tx,
    sql<Slot>`insert into homepage_slots (id, slug, kind, title, subtitle, body, body_html, media_id, href, cta_label, product_slug,
        links, position, is_active, starts_at, ends_at, created_at, updated_at)
      values (${slot.id}, ${slot.slug}, ${slot.kind}, ${slot.title}, ${slot.subtitle}, ${slot.body}, ${slot.bodyHtml}, ${slot.mediaId},
        ${slot.href}, ${slot.ctaLabel}, ${slot.productSlug}, ${JSON.stringify(slot.links)}::jsonb, ${slot.order}, ${slot.isActive},
        ${slot.startsAt}, ${slot.endsAt}, ${slot.createdAt}, ${slot.createdAt})
      returning ${columns}`,
  )
}

export async function updateSlot(tx: PlatformScope, slot: Slot): Promise<Slot> {
  return one(
    tx,
    sql<Slot>`update homepage_slots set kind = ${slot.kind}, title = ${slot.title}, subtitle = ${slot.subtitle}, body = ${slot.body},
        body_html = ${slot.bodyHtml}, media_id = ${slot.mediaId}, href = ${slot.href}, cta_label = ${slot.ctaLabel},
        product_slug = ${slot.productSlug}, links = ${JSON.stringify(slot.links)}::jsonb, position = ${slot.order},
        is_active = ${slot.isActive}, starts_at = ${slot.startsAt}, ends_at = ${slot.endsAt},
        revision = revision + 1, updated_at = ${slot.updatedAt}
      where id = ${slot.id} returning ${columns}`,
  )
}

/** Sets the order to 0, 1, ... as in `ids`; only slots that move get a new revision. */
export async function orderSlots(tx: PlatformScope, ids: string[], now: Date): Promise<void> {
  await run(
    tx,
    sql`update homepage_slots set position = wanted.place, revision = revision + 1, updated_at = ${now}
      from (select id, (place - 1)::int as place from unnest(${ids}::uuid[]) with ordinality as given (id, place)) wanted
      where homepage_slots.id = wanted.id and position <> wanted.place`,
  )
}

export async function deleteSlot(tx: PlatformScope, id: string): Promise<void> {
  await run(tx, sql`delete from homepage_slots where id = ${id}`)
}

/** Whether this is the first call ever, on all nodes. */
export async function beginSeed(tx: PlatformScope, name: string, now: Date): Promise<boolean> {
  return (
    (await run(tx, sql`insert into seeds (name, seeded_at) values (${name}, ${now}) on conflict (name) do nothing`)) > 0
  )
}
