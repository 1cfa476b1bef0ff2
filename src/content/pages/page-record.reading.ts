import { withBundlePointer } from '../../kernel/bundle.ts'
import { differingFields } from '../../kernel/differing-fields.ts'
import { isId } from '../../kernel/ids.ts'
import type { MarkupRenderer } from '../../kernel/markup.ts'
import { invalidField } from '../../kernel/refusal.ts'
import { withMedia } from '../sections/section.rules.ts'
import { readSections } from '../sections/section-reading.ts'
import {
  digestIn,
  fileNamesIn,
  identified,
  namedByDigest,
  type SectionSource,
  sourceOf,
} from '../sections/section-source.ts'
import { type Page, type PageCopy, type PageMeta, type PageStatus, refuseCopy } from './page.rules.ts'
import type { PageRecord } from './page-record.schema.ts'

export type CopyRecord = {
  title: string
  template: string | null
  locale: string
  meta: PageMeta
  sections: SectionSource[]
}

/** A page of a bundle with defaults for all that it does not say: two that are equal say the same. */
export type WholeRecord = CopyRecord & { slug: string; status: PageStatus; draft: CopyRecord | null }

type SentCopy = Pick<PageRecord, 'title' | 'template' | 'locale' | 'meta' | 'sections'>

export function wholeOf({ slug, status = 'PUBLISHED', draft, ...copy }: PageRecord): WholeRecord {
  return { slug, status, ...wholeCopy(copy), draft: draft ? wholeCopy(draft) : null }
}

function wholeCopy({ title, template = null, locale = 'en', meta = {}, sections = [] }: SentCopy): CopyRecord {
  const whole = sections.map(({ type, content = {} }) => ({ type, content }))
  return { title, template, locale, meta: meta as PageMeta, sections: whole }
}

/** @param digests of files by their ids. */
export function recordOf(page: Page, digests: ReadonlyMap<string, string>): WholeRecord {
  const { slug, status, draft } = page
  return { slug, status, ...copyRecord(page, digests), draft: draft && copyRecord(draft, digests) }
}

function copyRecord(copy: PageCopy, digests: ReadonlyMap<string, string>): CopyRecord {
  const { title, template, locale, meta, sections } = copy
  const ogImage = meta.ogImage === undefined ? {} : { ogImage: namedByDigest(meta.ogImage, digests) }
  return {
    ...{ title, template, locale, meta: { ...meta, ...ogImage } },
    sections: sections.map((section) => sourceOf(section, digests)),
  }
}

/** Every text of a page that names a file. */
export function filesNamedIn({ draft, ...page }: WholeRecord): string[] {
  const copies = draft === null ? [page] : [page, draft]
  return copies.flatMap(({ meta, sections }) => [
    ...fileNamesIn({ mediaId: meta.ogImage ?? '' }),
    ...sections.flatMap(({ content }) => fileNamesIn(content)),
  ])
}

/** Where it stands, and the ids of files by what names them (an id by itself). */
export type CopyReading = {
  place: string
  fileIds: ReadonlyMap<string, string>
  known: { copy: PageCopy; record: CopyRecord } | null
  now: Date
  markup: MarkupRenderer
}

/** A copy as it is stored. What says the same as before is not read again. Refuses VALIDATION_ERROR. */
export async function readCopy(wanted: CopyRecord, reading: CopyReading): Promise<PageCopy> {
  const { place, fileIds, known } = reading
  const { title, template, locale } = wanted
  const isSame = (name: keyof CopyRecord) =>
    known !== null && differingFields({ it: known.record[name] }, { it: wanted[name] }).length === 0
  const meta = isSame('meta') && known !== null ? known.copy.meta : readMeta(wanted.meta, place, fileIds)
  const sections = isSame('sections') && known !== null ? known.copy.sections : await readSources(wanted, reading)
  const copy = { title, sections, meta, template, locale }
  await withBundlePointer(place, () => refuseCopy(copy))
  return copy
}

function readMeta(meta: PageMeta, place: string, fileIds: ReadonlyMap<string, string>): PageMeta {
  if (meta.ogImage === undefined) return meta
  return { ...meta, ogImage: idAt(meta.ogImage, `${place}/meta/ogImage`, fileIds) }
}

function readSources({ sections }: CopyRecord, { place, fileIds, known, now, markup }: CopyReading) {
  const pointer = `${place}/sections`
  const before = (known?.copy.sections ?? []).flatMap(({ id }, index) => {
    const source = known?.record.sections[index]
    return source === undefined ? [] : [{ id, source }]
  })
  const sent = identified(sections, before).map((section, index) => ({
    ...section,
    content: withMedia(section.content, (text, at) =>
      idAt(text, `${pointer}/${index}/content${at}`, fileIds),
    ) as Record<string, unknown>,
  }))
  return withBundlePointer(pointer, () => readSections(sent, pointer, { now, markup }))
}

/** The id of the file that a text names. Any other text stays what it is. */
function idAt(text: string, pointer: string, fileIds: ReadonlyMap<string, string>): string {
  if (!isId(text) && digestIn(text) === null) return text
  const id = fileIds.get(text)
  if (id === undefined)
    throw invalidField(pointer, { code: 'unknown', message: 'is of no uploaded file; upload it first' })
  return id
}
