export const slotKinds = [
  'HERO_SLIDE',
  'FEATURED_BANNER',
  'LOGO_STRIP',
  'PRODUCT_SPOTLIGHT',
  'ANNOUNCEMENT_BAR',
  'TESTIMONIAL',
  'STAT_STRIP',
  'CTA_BLOCK',
  'FOOTER_LINKS',
] as const
export type SlotKind = (typeof slotKinds)[number]

/** Per kind: the homepage is one answer, and an order is one list. */
export const slotsMax = 200

export type SlotLink = { label: string; href: string }

/** What an administrator sets in a slot. */
export type SlotFields = {
  title: string | null
  subtitle: string | null
  body: string | null
  mediaId: string | null
  href: string | null
  ctaLabel: string | null
  productSlug: string | null
  links: SlotLink[]
  order: number
  isActive: boolean
  startsAt: Date | null
  endsAt: Date | null
}

export type Slot = SlotFields & {
  id: string
  slug: string
  kind: SlotKind
  bodyHtml: string | null
  revision: number
  createdAt: Date
  updatedAt: Date
}

/** Reads `hero-slide`, `Hero Slide` and `HERO_SLIDE` as the same kind. */
export function readSlotKind(text: string): SlotKind | null {
  const word = text
    .trim()
    .toUpperCase()
    .replaceAll(/[\s-]+/g, '_')
  return slotKinds.find((kind) => kind === word) ?? null
}

/** Shown from `startsAt` until just before `endsAt`. */
export function isLive({ isActive, startsAt, endsAt }: SlotFields, now: Date): boolean {
  return isActive && (startsAt === null || startsAt <= now) && (endsAt === null || endsAt > now)
}
