import { isId } from '../../kernel/ids.ts'
import { type FieldError, invalidField, type Refusal } from '../../kernel/refusal.ts'
import { linkFaults, mediaIdsIn, type Section } from '../sections/section.rules.ts'

export const pageStatuses = ['DRAFT', 'PUBLISHED', 'ARCHIVED'] as const
export type PageStatus = (typeof pageStatuses)[number]

/** Only what was set. */
export type PageMeta = {
  title?: string
  description?: string
  ogImage?: string
  canonical?: string
  noindex?: boolean
  keywords?: string[]
}

/** What there is twice: as the page has it, and as its draft has it. */
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
  /** When it was published last; kept when it is not public any more. */
  publishedAt: Date | null
  revision: number
  /** The revision and the moment at which what the public sees became what it is. */
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

export function copyOf({ title, sections, meta, template, locale }: PageCopy): PageCopy {
  return { title, sections, meta, template, locale }
}

export type MetaChange = { [Name in keyof PageMeta]?: PageMeta[Name] | null }
export type CopyChange = Partial<Omit<PageCopy, 'meta'>> & { meta?: MetaChange }

/** Absent keeps, null clears; the members of `meta` each for itself. */
export function changed(copy: PageCopy, { meta = {}, ...change }: CopyChange): PageCopy {
  const merged = Object.entries({ ...copy.meta, ...meta }).filter(([, value]) => value !== null && value !== undefined)
  const named = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined))
  return { ...copy, ...named, meta: Object.fromEntries(merged) as PageMeta }
}

/** Of the title, sections and meta together, as JSON in UTF-8; rendered HTML counts, so that no answer grows without end. */
const copyBytesMax = 1024 * 1024
const sentBytesMax = 200 * 1024

/** Refuses with VALIDATION_ERROR what is larger than a page may be sent. */
export function refuseLarge(sent: object): void {
  if (bytesOf(sent) > sentBytesMax) throw tooLarge(`${sentBytesMax / 1024} KiB as it is sent`)
}

/** Refuses with VALIDATION_ERROR a copy that became larger than a page may be, and links that it must not have. */
export function refuseCopy(copy: PageCopy): void {
  if (bytesOf(copy) > copyBytesMax) throw tooLarge(`${copyBytesMax / 1024} KiB with its rendered HTML`)
  const { ogImage, ...links } = copy.meta
  const faults: FieldError[] = linkFaults({ ...links, ...(isMediaId(ogImage) ? {} : { ogImage }) }, '/body/meta')
  const [first] = faults
  if (first) throw invalidField(first.path, first)
}

function bytesOf(value: object): number {
  return Buffer.byteLength(JSON.stringify(value))
}

function tooLarge(limit: string): Refusal {
  return invalidField('/body/sections', { code: 'maxBytes', message: `must not make the page larger than ${limit}` })
}

function isMediaId(text: string | undefined): text is string {
  return text !== undefined && isId(text)
}

/** The files that a page and its draft name. */
export function mediaIdsOf({ draft, ...page }: Page): string[] {
  const copies = draft === null ? [page] : [page, draft]
  const ids = copies.flatMap(({ sections, meta }) => [
    ...mediaIdsIn(sections.map(({ content }) => content)),
    ...(isMediaId(meta.ogImage) ? [meta.ogImage] : []),
  ])
  return [...new Set(ids)]
}

/** The draft, where there is one, becomes what the page has, and the page public. */
export function published(page: Page, now: Date): Page {
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

export function unpublished(page: Page): Page {
  return { ...page, status: page.status === 'PUBLISHED' ? 'DRAFT' : page.status, unpublishAt: null }
}

export function archived(page: Page): Page {
  return { ...page, status: 'ARCHIVED', publishAt: null, unpublishAt: null }
}

export type Standing = { status?: PageStatus; publishAt?: Date | null; unpublishAt?: Date | null }

/**
 * Status and schedule of a page as an editor sets them. A page that is to be PUBLISHED and has a `publishAt` becomes
 * public then and not before. Without a word about it a schedule ends with what makes it pointless.
 */
export function placed(page: Page, { status, publishAt, unpublishAt }: Standing, now: Date): Page {
  const isLater = publishAt instanceof Date && status === 'PUBLISHED' && page.status !== 'PUBLISHED'
  const moved = isLater || status === undefined ? page : withStatus(page, status, now)
  const after = {
    ...moved,
    ...(publishAt === undefined ? {} : { publishAt }),
    ...(unpublishAt === undefined ? {} : { unpublishAt }),
  }
  if (after.publishAt !== null && after.unpublishAt !== null && after.unpublishAt <= after.publishAt)
    throw invalidField('/body/unpublishAt', { code: 'exclusiveMinimum', message: 'must be after publishAt' })
  return after
}

function withStatus(page: Page, status: PageStatus, now: Date): Page {
  if (status === page.status) return page
  if (status === 'ARCHIVED') return archived(page)
  if (status === 'DRAFT') return { ...unpublished(page), status }
  // The page as it stands, without its draft: that is published by name.
  return { ...page, status, publishAt: null, publishedAt: now }
}

/** Act of a job that was enqueued for a moment: the page as it is afterwards, or null where that schedule is no more. */
export function actedOn(page: Page, act: 'publish' | 'unpublish', at: Date, now: Date): Page | null {
  const planned = act === 'publish' ? page.publishAt : page.unpublishAt
  if (planned?.getTime() !== at.getTime()) return null
  // The clock of the database may be ahead of this one; nothing is published before its time.
  const moment = now > at ? now : at
  if (act === 'publish') return published(page, moment)
  // After a long pause both are due and come in any order: what was to be published before it ended has ended, too.
  const isPublishDue = page.publishAt !== null && page.publishAt < at
  return unpublished(isPublishDue ? published(page, moment) : page)
}
