import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { type TestApp, testApp, testSecrets, unique } from '../../../test/harness/app.ts'
import type { VisitEvent } from '../../analytics/index.ts'
import type { Answer } from '../../http/answer.ts'
import { previewTokens } from '../../http/preview.ts'
import { invalidField } from '../../kernel/refusal.ts'
import type { MediaUser } from '../media/media-library.ts'
import { pageRoutes } from './page.routes.ts'
import { pageService } from './page.service.ts'
import { findPageBySlug } from './page.store.ts'

let app: TestApp

before(async () => {
  app = await testApp()
})

const [one, two] = ['0193b6a0-7f3a-7c66-9f51-4d8b2eaf3c79', '0193b6a0-6d2f-7b55-8e40-3c7a1d9f2b68']
const absent = '0193b6a0-0000-7000-8000-000000000000'

/** Pages over the real database, with neighbours that take notes. */
function world() {
  const seen = { changes: 0, audits: 0, uses: [] as { user: MediaUser; ids: string[] }[], visits: [] as VisitEvent[] }
  const pages = pageService({
    platform: app.platform,
    clock: app.clock,
    audit: async () => void seen.audits++,
    jobs: { enqueue: async () => undefined },
    publicChanged: async () => void seen.changes++,
    media: {
      find: async () => new Map(),
      setUses: async (_tx, { texts: _, ...user }, ids) => {
        if (ids.includes(absent)) throw invalidField('/body/mediaId', { code: 'unknown', message: 'is no file' })
        seen.uses.push({ user, ids })
      },
    },
  })
  const previews = previewTokens(testSecrets, 'test')
  const products = async (_platform: unknown, slugs: string[]) =>
    new Map(slugs.filter((slug) => slug !== 'hidden').map((slug) => [slug, { slug }]))
  const recordVisit = (event: VisitEvent) => void seen.visits.push(event)
  const routes = pageRoutes({ clock: app.clock, recordVisit, previews, products })
  const visit = (slug: string, query: object = {}) =>
    routes[1]?.handle({ platform: app.platform, params: { slug }, query, headers: {} }) as Promise<
      Answer<number, { page: Record<string, unknown> }>
    >
  return { pages, previews, seen, visit }
}

const create = ({ pages }: ReturnType<typeof world>, overrides: Record<string, unknown> = {}) =>
  pages.create(app.platform, { slug: unique('p'), title: 'x', ...overrides }, undefined)

describe('what a page tells its neighbours', () => {
  test('the public read changes with what the public sees and with nothing else', async () => {
    const here = world()
    const { pages, seen } = here
    const changes = async (what: string, expected: number, work: () => Promise<unknown>) => {
      const counted = seen.changes
      await work()
      assert.equal(seen.changes - counted, expected, what)
    }
    const page = await create(here)
    assert.equal(seen.changes, 1)
    const target = { id: page.id }
    await changes('draft', 0, () => pages.saveDraft(app.platform, target, { title: 'y' }))
    const later = new Date(app.clock.now().getTime() + 60_000).toISOString()
    await changes('schedule', 0, () => pages.publish(app.platform, target, { publishAt: later }))
    await changes('publish', 1, () => pages.publish(app.platform, target, {}))
    await changes('nothing', 0, () => pages.save(app.platform, target, { title: 'y' }))
    await changes('save', 1, () => pages.save(app.platform, target, { title: 'z' }))
    await changes('rename', 1, () => pages.save(app.platform, target, { slug: unique('q') }))
    await changes('discard', 0, () => pages.discardDraft(app.platform, target))
    await changes('unpublish', 1, () => pages.unpublish(app.platform, target))
    await changes('save unseen', 0, () => pages.save(app.platform, target, { title: 'a' }))
    await changes('archive', 0, () => pages.archive(app.platform, target))
    await changes('back', 1, () => pages.save(app.platform, target, { status: 'PUBLISHED' }))
    await changes('delete', 1, () => pages.remove(app.platform, target))
  })

  test('files are in use by the page, by its draft or by both, until neither names them', async () => {
    const here = world()
    const { pages, seen } = here
    const page = await create(here, { meta: { ogImage: one } })
    const uses = () => seen.uses.at(-1)
    assert.deepEqual(uses(), { user: { kind: 'page', id: page.id, label: page.slug }, ids: [one] })
    const image = { type: 'image', content: { mediaId: two } }
    await pages.saveDraft(app.platform, page, { meta: { ogImage: null }, sections: [image] })
    assert.deepEqual(uses()?.ids, [one, two])
    await pages.publish(app.platform, page, {})
    assert.deepEqual(uses()?.ids, [two])
    await pages.remove(app.platform, page)
    assert.deepEqual(uses()?.ids, [])
  })

  test('a change that a neighbour refuses leaves nothing of itself', async () => {
    const here = world()
    const slug = unique('p')
    await assert.rejects(create(here, { slug, meta: { ogImage: absent } }), { code: 'VALIDATION_ERROR' })
    assert.equal(await findPageBySlug(app.platform, slug), null)
    const page = await create(here)
    const image = { type: 'image', content: { mediaId: absent } }
    await assert.rejects(here.pages.save(app.platform, page, { sections: [image] }), { code: 'VALIDATION_ERROR' })
    assert.deepEqual(await findPageBySlug(app.platform, page.slug), page)
    const revisions = await app.call({ url: `/admin/cms/pages/${page.id}/revisions`, headers: app.admin })
    assert.equal(revisions.body.pagination.total, 1)
  })

  test('meta links nowhere that a page must not', async () => {
    const here = world()
    for (const meta of [{ canonical: 'javascript:1' }, { ogImage: 'data:image/png,x' }])
      await assert.rejects(create(here, { meta }), { code: 'VALIDATION_ERROR' })
  })

  test('a view is recorded of the public page, not of a preview', async () => {
    const here = world()
    const page = await create(here)
    const visitor = { ip: '203.0.113.7', url: '/', headers: {} }
    const served = await here.visit(page.slug)
    served.onServed?.(visitor)
    assert.deepEqual(here.seen.visits, [{ type: 'page.view', pageSlug: page.slug }])
    const token = here.previews.issue(page.id, new Date(app.clock.now().getTime() + 1000))
    assert.equal((await here.visit(page.slug, { preview: token })).onServed, undefined)
  })

  test('products are shown beside the sections that name them, when they are asked for', async () => {
    const here = world()
    const { pages } = here
    const sections = [
      { type: 'product_grid', content: { slugs: ['a', 'hidden'] } },
      { type: 'pricing', content: { productSlug: 'b' } },
    ]
    const page = await pages.create(app.platform, { slug: unique('p'), title: 'x' }, await pages.read({ sections }))
    assert.deepEqual((await here.visit(page.slug, { resolve: 'products' })).body.page['products'], {
      a: { slug: 'a' },
      b: { slug: 'b' },
    })
    assert.ok(!('products' in (await here.visit(page.slug)).body.page))
  })
})
