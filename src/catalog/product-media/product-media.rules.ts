import type { Fitting } from '../../kernel/field-rules.ts'
import type { FieldError } from '../../kernel/refusal.ts'

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

/** There must be exactly one source, and for a picture an alternative text. */
export function productMediaFaults({
  kind,
  mediaId,
  url,
  alt,
  posterMediaId,
}: Fitting<ProductMediaFields>): FieldError[] {
  const faults: FieldError[] = []
  const isPicture = kind !== undefined && kind !== 'VIDEO'
  const areSourcesKnown = mediaId !== undefined && url !== undefined
  if (areSourcesKnown && (mediaId === null) === (url === null))
    faults.push({ path: '/body/mediaId', code: 'oneOf', message: 'or `url` is required, but not both' })
  if (isPicture && alt === null)
    faults.push({ path: '/body/alt', code: 'required', message: 'is required for a picture' })
  if (isPicture && typeof posterMediaId === 'string')
    faults.push({ path: '/body/posterMediaId', code: 'unexpected', message: 'is allowed only for a VIDEO' })
  return faults
}
