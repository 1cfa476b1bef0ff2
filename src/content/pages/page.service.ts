import { type JobHandler, jobHandler } from '../../jobs/jobs.ts'
import type { FieldRule, Fitting } from '../../kernel/field-rules.ts'
import { newId } from '../../kernel/ids.ts'
import { notFound, Refusal, refuseFields } from '../../kernel/refusal.ts'
import { parseFutureTimestamp } from '../../kernel/timestamps.ts'
import type { PlatformScope } from '../../storage/scope.ts'
import type { Section } from '../sections/section.rules.ts'
import { readSections } from '../sections/section-input.ts'
import {
  applyChange,
  applyPublication,
  applyScheduledAction,
  archivePage,
  type CopyChange,
  type Page,
  type PublicationChange,
  pageCopy,
  publishPage,
  refuseTooLarge,
  unpublishPage,
} from './page.rules.ts'
import type { NewPage, Publishing, PageChange as SentChange } from './page.schema.ts'
import { draftFaults, pageRules } from './page-field-rules.ts'
import { getRevision } from './page-revision.store.ts'
import { type PageWritingDeps, pageWriting, scheduledAction, type Target } from './page-writing.service.ts'

export type Pages = ReturnType<typeof pageService>

type Times = { publishAt?: string | null | undefined; unpublishAt?: string | null | undefined }

export function pageService(deps: PageWritingDeps & { platform: PlatformScope }) {
  const { clock, platform: system } = deps
  const { change, create, remove, bring } = pageWriting(deps)

  /** Prepares sections for storage; slow for a long page. Refuses with VALIDATION_ERROR. */
  async function read(sent: { sections?: SentChange['sections'] }): Promise<Section[] | undefined> {
    refuseTooLarge(sent)
    return sent.sections && readSections(sent.sections, '/body/sections', { now: clock.now() })
  }

  function publicationChange({ status, ...times }: Times & { status?: Page['status'] }): PublicationChange {
    const now = clock.now()
    const moment = (name: keyof Times) => {
      const text = times[name]
      return text === undefined
        ? {}
        : { [name]: text === null ? null : parseFutureTimestamp(text, now, `/body/${name}`) }
    }
    return { ...(status === undefined ? {} : { status }), ...moment('publishAt'), ...moment('unpublishAt') }
  }

  return {
    /** Rules of `create`, `save` and `publish`, and with `isDraft` of `saveDraft`. */
    rules: (platform: PlatformScope, sent: Fitting<SentChange>, isDraft = false): FieldRule[] => [
      ...(isDraft ? [() => refuseFields(draftFaults(sent))] : []),
      ...pageRules(platform, sent, deps),
    ],
    read,
    remove,
    bring,

    /** Refuses with VALIDATION_ERROR and SLUG_TAKEN. `sections` come from `read`. */
    create: (platform: PlatformScope, sent: NewPage, sections: Section[] | undefined): Promise<Page> => {
      const { slug, note, status = 'PUBLISHED', ...rest } = sent
      const now = clock.now()
      const blank = blankPage({ id: newId(now), slug, title: sent.title, now })
      const standing = publicationChange({ ...rest, status })
      const after = applyPublication(
        { ...blank, ...applyChange(pageCopy(blank), copyChange(sent, sections)) },
        standing,
        now,
      )
      return create(platform, { after, action: 'CREATED', note })
    },

    /** Keeps absent members. Refuses with NOT_FOUND, VALIDATION_ERROR, PRECONDITION_FAILED and SLUG_TAKEN. */
    save: async (platform: PlatformScope, target: Target, sent: SentChange): Promise<Page> => {
      const copy = copyChange(sent, await read(sent))
      const standing = publicationChange(sent)
      return change(platform, target, (before, now) => {
        const edited = { ...before, ...applyChange(pageCopy(before), copy), ...(sent.slug ? { slug: sent.slug } : {}) }
        const after = applyPublication(edited, standing, now)
        return { after, action: 'SAVED', note: sent.note }
      })
    },

    /** The same for the draft, which starts as a copy of the page. The public does not see it. */
    saveDraft: async (platform: PlatformScope, target: Target, sent: SentChange): Promise<Page> => {
      refuseFields(draftFaults(sent))
      const copy = copyChange(sent, await read(sent))
      return change(platform, target, (before) => {
        const draft = applyChange(before.draft ?? pageCopy(before), copy)
        return { after: { ...before, draft }, action: 'DRAFT_SAVED', isDraft: true, note: sent.note }
      })
    },

    /** Refuses with NOT_FOUND and PRECONDITION_FAILED. */
    discardDraft: (platform: PlatformScope, target: Target): Promise<Page> =>
      change(platform, target, (before) => ({ after: { ...before, draft: null }, action: 'DRAFT_DISCARDED' })),

    /** At once, or at `publishAt`. Refuses with NOT_FOUND, VALIDATION_ERROR and PRECONDITION_FAILED. */
    publish: async (platform: PlatformScope, target: Target, sent: Publishing): Promise<Page> => {
      const { publishAt, ...rest } = publicationChange(sent)
      return change(platform, target, (before, now) =>
        publishAt instanceof Date
          ? { after: applyPublication(before, { publishAt, ...rest }, now), action: 'SCHEDULED', note: sent.note }
          : { after: applyPublication(publishPage(before, now), rest, now), action: 'PUBLISHED', note: sent.note },
      )
    },

    unpublish: (platform: PlatformScope, target: Target, note?: string): Promise<Page> =>
      change(platform, target, (before) => ({ after: unpublishPage(before), action: 'UNPUBLISHED', note })),

    archive: (platform: PlatformScope, target: Target, note?: string): Promise<Page> =>
      change(platform, target, (before) => ({ after: archivePage(before), action: 'ARCHIVED', note })),

    /** Restores a revision into the page or its draft. Slug and status stay. Refuses as `save` does. */
    restore: (
      platform: PlatformScope,
      target: Target & { number: number; isDraft: boolean; note?: string | undefined },
    ): Promise<Page> =>
      change(platform, target, async (before, _now, tx) => {
        const { number, isDraft, note = `Revision ${number}` } = target
        const { snapshot } = await getRevision(tx, { pageId: before.id, number })
        const after = isDraft ? { ...before, draft: snapshot } : { ...before, ...snapshot }
        return { after, action: 'RESTORED', isDraft, note }
      }),

    jobs: [
      jobHandler(scheduledAction, async ({ data: { pageId, act, at } }) => {
        const done = change(system, { id: pageId }, (before, now) => {
          const after = applyScheduledAction(before, act, new Date(at), now)
          return after && { after, action: act === 'publish' ? 'PUBLISHED' : 'UNPUBLISHED', note: 'As scheduled' }
        })
        await done.catch((error: unknown) => {
          if (!isGone(error)) throw error
        })
      }),
    ] satisfies JobHandler[],
  }
}

function isGone(error: unknown): boolean {
  return error instanceof Refusal && error.code === notFound().code
}

function copyChange(sent: SentChange, sections: Section[] | undefined): CopyChange {
  const { title, meta, template, locale } = sent
  const named = { title, sections, meta, template, locale }
  return Object.fromEntries(Object.entries(named).filter(([, value]) => value !== undefined)) as CopyChange
}

/** A new page with defaults. */
export function blankPage({ id, slug, title, now }: { id: string; slug: string; title: string; now: Date }): Page {
  return {
    id,
    slug,
    title,
    status: 'DRAFT',
    sections: [],
    meta: {},
    template: null,
    locale: 'en',
    draft: null,
    publishAt: null,
    unpublishAt: null,
    publishedAt: null,
    revision: 1,
    publicRevision: 1,
    publicUpdatedAt: now,
    createdAt: now,
    updatedAt: now,
  }
}
