import { invalidField } from '../../kernel/refusal.ts'
import { parseTimestamp } from '../../kernel/timestamps.ts'
import { renderMarkdown } from '../../text/markup.ts'
import { addressProblem } from '../address.rules.ts'
import { readSlotKind, type SlotFields, type SlotKind, slotKinds } from './slot.rules.ts'
import type { SlotChange } from './slot.schema.ts'

/** The defaults of a slot; the caller sets its order. */
export const defaultFields: Omit<SlotFields, 'order'> = {
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

/** Reads a kind; refuses VALIDATION_ERROR at `path` with the list of kinds. */
export function readKindAt(text: string, path: string): SlotKind {
  const kind = readSlotKind(text)
  if (kind !== null) return kind
  throw invalidField(path, { code: 'enum', message: `must be one of ${slotKinds.join(', ')}` })
}

/** Reads the sent members, without rules that need the whole slot. Refuses VALIDATION_ERROR at `place`. */
export function readFields({ startsAt, endsAt, ...asked }: SlotChange, place: string): Partial<SlotFields> {
  refuseAddress(asked.href, `${place}/href`)
  for (const [index, { href }] of (asked.links ?? []).entries()) refuseAddress(href, `${place}/links/${index}/href`)
  return {
    ...asked,
    ...(startsAt === undefined ? {} : { startsAt: readTimestamp(startsAt, `${place}/startsAt`) }),
    ...(endsAt === undefined ? {} : { endsAt: readTimestamp(endsAt, `${place}/endsAt`) }),
  }
}

/** Checks rules that need the whole slot. Refuses VALIDATION_ERROR. */
export function refuseContradiction(kind: SlotKind, { startsAt, endsAt, links }: SlotFields, place: string): void {
  if (startsAt !== null && endsAt !== null && startsAt >= endsAt)
    throw invalidField(`${place}/endsAt`, { code: 'exclusiveMinimum', message: 'must be after startsAt' })
  if (links.length > 0 && kind !== 'FOOTER_LINKS')
    throw invalidField(`${place}/links`, { code: 'kind', message: 'is only for FOOTER_LINKS' })
}

/** The safe HTML of a body. */
export async function renderedHtml(body: string | null): Promise<string | null> {
  return body === null ? null : (await renderMarkdown(body)).html
}

function refuseAddress(text: string | null | undefined, path: string): void {
  const message = typeof text === 'string' ? addressProblem(text) : null
  if (message !== null) throw invalidField(path, { code: 'address', message })
}

function readTimestamp(text: string | null, path: string): Date | null {
  return text === null ? null : parseTimestamp(text, path)
}
