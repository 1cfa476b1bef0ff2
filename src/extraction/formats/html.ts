import { Parser } from 'htmlparser2'
import type { BlockList } from '../block-list.ts'
import { ExtractionError } from '../extraction.ts'
import type { FileReader } from './file-reader.ts'
import { blockWriter } from './html-blocks.ts'
import { decodeUtf8 } from './utf8.ts'

export const readHtml: FileReader = (bytes, { list }) => {
  addHtml(decodeUtf8(bytes), list)
  return { pages: null }
}

/**
 * Adds what a reader of the page sees, but not menus (`nav`), forms' controls and what is hidden by an attribute. Loads
 * nothing: the addresses in the page are not even looked at.
 */
export function addHtml(html: string, list: BlockList): void {
  const reader = htmlReader(list)
  const parser = new Parser(
    { onopentag: reader.open, onclosetag: reader.close, ontext: reader.text },
    { decodeEntities: true, recognizeSelfClosing: true },
  )
  parser.write(html)
  parser.end()
  reader.end()
}

const skipped = new Set([
  ...[
    'script',
    'style',
    'template',
    'noscript',
    'title',
    'nav',
    'svg',
    'iframe',
    'object',
    'embed',
    'applet',
    'canvas',
  ],
  ...['audio', 'video', 'map', 'select', 'datalist', 'button', 'textarea'],
])
const blockElements = new Set([
  ...[
    'address',
    'article',
    'aside',
    'blockquote',
    'body',
    'caption',
    'center',
    'dd',
    'details',
    'dialog',
    'dir',
    'div',
  ],
  ...['dl', 'dt', 'fieldset', 'figcaption', 'figure', 'footer', 'form', 'frameset', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6'],
  ...[
    'head',
    'header',
    'hgroup',
    'hr',
    'html',
    'legend',
    'li',
    'listing',
    'main',
    'menu',
    'ol',
    'optgroup',
    'option',
    'p',
  ],
  ...[
    'plaintext',
    'pre',
    'search',
    'section',
    'summary',
    'table',
    'tbody',
    'td',
    'tfoot',
    'th',
    'thead',
    'tr',
    'ul',
    'xmp',
  ],
])
/**
 * Of open elements, among them those that a page forgot to close. The parser searches all of them for each that closes, so many
 * thousands of them make it slow.
 */
const depthMax = 10_000

/** The parser closes all that it opened, in order, so counters are enough to know where a text stands. */
function htmlReader(list: BlockList) {
  const writer = blockWriter(list)
  let depth = 0
  let skippedFrom: number | null = null
  return {
    open(name: string, attributes: Record<string, string>) {
      if (++depth > depthMax)
        throw new ExtractionError('TOO_MUCH', `The page is nested deeper than ${depthMax} levels.`)
      if (skippedFrom !== null) return
      if (skipped.has(name) || isHidden(name, attributes)) skippedFrom = depth
      else if (name === 'br') writer.breakLine()
      else if (blockElements.has(name)) writer.open(name)
    },
    close(name: string) {
      if (skippedFrom === depth) skippedFrom = null
      else if (skippedFrom === null && blockElements.has(name)) writer.close(name)
      depth--
    },
    text(text: string) {
      if (skippedFrom === null) writer.add(text)
    },
    end: writer.end,
  }
}

/** Also the arrows behind footnotes, which lead back to their places in the text. */
function isHidden(name: string, attributes: Record<string, string>): boolean {
  if (attributes['hidden'] !== undefined || attributes['aria-hidden'] === 'true') return true
  if (/display\s{0,5}:\s{0,5}none/i.test(attributes['style'] ?? '')) return true
  return name === 'a' && /^#(?:foot|end)note-ref-/.test(attributes['href'] ?? '')
}
