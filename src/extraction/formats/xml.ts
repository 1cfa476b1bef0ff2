import { SaxesParser, type SaxesTagNS } from 'saxes'
import { ExtractionError } from '../extraction.ts'

/** Word and PowerPoint write some 20 levels, and three more for each table in a table. */
const depthMax = 256

export type XmlHandlers = {
  open?(tag: SaxesTagNS): void
  close?(tag: SaxesTagNS): void
  text?(text: string): void
}

/**
 * Reads XML that declares nothing: no document type, so no entities of its own and no other file. Throws BROKEN and, for what
 * is nested too deeply, TOO_MUCH.
 */
export function parseXml(xml: string, { open, close, text }: XmlHandlers): void {
  const parser = new SaxesParser({ xmlns: true })
  let depth = 0
  parser.on('error', () => {
    throw new ExtractionError('BROKEN', 'The file contains damaged XML.')
  })
  parser.on('doctype', () => {
    throw new ExtractionError('BROKEN', 'The file contains XML with a document type, which no such file may have.')
  })
  parser.on('opentag', (tag) => {
    if (++depth > depthMax)
      throw new ExtractionError('TOO_MUCH', `The document is nested deeper than ${depthMax} levels.`)
    open?.(tag)
  })
  parser.on('closetag', (tag) => {
    depth--
    close?.(tag)
  })
  if (text !== undefined) parser.on('text', text)
  parser.write(xml).close()
}

/** Office writes UTF-8, and may write UTF-16 with a byte order mark. */
export function decodeXml(bytes: Uint8Array): string {
  const encoding =
    bytes[0] === 0xff && bytes[1] === 0xfe ? 'utf-16le' : bytes[0] === 0xfe && bytes[1] === 0xff ? 'utf-16be' : 'utf-8'
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes)
  } catch {
    throw new ExtractionError('BROKEN', 'The file contains XML in an unknown encoding.')
  }
}
