import type { Fitting } from '../../kernel/field-rules.ts'
import { type FieldError, invalidField, refuseFields } from '../../kernel/refusal.ts'
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
  refuseFields(addressFaults(asked, place))
  return {
    ...asked,
    ...(startsAt === undefined ? {} : { startsAt: readTimestamp(startsAt, `${place}/startsAt`) }),
    ...(endsAt === undefined ? {} : { endsAt: readTimestamp(endsAt, `${place}/endsAt`) }),
  }
}

type Contradictory = { startsAt: Date | null; endsAt: Date | null; links: unknown[] }

/** Checks rules that need the whole slot. Refuses VALIDATION_ERROR. */
export function refuseContradiction(kind: SlotKind, { startsAt, endsAt, links }: Contradictory, place: string): void {
  const isEarly = startsAt !== null && endsAt !== null && startsAt >= endsAt
  const isForeign = links.length > 0 && kind !== 'FOOTER_LINKS'
  refuseFields([
    ...(isEarly ? [{ path: `${place}/endsAt`, code: 'exclusiveMinimum', message: 'must be after startsAt' }] : []),
    ...(isForeign ? [{ path: `${place}/links`, code: 'kind', message: 'is only for FOOTER_LINKS' }] : []),
  ])
}

/** Links that visitors must not follow. */
export function addressFaults(
  { href, links }: Pick<Fitting<SlotChange>, 'href' | 'links'>,
  place: string,
): FieldError[] {
  const addresses = [
    { path: `${place}/href`, text: href },
    ...(links ?? []).map((link, index) => ({ path: `${place}/links/${index}/href`, text: link?.href })),
  ]
  return addresses.flatMap(({ path, text }) => {
    const message = typeof text === 'string' ? addressProblem(text) : null
    return message === null ? [] : [{ path, code: 'address', message }]
  })
}

/** The safe HTML of a body. */
export async function renderedHtml(body: string | null): Promise<string | null> {
  return body === null ? null : (await renderMarkdown(body)).html
}

function readTimestamp(text: string | null, path: string): Date | null {
  return text === null ? null : parseTimestamp(text, path)
}
