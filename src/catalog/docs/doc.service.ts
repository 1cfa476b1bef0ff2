import type { MediaLibrary } from '../../content/index.ts'
import { ruleFor } from '../../kernel/field-rules.ts'
import type { PageRequest } from '../../kernel/paging.ts'
import { invalidField, notFound } from '../../kernel/refusal.ts'
import type { PlatformScope } from '../../storage/scope.ts'
import { renderMarkdown } from '../../text/markup.ts'
import { productExists } from '../product-child/parent-product.store.ts'
import { nameTaken } from '../product-child/product-child.rules.ts'
import {
  type ProductChildDeps,
  type ProductChildKind,
  productChildService,
} from '../product-child/product-child.service.ts'
import {
  type DocFields,
  type DocSeo,
  docDefaults,
  docSeoDefaults,
  findParentFault,
  type SectionFields,
} from './doc.rules.ts'
import type { DocChange, NewDoc, NewSection, SectionChange } from './doc.schema.ts'
import { docStore, indexDoc, listDocIds, listDocLines, listSections, sectionStore } from './doc.store.ts'

const sectionKind: ProductChildKind<SectionFields, SectionChange, NewSection> = {
  auditName: 'docSection',
  store: sectionStore,
  defaults: () => ({ parentId: null, order: 100 }),
  rules: ({ parentId }, _, { platform, productId }) => [
    ruleFor(parentId, async (id) =>
      refuseUnknownSection(await listSections(platform, [productId]), id, '/body/parentId'),
    ),
  ],
  validate: async (tx, { after }) => {
    const sections = await listSections(tx, [after.productId])
    refuseUnknownSection(sections, after.parentId, '/body/parentId')
    const fault = findParentFault(sections, after.id, after.parentId)
    if (fault !== null) throw invalidField('/body/parentId', { code: 'parent', message: fault })
    return after
  },
  unique: { field: 'slug', taken: nameTaken('section', 'slug') },
}

export function sectionService(deps: ProductChildDeps) {
  return productChildService(deps, sectionKind)
}

export type DocDeps = ProductChildDeps & { media: MediaLibrary }

/** Refuses SLUG_TAKEN, and VALIDATION_ERROR for a section of another product. Lists leave the texts out. */
export function docService({ media, ...deps }: DocDeps) {
  return {
    ...productChildService(deps, docKind(media)),
    list: async (platform: PlatformScope, productId: string, page: PageRequest) => {
      if (!(await productExists(platform, productId))) throw notFound()
      return listDocLines(platform, productId, page)
    },
  }
}

function docKind(media: MediaLibrary): ProductChildKind<DocFields, DocChange, NewDoc> {
  return {
    auditName: 'doc',
    store: docStore,
    defaults: () => docDefaults,
    parse: async ({ seo, ...sent }) => ({
      ...sent,
      ...(seo === undefined ? {} : { seo: seo as DocSeo }),
      ...(sent.markdown === undefined ? {} : await renderMarkdown(sent.markdown)),
    }),
    rules: ({ sectionId }, _, { platform, productId }) => [
      ruleFor(sectionId, async (id) =>
        refuseUnknownSection(await listSections(platform, [productId]), id, '/body/sectionId'),
      ),
    ],
    validate: async (tx, { before, after, now }) => {
      refuseUnknownSection(await listSections(tx, [after.productId]), after.sectionId, '/body/sectionId')
      return {
        ...after,
        // Members of `seo` that the request leaves out keep their value too.
        seo: { ...docSeoDefaults, ...before?.seo, ...after.seo },
        publishedAt: after.status === 'PUBLISHED' ? (after.publishedAt ?? now) : after.publishedAt,
        editedBy: tx.caller.actor.label,
      }
    },
    unique: { field: 'slug', taken: nameTaken('doc', 'slug') },
    afterWrite: async (tx, { product, id, child }) => {
      if (child !== null) await indexDoc(tx, id, child)
      await media.setUses(tx, docMediaUse(product, { id, doc: child }), [])
    },
    derived: ['html', 'toc', 'passages', 'wordCount', 'editedBy'],
  }
}

/** The files that a doc shows, for the media library. `doc` is null after its removal. */
export function docMediaUse({ slug }: { slug: string }, { id, doc }: { id: string; doc: DocFields | null }) {
  return { kind: 'doc', id, label: doc === null ? slug : `${slug} ${doc.slug}`, texts: doc?.markdown } as const
}

/** Releases the files that a product's docs show. Call it in the transaction that removes the product. */
export async function releaseDocFiles(tx: PlatformScope, productId: string, media: MediaLibrary): Promise<void> {
  for (const id of await listDocIds(tx, productId)) await media.setUses(tx, { kind: 'doc', id, label: '' }, [])
}

function refuseUnknownSection(sections: { id: string }[], id: string | null, path: string): void {
  if (id === null || sections.some((section) => section.id === id)) return
  throw invalidField(path, { code: 'unknown', message: 'is not a section of this product' })
}
