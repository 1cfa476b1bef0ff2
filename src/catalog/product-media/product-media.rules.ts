import { invalidField } from '../../kernel/refusal.ts'

export const productMediaKinds = ['SCREENSHOT', 'VIDEO', 'LOGO', 'COVER', 'DIAGRAM'] as const

/** A picture or a film of a product: an uploaded file, or an address elsewhere. */
export type ProductMediaFields = {
  kind: (typeof productMediaKinds)[number]
  mediaId: string | null
  url: string | null
  alt: string | null
  caption: string | null
  posterMediaId: string | null
}

export const productMediaDefaults = { mediaId: null, url: null, alt: null, caption: null, posterMediaId: null }

/** Refuses VALIDATION_ERROR unless there is exactly one source, and for a picture an alternative text. */
export function refuseIncompleteMedia({ kind, mediaId, url, alt, posterMediaId }: ProductMediaFields): void {
  if ((mediaId === null) === (url === null)) {
    throw invalidField('/body/mediaId', { code: 'oneOf', message: 'or `url` is required, but not both' })
  }
  if (kind !== 'VIDEO' && alt === null)
    throw invalidField('/body/alt', { code: 'required', message: 'is required for a picture' })
  if (kind !== 'VIDEO' && posterMediaId !== null)
    throw invalidField('/body/posterMediaId', { code: 'unexpected', message: 'is allowed only for a VIDEO' })
}
