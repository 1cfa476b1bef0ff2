import { isDeepStrictEqual } from 'node:util'
import { requireRevision } from '../../http/cache/precondition.ts'
import type { Audit } from '../../identity/index.ts'
import type { JobKind, Jobs } from '../../jobs/jobs.ts'
import type { Clock } from '../../kernel/clock.ts'
import { notFound, Refusal } from '../../kernel/refusal.ts'
import type { PublicChanged } from '../../storage/public-revision.ts'
import { type PlatformScope, transaction } from '../../storage/scope.ts'
import { findHashes } from '../media/media-address.rules.ts'
import type { MediaLibrary } from '../media/media-library.ts'
import { type Page, pageCopy, pageMediaIds, refuseInvalidCopy } from './page.rules.ts'
import { dropRedirect, insertPage, isSlugTaken, lockPage, moveAddress, removePage, updatePage } from './page.store.ts'
import type { PageAction } from './page-revision.schema.ts'
import { addRevision } from './page-revision.store.ts'

/** A scheduled action. `at` identifies the schedule: the job does nothing if the page has another one by then. */
export type ScheduledAction = { pageId: string; act: 'publish' | 'unpublish'; at: string }

export const scheduledAction: JobKind<ScheduledAction> = {
  name: 'content.pages.act-on-schedule',
  attemptsMax: 12,
  backoffSeconds: 5,
  timeoutSeconds: 30,
}

export type PageWritingDeps = {
  clock: Clock
  audit: Audit
  jobs: Jobs
  publicChanged: PublicChanged
  media: MediaLibrary
}

/** A change of a page: its state afterwards, and what the revision records. */
export type PageChange = { after: Page; action: PageAction; isDraft?: boolean; note?: string | undefined }

export type Target = { id: string; ifMatch?: string | undefined }

/** The only way to write pages: everything that belongs to a change is written in its transaction. */
export function pageWriting({ clock, audit, jobs, publicChanged, media }: PageWritingDeps) {
  /** Refuses with NOT_FOUND, PRECONDITION_FAILED and SLUG_TAKEN. A change without effect writes nothing. */
  async function change(
    platform: PlatformScope,
    { id, ifMatch }: Target,
    decide: (before: Page, now: Date, tx: PlatformScope) => PageChange | null | Promise<PageChange | null>,
  ): Promise<Page> {
    const work = (tx: PlatformScope) => changeIn(tx, { id, ifMatch }, decide)
    return transaction(platform, work).catch((error: unknown) => {
      throw isSlugTaken(error) ? slugTaken() : error
    })
  }

  async function changeIn(
    tx: PlatformScope,
    { id, ifMatch }: Target,
    decide: (before: Page, now: Date, tx: PlatformScope) => PageChange | null | Promise<PageChange | null>,
  ): Promise<Page> {
    const now = clock.now()
    const before = await lockPage(tx, id)
    if (before === null) throw notFound()
    requireRevision(ifMatch, before)
    const decided = await decide(before, now, tx)
    if (decided === null || isDeepStrictEqual(decided.after, before)) return before
    const after = withNewRevision(before, decided.after, now)
    await updatePage(tx, after)
    if (after.slug !== before.slug) await move(tx, before, after)
    await writePage(tx, before, { ...decided, after })
    return after
  }

  /** Refuses with SLUG_TAKEN. */
  function create(platform: PlatformScope, { after, ...rest }: PageChange): Promise<Page> {
    return transaction(platform, async (tx) => {
      if (!(await insertPage(tx, after))) throw slugTaken()
      await dropRedirect(tx, after.slug)
      await writePage(tx, null, { after, ...rest })
      return after
    })
  }

  /** Removes the page with its revisions and former addresses. Refuses with NOT_FOUND and PRECONDITION_FAILED. */
  function remove(platform: PlatformScope, { id, ifMatch }: Target): Promise<void> {
    return transaction(platform, async (tx) => {
      const page = await lockPage(tx, id)
      if (page === null) throw notFound()
      requireRevision(ifMatch, page)
      await removePage(tx, id)
      await media.setUses(tx, { kind: 'page', id, label: page.slug }, [])
      await audit(tx, { action: 'page.delete', target: { type: 'page', id }, changes: { slug: page.slug } })
      if (page.status === 'PUBLISHED') await publicChanged(tx)
    })
  }

  async function move(tx: PlatformScope, before: Page, after: Page): Promise<void> {
    // An address that was never public needs no redirect.
    if (before.publishedAt === null) await dropRedirect(tx, after.slug)
    else await moveAddress(tx, { pageId: after.id, from: before.slug, to: after.slug, now: after.updatedAt })
  }

  /**
   * Writes a page of a bundle; `before` is null for a new one. The bundle itself writes one audit entry and notifies the
   * public caches once. A change without effect writes nothing.
   */
  async function importPage(
    tx: PlatformScope,
    before: Page | null,
    { after: wanted, ...rest }: PageChange,
  ): Promise<Page> {
    if (before !== null && isDeepStrictEqual(wanted, before)) return before
    const after = before === null ? wanted : withNewRevision(before, wanted, clock.now())
    if (before !== null) await updatePage(tx, after)
    else if (await insertPage(tx, after)) await dropRedirect(tx, after.slug)
    else throw slugTaken()
    await writeRelated(tx, before, { after, ...rest })
    return after
  }

  async function writePage(tx: PlatformScope, before: Page | null, change: PageChange): Promise<void> {
    const { after, action } = change
    await writeRelated(tx, before, change)
    await audit(tx, {
      action: auditActions[action],
      target: { type: 'page', id: after.id },
      changes: { slug: after.slug, revision: after.revision, ...differences(before, after) },
    })
    // Last, because it locks one row until the commit and every other public change waits for it. A page that takes over a
    // slug, even as a draft, ends the redirect at that slug.
    if (isPublicChange(before, after) || after.slug !== before?.slug) await publicChanged(tx)
  }

  /** Everything that is written besides the page itself. */
  async function writeRelated(tx: PlatformScope, before: Page | null, { after, action, isDraft, note }: PageChange) {
    refuseInvalidCopy(after)
    if (after.draft !== null) refuseInvalidCopy(after.draft)
    await addRevision(tx, {
      pageId: after.id,
      number: after.revision,
      action,
      isDraft: isDraft ?? false,
      slug: after.slug,
      status: after.status,
      note: note ?? null,
      snapshot: pageCopy(isDraft && after.draft ? after.draft : after),
      createdAt: after.updatedAt,
    })
    // A page that never had a file does not concern the media library.
    if (showsFiles(after) || (before !== null && showsFiles(before)))
      await media.setUses(
        tx,
        { kind: 'page', id: after.id, label: after.slug, texts: pageTexts(after) },
        pageMediaIds(after),
      )
    await schedule(tx, before, after)
  }

  async function schedule(tx: PlatformScope, before: Page | null, after: Page): Promise<void> {
    for (const [act, at, known] of [
      ['publish', after.publishAt, before?.publishAt],
      ['unpublish', after.unpublishAt, before?.unpublishAt],
    ] as const) {
      if (at === null || at.getTime() === known?.getTime()) continue
      await jobs.enqueue(tx, scheduledAction, { data: { pageId: after.id, act, at: at.toISOString() }, runAt: at })
    }
  }

  return { change, create, remove, bring: importPage }
}

export type PageWriting = ReturnType<typeof pageWriting>

const auditActions: Record<PageAction, string> = {
  CREATED: 'page.create',
  SAVED: 'page.update',
  DRAFT_SAVED: 'page.save-draft',
  DRAFT_DISCARDED: 'page.discard-draft',
  PUBLISHED: 'page.publish',
  SCHEDULED: 'page.schedule',
  UNPUBLISHED: 'page.unpublish',
  ARCHIVED: 'page.archive',
  RESTORED: 'page.restore',
}

function slugTaken(): Refusal {
  return new Refusal('SLUG_TAKEN', { detail: 'Another page has this slug.' })
}

function withNewRevision(before: Page, after: Page, now: Date): Page {
  const revision = before.revision + 1
  const seen = isPublicChange(before, after) ? { publicRevision: revision, publicUpdatedAt: now } : {}
  return { ...after, ...seen, revision, updatedAt: now }
}

/** Whether the public sees a difference. */
function isPublicChange(before: Page | null, after: Page): boolean {
  return !isDeepStrictEqual(before && publicState(before), publicState(after))
}

function publicState(page: Page) {
  if (page.status !== 'PUBLISHED') return null
  return { ...pageCopy(page), slug: page.slug, publishedAt: page.publishedAt }
}

/** The parts of a page that may contain addresses of files. */
function pageTexts({ sections, draft }: Page): unknown {
  return [sections, draft?.sections]
}

function showsFiles(page: Page): boolean {
  return pageMediaIds(page).length > 0 || findHashes(pageTexts(page)).length > 0
}

/** The changed members, with values only where they are short: an audit entry must not contain a whole page. */
function differences(before: Page | null, after: Page): Record<string, unknown> {
  const names = ['slug', 'title', 'sections', 'meta', 'template', 'locale', 'draft'] as const
  const values = ['status', 'publishAt', 'unpublishAt'] as const
  const isOther = (name: keyof Page) => !isDeepStrictEqual(before?.[name], after[name])
  const changed = before === null ? [] : names.filter(isOther)
  return {
    ...(changed.length > 0 ? { changed } : {}),
    ...Object.fromEntries(values.filter(isOther).map((name) => [name, after[name]])),
  }
}
