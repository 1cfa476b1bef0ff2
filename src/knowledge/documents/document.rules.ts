import type { OrgRole } from '../../organizations/index.ts'
import { type Collection, mayManage, mayWrite } from '../collections/collection.rules.ts'

export const documentStatuses = ['queued', 'extracting', 'ready', 'failed'] as const
export type DocumentStatus = (typeof documentStatuses)[number]

export const failureCodes = ['ENCRYPTED', 'NO_TEXT', 'BROKEN', 'TOO_LONG', 'TOO_MUCH', 'USAGE_EXCEEDED'] as const
/** `detail` is a sentence for a person. */
export type DocumentFailure = { code: (typeof failureCodes)[number]; detail: string }

/** What was uploaded as one version. */
export type VersionFile = { filename: string; type: string; mimeType: string; size: number; sha256: string }

export type DocumentVersion = Omit<VersionFile, 'type'> & {
  version: number
  status: DocumentStatus
  failure: DocumentFailure | null
  language: string | null
  pages: number | null
  /** While it is extracted: how far that is. */
  progress: { pagesRead: number; pages: number | null } | null
  /** Code points of the text. */
  characters: number | null
  createdBy: string | null
  createdAt: Date
  indexedAt: Date | null
}

/** A document with its current version: the last one that was ready, or while none has been, the last one. */
export type Document = Omit<DocumentVersion, 'createdBy' | 'createdAt'> & {
  id: string
  orgId: string
  collectionId: string
  title: string
  tags: string[]
  createdBy: string | null
  createdAt: Date
  updatedAt: Date
  revision: number
}

export const fileBytesMax = 25 * 1024 * 1024
export const versionsKept = 20
export const titleLettersMax = 300
export const triesMax = 3

/** Changes, deletes and replaces a document: who added it, and who manages its collection. */
export function mayChange(
  { createdBy }: Pick<Document, 'createdBy'>,
  { collection, role, userId }: { collection: Collection; role: OrgRole; userId: string },
): boolean {
  return mayManage(collection, role) || (createdBy === userId && mayWrite(collection, role))
}

/** The title of a file without one: its name without the extension, on one line. */
export function titleOf(filename: string): string {
  const dot = filename.lastIndexOf('.')
  const name = dot > 0 ? filename.slice(0, dot) : filename
  return [...name].slice(0, titleLettersMax).join('').trim() || 'Untitled'
}

/** Each once, without spaces around it. */
export function normalizedTags(tags: readonly string[]): string[] {
  return [...new Set(tags.map((tag) => tag.trim()))]
}

/** What a text of a type without pages counts as a page. */
const charactersOfPage = 3000

export function countedPages({ pages, characters }: { pages: number | null; characters: number }): number {
  return pages ?? Math.max(1, Math.ceil(characters / charactersOfPage))
}
