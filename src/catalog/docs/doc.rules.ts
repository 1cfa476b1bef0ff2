import type { Passage, TocEntry } from '../../kernel/markup.ts'

export const docStatuses = ['DRAFT', 'PUBLISHED'] as const

export type SectionFields = { parentId: string | null; slug: string; title: string; order: number }

export type DocSeo = { title: string | null; description: string | null; noindex: boolean }

export const docSeoDefaults: DocSeo = { title: null, description: null, noindex: false }

export type DocFields = {
  sectionId: string | null
  slug: string
  title: string
  summary: string | null
  markdown: string
  html: string
  toc: TocEntry[]
  passages: Passage[]
  wordCount: number
  order: number
  status: (typeof docStatuses)[number]
  seo: DocSeo
  publishedAt: Date | null
  editedBy: string
}

/** The fields made from the Markdown are filled in when it is rendered. */
export const docDefaults: Omit<DocFields, 'slug' | 'title' | 'markdown'> = {
  sectionId: null,
  summary: null,
  html: '',
  toc: [],
  passages: [],
  wordCount: 0,
  order: 100,
  status: 'DRAFT',
  seo: docSeoDefaults,
  publishedAt: null,
  editedBy: '',
}

/** How fast people read technical texts. */
const wordsPerMinute = 200

export function readingMinutes(wordCount: number): number {
  return Math.max(1, Math.round(wordCount / wordsPerMinute))
}

type Section = { id: string; parentId: string | null; order: number }
type Doc = { id: string; sectionId: string | null; order: number }
export type Outline<S, D> = { sections: { section: S; docs: D[] }[]; docs: D[] }

/**
 * Sections and docs in reading order: docs without a section come first, then each section with its own docs before the
 * sections inside it. Sections without any docs inside are left out. With equal `order`, the older one comes first.
 */
export function buildOutline<S extends Section, D extends Doc>(sections: S[], docs: D[]): Outline<S, D> {
  const childrenOf = Map.groupBy(sections.toSorted(compareByOrder), ({ parentId }) => parentId)
  const docsOf = Map.groupBy(docs.toSorted(compareByOrder), ({ sectionId }) => sectionId)
  const walk = (section: S): Outline<S, D>['sections'] => {
    const own = docsOf.get(section.id) ?? []
    const below = (childrenOf.get(section.id) ?? []).flatMap(walk)
    return own.length + below.length === 0 ? [] : [{ section, docs: own }, ...below]
  }
  const shown = (childrenOf.get(null) ?? []).flatMap(walk)
  return { sections: shown, docs: [...(docsOf.get(null) ?? []), ...shown.flatMap((entry) => entry.docs)] }
}

function compareByOrder(one: { id: string; order: number }, other: { id: string; order: number }): number {
  return one.order - other.order || (one.id < other.id ? -1 : 1)
}

/** Pages do not show deeper trees well. */
export const depthMax = 5

/** Why the section cannot be inside `parentId` (a circle, or too deep), or null if it can. */
export function findParentFault(sections: Section[], id: string, parentId: string | null): string | null {
  const parentOf = new Map(sections.map((section) => [section.id, section.parentId]))
  parentOf.set(id, parentId)
  const above = (start: string) => {
    let count = 0
    for (let at: string | null = start; at !== null && count <= sections.length + 1; count += 1)
      at = parentOf.get(at) ?? null
    return count
  }
  if (above(id) > sections.length + 1) return 'must not be the section itself or one below it'
  return Math.max(...[...parentOf.keys()].map(above)) > depthMax ? `must be at most ${depthMax - 1} levels deep` : null
}
