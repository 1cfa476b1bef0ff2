import { type Coding, compress, negotiateCoding } from './content-coding.ts'
import type { CachedResponse, Representation, ResponseCache } from './response-cache.ts'

/**
 * The variant of a cached answer for an `Accept-Encoding`; each is made once. Fails open: if compression fails the answer
 * is sent uncompressed, and the next request tries again.
 */
export function compressedVariants(
  { addVariant }: Pick<ResponseCache, 'addVariant'>,
  compressBytes: typeof compress = compress,
) {
  const compressOnce = async (prepared: CachedResponse, coding: Coding): Promise<Representation> => {
    try {
      const form = await compressedVariant(prepared.uncompressed, { coding, code: compressBytes })
      addVariant(prepared, form.body.length)
      return form
    } catch {
      delete prepared.compressed[coding]
      return prepared.uncompressed
    }
  }
  return (prepared: CachedResponse, acceptEncoding: string | string[] | undefined) => {
    const coding = prepared.isCompressible ? negotiateCoding(acceptEncoding) : null
    if (coding === null) return prepared.uncompressed
    prepared.compressed[coding] ??= compressOnce(prepared, coding)
    return prepared.compressed[coding]
  }
}

/** Different bytes need a different strong tag (RFC 9110 section 8.8.3.3). */
async function compressedVariant(
  { tag, headers, body }: Representation,
  { coding, code }: { coding: Coding; code: typeof compress },
): Promise<Representation> {
  const codedTag = tag === null ? null : `${tag.slice(0, -1)}-${coding}"`
  const coded = { ...headers, 'content-encoding': coding, ...(codedTag === null ? {} : { etag: codedTag }) }
  return { tag: codedTag, headers: coded, body: await code(coding, body) }
}
