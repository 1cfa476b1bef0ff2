import { ok } from '../../http/answer.ts'
import { revisionETag } from '../../http/cache/precondition.ts'
import { isoOrNull } from '../../kernel/schemas.ts'
import { unknownTypeWarnings } from '../sections/section-type-names.ts'
import { type Page, pageCopy } from './page.rules.ts'
import type { PageAnswer, PageLine } from './page.schema.ts'
import type { PageLineRow } from './page.store.ts'

/** A page for administrators, with its entity tag. */
export function adminPageAnswer(page: Page) {
  const warnings = [
    ...unknownTypeWarnings(page.sections, '/page/sections'),
    ...unknownTypeWarnings(page.draft?.sections ?? [], '/page/draft/sections'),
  ]
  return { ...ok({ page: pageView(page), warnings }), headers: { etag: revisionETag(page) } }
}

function pageView(page: Page): PageAnswer {
  const { slug, draft } = page
  return { ...pageCopy(page), ...stateView({ ...page, hasDraft: draft !== null }), slug, draft }
}

export function pageLine(row: PageLineRow): PageLine {
  const { slug, title, meta, template, locale } = row
  return { ...stateView(row), slug, title, meta, template, locale }
}

function stateView(page: Omit<PageLineRow, 'slug' | 'title' | 'meta' | 'template' | 'locale'>) {
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
