import { Parser } from 'htmlparser2'
import type { BlockList } from '../block-list.ts'
import type { FileReader } from './file-reader.ts'
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
const headings = new Set(['h1', 'h2', 'h3', 'h4', 'h5', 'h6'])
const listItems = new Set(['li', 'dt', 'dd'])

/** A cell with more text than this, and another block in it, is a part of a page's layout. */
const cellLengthMax = 500

type Row = { cells: string[]; isLayout: boolean }

/** The parser closes what it opened, in order, so counters are enough to know where a text stands. */
function htmlReader(list: BlockList) {
  let depth = 0
  let skippedFrom: number | null = null
  let listDepth = 0
  let preDepth = 0
  let level: number | null = null
  let parts: string[] = []
  let length = 0
  const rows: (Row | null)[] = []
  let row: Row | null = null

  const take = (): string => {
    const text = parts.join('')
    parts = []
    length = 0
    return preDepth > 0 ? text : text.replace(/ {2,}/g, ' ').replace(/ ?\n ?/g, '\n')
  }
  const end = () => {
    if (row !== null && !row.isLayout) {
      // Blocks in a cell are one text, until it is too long for a table.
      if (length <= cellLengthMax) return void parts.push(' ')
      breakRow(row)
    }
    if (parts.length === 0) return
    if (level !== null) list.add({ kind: 'heading', level, text: take() })
    else list.add({ kind: listDepth > 0 ? 'list-item' : 'paragraph', text: take() })
  }
  const addRow = ({ cells }: Row) => list.add({ kind: 'table-row', text: cells.filter(Boolean).join(' | ') })
  const endCell = () => row?.cells.push(take().replace(/\s+/g, ' ').trim())
  const breakRow = (broken: Row) => {
    broken.isLayout = true
    addRow(broken)
    broken.cells = []
  }
  const openTable = () => {
    if (row !== null && !row.isLayout) breakRow(row)
  }

  const openers: Record<string, () => void> = {
    table: openTable,
    tr: () => {
      end()
      rows.push(row)
      row = { cells: [], isLayout: false }
    },
    td: () => void (row === null || row.isLayout ? end() : endCell()),
    pre: () => preDepth++,
  }
  const closers: Record<string, () => void> = {
    tr: () => {
      if (row !== null && !row.isLayout) {
        endCell()
        addRow(row)
      } else end()
      row = rows.pop() ?? null
    },
    pre: () => preDepth--,
  }
  openers['th'] = openers['td'] as () => void
  closers['td'] = openers['td'] as () => void
  closers['th'] = openers['td'] as () => void

  return {
    open(name: string, attributes: Record<string, string>) {
      depth++
      if (skippedFrom !== null) return
      if (skipped.has(name) || isHidden(name, attributes)) {
        skippedFrom = depth
        return
      }
      if (name === 'br') return void parts.push('\n')
      if (!blockElements.has(name)) return
      if (headings.has(name)) openTable()
      if (name !== 'td' && name !== 'th') end()
      openers[name]?.()
      if (headings.has(name)) level = Number(name[1])
      if (listItems.has(name)) listDepth++
    },
    close(name: string) {
      if (skippedFrom === depth) skippedFrom = null
      else if (skippedFrom === null && blockElements.has(name)) {
        if (name !== 'td' && name !== 'th' && name !== 'tr') end()
        closers[name]?.()
        if (headings.has(name)) level = null
        if (listItems.has(name)) listDepth--
      }
      depth--
    },
    text(text: string) {
      if (skippedFrom !== null) return
      const shown = preDepth > 0 ? text : text.replace(/[ \t\r\n\f]+/g, ' ')
      parts.push(shown)
      length += shown.length
    },
    end,
  }
}

/** Also the arrows behind footnotes, which lead back to their places in the text. */
function isHidden(name: string, attributes: Record<string, string>): boolean {
  if (attributes['hidden'] !== undefined || attributes['aria-hidden'] === 'true') return true
  if (/display\s{0,5}:\s{0,5}none/i.test(attributes['style'] ?? '')) return true
  return name === 'a' && /^#(?:foot|end)note-ref-/.test(attributes['href'] ?? '')
}
