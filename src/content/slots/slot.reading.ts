import { invalidField } from '../../kernel/refusal.ts'
import { parseTimestamp } from '../../kernel/timestamps.ts'
import { renderMarkdown } from '../../text/markup.ts'
import { addressProblem } from '../address.rules.ts'
import { readSlotKind, type SlotKind, type SlotTerms, slotKinds } from './slot.rules.ts'
import type { SlotChange } from './slot.schema.ts'

/** The terms of a slot of which nothing was said; its place is the caller's business. */
export const standardTerms: Omit<SlotTerms, 'order'> = {
  title: null,
  subtitle: null,
  body: null,
  mediaId: null,
  href: null,
  ctaLabel: null,
  productSlug: null,
  links: [],
  isActive: true,
  startsAt: null,
  endsAt: null,
}

/** A kind as it was sent at `path`. Refuses VALIDATION_ERROR naming the kinds there are. */
export function kindOf(text: string, path: string): SlotKind {
  const kind = readSlotKind(text)
  if (kind !== null) return kind
  throw invalidField(path, { code: 'enum', message: `must be one of ${slotKinds.join(', ')}` })
}

/** What was sent at `place`, read as far as it goes without the rest of the slot. Refuses VALIDATION_ERROR. */
export function readTerms({ startsAt, endsAt, ...asked }: SlotChange, place: string): Partial<SlotTerms> {
  refuseAddress(asked.href, `${place}/href`)
  for (const [index, { href }] of (asked.links ?? []).entries()) refuseAddress(href, `${place}/links/${index}/href`)
  return {
    ...asked,
    ...(startsAt === undefined ? {} : { startsAt: momentOf(startsAt, `${place}/startsAt`) }),
    ...(endsAt === undefined ? {} : { endsAt: momentOf(endsAt, `${place}/endsAt`) }),
  }
}

/** What only all terms together show. Refuses VALIDATION_ERROR. */
export function refuseContradiction(kind: SlotKind, { startsAt, endsAt, links }: SlotTerms, place: string): void {
  if (startsAt !== null && endsAt !== null && startsAt >= endsAt)
    throw invalidField(`${place}/endsAt`, { code: 'exclusiveMinimum', message: 'must be after startsAt' })
  if (links.length > 0 && kind !== 'FOOTER_LINKS')
    throw invalidField(`${place}/links`, { code: 'kind', message: 'belongs to FOOTER_LINKS alone' })
}

/** Safe HTML of a body. */
export async function htmlOf(body: string | null): Promise<string | null> {
  return body === null ? null : (await renderMarkdown(body)).html
}

function refuseAddress(text: string | null | undefined, path: string): void {
  const message = typeof text === 'string' ? addressProblem(text) : null
  if (message !== null) throw invalidField(path, { code: 'address', message })
}

function momentOf(text: string | null, path: string): Date | null {
  return text === null ? null : parseTimestamp(text, path)
}
