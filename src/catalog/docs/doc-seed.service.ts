import { newId } from '../../kernel/ids.ts'
import type { RenderedText } from '../../kernel/markup.ts'
import type { PlatformScope } from '../../storage/scope.ts'
import { seededDoc } from '../rendered-seeds.ts'
import { docSeoDefaults } from './doc.rules.ts'
import { type SeededDoc, seededSections, seededText } from './doc.seed.ts'
import { docStore, hasDocs, indexDoc, sectionStore } from './doc.store.ts'

type Seeding = { productId: string; slug: string; now: Date }

/**
 * Adds the docs of a product that this transaction has created. A product that has docs already keeps them. The caller
 * reports the change to the public together with the product.
 */
export async function seedDocs(tx: PlatformScope, { productId, slug, now }: Seeding): Promise<void> {
  const sections = seededSections[slug]
  if (sections === undefined || (await hasDocs(tx, productId))) return
  const beside = { productId, revision: 1, createdAt: now, updatedAt: now }
  for (const [order, section] of sections.entries()) {
    const { slug: sectionSlug, title } = section
    const sectionId = newId(now)
    await sectionStore.add(tx, { ...beside, id: sectionId, parentId: null, slug: sectionSlug, title, order })
    for (const [index, doc] of section.docs.entries()) {
      const text = { markdown: await seededText(slug, doc.slug), ...(await seededDoc(slug, doc.slug)) }
      await addDoc(tx, { ...doc, ...text, sectionId, order: index, ...beside })
    }
  }
}

type Text = SeededDoc &
  RenderedText & {
    productId: string
    revision: number
    createdAt: Date
    updatedAt: Date
    markdown: string
    sectionId: string
    order: number
  }

async function addDoc(tx: PlatformScope, text: Text): Promise<void> {
  const doc = {
    ...text,
    id: newId(text.createdAt),
    status: 'PUBLISHED' as const,
    seo: docSeoDefaults,
    publishedAt: text.createdAt,
    editedBy: tx.caller.actor.label,
  }
  await docStore.add(tx, doc)
  await indexDoc(tx, doc.id, doc)
}
