import { isoOrNull } from '../../kernel/schemas.ts'
import type { PlatformScope } from '../../storage/scope.ts'
import type { MediaLibrary, MediaLine } from '../media/media-library.ts'
import { isLive, type Slot } from './slot.rules.ts'
import type { PublicSlot, SlotAnswer } from './slot.schema.ts'

type Files = Map<string, MediaLine>

/** The files that the slots show. */
export function mediaOfAll(platform: PlatformScope, slots: Slot[], media: MediaLibrary): Promise<Files> {
  const ids = new Set(slots.map(({ mediaId }) => mediaId).filter((id) => id !== null))
  return ids.size === 0 ? Promise.resolve(new Map()) : media.find(platform, [...ids])
}

export function publicSlot(slot: Slot, files: Files): PublicSlot {
  const { mediaId, revision: _, createdAt, updatedAt, ...shown } = slot
  const file = mediaId === null ? undefined : files.get(mediaId)
  return {
    ...shown,
    startsAt: isoOrNull(slot.startsAt),
    endsAt: isoOrNull(slot.endsAt),
    media: file ?? null,
  }
}

export function adminSlot(slot: Slot, files: Files, now: Date): SlotAnswer {
  return {
    ...publicSlot(slot, files),
    mediaId: slot.mediaId,
    isLive: isLive(slot, now),
    revision: slot.revision,
    createdAt: slot.createdAt.toISOString(),
    updatedAt: slot.updatedAt.toISOString(),
  }
}
