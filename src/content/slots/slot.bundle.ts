import {
  type BundleChange,
  type BundleMode,
  type BundlePart,
  planChanges,
  recordPointer,
  recordsByKey,
} from '../../kernel/bundle.ts'
import type { Clock } from '../../kernel/clock.ts'
import { readEach } from '../../kernel/field-rules.ts'
import { newId } from '../../kernel/ids.ts'
import { invalidField } from '../../kernel/refusal.ts'
import { isoOrNull } from '../../kernel/schemas.ts'
import type { PlatformScope } from '../../storage/scope.ts'
import type { FindMediaByDigest, MediaLibrary } from '../media/media-library.ts'
import { type Slot, type SlotFields, type SlotKind, slotKinds, slotsMax } from './slot.rules.ts'
import { SlotRecord } from './slot.schema.ts'
import { mediaUse, mediaUser, slotMediaIds } from './slot.service.ts'
import { deleteSlot, insertSlot, listAllSlots, lockSlots, updateSlot } from './slot.store.ts'
import { findSlotMedia } from './slot.view.ts'
import { defaultFields, readFields, readKindAt, refuseContradiction, renderedHtml } from './slot-input.ts'

const part = 'slots'

type Deps = { clock: Clock; media: MediaLibrary; findMediaByDigest: FindMediaByDigest }

type Wanted = SlotFields & { slug: string; kind: SlotKind }
/** A slot as exported: with its file's digest instead of the file's id, and times as text. */
type Exported = Omit<Wanted, 'mediaId' | 'startsAt' | 'endsAt'> & {
  startsAt: string | null
  endsAt: string | null
  media: { sha256: string; filename: string } | null
}

/** The homepage in a bundle. */
export function slotPart({ clock, media, findMediaByDigest }: Deps): BundlePart<PlatformScope> {
  async function currentSlots(platform: PlatformScope): Promise<Map<string, { slot: Slot; record: Exported }>> {
    const slots = await listAllSlots(platform)
    const files = await findSlotMedia(platform, slots, media)
    return new Map(
      slots.map((slot) => {
        const file = slot.mediaId === null ? undefined : files.get(slot.mediaId)
        return [slot.slug, { slot, record: slotRecord(slot, file ?? null) }]
      }),
    )
  }

  async function wantedSlots(platform: PlatformScope, records: SlotRecord[]): Promise<Map<string, Wanted>> {
    const digests = records.map((record) => record.media?.sha256).filter((sha256) => sha256 !== undefined)
    const files = digests.length === 0 ? new Map<string, string>() : await findMediaByDigest(platform, digests)
    const read = await readEach(records, (record, index) => readRecord(record, recordPointer(part, index), files))
    return recordsByKey(part, read, ({ slug }) => slug)
  }

  async function compare(platform: PlatformScope, records: SlotRecord[], mode: BundleMode) {
    const current = await currentSlots(platform)
    const wanted = await wantedSlots(platform, records)
    refuseTooMany(current, wanted, mode)
    const named = new Map(records.map((record) => [record.slug, record.media ?? null]))
    const comparable = (slug: string, terms: Wanted) => withoutFilename(slotRecord(terms, named.get(slug) ?? null))
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
      await media.setUses(tx, mediaUser(before), [])
    } else if (terms !== undefined && action !== 'keep') {
      const bodyHtml = await renderedHtml(terms.body)
      const after =
        before === undefined
          ? await insertSlot(tx, { ...terms, id: newId(now), bodyHtml, createdAt: now })
          : await updateSlot(tx, { ...before, ...terms, bodyHtml, updatedAt: now })
      await media.setUses(tx, mediaUse(after), slotMediaIds(after))
    }
  }

  return {
    name: part,
    record: SlotRecord,
    export: async (platform) => [...(await currentSlots(platform)).values()].map(({ record }) => record),
    plan: async (platform, { records, mode }) => (await compare(platform, records as SlotRecord[], mode)).changes,
    apply: async (tx, { records, mode }) => {
      await lockSlots(tx)
      const compared = await compare(tx, records as SlotRecord[], mode)
      for (const change of compared.changes) await write(tx, change, compared)
      return compared.changes
    },
  }
}

function slotRecord({ slug, kind, ...slot }: Wanted, file: Exported['media']): Exported {
  const { title, subtitle, body, href, ctaLabel, productSlug, links, order, isActive, startsAt, endsAt } = slot
  return {
    slug,
    kind,
    title,
    subtitle,
    body,
    href,
    ctaLabel,
    productSlug,
    links,
    order,
    isActive,
    startsAt: isoOrNull(startsAt),
    endsAt: isoOrNull(endsAt),
    media: file === null ? null : { sha256: file.sha256, filename: file.filename },
  }
}

/** File names may differ between installations. */
function withoutFilename({ media, ...record }: Exported): object {
  return { ...record, media: media === null ? null : media.sha256 }
}

function readRecord(record: SlotRecord, place: string, files: ReadonlyMap<string, string>): Wanted {
  const { slug, kind: word, media, ...asked } = record
  const kind = readKindAt(word, `${place}/kind`)
  const mediaId = media ? files.get(media.sha256) : null
  if (mediaId === undefined)
    throw invalidField(`${place}/media/sha256`, {
      code: 'unknown',
      message: 'does not match an uploaded file; upload the file first',
    })
  const terms = { ...defaultFields, order: 0, ...readFields(asked, place), mediaId }
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
        message: `must not result in more than ${slotsMax} slots of ${kind}`,
      })
  }
}
