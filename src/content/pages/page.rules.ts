import { isId } from '../../kernel/ids.ts'
import { type FieldError, invalidField, type Refusal, refuseFields } from '../../kernel/refusal.ts'
import { findMediaIds, linkFaults, type Section } from '../sections/section.rules.ts'

export const pageStatuses = ['DRAFT', 'PUBLISHED', 'ARCHIVED'] as const
export type PageStatus = (typeof pageStatuses)[number]

/** Only the members that were set. */
export type PageMeta = {
  title?: string
  description?: string
  ogImage?: string
  canonical?: string
  noindex?: boolean
  keywords?: string[]
}

/** The members that exist twice: in the page and in its draft. */
export type PageCopy = {
  title: string
  sections: Section[]
  meta: PageMeta
  template: string | null
  locale: string
}

export type Page = PageCopy & {
  id: string
  slug: string
  status: PageStatus
  draft: PageCopy | null
  publishAt: Date | null
  unpublishAt: Date | null
  /** When it was last published; kept after it is unpublished. */
  publishedAt: Date | null
  revision: number
  /** The revision and time of the last change that the public can see. */
  publicRevision: number
  publicUpdatedAt: Date
  createdAt: Date
  updatedAt: Date
}

export const slugLengthMax = 200
export const slugPattern = '^[a-z0-9-]+(/[a-z0-9-]+)*$'
const slugForm = new RegExp(slugPattern)

export function isPageSlug(text: string): boolean {
  return text.length <= slugLengthMax && slugForm.test(text)
}

export function pageCopy({ title, sections, meta, template, locale }: PageCopy): PageCopy {
  return { title, sections, meta, template, locale }
}

export type MetaChange = { [Name in keyof PageMeta]?: PageMeta[Name] | null }
export type CopyChange = Partial<Omit<PageCopy, 'meta'>> & { meta?: MetaChange }

/** Absent members are kept, null clears them; the members of `meta` one by one. */
export function applyChange(copy: PageCopy, { meta = {}, ...change }: CopyChange): PageCopy {
  const merged = Object.entries({ ...copy.meta, ...meta }).filter(([, value]) => value !== null && value !== undefined)
  const named = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined))
  return { ...copy, ...named, meta: Object.fromEntries(merged) as PageMeta }
}

/** For title, sections and meta together, as JSON in UTF-8, including rendered HTML, which bounds the size of answers. */
const copyBytesMax = 1024 * 1024
const sentBytesMax = 200 * 1024

/** Refuses VALIDATION_ERROR if the request's page is too large. */
export function refuseTooLarge(sent: object): void {
  if (jsonBytes(sent) > sentBytesMax) throw tooLarge(`${sentBytesMax / 1024} KiB as it is sent`)
}

/** Refuses VALIDATION_ERROR if the resulting copy is too large or contains forbidden links. */
export function refuseInvalidCopy(copy: PageCopy): void {
  if (jsonBytes(copy) > copyBytesMax) throw tooLarge(`${copyBytesMax / 1024} KiB with its rendered HTML`)
  refuseFields(metaFaults(copy.meta))
}

/** Forbidden links. The picture may also be the id of a file. */
export function metaFaults({ ogImage, ...links }: MetaChange): FieldError[] {
  return linkFaults({ ...links, ...(ogImage && isId(ogImage) ? {} : { ogImage }) }, '/body/meta')
}

function jsonBytes(value: object): number {
  return Buffer.byteLength(JSON.stringify(value))
}

function tooLarge(limit: string): Refusal {
  return invalidField('/body/sections', { code: 'maxBytes', message: `must not make the page larger than ${limit}` })
}

function isMediaId(text: string | undefined): text is string {
  return text !== undefined && isId(text)
}

/** The ids of the files in a page and its draft. */
export function pageMediaIds({ draft, ...page }: Page): string[] {
  const copies = draft === null ? [page] : [page, draft]
  const ids = copies.flatMap(({ sections, meta }) => [
    ...findMediaIds(sections.map(({ content }) => content)),
    ...(isMediaId(meta.ogImage) ? [meta.ogImage] : []),
  ])
  return [...new Set(ids)]
}

/** Makes the page public, with the content of its draft if it has one. */
export function publishPage(page: Page, now: Date): Page {
  const isNews = page.status !== 'PUBLISHED' || page.draft !== null
  return {
    ...page,
    ...(page.draft ?? {}),
    draft: null,
    status: 'PUBLISHED',
    publishAt: null,
    publishedAt: isNews ? now : page.publishedAt,
  }
}

export function unpublishPage(page: Page): Page {
  return { ...page, status: page.status === 'PUBLISHED' ? 'DRAFT' : page.status, unpublishAt: null }
}

export function archivePage(page: Page): Page {
  return { ...page, status: 'ARCHIVED', publishAt: null, unpublishAt: null }
}

export type PublicationChange = { status?: PageStatus; publishAt?: Date | null; unpublishAt?: Date | null }

/**
 * Applies an editor's status and schedule. A page set to PUBLISHED with a `publishAt` becomes public at that time, not
 * before. A schedule that a change makes pointless is cleared, unless the change sets it.
 */
export function applyPublication(page: Page, { status, publishAt, unpublishAt }: PublicationChange, now: Date): Page {
  const isLater = publishAt instanceof Date && status === 'PUBLISHED' && page.status !== 'PUBLISHED'
  const moved = isLater || status === undefined ? page : withStatus(page, status, now)
  const after = {
    ...moved,
    ...(publishAt === undefined ? {} : { publishAt }),
    ...(unpublishAt === undefined ? {} : { unpublishAt }),
  }
  refuseEarlyEnd(after)
  return after
}

export function refuseEarlyEnd({ publishAt, unpublishAt }: Pick<Page, 'publishAt' | 'unpublishAt'>): void {
  if (publishAt !== null && unpublishAt !== null && unpublishAt <= publishAt)
    throw invalidField('/body/unpublishAt', { code: 'exclusiveMinimum', message: 'must be after publishAt' })
}

function withStatus(page: Page, status: PageStatus, now: Date): Page {
  if (status === page.status) return page
  if (status === 'ARCHIVED') return archivePage(page)
  if (status === 'DRAFT') return { ...unpublishPage(page), status }
  // Publishes the page without its draft, which needs an explicit publish.
  return { ...page, status, publishAt: null, publishedAt: now }
}

/** Applies the scheduled action of a job; null where the page no longer has this schedule. */
export function applyScheduledAction(page: Page, act: 'publish' | 'unpublish', at: Date, now: Date): Page | null {
  const planned = act === 'publish' ? page.publishAt : page.unpublishAt
  if (planned?.getTime() !== at.getTime()) return null
  // The database's clock may be ahead of this one; nothing is published early.
  const moment = now > at ? now : at
  if (act === 'publish') return publishPage(page, moment)
  // After a long pause both actions are due, in any order: a page whose end has passed must not become public.
  const isPublishDue = page.publishAt !== null && page.publishAt < at
  return unpublishPage(isPublishDue ? publishPage(page, moment) : page)
}
