import { isoOrNull } from '../../kernel/schemas.ts'
import type { PlatformScope } from '../../storage/scope.ts'
import type { MediaLibrary, MediaSummary } from '../media/media-library.ts'
import { isLive, type Slot } from './slot.rules.ts'
import type { PublicSlot, SlotAnswer } from './slot.schema.ts'

type Files = Map<string, MediaSummary>

/** Loads the files that the slots show. */
export function findSlotMedia(platform: PlatformScope, slots: Slot[], media: MediaLibrary): Promise<Files> {
  const ids = new Set(slots.map(({ mediaId }) => mediaId).filter((id) => id !== null))
  return ids.size === 0 ? Promise.resolve(new Map()) : media.find(platform, [...ids])
}

export function publicSlotView(slot: Slot, files: Files): PublicSlot {
  const { mediaId, revision: _, createdAt, updatedAt, ...shown } = slot
  const file = mediaId === null ? undefined : files.get(mediaId)
  return {
    ...shown,
    startsAt: isoOrNull(slot.startsAt),
    endsAt: isoOrNull(slot.endsAt),
    media: file ?? null,
  }
}

export function adminSlotView(
  slot: Slot,
  { files, hidden, now }: { files: Files; hidden: Set<string>; now: Date },
): SlotAnswer {
  return {
    ...publicSlotView(slot, files),
    mediaId: slot.mediaId,
    isLive: isLive(slot, now) && !hidden.has(slot.id),
    revision: slot.revision,
    createdAt: slot.createdAt.toISOString(),
    updatedAt: slot.updatedAt.toISOString(),
  }
}
