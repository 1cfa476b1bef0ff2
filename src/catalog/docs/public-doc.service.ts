import { notFound } from '../../kernel/refusal.ts'
import type { PlatformScope } from '../../storage/scope.ts'
import { listPublicProducts, type ParentProduct } from '../product-child/parent-product.store.ts'
import type { ListByProduct } from '../product-child/public-product.ts'
import { buildOutline, type DocFields, type Outline } from './doc.rules.ts'
import {
  type DocLine,
  findPublishedText,
  listPublishedDocs,
  listPublishedMarkdown,
  listSections,
  type Section,
  searchDocs,
} from './doc.store.ts'
import { bestSnippet, parseSearchQuery, type Snippet } from './search.rules.ts'

const resultsMax = 20

export type PublicOutline = Outline<Section, DocLine>
export type PublicDoc = DocLine &
  Pick<DocFields, 'markdown' | 'html' | 'toc'> & { section: Section | null; prev: DocLine | null; next: DocLine | null }
export type SearchResult = Snippet & { slug: string; title: string; score: number }

/** The published docs of a product, in reading order. */
export async function getOutline(platform: PlatformScope, productId: string): Promise<PublicOutline> {
  return (await listOutlines(platform, [productId])).get(productId) ?? { sections: [], docs: [] }
}

/** Refuses NOT_FOUND, for a draft too. */
export async function getPublicDoc(platform: PlatformScope, productId: string, slug: string): Promise<PublicDoc> {
  const { docs, sections } = await getOutline(platform, productId)
  const index = docs.findIndex((doc) => doc.slug === slug)
  const line = docs[index]
  const text = line === undefined ? null : await findPublishedText(platform, line.id)
  if (line === undefined || text === null) throw notFound()
  const section = sections.find((entry) => entry.section.id === line.sectionId)?.section ?? null
  return { ...line, ...text, section, prev: docs[index - 1] ?? null, next: docs[index + 1] ?? null }
}

export async function search(platform: PlatformScope, productId: string, sent: string): Promise<SearchResult[]> {
  const query = parseSearchQuery(sent)
  if (query.webQuery === '') return []
  const found = await searchDocs(platform, { ...query, productId, limit: resultsMax })
  return found.map(({ slug, title, passages, score, stems }) => ({
    slug,
    title,
    score: Math.round(score * 10_000) / 10_000,
    // The index has no stem of an incomplete word.
    ...bestSnippet(passages, [...new Set(query.incompleteWord === null ? stems : [...stems, query.incompleteWord])]),
  }))
}

/** All published docs of a product as one Markdown text. */
export async function exportAsMarkdown(platform: PlatformScope, product: ParentProduct): Promise<string> {
  const [{ docs }, texts] = await Promise.all([
    getOutline(platform, product.id),
    listPublishedMarkdown(platform, product.id),
  ])
  const textOf = new Map(texts.map(({ id, markdown }) => [id, markdown]))
  const parts = docs.map(
    (doc) => `<!-- ${docPath(product.slug, doc.slug)} -->\n\n${textOf.get(doc.id)?.trim() ?? ''}\n`,
  )
  return [`# ${product.name}\n\n> ${product.tagline}\n`, ...parts].join('\n')
}

/** The index of all public docs in the format of llmstxt.org. */
export async function llmsTxt(platform: PlatformScope): Promise<string> {
  const products = await listPublicProducts(platform)
  const outlines = await listOutlines(
    platform,
    products.map(({ id }) => id),
  )
  const parts = products.map((product) => {
    const docs = outlines.get(product.id)?.docs ?? []
    const lines = docs.map((doc) => linkLine(`${docPath(product.slug, doc.slug)}.md`, doc.title, doc.summary))
    const all = docs.length === 0 ? [] : [linkLine(`${docPath(product.slug)}.md`, 'All of it in one file', null)]
    return [`## ${product.name}\n`, `${product.tagline}\n`, ...all, ...lines].join('\n')
  })
  const start = '# Atrium\n\n> Several products behind one base address. The whole API: [OpenAPI](/openapi.json).\n'
  return `${[start, ...parts].join('\n')}\n`
}

export type DocRef = { slug: string; title: string; section: string | null; order: number }

/** The published docs as a product lists them. */
export const listDocRefsByProduct: ListByProduct<DocRef> = async (platform, productIds) => {
  const outlines = await listOutlines(platform, productIds)
  return new Map(
    [...outlines].map(([productId, { docs, sections }]) => {
      const slugOf = new Map(sections.map(({ section }) => [section.id, section.slug]))
      return [productId, docs.map((doc) => docRef(doc, slugOf))]
    }),
  )
}

function docRef({ slug, title, sectionId, order }: DocLine, slugOf: Map<string, string>): DocRef {
  return { slug, title, section: slugOf.get(sectionId ?? '') ?? null, order }
}

async function listOutlines(platform: PlatformScope, productIds: string[]): Promise<Map<string, PublicOutline>> {
  const sections = await listSections(platform, productIds)
  const docs = await listPublishedDocs(platform, productIds)
  return new Map(
    productIds.map((productId) => {
      const isOfProduct = (record: { productId: string }) => record.productId === productId
      return [productId, buildOutline(sections.filter(isOfProduct), docs.filter(isOfProduct))]
    }),
  )
}

export function docPath(productSlug: string, docSlug?: string): string {
  return `/products/${productSlug}/docs${docSlug === undefined ? '' : `/${docSlug}`}`
}

/** Escapes brackets, which would end the link. Titles and summaries are single lines of plain text. */
function linkLine(path: string, title: string, summary: string | null): string {
  const name = title.replace(/[[\]\\]/g, '\\$&')
  const about = summary === null || summary === '' ? '' : `: ${summary.replace(/\s+/g, ' ')}`
  return `- [${name}](${path})${about}`
}
