import type { RecordVisit } from '../../analytics/index.ts'
import { open } from '../../http/access/access.ts'
import { ok, raw } from '../../http/answer.ts'
import { mount, v1Mount } from '../../http/mounts.ts'
import { preferredMediaType } from '../../http/negotiation.ts'
import { type Route, route } from '../../http/route.ts'
import { Type } from '../../kernel/type.ts'
import type { WithPublicProduct } from '../product-child/public-product.ts'
import { readingMinutes } from './doc.rules.ts'
import { DocAnswer, DocsAnswer, DocsQuery } from './doc.schema.ts'
import type { DocLine } from './doc.store.ts'
import {
  docPath,
  exportAsMarkdown,
  getOutline,
  getPublicDoc,
  llmsTxt,
  type PublicDoc,
  type PublicOutline,
  search,
} from './public-doc.service.ts'

const tag = 'Product docs'
const markdownType = 'text/markdown; charset=utf-8'
const slug = Type.String({ description: 'The product’s slug.', examples: ['vault-vpn'] })
const docSlug = Type.String({
  description: 'The doc’s slug. With `.md` at the end, the answer is Markdown.',
  examples: ['quickstart'],
})
const access = open('the docs of the catalog are public')
const cache = { maxAgeSeconds: 0 }
const moved = null

type Deps = { recordVisit: RecordVisit; withProduct: WithPublicProduct }

export function publicDocRoutes(deps: Deps): Route[] {
  const routes = [listRoute(deps), getRoute(deps), exportRoute(deps)]
  return [...routes.flatMap((declared) => [declared, ...mount([declared], [v1Mount()])]), llmsTxtRoute()]
}

function listRoute({ recordVisit, withProduct }: Deps): Route {
  return route({
    method: 'GET',
    path: '/products/:slug/docs',
    name: 'listDocs',
    tag,
    summary: 'List and search the docs of a product',
    access,
    params: { slug },
    query: DocsQuery,
    answers: { 200: DocsAnswer, 301: moved },
    cache: { ...cache, uncachedParams: ['q'] },
    handle: ({ platform, params, query: { q } }) =>
      withProduct({ platform, slug: params.slug, path: (newSlug) => docPath(newSlug) }, async (product) => {
        const list = docsView(product, await getOutline(platform, product.id))
        if (q === undefined) return ok(list)
        return {
          ...ok({ ...list, results: await search(platform, product.id, q) }),
          onServed: (visit) => recordVisit({ type: 'search', productId: product.id, productSlug: product.slug }, visit),
        }
      }),
  })
}

function getRoute({ recordVisit, withProduct }: Deps): Route {
  return route({
    method: 'GET',
    path: '/products/:slug/docs/:docSlug',
    name: 'getDoc',
    tag,
    summary: 'Get a public doc of a product',
    description: 'Answers with the original Markdown if `Accept` prefers `text/markdown` or the slug ends in `.md`.',
    access,
    params: { slug, docSlug },
    answers: {
      200: { json: DocAnswer, rawTypes: ['text/markdown'], description: 'The doc, or its Markdown alone.' },
      301: moved,
    },
    cache,
    handle: ({ platform, params, headers }) =>
      withProduct(
        { platform, slug: params.slug, path: (newSlug) => docPath(newSlug, params.docSlug) },
        async (product) => {
          const isFile = params.docSlug.endsWith('.md')
          const doc = await getPublicDoc(platform, product.id, isFile ? params.docSlug.slice(0, -3) : params.docSlug)
          const event = {
            type: 'doc.view',
            productId: product.id,
            productSlug: product.slug,
            docSlug: doc.slug,
          } as const
          const isRaw =
            isFile || preferredMediaType(headers.accept, ['application/json', 'text/markdown']) === 'text/markdown'
          const answer = isRaw ? raw(markdownType, doc.markdown) : ok({ doc: docView(doc) })
          const vary = { vary: 'accept, accept-encoding' }
          return { ...answer, headers: { ...answer.headers, ...vary }, onServed: (visit) => recordVisit(event, visit) }
        },
      ),
  })
}

function exportRoute({ withProduct }: Deps): Route {
  return route({
    method: 'GET',
    path: '/products/:slug/docs.md',
    name: 'exportDocs',
    tag,
    summary: 'Export all docs of a product as one Markdown file',
    access,
    params: { slug },
    answers: {
      200: { rawTypes: ['text/markdown'], description: 'The docs in reading order.' },
      301: moved,
    },
    cache,
    handle: ({ platform, params }) =>
      withProduct({ platform, slug: params.slug, path: (newSlug) => `${docPath(newSlug)}.md` }, async (product) =>
        raw(markdownType, await exportAsMarkdown(platform, product)),
      ),
  })
}

function llmsTxtRoute(): Route {
  return route({
    method: 'GET',
    path: '/llms.txt',
    name: 'getLlmsTxt',
    tag,
    summary: 'Get the index of all docs for language models',
    description: 'In the format of llmstxt.org: the public products with links to their docs in Markdown.',
    access,
    answers: { 200: { rawTypes: ['text/plain'], description: 'The index, in Markdown.' } },
    cache,
    handle: async ({ platform }) => raw('text/plain; charset=utf-8', await llmsTxt(platform)),
  })
}

function docsView(product: { slug: string; name: string }, { sections, docs }: PublicOutline) {
  const slugOf = new Map(sections.map(({ section }) => [section.id, section.slug]))
  return {
    product: { slug: product.slug, name: product.name },
    sections: sections.map(({ section, docs: own }) => ({
      slug: section.slug,
      title: section.title,
      order: section.order,
      parent: slugOf.get(section.parentId ?? '') ?? null,
      docs: own.map(docLineView),
    })),
    docs: docs.map((doc) => ({ ...docLineView(doc), section: slugOf.get(doc.sectionId ?? '') ?? null })),
  }
}

function docLineView({ slug, title, summary, order, updatedAt }: DocLine) {
  return { slug, title, summary, order, updatedAt: updatedAt.toISOString() }
}

function docView(doc: PublicDoc) {
  const { slug, title, summary, section, markdown, html, toc, prev, next, wordCount, seo, updatedAt } = doc
  return {
    slug,
    title,
    summary,
    markdown,
    html,
    toc,
    seo,
    section: section === null ? null : { slug: section.slug, title: section.title },
    prev: prev === null ? null : { slug: prev.slug, title: prev.title },
    next: next === null ? null : { slug: next.slug, title: next.title },
    readingMinutes: readingMinutes(wordCount),
    updatedAt: updatedAt.toISOString(),
  }
}
