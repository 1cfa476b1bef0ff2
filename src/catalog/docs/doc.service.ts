import type { MediaLibrary } from '../../content/index.ts'
import type { PageRequest } from '../../kernel/paging.ts'
import { invalidField, notFound, Refusal } from '../../kernel/refusal.ts'
import type { PlatformScope } from '../../storage/scope.ts'
import { renderMarkdown } from '../../text/markup.ts'
import { findParentId } from '../products/public-parent.store.ts'
import { type Kind, type RevisedDeps, revisedService } from '../revised/revised.service.ts'
import { type DocFields, type DocSeo, docSeoDefaults, findParentFault, type SectionFields } from './doc.rules.ts'
import type { DocChange, NewDoc, NewSection, SectionChange } from './doc.schema.ts'
import { docStore, indexDoc, listDocIds, listDocLines, listSections, sectionStore } from './doc.store.ts'

const sectionKind: Kind<SectionFields, NewSection, SectionChange> = {
  noun: 'docSection',
  store: sectionStore,
  derived: [],
  plain: () => ({ parentId: null, order: 100 }),
  read: async (sent) => sent,
  settle: async (tx, { after }) => {
    if (await sectionStore.isTaken(tx, after, ['slug', after.slug])) throw slugTaken('section', after.slug)
    const sections = await listSections(tx, [after.productId])
    refuseUnknownSection(sections, after.parentId, '/body/parentId')
    const fault = findParentFault(sections, after.id, after.parentId)
    if (fault !== null) throw invalidField('/body/parentId', { code: 'parent', message: fault })
    return after
  },
}

export type DocDeps = RevisedDeps & { media: MediaLibrary }

const docKindOf = (media: MediaLibrary): Kind<DocFields, NewDoc, DocChange> => ({
  noun: 'doc',
  store: docStore,
  derived: ['html', 'toc', 'passages', 'wordCount', 'editedBy'],
  plain: () => ({
    ...{ sectionId: null, summary: null, order: 100, status: 'DRAFT', publishedAt: null, editedBy: '' },
    ...{ html: '', toc: [], passages: [], wordCount: 0, seo: docSeoDefaults },
  }),
  read: async ({ seo, ...sent }) => ({
    ...sent,
    ...(seo === undefined ? {} : { seo: seo as DocSeo }),
    ...(sent.markdown === undefined ? {} : await renderMarkdown(sent.markdown)),
  }),
  settle: async (tx, { before, after, now }) => {
    if (await docStore.isTaken(tx, after, ['slug', after.slug])) throw slugTaken('doc', after.slug)
    refuseUnknownSection(await listSections(tx, [after.productId]), after.sectionId, '/body/sectionId')
    const publishedAt = after.status === 'PUBLISHED' ? (after.publishedAt ?? now) : after.publishedAt
    // What is not named within `seo` is kept, too.
    const seo = { ...docSeoDefaults, ...before?.seo, ...after.seo }
    return { ...after, seo, publishedAt, editedBy: tx.caller.actor.label }
  },
  written: async (tx, { product, id, record }) => {
    if (record !== null) await indexDoc(tx, id, record)
    await media.setUses(tx, docMediaUse(product, { id, doc: record }), [])
  },
})

/** What a doc shows, for the media library; null: it is no more. */
export function docMediaUse({ slug }: { slug: string }, { id, doc }: { id: string; doc: DocFields | null }) {
  return { kind: 'doc', id, label: doc === null ? slug : `${slug} ${doc.slug}`, texts: doc?.markdown } as const
}

/** In the transaction that removes a product: its docs show no uploaded files any more. */
export async function releaseDocFiles(tx: PlatformScope, productId: string, media: MediaLibrary): Promise<void> {
  for (const id of await listDocIds(tx, productId)) await media.setUses(tx, { kind: 'doc', id, label: '' }, [])
}

export function sectionService(deps: RevisedDeps) {
  return revisedService(deps, sectionKind)
}

/** Refuses SLUG_TAKEN, and VALIDATION_ERROR for a section of another product. Lists come without the texts. */
export function docService(deps: DocDeps) {
  return {
    ...revisedService(deps, docKindOf(deps.media)),
    list: async (platform: PlatformScope, productId: string, page: PageRequest) => {
      if ((await findParentId(platform, productId)) === null) throw notFound()
      return listDocLines(platform, productId, page)
    },
  }
}

function refuseUnknownSection(sections: { id: string }[], id: string | null, path: string): void {
  if (id === null || sections.some((section) => section.id === id)) return
  throw invalidField(path, { code: 'unknown', message: 'is no section of this product' })
}

function slugTaken(noun: string, slug: string): Refusal {
  return new Refusal('SLUG_TAKEN', { detail: `Another ${noun} of the product has the slug ${slug}.` })
}
