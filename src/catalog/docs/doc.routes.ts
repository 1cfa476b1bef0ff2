import type { Route } from '../../http/route.ts'
import { isoOrNull } from '../../kernel/schemas.ts'
import { type RecordRoutes, recordRoutes } from '../revised/revised.routes.ts'
import type { RevisedDeps } from '../revised/revised.service.ts'
import type { Revised } from '../revised/revised.store.ts'
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

// 200,000 characters of up to four bytes, and what escapes add.
const docBytesMax = 1_000_000

export function docAdminRoutes(deps: DocDeps): Route[] {
  return [...recordRoutes(sections(deps)), ...recordRoutes(docs(deps))]
}

type StoredSection = Revised<SectionFields>
type StoredDoc = Revised<DocFields>

function sections(deps: RevisedDeps): RecordRoutes<StoredSection, StoredSection, NewSection, SectionChange> {
  return {
    words: {
      ...{ path: 'doc-sections', one: 'docSection', many: 'docSections', title: 'docs section' },
      ...{ operation: 'DocSection', operations: 'DocSections' },
    },
    schemas: { new: NewSectionSchema, change: SectionChangeSchema, line: SectionView, whole: SectionView },
    descriptions: { remove: 'Its docs, and the sections inside of it, stay and stand without a section.' },
    refusals: ['SLUG_TAKEN'],
    service: sectionService(deps),
    lineOf: async (_, records) => records.map(sectionView),
    wholeOf: async (_, record) => sectionView(record),
  }
}

function docs(deps: DocDeps): RecordRoutes<DocLine, StoredDoc, NewDoc, DocChange> {
  return {
    words: {
      ...{ path: 'docs', one: 'doc', many: 'docs', title: 'doc' },
      ...{ operation: 'ProductDoc', operations: 'ProductDocs' },
    },
    schemas: { new: NewDocSchema, change: DocChangeSchema, line: DocLineView, whole: DocWholeView },
    descriptions: {
      create: 'A DRAFT unless `status` says PUBLISHED. The Markdown is rendered and cleaned now, not when it is read.',
      update: 'What is not named stays as it is.',
    },
    refusals: ['SLUG_TAKEN'],
    bodyBytesMax: docBytesMax,
    service: docService(deps),
    lineOf: async (_, lines) => lines.map(docLine),
    wholeOf: async (_, doc) => ({ ...docLine(doc), markdown: doc.markdown, html: doc.html, toc: doc.toc }),
  }
}

function sectionView({ createdAt, updatedAt, ...section }: StoredSection) {
  return { ...section, createdAt: createdAt.toISOString(), updatedAt: updatedAt.toISOString() }
}

function docLine(doc: DocLine) {
  const { id, productId, sectionId, slug, title, summary, order, status, seo, wordCount, editedBy, revision } = doc
  return {
    ...{ id, productId, sectionId, slug, title, summary, order, status, seo, wordCount, editedBy, revision },
    publishedAt: isoOrNull(doc.publishedAt),
    createdAt: doc.createdAt.toISOString(),
    updatedAt: doc.updatedAt.toISOString(),
  }
}
