import { notFound } from '../../kernel/refusal.ts'
import type { PlatformScope } from '../../storage/scope.ts'
import type { ProductPart } from '../products/product-part.ts'
import { listPublicParents, type PublicParent } from '../products/public-parent.store.ts'
import { type DocTerms, type Outline, outlineOf } from './doc.rules.ts'
import {
  type DocLine,
  publishedLines,
  publishedMarkdown,
  publishedText,
  type Section,
  searchDocs,
  sectionsOf,
} from './doc.store.ts'
import { readQuestion, type Snippet, snippetOf } from './search.rules.ts'

const resultsMax = 20

export type PublicOutline = Outline<Section, DocLine>
export type PublicDoc = DocLine &
  Pick<DocTerms, 'markdown' | 'html' | 'toc'> & { section: Section | null; prev: DocLine | null; next: DocLine | null }
export type Result = Snippet & { slug: string; title: string; score: number }

/** What the public sees of the docs of a product, in the order in which they are read. */
export async function outlineOfProduct(platform: PlatformScope, productId: string): Promise<PublicOutline> {
  return (await outlinesOf(platform, [productId])).get(productId) ?? { sections: [], docs: [] }
}

/** Refuses NOT_FOUND alike for a draft and for a slug that no doc has. */
export async function getPublicDoc(platform: PlatformScope, productId: string, slug: string): Promise<PublicDoc> {
  const { docs, sections } = await outlineOfProduct(platform, productId)
  const index = docs.findIndex((doc) => doc.slug === slug)
  const line = docs[index]
  const text = line === undefined ? null : await publishedText(platform, line.id)
  if (line === undefined || text === null) throw notFound()
  const section = sections.find((entry) => entry.section.id === line.sectionId)?.section ?? null
  return { ...line, ...text, section, prev: docs[index - 1] ?? null, next: docs[index + 1] ?? null }
}

export async function search(platform: PlatformScope, productId: string, sent: string): Promise<Result[]> {
  const asked = readQuestion(sent)
  if (asked.question === '') return []
  const found = await searchDocs(platform, { ...asked, productId, limit: resultsMax })
  return found.map(({ slug, title, passages, score, stems }) => ({
    ...{ slug, title, score: Math.round(score * 10_000) / 10_000 },
    // The index has no stem of a word that is only begun.
    ...snippetOf(passages, [...new Set(asked.begun === null ? stems : [...stems, asked.begun])]),
  }))
}

/** All docs of a product as one Markdown text. */
export async function exportOf(platform: PlatformScope, product: PublicParent): Promise<string> {
  const [{ docs }, texts] = await Promise.all([
    outlineOfProduct(platform, product.id),
    publishedMarkdown(platform, product.id),
  ])
  const textOf = new Map(texts.map(({ id, markdown }) => [id, markdown]))
  const parts = docs.map(
    (doc) => `<!-- ${docPath(product.slug, doc.slug)} -->\n\n${textOf.get(doc.id)?.trim() ?? ''}\n`,
  )
  return [`# ${product.name}\n\n> ${product.tagline}\n`, ...parts].join('\n')
}

/** The index of all public docs in the form of llmstxt.org. */
export async function llmsTxt(platform: PlatformScope): Promise<string> {
  const products = await listPublicParents(platform)
  const outlines = await outlinesOf(
    platform,
    products.map(({ id }) => id),
  )
  const parts = products.map((product) => {
    const docs = outlines.get(product.id)?.docs ?? []
    const lines = docs.map((doc) => lineTo(`${docPath(product.slug, doc.slug)}.md`, doc.title, doc.summary))
    const all = docs.length === 0 ? [] : [lineTo(`${docPath(product.slug)}.md`, 'All of it in one file', null)]
    return [`## ${product.name}\n`, `${product.tagline}\n`, ...all, ...lines].join('\n')
  })
  const start = '# Atrium\n\n> Several products behind one base address. The whole API: [OpenAPI](/openapi.json).\n'
  return `${[start, ...parts].join('\n')}\n`
}

export type DocRef = { slug: string; title: string; section: string | null; order: number }

/** The docs of products as a product lists them. */
export const docLinesOf: ProductPart<DocRef> = async (platform, productIds) => {
  const outlines = await outlinesOf(platform, productIds)
  return new Map(
    [...outlines].map(([productId, { docs, sections }]) => {
      const slugOf = new Map(sections.map(({ section }) => [section.id, section.slug]))
      return [productId, docs.map((doc) => refOf(doc, slugOf))]
    }),
  )
}

function refOf({ slug, title, sectionId, order }: DocLine, slugOf: Map<string, string>): DocRef {
  return { slug, title, section: slugOf.get(sectionId ?? '') ?? null, order }
}

async function outlinesOf(platform: PlatformScope, productIds: string[]): Promise<Map<string, PublicOutline>> {
  const sections = await sectionsOf(platform, productIds)
  const docs = await publishedLines(platform, productIds)
  return new Map(
    productIds.map((productId) => {
      const isOf = (record: { productId: string }) => record.productId === productId
      return [productId, outlineOf(sections.filter(isOf), docs.filter(isOf))]
    }),
  )
}

export function docPath(productSlug: string, docSlug?: string): string {
  return `/products/${productSlug}/docs${docSlug === undefined ? '' : `/${docSlug}`}`
}

/** Titles and summaries are one line of plain text; brackets would end the link. */
function lineTo(path: string, title: string, summary: string | null): string {
  const name = title.replace(/[[\]\\]/g, '\\$&')
  const about = summary === null || summary === '' ? '' : `: ${summary.replace(/\s+/g, ' ')}`
  return `- [${name}](${path})${about}`
}
