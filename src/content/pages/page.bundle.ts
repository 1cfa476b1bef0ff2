import { isDeepStrictEqual } from 'node:util'
import {
  type BundleChange,
  type BundlePart,
  type BundlePartInput,
  type BundleRecord,
  recordPointer,
  recordsByKey,
  splitIntoChunks,
} from '../../kernel/bundle.ts'
import type { Clock } from '../../kernel/clock.ts'
import { differingFields } from '../../kernel/differing-fields.ts'
import { yieldPeriodically } from '../../kernel/event-loop.ts'
import { readEach } from '../../kernel/field-rules.ts'
import { resolveFormerSlugs } from '../../kernel/former-slugs.ts'
import { isId, newId } from '../../kernel/ids.ts'
import type { MarkupRenderer } from '../../kernel/markup.ts'
import type { PlatformScope } from '../../storage/scope.ts'
import type { FindMediaByDigest, MediaLibrary } from '../media/media-library.ts'
import { parseDigestName } from '../sections/section-bundle.rules.ts'
import { applyPublication, type Page, type PageCopy, pageCopy, pageMediaIds } from './page.rules.ts'
import { blankPage } from './page.service.ts'
import {
  addRedirect,
  dropRedirect,
  listBySlug,
  listRedirects,
  listSlugs,
  lockAllPages,
  removePage,
} from './page.store.ts'
import { type CompleteRecord, listPageFileNames, readCopy, toRecord, withDefaults } from './page-bundle-input.ts'
import { PageRecord } from './page-record.schema.ts'
import type { PageWriting } from './page-writing.service.ts'

const part = 'pages'
const note = 'Imported'

export type PagePartDeps = {
  clock: Clock
  media: MediaLibrary
  findMediaByDigest: FindMediaByDigest
  bring: PageWriting['bring']
}

type Wanted = { place: string; record: CompleteRecord; formerSlugs: string[] | undefined }
type FormerSlugs = Map<string, string[]>

/** What is known about the whole bundle before pages are compared. */
type Import = {
  now: Date
  wanted: Wanted[]
  /** By slug, for existing and new pages. */
  ids: Map<string, string>
  gone: { id: string; slug: string }[]
  former: { before: FormerSlugs; after: FormerSlugs }
  /** File ids by the texts that name them. */
  fileIds: ReadonlyMap<string, string>
  markup: MarkupRenderer
}

/** The result for one page: the published copy and the draft. */
type Decision = { change: BundleChange; before: Page | null; after: Page; draft: PageCopy | null }

type Writer = { page(decision: Decision): Promise<void>; remove(page: { id: string; slug: string }): Promise<void> }

const writesNothing: Writer = { page: async () => undefined, remove: async () => undefined }

/** The pages in a bundle: the published copy, the draft and the status, without schedules. */
export function pagePart(deps: PagePartDeps): BundlePart<PlatformScope> {
  return {
    name: part,
    record: PageRecord,
    export: (platform) => exportPages(platform, deps),
    plan: async (platform, ask) => forEachPage(platform, await readImport(platform, ask, deps), deps, writesNothing),
    apply: async (tx, ask) => {
      await lockAllPages(tx)
      const asked = await readImport(tx, ask, deps)
      const changes = await forEachPage(tx, asked, deps, pageWriter(tx, deps))
      await writeFormerSlugs(tx, asked)
      return changes
    },
  }
}

async function exportPages(platform: PlatformScope, { media }: PagePartDeps): Promise<BundleRecord[]> {
  const breathe = yieldPeriodically()
  const former = await formerSlugs(platform)
  const records: BundleRecord[] = []
  for (const portion of splitIntoChunks(await listSlugs(platform))) {
    for (const { record } of await currentPages(platform, portion, media)) {
      records.push({ ...record, formerSlugs: former.get(record.slug) ?? [] })
      await breathe()
    }
  }
  return records
}

async function formerSlugs(platform: PlatformScope): Promise<FormerSlugs> {
  const groups = Map.groupBy(await listRedirects(platform), ({ leadsTo }) => leadsTo)
  return new Map([...groups].map(([slug, redirects]) => [slug, redirects.map((redirect) => redirect.slug)]))
}

async function currentPages(platform: PlatformScope, named: { slug: string }[], media: MediaLibrary) {
  const pages = await listBySlug(
    platform,
    named.map(({ slug }) => slug),
  )
  const ids = [...new Set(pages.flatMap(pageMediaIds))]
  const files = ids.length === 0 ? [] : [...(await media.find(platform, ids)).values()]
  const digests = new Map(files.map(({ id, sha256 }) => [id, sha256]))
  return pages.map((page) => ({ page, record: toRecord(page, digests) }))
}

async function readImport(
  platform: PlatformScope,
  { records, mode, markup }: BundlePartInput,
  deps: PagePartDeps,
): Promise<Import> {
  const now = deps.clock.now()
  const sent = records as PageRecord[]
  const bySlug = recordsByKey(part, sent, ({ slug }) => slug)
  const wanted = sent.map((record, index) => ({
    place: recordPointer(part, index),
    record: withDefaults(record),
    formerSlugs: record.formerSlugs,
  }))
  const present = await listSlugs(platform)
  const gone = mode === 'mirror' ? present.filter(({ slug }) => !bySlug.has(slug)) : []
  const ids = new Map(present.map(({ slug, id }) => [slug, id]))
  for (const slug of bySlug.keys()) if (!ids.has(slug)) ids.set(slug, newId(now))
  const held = new Set(ids.keys()).difference(new Set(gone.map(({ slug }) => slug)))
  const before = await formerSlugs(platform)
  const claims = wanted.map((one) => ({ ...one, slug: one.record.slug }))
  const former = { before, after: resolveFormerSlugs(claims, { before, held, mode }) }
  return { now, markup, wanted, ids, gone, former, fileIds: await findFileIds(platform, wanted, deps) }
}

async function findFileIds(
  platform: PlatformScope,
  wanted: Wanted[],
  { media, findMediaByDigest }: PagePartDeps,
): Promise<Map<string, string>> {
  const found = new Map<string, string>()
  for (const names of splitIntoChunks([...new Set(wanted.flatMap(({ record }) => listPageFileNames(record)))])) {
    const known = await media.find(platform, names.filter(isId))
    for (const id of known.keys()) found.set(id, id)
    const digests = names.map(parseDigestName).filter((digest) => digest !== null)
    if (digests.length === 0) continue
    for (const [digest, id] of await findMediaByDigest(platform, digests)) found.set(`sha256:${digest}`, id)
  }
  return found
}

/** Compares in batches, and writes each page before reading the next. */
async function forEachPage(
  scope: PlatformScope,
  asked: Import,
  { media }: PagePartDeps,
  write: Writer,
): Promise<BundleChange[]> {
  const { wanted, gone, former } = asked
  const breathe = yieldPeriodically()
  const changes: BundleChange[] = []
  for (const portion of splitIntoChunks(wanted)) {
    const current = await currentPages(
      scope,
      portion.map(({ record }) => record),
      media,
    )
    const bySlug = new Map(current.map((one) => [one.record.slug, one]))
    await readEach(portion, async (one) => {
      const { slug } = one.record
      const isMoved = String(former.before.get(slug) ?? []) !== String(former.after.get(slug))
      const decision = await decide(one, bySlug.get(slug) ?? null, { ...asked, isMoved })
      changes.push(decision?.change ?? { key: slug, action: 'keep', fields: [] })
      if (decision !== null) await write.page(decision)
      await breathe()
    })
  }
  for (const page of gone) {
    await write.remove(page)
    changes.push({ key: page.slug, action: 'remove', fields: [] })
    await breathe()
  }
  return changes
}

type Deciding = Pick<Import, 'now' | 'ids' | 'fileIds' | 'markup'> & { isMoved: boolean }

/** Reads and renders only what differs; null where nothing does. Refuses VALIDATION_ERROR. */
async function decide(
  { place, record }: Wanted,
  current: { page: Page; record: CompleteRecord } | null,
  { isMoved, ids, ...reading }: Deciding,
): Promise<Decision | null> {
  const { slug, title, status, draft: wantedDraft } = record
  const differing = current === null ? [] : differingFields(current.record, record)
  const fields = isMoved && current !== null ? [...differing, 'formerSlugs'] : differing
  if (current !== null && fields.length === 0) return null
  const known = current && { copy: pageCopy(current.page), record: current.record }
  const { now } = reading
  const copy = await readCopy(record, { ...reading, place, known })
  const before = current?.page ?? null
  const start = before ?? blankPage({ id: ids.get(slug) as string, slug, title, now })
  const after = applyPublication({ ...start, ...copy }, { status }, now)
  const knownDraft =
    before?.draft && current?.record.draft ? { copy: before.draft, record: current.record.draft } : { copy, record }
  const draft = wantedDraft && (await readCopy(wantedDraft, { ...reading, place: `${place}/draft`, known: knownDraft }))
  if (before === null) return { change: { key: slug, action: 'create', fields: [] }, before, after, draft }
  const news = { ...after, draft }
  // The sent text may equal the stored one before cleaning.
  const isOther = (name: string) =>
    !(name in news) || !isDeepStrictEqual(news[name as 'draft'], before[name as 'draft'])
  const others = fields.filter(isOther)
  if (others.length === 0) return null
  return { change: { key: slug, action: 'update', fields: others }, before, after, draft }
}

function pageWriter(tx: PlatformScope, { bring, media }: PagePartDeps): Writer {
  return {
    // The draft gets its own revision, as if an editor had saved the page and then the draft.
    page: async ({ before, after, draft }) => {
      const page = await bring(tx, before, { after, note, action: before === null ? 'CREATED' : 'SAVED' })
      const isDraft = draft !== null
      await bring(tx, page, {
        after: { ...page, draft },
        note,
        isDraft,
        action: isDraft ? 'DRAFT_SAVED' : 'DRAFT_DISCARDED',
      })
    },
    remove: async ({ id, slug }) => {
      await removePage(tx, id)
      await media.setUses(tx, { kind: 'page', id, label: slug }, [])
    },
  }
}

/** Ends redirects before adding new ones, because a slug may move from one page to another. */
async function writeFormerSlugs(tx: PlatformScope, { former: { before, after }, ids, now }: Import): Promise<void> {
  for (const [slug, formerSlugs] of after) {
    for (const former of before.get(slug) ?? []) if (!formerSlugs.includes(former)) await dropRedirect(tx, former)
  }
  for (const [slug, formerSlugs] of after) {
    const had = new Set(before.get(slug))
    for (const former of formerSlugs)
      if (!had.has(former)) await addRedirect(tx, { slug: former, pageId: ids.get(slug) as string, now })
  }
}
