import { type Coding, codingOf, encode } from './content-coding.ts'
import type { CachedResponse, Representation, ResponseCache } from './response-cache.ts'

/**
 * The form of a prepared answer for an `Accept-Encoding`; each is made once. Fails open: an answer that could not be
 * coded is sent as it is, and whoever asks next has it tried again.
 */
export function compressedVariants({ grown }: Pick<ResponseCache, 'grown'>, code: typeof encode = encode) {
  const made = async (prepared: CachedResponse, coding: Coding): Promise<Representation> => {
    try {
      const form = await compressedVariant(prepared.plain, { coding, code })
      grown(prepared, form.body.length)
      return form
    } catch {
      delete prepared.coded[coding]
      return prepared.plain
    }
  }
  return (prepared: CachedResponse, acceptEncoding: string | string[] | undefined) => {
    const coding = prepared.isWorthCoding ? codingOf(acceptEncoding) : null
    if (coding === null) return prepared.plain
    prepared.coded[coding] ??= made(prepared, coding)
    return prepared.coded[coding]
  }
}

/** Other bytes, so another strong tag (RFC 9110 section 8.8.3.3). */
async function compressedVariant(
  { tag, headers, body }: Representation,
  { coding, code }: { coding: Coding; code: typeof encode },
): Promise<Representation> {
  const codedTag = tag === null ? null : `${tag.slice(0, -1)}-${coding}"`
  const coded = { ...headers, 'content-encoding': coding, ...(codedTag === null ? {} : { etag: codedTag }) }
  return { tag: codedTag, headers: coded, body: await code(coding, body) }
}
