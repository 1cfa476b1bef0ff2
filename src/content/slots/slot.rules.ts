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

/** Of each kind: the homepage is one answer, and an order is given as one list. */
export const slotsMax = 200

export type SlotLink = { label: string; href: string }

/** What an administrator decides of a slot. */
export type SlotTerms = {
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

export type Slot = SlotTerms & {
  id: string
  slug: string
  kind: SlotKind
  bodyHtml: string | null
  revision: number
  createdAt: Date
  updatedAt: Date
}

/** `hero-slide`, `Hero Slide` and `HERO_SLIDE` are one kind. */
export function readSlotKind(text: string): SlotKind | null {
  const word = text
    .trim()
    .toUpperCase()
    .replaceAll(/[\s-]+/g, '_')
  return slotKinds.find((kind) => kind === word) ?? null
}

/** Shown from its start on, and at its end no longer. */
export function isLive({ isActive, startsAt, endsAt }: SlotTerms, now: Date): boolean {
  return isActive && (startsAt === null || startsAt <= now) && (endsAt === null || endsAt > now)
}
