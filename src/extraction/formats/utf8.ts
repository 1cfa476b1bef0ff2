import { ExtractionError } from '../extraction.ts'

/** Without a byte order mark. Throws BROKEN for bytes that are not UTF-8. */
export function decodeUtf8(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw new ExtractionError('BROKEN', 'The file is not text in UTF-8.')
  }
}

/** The lines of a text without their ends, one after another: a file may have millions. */
export function* eachLine(text: string): Generator<string> {
  let start = 0
  while (start <= text.length) {
    const found = text.indexOf('\n', start)
    const end = found === -1 ? text.length : found
    yield text.slice(start, text[end - 1] === '\r' && end > start ? end - 1 : end)
    start = end + 1
  }
}
