import { withBundlePointer } from '../../kernel/bundle.ts'
import { differingFields } from '../../kernel/differing-fields.ts'
import { isId } from '../../kernel/ids.ts'
import type { MarkupRenderer } from '../../kernel/markup.ts'
import { invalidField } from '../../kernel/refusal.ts'
import { replaceMedia } from '../sections/section.rules.ts'
import {
  listFileNames,
  parseDigestName,
  type SectionSource,
  toDigestName,
  toSource,
  withKnownIds,
} from '../sections/section-bundle.rules.ts'
import { readSections } from '../sections/section-input.ts'
import { type Page, type PageCopy, type PageMeta, type PageStatus, refuseInvalidCopy } from './page.rules.ts'
import type { PageRecord } from './page-record.schema.ts'

export type CopyRecord = {
  title: string
  template: string | null
  locale: string
  meta: PageMeta
  sections: SectionSource[]
}

/** A page of a bundle with all defaults filled in, so that equal pages compare as equal. */
export type CompleteRecord = CopyRecord & { slug: string; status: PageStatus; draft: CopyRecord | null }

type SentCopy = Pick<PageRecord, 'title' | 'template' | 'locale' | 'meta' | 'sections'>

export function withDefaults({ slug, status = 'PUBLISHED', draft, ...copy }: PageRecord): CompleteRecord {
  return { slug, status, ...copyWithDefaults(copy), draft: draft ? copyWithDefaults(draft) : null }
}

function copyWithDefaults({ title, template = null, locale = 'en', meta = {}, sections = [] }: SentCopy): CopyRecord {
  const whole = sections.map(({ type, content = {} }) => ({ type, content }))
  return { title, template, locale, meta: meta as PageMeta, sections: whole }
}

/** @param digests of files by their ids. */
export function toRecord(page: Page, digests: ReadonlyMap<string, string>): CompleteRecord {
  const { slug, status, draft } = page
  return { slug, status, ...copyRecord(page, digests), draft: draft && copyRecord(draft, digests) }
}

function copyRecord(copy: PageCopy, digests: ReadonlyMap<string, string>): CopyRecord {
  const { title, template, locale, meta, sections } = copy
  const ogImage = meta.ogImage === undefined ? {} : { ogImage: toDigestName(meta.ogImage, digests) }
  return {
    title,
    template,
    locale,
    meta: { ...meta, ...ogImage },
    sections: sections.map((section) => toSource(section, digests)),
  }
}

/** Every text in a page that names a file. */
export function listPageFileNames({ draft, ...page }: CompleteRecord): string[] {
  const copies = draft === null ? [page] : [page, draft]
  return copies.flatMap(({ meta, sections }) => [
    ...listFileNames({ mediaId: meta.ogImage ?? '' }),
    ...sections.flatMap(({ content }) => listFileNames(content)),
  ])
}

/** The place in the request, and file ids by the text that names them (an id names itself). */
export type CopyReading = {
  place: string
  fileIds: ReadonlyMap<string, string>
  known: { copy: PageCopy; record: CopyRecord } | null
  now: Date
  markup: MarkupRenderer
}

/** Prepares a copy for storage; unchanged parts are taken from before. Refuses VALIDATION_ERROR. */
export async function readCopy(wanted: CopyRecord, reading: CopyReading): Promise<PageCopy> {
  const { place, fileIds, known } = reading
  const { title, template, locale } = wanted
  const isSame = (name: keyof CopyRecord) =>
    known !== null && differingFields({ it: known.record[name] }, { it: wanted[name] }).length === 0
  const meta = isSame('meta') && known !== null ? known.copy.meta : readMeta(wanted.meta, place, fileIds)
  const sections = isSame('sections') && known !== null ? known.copy.sections : await readSources(wanted, reading)
  const copy = { title, sections, meta, template, locale }
  await withBundlePointer(place, () => refuseInvalidCopy(copy))
  return copy
}

function readMeta(meta: PageMeta, place: string, fileIds: ReadonlyMap<string, string>): PageMeta {
  if (meta.ogImage === undefined) return meta
  return { ...meta, ogImage: resolveFileId(meta.ogImage, `${place}/meta/ogImage`, fileIds) }
}

function readSources({ sections }: CopyRecord, { place, fileIds, known, now, markup }: CopyReading) {
  const pointer = `${place}/sections`
  const before = (known?.copy.sections ?? []).flatMap(({ id }, index) => {
    const source = known?.record.sections[index]
    return source === undefined ? [] : [{ id, source }]
  })
  const sent = withKnownIds(sections, before).map((section, index) => ({
    ...section,
    content: replaceMedia(section.content, (text, at) =>
      resolveFileId(text, `${pointer}/${index}/content${at}`, fileIds),
    ) as Record<string, unknown>,
  }))
  return withBundlePointer(pointer, () => readSections(sent, pointer, { now, markup }))
}

/** The id of the file that a text names. Other texts are returned unchanged. */
function resolveFileId(text: string, pointer: string, fileIds: ReadonlyMap<string, string>): string {
  if (!isId(text) && parseDigestName(text) === null) return text
  const id = fileIds.get(text)
  if (id === undefined)
    throw invalidField(pointer, { code: 'unknown', message: 'does not match an uploaded file; upload the file first' })
  return id
}
