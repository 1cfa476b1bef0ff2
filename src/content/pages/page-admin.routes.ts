import { admin } from '../../http/access/access.ts'
import { noContent, ok } from '../../http/answer.ts'
import { type Route, route } from '../../http/route.ts'
import { toPagination } from '../../kernel/paging.ts'
import { DraftQuery, NewPage, PageChange, PageDetail, PageList, PageListQuery } from './page.schema.ts'
import type { Pages } from './page.service.ts'
import { getPage, listPages } from './page.store.ts'
import { adminPageAnswer, pageLine } from './page.view.ts'

const tag = 'Content administration'
/** A page of 200 KiB when escaped in JSON. */
const bodyBytesMax = 512 * 1024

export function pageAdminRoutes(pages: Pages): Route[] {
  return [
    createRoute(pages),
    listRoute(),
    getRoute(),
    saveRoute(pages, 'PUT'),
    saveRoute(pages, 'PATCH'),
    deleteRoute(pages),
  ]
}

function createRoute(pages: Pages): Route {
  return route({
    method: 'POST',
    path: '/admin/cms/pages',
    name: 'createPage',
    tag,
    summary: 'Create a page',
    description:
      'PUBLISHED unless `status` says DRAFT or ARCHIVED; with a `publishAt` in the future it becomes public then. At ' +
      'most 200 sections and 200 KiB. Markdown and HTML in sections are rendered and made safe when they are written.',
    access: admin('EDITOR'),
    body: NewPage,
    answers: { 201: PageDetail },
    refusals: ['SLUG_TAKEN'],
    idempotent: true,
    bodyBytesMax,
    rules: ({ platform, body }) => pages.rules(platform, body),
    prepare: ({ body }) => pages.read(body),
    handle: async ({ platform, body, prepared }) => {
      const page = await pages.create(platform, body, prepared)
      const { body: answer, headers } = adminPageAnswer(page)
      return { status: 201 as const, body: answer, headers: { location: `/admin/cms/pages/${page.id}`, ...headers } }
    },
  })
}

function listRoute(): Route {
  return route({
    method: 'GET',
    path: '/admin/cms/pages',
    name: 'listPages',
    tag,
    summary: 'List all pages',
    access: admin('VIEWER'),
    query: PageListQuery,
    answers: { 200: PageList },
    handle: async ({ platform, query: { page = 1, limit = 20, status = null, template = null, q = null } }) => {
      const { items, total } = await listPages(platform, { page, limit, status, template, q })
      return ok({ pages: items.map(pageLine), pagination: toPagination({ page, limit }, total) })
    },
  })
}

function getRoute(): Route {
  return route({
    method: 'GET',
    path: '/admin/cms/pages/:pageId',
    name: 'getPage',
    tag,
    summary: 'Show a page and its draft',
    description: 'The `ETag` identifies the revision. Send it as `If-Match` with a change.',
    access: admin('VIEWER'),
    answers: { 200: PageDetail },
    handle: async ({ platform, params }) => adminPageAnswer(await getPage(platform, params.pageId)),
  })
}

function saveRoute(pages: Pages, method: 'PUT' | 'PATCH'): Route {
  return route({
    method,
    path: '/admin/cms/pages/:pageId',
    name: method === 'PUT' ? 'savePage' : 'patchPage',
    tag,
    summary: method === 'PUT' ? 'Change a page or its draft' : 'Change a page or its draft, as PUT does',
    description:
      'What is not named is kept, also inside `meta`; `sections` are replaced together. With `draft=true` the change is ' +
      'made to the draft, and the public sees nothing of it until it is published. `If-Match` guards against a race.',
    access: admin('EDITOR'),
    query: DraftQuery,
    body: PageChange,
    answers: { 200: PageDetail },
    refusals: ['SLUG_TAKEN'],
    conditional: true,
    bodyBytesMax,
    rules: ({ platform, query, body }) => pages.rules(platform, body, query.draft),
    handle: async ({ platform, params, query, body, headers }) => {
      const save = query.draft ? pages.saveDraft : pages.save
      const page = await save(platform, { id: params.pageId, ifMatch: headers['if-match'] }, body)
      return adminPageAnswer(page)
    },
  })
}

function deleteRoute(pages: Pages): Route {
  return route({
    method: 'DELETE',
    path: '/admin/cms/pages/:pageId',
    name: 'deletePage',
    tag,
    summary: 'Delete a page with its draft and revisions',
    access: admin('EDITOR'),
    answers: { 204: null },
    conditional: true,
    handle: async ({ platform, params, headers }) => {
      await pages.remove(platform, { id: params.pageId, ifMatch: headers['if-match'] })
      return noContent()
    },
  })
}
