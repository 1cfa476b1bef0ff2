import {
  type BundleChange,
  type BundleMode,
  type BundlePart,
  planChanges,
  recordPointer,
  recordsByKey,
} from '../../kernel/bundle.ts'
import type { Clock } from '../../kernel/clock.ts'
import { newId } from '../../kernel/ids.ts'
import { invalidField } from '../../kernel/refusal.ts'
import { isoOrNull } from '../../kernel/schemas.ts'
import type { PlatformScope } from '../../storage/scope.ts'
import type { FindMediaByDigest, MediaLibrary } from '../media/media-library.ts'
import { htmlOf, kindOf, readTerms, refuseContradiction, standardTerms } from './slot.reading.ts'
import { type Slot, type SlotKind, type SlotTerms, slotKinds, slotsMax } from './slot.rules.ts'
import { SlotRecord } from './slot.schema.ts'
import { mediaOf, useOf, userOf } from './slot.service.ts'
import { deleteSlot, insertSlot, listAllSlots, lockSlots, updateSlot } from './slot.store.ts'
import { mediaOfAll } from './slot.view.ts'

const part = 'slots'

type Deps = { clock: Clock; media: MediaLibrary; findMediaByDigest: FindMediaByDigest }

type Wanted = SlotTerms & { slug: string; kind: SlotKind }
/** A slot as it is exported: with the content of its file in place of the file's id, and moments as text. */
type Exported = Omit<Wanted, 'mediaId' | 'startsAt' | 'endsAt'> & {
  startsAt: string | null
  endsAt: string | null
  media: { sha256: string; filename: string } | null
}

/** The homepage in a bundle. */
export function slotPart({ clock, media, findMediaByDigest }: Deps): BundlePart<PlatformScope> {
  async function currentOf(platform: PlatformScope): Promise<Map<string, { slot: Slot; record: Exported }>> {
    const slots = await listAllSlots(platform)
    const files = await mediaOfAll(platform, slots, media)
    return new Map(
      slots.map((slot) => {
        const file = slot.mediaId === null ? undefined : files.get(slot.mediaId)
        return [slot.slug, { slot, record: recordOf(slot, file ?? null) }]
      }),
    )
  }

  async function wantedOf(platform: PlatformScope, records: SlotRecord[]): Promise<Map<string, Wanted>> {
    const digests = records.map((record) => record.media?.sha256).filter((sha256) => sha256 !== undefined)
    const files = digests.length === 0 ? new Map<string, string>() : await findMediaByDigest(platform, digests)
    const read = records.map((record, index) => readRecord(record, recordPointer(part, index), files))
    return recordsByKey(part, read, ({ slug }) => slug)
  }

  async function compare(platform: PlatformScope, records: SlotRecord[], mode: BundleMode) {
    const current = await currentOf(platform)
    const wanted = await wantedOf(platform, records)
    refuseTooMany(current, wanted, mode)
    const named = new Map(records.map((record) => [record.slug, record.media ?? null]))
    const comparable = (slug: string, terms: Wanted) => withoutFilename(recordOf(terms, named.get(slug) ?? null))
    const changes = planChanges(
      new Map([...current].map(([slug, { record }]) => [slug, withoutFilename(record)])),
      new Map([...wanted].map(([slug, terms]) => [slug, comparable(slug, terms)])),
      mode,
    )
    return { current, wanted, changes }
  }

  async function write(
    tx: PlatformScope,
    { key, action }: BundleChange,
    { current, wanted }: { current: Map<string, { slot: Slot }>; wanted: Map<string, Wanted> },
  ): Promise<void> {
    const now = clock.now()
    const before = current.get(key)?.slot
    const terms = wanted.get(key)
    if (action === 'remove' && before !== undefined) {
      await deleteSlot(tx, before.id)
      await media.setUses(tx, userOf(before), [])
    } else if (terms !== undefined && action !== 'keep') {
      const bodyHtml = await htmlOf(terms.body)
      const after =
        before === undefined
          ? await insertSlot(tx, { ...terms, id: newId(now), bodyHtml, createdAt: now })
          : await updateSlot(tx, { ...before, ...terms, bodyHtml, updatedAt: now })
      await media.setUses(tx, useOf(after), mediaOf(after))
    }
  }

  return {
    name: part,
    record: SlotRecord,
    export: async (platform) => [...(await currentOf(platform)).values()].map(({ record }) => record),
    plan: async (platform, { records, mode }) => (await compare(platform, records as SlotRecord[], mode)).changes,
    apply: async (tx, { records, mode }) => {
      await lockSlots(tx)
      const compared = await compare(tx, records as SlotRecord[], mode)
      for (const change of compared.changes) await write(tx, change, compared)
      return compared.changes
    },
  }
}

function recordOf({ slug, kind, ...slot }: Wanted, file: Exported['media']): Exported {
  const { title, subtitle, body, href, ctaLabel, productSlug, links, order, isActive, startsAt, endsAt } = slot
  return {
    slug,
    kind,
    ...{ title, subtitle, body, href, ctaLabel, productSlug, links, order, isActive },
    startsAt: isoOrNull(startsAt),
    endsAt: isoOrNull(endsAt),
    media: file === null ? null : { sha256: file.sha256, filename: file.filename },
  }
}

/** A file's name may differ between installations. */
function withoutFilename({ media, ...record }: Exported): object {
  return { ...record, media: media === null ? null : media.sha256 }
}

function readRecord(record: SlotRecord, place: string, files: ReadonlyMap<string, string>): Wanted {
  const { slug, kind: word, media, ...asked } = record
  const kind = kindOf(word, `${place}/kind`)
  const mediaId = media ? files.get(media.sha256) : null
  if (mediaId === undefined)
    throw invalidField(`${place}/media/sha256`, { code: 'unknown', message: 'is of no uploaded file; upload it first' })
  const terms = { ...standardTerms, order: 0, ...readTerms(asked, place), mediaId }
  refuseContradiction(kind, terms, place)
  return { ...terms, slug, kind }
}

function refuseTooMany(
  current: ReadonlyMap<string, { slot: Slot }>,
  wanted: ReadonlyMap<string, Wanted>,
  mode: BundleMode,
): void {
  const kept = mode === 'mirror' ? [] : [...current.values()].filter(({ slot }) => !wanted.has(slot.slug))
  const kinds = [...kept.map(({ slot }) => slot.kind), ...[...wanted.values()].map(({ kind }) => kind)]
  for (const kind of slotKinds) {
    if (kinds.filter((candidate) => candidate === kind).length > slotsMax)
      throw invalidField(`/body/parts/${part}`, {
        code: 'maxItems',
        message: `makes more than ${slotsMax} slots of ${kind}`,
      })
  }
}
