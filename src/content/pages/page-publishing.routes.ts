import { admin } from '../../http/access/access.ts'
import { created, noContent, secret } from '../../http/answer.ts'
import type { PreviewTokens } from '../../http/preview.ts'
import { type Route, route } from '../../http/route.ts'
import type { Audit } from '../../identity/index.ts'
import type { Clock } from '../../kernel/clock.ts'
import { transaction } from '../../storage/scope.ts'
import { NoteBody, PageDetail, PreviewAnswer, PreviewRequest, Publishing } from './page.schema.ts'
import type { Pages } from './page.service.ts'
import { getPage } from './page.store.ts'
import { adminPageAnswer } from './page.view.ts'

const tag = 'Content administration'

type Parts = { pages: Pages; previews: PreviewTokens; clock: Clock; audit: Audit }

export function pagePublishingRoutes(parts: Parts): Route[] {
  const { pages } = parts
  return [
    publishRoute(pages),
    unpublishRoute(pages, 'unpublish'),
    unpublishRoute(pages, 'archive'),
    discardRoute(pages),
    previewRoute(parts),
  ]
}

function publishRoute(pages: Pages): Route {
  return route({
    method: 'POST',
    path: '/admin/cms/pages/:pageId/publish',
    name: 'publishPage',
    tag,
    summary: 'Publish a page or its draft',
    description:
      'The draft, where there is one, replaces what the page has. With a `publishAt` in the future it happens then: ' +
      'whatever the draft is at that moment is published, once. Another `publishAt` moves it, and publishing now or ' +
      '`PUT` with `publishAt: null` cancels it.',
    access: admin('EDITOR'),
    body: Publishing,
    answers: { 200: PageDetail },
    conditional: true,
    rules: ({ platform, body: { publishAt, unpublishAt } }) => pages.rules(platform, { publishAt, unpublishAt }),
    handle: async ({ platform, params, body, headers }) => {
      const page = await pages.publish(platform, { id: params.pageId, ifMatch: headers['if-match'] }, body)
      return adminPageAnswer(page)
    },
  })
}

const leavings = {
  unpublish: { name: 'unpublishPage', summary: 'Unpublish a page: it becomes a DRAFT' },
  archive: { name: 'archivePage', summary: 'Archive a page and cancel its schedule' },
}

function unpublishRoute(pages: Pages, act: 'unpublish' | 'archive'): Route {
  return route({
    method: 'POST',
    path: `/admin/cms/pages/:pageId/${act}`,
    ...leavings[act],
    tag,
    access: admin('EDITOR'),
    body: NoteBody,
    answers: { 200: PageDetail },
    conditional: true,
    handle: async ({ platform, params, body, headers }) => {
      const target = { id: params.pageId, ifMatch: headers['if-match'] }
      return adminPageAnswer(await pages[act](platform, target, body.note))
    },
  })
}

function discardRoute(pages: Pages): Route {
  return route({
    method: 'DELETE',
    path: '/admin/cms/pages/:pageId/draft',
    name: 'discardPageDraft',
    tag,
    summary: 'Discard the draft of a page',
    description: 'Its earlier states stay in the revisions.',
    access: admin('EDITOR'),
    answers: { 204: null },
    conditional: true,
    handle: async ({ platform, params, headers }) => {
      await pages.discardDraft(platform, { id: params.pageId, ifMatch: headers['if-match'] })
      return noContent()
    },
  })
}

function previewRoute({ previews, clock, audit }: Parts): Route {
  return route({
    method: 'POST',
    path: '/admin/cms/pages/:pageId/preview-link',
    name: 'createPagePreviewLink',
    tag,
    summary: 'Create a preview link for the draft of a page',
    description:
      'Everybody with the link sees the draft until the link expires. Default: one hour; maximum: seven days.',
    access: admin('EDITOR'),
    body: PreviewRequest,
    answers: { 201: PreviewAnswer },
    handle: async ({ platform, params, body: { expiresInSeconds = 3600 } }) => {
      const expiresAt = new Date(clock.now().getTime() + expiresInSeconds * 1000)
      const { id, slug } = await transaction(platform, async (tx) => {
        const page = await getPage(tx, params.pageId)
        await audit(tx, { action: 'page.preview', target: { type: 'page', id: page.id }, changes: { expiresAt } })
        return page
      })
      const url = `/cms/pages/${slug}?preview=${previews.issue(id, expiresAt)}`
      return secret(created(url, { url, expiresAt: expiresAt.toISOString() }))
    },
  })
}
