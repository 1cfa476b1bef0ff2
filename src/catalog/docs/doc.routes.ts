import type { Route } from '../../http/route.ts'
import { isoOrNull } from '../../kernel/schemas.ts'
import { type ProductChildRoutes, productChildRoutes } from '../product-child/product-child.routes.ts'
import type { ProductChild } from '../product-child/product-child.rules.ts'
import type { ProductChildDeps } from '../product-child/product-child.service.ts'
import { adminChildView } from '../product-child/product-child.view.ts'
import type { DocFields, SectionFields } from './doc.rules.ts'
import {
  type DocChange,
  DocChange as DocChangeSchema,
  DocLineView,
  DocWholeView,
  type NewDoc,
  NewDoc as NewDocSchema,
  type NewSection,
  NewSection as NewSectionSchema,
  type SectionChange,
  SectionChange as SectionChangeSchema,
  SectionView,
} from './doc.schema.ts'
import { type DocDeps, docService, sectionService } from './doc.service.ts'
import type { DocLine } from './doc.store.ts'

// 200,000 characters of up to four bytes each, and room for JSON escapes.
const docBytesMax = 1_000_000

export function docAdminRoutes(deps: DocDeps): Route[] {
  return [...productChildRoutes(sectionRoutes(deps)), ...productChildRoutes(docRoutes(deps))]
}

type StoredSection = ProductChild<SectionFields>
type StoredDoc = ProductChild<DocFields>

function sectionRoutes(
  deps: ProductChildDeps,
): ProductChildRoutes<StoredSection, StoredSection, NewSection, SectionChange> {
  return {
    names: {
      path: 'doc-sections',
      one: 'docSection',
      many: 'docSections',
      operation: 'DocSection',
      operations: 'DocSections',
      title: 'docs section',
    },
    schemas: { new: NewSectionSchema, change: SectionChangeSchema, line: SectionView, child: SectionView },
    descriptions: { remove: 'Its docs and the sections inside it stay, and no longer belong to a section.' },
    refusals: ['SLUG_TAKEN'],
    service: sectionService(deps),
    lineViews: async (_, records) => records.map(adminChildView),
    view: async (_, record) => adminChildView(record),
  }
}

function docRoutes(deps: DocDeps): ProductChildRoutes<DocLine, StoredDoc, NewDoc, DocChange> {
  return {
    names: {
      path: 'docs',
      one: 'doc',
      many: 'docs',
      operation: 'ProductDoc',
      operations: 'ProductDocs',
      title: 'doc',
    },
    schemas: { new: NewDocSchema, change: DocChangeSchema, line: DocLineView, child: DocWholeView },
    descriptions: {
      create: 'A DRAFT unless `status` is PUBLISHED. The Markdown is rendered and sanitized now, not on each read.',
      update: 'Absent members keep their value.',
    },
    refusals: ['SLUG_TAKEN'],
    bodyBytesMax: docBytesMax,
    service: docService(deps),
    lineViews: async (_, lines) => lines.map(docLineView),
    view: async (_, doc) => ({ ...docLineView(doc), markdown: doc.markdown, html: doc.html, toc: doc.toc }),
  }
}

function docLineView(doc: DocLine) {
  const { id, productId, sectionId, slug, title, summary, order, status, seo, wordCount, editedBy, revision } = doc
  return {
    id,
    productId,
    sectionId,
    slug,
    title,
    summary,
    order,
    status,
    seo,
    wordCount,
    editedBy,
    revision,
    publishedAt: isoOrNull(doc.publishedAt),
    createdAt: doc.createdAt.toISOString(),
    updatedAt: doc.updatedAt.toISOString(),
  }
}
