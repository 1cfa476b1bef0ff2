import { ok } from '../../http/answer.ts'
import { revisionETag } from '../../http/cache/precondition.ts'
import { isoOrNull } from '../../kernel/schemas.ts'
import { copyOf, type Page } from './page.rules.ts'
import type { PageAnswer, PageLine } from './page.schema.ts'
import type { PageLineRow } from './page.store.ts'

/** A page as administrators see it, with the tag that guards a change of it. */
export function shown(page: Page) {
  return { ...ok({ page: viewOf(page) }), headers: { etag: revisionETag(page) } }
}

function viewOf(page: Page): PageAnswer {
  const { slug, draft } = page
  return { ...copyOf(page), ...standingOf({ ...page, hasDraft: draft !== null }), slug, draft }
}

export function lineOf(row: PageLineRow): PageLine {
  const { slug, title, meta, template, locale } = row
  return { ...standingOf(row), slug, title, meta, template, locale }
}

function standingOf(page: Omit<PageLineRow, 'slug' | 'title' | 'meta' | 'template' | 'locale'>) {
  return {
    id: page.id,
    status: page.status,
    publishAt: isoOrNull(page.publishAt),
    unpublishAt: isoOrNull(page.unpublishAt),
    publishedAt: isoOrNull(page.publishedAt),
    revision: page.revision,
    hasDraft: page.hasDraft,
    createdAt: page.createdAt.toISOString(),
    updatedAt: page.updatedAt.toISOString(),
  }
}
