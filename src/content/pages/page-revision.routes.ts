import { admin } from '../../http/access/access.ts'
import { ok } from '../../http/answer.ts'
import { type Route, route } from '../../http/route.ts'
import { toPagination } from '../../kernel/paging.ts'
import { notFound } from '../../kernel/refusal.ts'
import { Type } from '../../kernel/type.ts'
import type { PlatformScope } from '../../storage/scope.ts'
import { type PageCopy, pageCopy } from './page.rules.ts'
import { DraftQuery, NoteBody, PageDetail } from './page.schema.ts'
import type { Pages } from './page.service.ts'
import { getPage } from './page.store.ts'
import { adminPageAnswer } from './page.view.ts'
import {
  DiffAnswer,
  DiffQuery,
  RevisionDetail,
  type RevisionLine,
  RevisionList,
  RevisionQuery,
} from './page-revision.schema.ts'
import { getRevision, listRevisions, type RevisionRow } from './page-revision.store.ts'

const tag = 'Content administration'
const number = Type.String({ description: 'The number of the revision.', examples: ['3'] })

export function pageRevisionRoutes(pages: Pages): Route[] {
  return [listRoute(), getRoute(), diffRoute(), restoreRoute(pages)]
}

function listRoute(): Route {
  return route({
    method: 'GET',
    path: '/admin/cms/pages/:pageId/revisions',
    name: 'listPageRevisions',
    tag,
    summary: 'List the revisions of a page',
    description: 'Newest first. The newest 50 revisions of a page are kept.',
    access: admin('VIEWER'),
    query: RevisionQuery,
    answers: { 200: RevisionList },
    handle: async ({ platform, params, query: { page = 1, limit = 20 } }) => {
      await getPage(platform, params.pageId)
      const { items, total } = await listRevisions(platform, params.pageId, { page, limit })
      return ok({ revisions: items.map(revisionLine), pagination: toPagination({ page, limit }, total) })
    },
  })
}

function getRoute(): Route {
  return route({
    method: 'GET',
    path: '/admin/cms/pages/:pageId/revisions/:number',
    name: 'getPageRevision',
    tag,
    summary: 'Show a revision of a page',
    access: admin('VIEWER'),
    params: { number },
    answers: { 200: RevisionDetail },
    handle: async ({ platform, params }) => {
      const revision = await getRevision(platform, { pageId: params.pageId, number: readNumber(params.number) })
      return ok({ revision: { ...revisionLine(revision), snapshot: revision.snapshot } })
    },
  })
}

function diffRoute(): Route {
  return route({
    method: 'GET',
    path: '/admin/cms/pages/:pageId/revisions/:number/diff',
    name: 'diffPageRevision',
    tag,
    summary: 'Compare a revision with another one',
    access: admin('VIEWER'),
    params: { number },
    query: DiffQuery,
    answers: { 200: DiffAnswer },
    handle: async ({ platform, params: { pageId, ...params }, query: { against = 'current' } }) => {
      const from = readNumber(params.number)
      const { snapshot } = await getRevision(platform, { pageId, number: from })
      const other = await findState(platform, pageId, against)
      const { createPatch: patchBetween } = await import('./page-diff.ts')
      return ok({ from, to: against, patch: patchBetween(snapshot, other) })
    },
  })
}

function restoreRoute(pages: Pages): Route {
  return route({
    method: 'POST',
    path: '/admin/cms/pages/:pageId/revisions/:number/restore',
    name: 'restorePageRevision',
    tag,
    summary: 'Restore a revision as a new one',
    description:
      'Restores into the page, or with `draft=true` into its draft. Slug, status and schedule do not change.',
    access: admin('EDITOR'),
    params: { number },
    query: DraftQuery,
    body: NoteBody,
    answers: { 200: PageDetail },
    conditional: true,
    handle: async ({ platform, params, query: { draft = false }, body, headers }) => {
      const page = await pages.restore(platform, {
        id: params.pageId,
        ifMatch: headers['if-match'],
        number: readNumber(params.number),
        isDraft: draft,
        note: body.note,
      })
      return adminPageAnswer(page)
    },
  })
}

function readNumber(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw notFound()
  return Number(text)
}

async function findState(platform: PlatformScope, pageId: string, against: string): Promise<PageCopy> {
  if (against !== 'current' && against !== 'draft')
    return (await getRevision(platform, { pageId, number: Number(against) })).snapshot
  const page = await getPage(platform, pageId)
  const copy = against === 'draft' ? page.draft : pageCopy(page)
  if (copy === null) throw notFound()
  return copy
}

function revisionLine(row: RevisionRow): RevisionLine {
  const { number, action, isDraft, slug, title, status, note, actorType, actorId, actorLabel, createdAt } = row
  const actor = { type: actorType, id: actorId, label: actorLabel }
  return { number, action, isDraft, slug, title, status, note, actor, createdAt: createdAt.toISOString() }
}
