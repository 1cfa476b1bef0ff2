import { extent, median } from './columns.ts'
import type { Row } from './page-runs.ts'

/** A paragraph, an item or a row of a table, as it lies on the page. */
export type Part = {
  kind: 'text' | 'item' | 'row'
  text: string
  size: number
  lines: number
}

type Line = { text: string; x0: number; x1: number; y: number; size: number }

/** Dots between an entry of a table of contents and its page. */
const dotLeader = /(?:\. ?){5,}/g
const bullet = /^(?:[•‣◦▪▫●○■□–—*·-]|\(?(?:\d{1,3}|[a-z])[.)])\s+(?=\S)/u

/** The parts of one column. */
export function columnParts(rows: Row[]): Part[] {
  const tables = tableRows(rows)
  const parts: Part[] = []
  let lines: Line[] = []
  const endText = () => {
    for (const part of textParts(lines)) parts.push(part)
    lines = []
  }
  for (const row of rows) {
    const cells = tables.get(row)
    if (cells === undefined) {
      lines.push(lineOf(row))
      continue
    }
    endText()
    const text = cells.filter(Boolean).join(' | ')
    if (text !== '') parts.push({ kind: 'row', text, size: row.size, lines: 1 })
  }
  endText()
  return parts
}

function lineOf({ runs, y, size }: Row): Line {
  const text = runs
    .map((run) => run.text)
    .join(' ')
    .replace(dotLeader, '… ')
  return { text, x0: runs[0]?.x0 ?? 0, x1: runs.at(-1)?.x1 ?? 0, y, size }
}

/** Cells of rows whose neighbours have cells at the same places. A second line of a cell belongs to the row above. */
function tableRows(rows: Row[]): Map<Row, string[]> {
  const tables = new Map<Row, string[]>()
  let head: { row: Row; cells: string[] } | null = null
  for (const [index, row] of rows.entries()) {
    const before = rows[index - 1]
    const neighbours = [before, rows[index + 1], head?.row].filter((other) => other !== undefined)
    if (neighbours.some((other) => isAligned(row, other))) {
      head = { row, cells: row.runs.map(({ text }) => text) }
      tables.set(row, head.cells)
    } else if (head !== null && before !== undefined && continuesRow(row, before, head.row)) {
      for (const { x0, text } of row.runs) {
        const column = head.row.runs.findIndex((run) => Math.abs(run.x0 - x0) < columnShift)
        head.cells[column] = joinLines(head.cells[column] ?? '', text)
      }
      tables.set(row, [])
    } else head = null
  }
  return tables
}

const columnShift = 4

/** Left or right edges of at least two columns are the same. */
function isAligned(one: Row, other: Row): boolean {
  if (one.runs.length < 2 || other.runs.length < 2) return false
  const isSame = (edge: 'x0' | 'x1') =>
    one.runs.filter((run) => other.runs.some((next) => Math.abs(run[edge] - next[edge]) < columnShift)).length
  return isSame('x0') >= 2 || isSame('x1') >= 2 || (isSame('x0') >= 1 && isSame('x1') >= 1 && one.runs.length === 2)
}

/** Only later columns go on: text below the first one may be anything. */
function continuesRow(row: Row, before: Row, head: Row): boolean {
  if (before.y - row.y > 1.5 * row.size) return false
  return row.runs.every(({ x0 }) => head.runs.slice(1).some((run) => Math.abs(run.x0 - x0) < columnShift))
}

function textParts(lines: Line[]): Part[] {
  const parts: Part[] = []
  const left = median(lines.map(({ x0 }) => x0))
  const { right } = extent(lines)
  const leading = median(lines.slice(1).map(({ y }, index) => (lines[index]?.y ?? 0) - y))
  for (const [index, line] of lines.entries()) {
    const before = lines[index - 1]
    const part = parts.at(-1)
    if (before === undefined || part === undefined || beginsPart(line, before, { left, right, leading })) {
      parts.push({
        kind: bullet.test(line.text) ? 'item' : 'text',
        text: line.text,
        size: line.size,
        lines: 1,
      })
    } else {
      part.text = joinLines(part.text, line.text)
      part.lines++
    }
  }
  return parts
}

/** Of the size: double spacing has less. */
const leadingMax = 2.5

type Column = { left: number; right: number; leading: number }

function beginsPart(line: Line, before: Line, { left, right, leading }: Column): boolean {
  const gap = before.y - line.y
  if (
    gap > 1.3 * Math.max(Math.min(leading, leadingMax * line.size), line.size) ||
    Math.abs(line.size - before.size) > 0.12 * before.size
  )
    return true
  if (bullet.test(line.text)) return true
  const isIndented = line.x0 - left > 0.8 * line.size && before.x0 - left < 0.4 * line.size
  const isItem = bullet.test(before.text)
  if (isIndented && !isItem) return true
  // The line before ends far from the edge, with a sentence.
  return before.x1 < right - 0.25 * (right - left) && /[.!?:。！？]["'”’»)\]]?$/u.test(before.text)
}

/** Undoes hyphenation at the end of a line. Chinese and Japanese have no spaces between words. */
export function joinLines(above: string, below: string): string {
  if (/\u00ad$/.test(above)) return above.slice(0, -1) + below
  if (/\p{L}[-\u2010]$/u.test(above) && /^\p{Ll}/u.test(below)) return above.slice(0, -1) + below
  const isEastAsian =
    /[\u3000-\u9fff\uf900-\ufaff\uff00-\uffef]$/.test(above) && /^[\u3000-\u9fff\uf900-\ufaff\uff00-\uffef]/.test(below)
  return above === '' || isEastAsian ? above + below : `${above} ${below}`
}
