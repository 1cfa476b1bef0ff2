import type { Page as ListPage, PageRequest } from '../../kernel/paging.ts'
import { listPage, many, maybeOne, one, run, sql } from '../../storage/query.ts'
import type { PlatformScope } from '../../storage/scope.ts'
import { violates } from '../../storage/sql-error.ts'
import type { Section } from '../sections/section.rules.ts'
import type { Page, PageMeta, PageStatus } from './page.rules.ts'

const columns = sql`id, slug, status, title, sections, meta, template, locale, draft, publish_at as "publishAt",
  unpublish_at as "unpublishAt", published_at as "publishedAt", revision, public_revision as "publicRevision",
  public_updated_at as "publicUpdatedAt", created_at as "createdAt", updated_at as "updatedAt"`

export type PageLineRow = Omit<Page, 'sections' | 'draft' | 'publicRevision' | 'publicUpdatedAt'> & {
  hasDraft: boolean
}
export type PublicLineRow = {
  id: string
  slug: string
  title: string
  meta: PageMeta
  publishedAt: Date | null
  updatedAt: Date
  sections?: Section[]
}

/** False when the slug is taken. */
export async function insertPage(tx: PlatformScope, page: Page): Promise<boolean> {
  const added = await run(
    tx,
    sql`insert into content_pages (id, slug, status, title, sections, meta, template, locale, draft, publish_at, unpublish_at,
        published_at, revision, public_revision, public_updated_at, created_at, updated_at)
      values (${page.id}, ${page.slug}, ${page.status}, ${page.title}, ${JSON.stringify(page.sections)}::jsonb,
        ${JSON.stringify(page.meta)}::jsonb, ${page.template}, ${page.locale}, ${draftJson(page)}::jsonb, ${page.publishAt},
        ${page.unpublishAt}, ${page.publishedAt}, ${page.revision}, ${page.publicRevision}, ${page.publicUpdatedAt},
        ${page.createdAt}, ${page.updatedAt})
      on conflict (slug) do nothing`,
  )
  return added === 1
}

export async function updatePage(tx: PlatformScope, page: Page): Promise<void> {
  await run(
    tx,
    sql`update content_pages set slug = ${page.slug}, status = ${page.status}, title = ${page.title},
        sections = ${JSON.stringify(page.sections)}::jsonb, meta = ${JSON.stringify(page.meta)}::jsonb, template = ${page.template},
        locale = ${page.locale}, draft = ${draftJson(page)}::jsonb, publish_at = ${page.publishAt}, unpublish_at = ${page.unpublishAt},
        published_at = ${page.publishedAt}, revision = ${page.revision}, public_revision = ${page.publicRevision},
        public_updated_at = ${page.publicUpdatedAt}, updated_at = ${page.updatedAt}
      where id = ${page.id}`,
  )
}

function draftJson({ draft }: Page): string | null {
  return draft === null ? null : JSON.stringify(draft)
}

/** Whether a failed transaction failed because another page has the slug. */
export function isSlugTaken(error: unknown): boolean {
  return violates(error, 'content_pages_slug')
}

export async function removePage(tx: PlatformScope, id: string): Promise<void> {
  await run(tx, sql`delete from content_pages where id = ${id}`)
}

/** Refuses with NOT_FOUND. */
export function getPage(platform: PlatformScope, id: string): Promise<Page> {
  return one(platform, sql<Page>`select ${columns} from content_pages where id = ${id}`)
}

/** Locks the page until the transaction ends; null where it does not exist. */
export function lockPage(tx: PlatformScope, id: string): Promise<Page | null> {
  return maybeOne(tx, sql<Page>`select ${columns} from content_pages where id = ${id} for update`)
}

/** With any status: the caller decides whether to show it. */
export function findPageBySlug(platform: PlatformScope, slug: string): Promise<Page | null> {
  return maybeOne(platform, sql<Page>`select ${columns} from content_pages where slug = ${slug}`)
}

/** The current slug of a public page that had this slug before; null otherwise. */
export async function findRedirect(platform: PlatformScope, slug: string): Promise<string | null> {
  const found = await maybeOne(
    platform,
    sql<{ slug: string }>`select p.slug from page_redirects r join content_pages p on p.id = r.page_id
      where r.slug = ${slug} and p.status = 'PUBLISHED'`,
  )
  return found?.slug ?? null
}

/** Adds a redirect from `from` to the page, and removes one at `to`, where the page now is. */
export async function moveAddress(tx: PlatformScope, move: { pageId: string; from: string; to: string; now: Date }) {
  await run(tx, sql`delete from page_redirects where slug = ${move.to}`)
  await addRedirect(tx, { slug: move.from, pageId: move.pageId, now: move.now })
}

/** All redirects, ordered by slug. */
export function listRedirects(platform: PlatformScope): Promise<{ slug: string; leadsTo: string }[]> {
  return many(
    platform,
    sql<{ slug: string; leadsTo: string }>`select page_redirects.slug, content_pages.slug as "leadsTo"
      from page_redirects join content_pages on content_pages.id = page_redirects.page_id
      order by page_redirects.slug collate "C"`,
  )
}

export async function addRedirect(tx: PlatformScope, redirect: { slug: string; pageId: string; now: Date }) {
  await run(
    tx,
    sql`insert into page_redirects (slug, page_id, created_at) values (${redirect.slug}, ${redirect.pageId}, ${redirect.now})
      on conflict (slug) do update set page_id = excluded.page_id, created_at = excluded.created_at`,
  )
}

/** All pages, ordered by slug. */
export function listSlugs(platform: PlatformScope): Promise<{ id: string; slug: string }[]> {
  return many(platform, sql<{ id: string; slug: string }>`select id, slug from content_pages order by slug collate "C"`)
}

/** The pages with these slugs, ordered by slug. */
export function listBySlug(platform: PlatformScope, slugs: string[]): Promise<Page[]> {
  return many(
    platform,
    sql<Page>`select ${columns} from content_pages where slug = any(${slugs}) order by slug collate "C"`,
  )
}

/** Stops changes to all pages until the transaction ends; reads continue. */
export async function lockAllPages(tx: PlatformScope): Promise<void> {
  await run(tx, sql`lock table content_pages in exclusive mode`)
}

/** Removes the redirect at a slug that a page now has. */
export async function dropRedirect(tx: PlatformScope, slug: string): Promise<void> {
  await run(tx, sql`delete from page_redirects where slug = ${slug}`)
}

export async function listPublicPages(
  platform: PlatformScope,
  { isFull, ...page }: PageRequest & { isFull: boolean },
): Promise<ListPage<PublicLineRow>> {
  return listPage<PublicLineRow>(platform, page, {
    columns: sql`id, slug, title, meta, published_at as "publishedAt", public_updated_at as "updatedAt"
        ${isFull ? sql`, sections` : sql``}`,
    from: sql`from content_pages where status = 'PUBLISHED'`,
    orderBy: sql`created_at desc, id desc`,
  })
}

export type PageSearch = PageRequest & { status: PageStatus | null; template: string | null; q: string | null }

export async function listPages(
  platform: PlatformScope,
  { status, template, q, ...page }: PageSearch,
): Promise<ListPage<PageLineRow>> {
  const wanted = sql`(${status}::text is null or status = ${status}) and (${template}::text is null or template = ${template})
    and (${q}::text is null or position(lower(${q}) in lower(title)) > 0 or position(lower(${q}) in slug) > 0)`
  return listPage<PageLineRow>(platform, page, {
    columns: sql`id, slug, status, title, meta, template, locale, draft is not null as "hasDraft",
        publish_at as "publishAt", unpublish_at as "unpublishAt", published_at as "publishedAt", revision,
        created_at as "createdAt", updated_at as "updatedAt"`,
    from: sql`from content_pages where ${wanted}`,
    orderBy: sql`created_at desc, id desc`,
  })
}
