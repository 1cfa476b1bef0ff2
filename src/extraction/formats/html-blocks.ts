import type { BlockList } from '../block-list.ts'

/** A cell with more text than this, and another block in it, is a part of a page's layout. */
const cellLengthMax = 500

const headings = new Set(['h1', 'h2', 'h3', 'h4', 'h5', 'h6'])
const listItems = new Set(['li', 'dt', 'dd'])
const cells = new Set(['td', 'th'])

/** A row whose cells hold headings, tables or long texts is no row of data: it is read as the blocks in it. */
type Row = { cells: string[]; isLayout: boolean }

/** Turns block elements and the texts between them into blocks. Every element that is opened must be closed. */
export function blockWriter(list: BlockList) {
  const text = textBuffer()
  const outerRows: (Row | null)[] = []
  let row: Row | null = null
  let listDepth = 0
  let level: number | null = null

  const addRow = ({ cells }: Row) => list.add({ kind: 'table-row', text: cells.filter(Boolean).join(' | ') })
  const breakRow = (broken: Row) => {
    broken.isLayout = true
    addRow(broken)
  }
  const endBlock = () => {
    if (row !== null && !row.isLayout) {
      // Blocks in a cell are one text, until it is too long for a table.
      if (text.length() <= cellLengthMax) return text.add(' ')
      breakRow(row)
    }
    const shown = text.take()
    if (level !== null) list.add({ kind: 'heading', level, text: shown })
    else list.add({ kind: listDepth > 0 ? 'list-item' : 'paragraph', text: shown })
  }
  const endCell = () => {
    if (row === null || row.isLayout) return endBlock()
    row.cells.push(text.take().replace(/\s+/g, ' ').trim())
  }

  return {
    add: text.add,
    breakLine: text.breakLine,
    end: endBlock,
    open(name: string) {
      const isHeading = headings.has(name)
      if ((isHeading || name === 'table') && row !== null && !row.isLayout) breakRow(row)
      if (cells.has(name)) endCell()
      else endBlock()
      if (name === 'tr') {
        outerRows.push(row)
        row = { cells: [], isLayout: false }
      }
      if (name === 'pre') text.keepLines(1)
      if (isHeading) level = Number(name[1])
      if (listItems.has(name)) listDepth++
    },
    close(name: string) {
      if (cells.has(name) || name === 'tr') endCell()
      else endBlock()
      if (name === 'tr') {
        if (row !== null && !row.isLayout) addRow(row)
        row = outerRows.pop() ?? null
      }
      if (name === 'pre') text.keepLines(-1)
      if (headings.has(name)) level = null
      if (listItems.has(name)) listDepth--
    },
  }
}

/** Text as a browser shows it: white space is one space, but in `pre`. */
function textBuffer() {
  let parts: string[] = []
  let length = 0
  let preDepth = 0
  return {
    length: () => length,
    keepLines: (change: 1 | -1) => {
      preDepth += change
    },
    add: (text: string) => {
      const shown = preDepth > 0 ? text : text.replace(/[ \t\r\n\f]+/g, ' ')
      parts.push(shown)
      length += shown.length
    },
    breakLine: () => void parts.push('\n'),
    take: () => {
      const text = parts.join('')
      parts = []
      length = 0
      return preDepth > 0 ? text : text.replace(/ {2,}/g, ' ').replace(/ ?\n ?/g, '\n')
    },
  }
}
