import { ExtractionError } from '../extraction.ts'
import type { FileReader } from './file-reader.ts'
import { decodeUtf8 } from './utf8.ts'

const delimiters = [',', ';', '\t', '|']
const columnsMax = 10_000

/** Each row says what its values are, `header: value; header: value`, because pieces of a long table are read alone. */
export const readCsv: FileReader = (bytes, { list }) => {
  const rows = eachRow(decodeUtf8(bytes))
  const first = rows.next()
  if (first.done) return { pages: null }
  const headers = first.value
  let isAlone = true
  for (const row of rows) {
    isAlone = false
    const cells = row.map((value, column) => labelled(headers[column] ?? '', value))
    list.add({ kind: 'table-row', text: cells.filter(Boolean).join('; ') })
  }
  if (isAlone) list.add({ kind: 'table-row', text: headers.filter(Boolean).join('; ') })
  return { pages: null }
}

function labelled(header: string, value: string): string {
  return header === '' || value === '' ? value : `${header}: ${value}`
}

/** The rows of RFC 4180, without empty ones. A quote that is never closed ends with the file. */
function* eachRow(text: string): Generator<string[]> {
  const { delimiter, start } = delimiterOf(text)
  let row: string[] = []
  let at = start
  while (at < text.length) {
    const { value, end } = text[at] === '"' ? quotedCell(text, at, delimiter) : bareCell(text, at, delimiter)
    row.push(oneLine(value))
    if (row.length > columnsMax) throw new ExtractionError('TOO_MUCH', `A row has more than ${columnsMax} columns.`)
    const isRowEnd = text[end] !== delimiter
    if (isRowEnd && row.some((cell) => cell !== '')) yield row
    if (isRowEnd) row = []
    at = end + 1
  }
  if (row.some((cell) => cell !== '')) yield row
}

/** The most frequent of the first line, or what the first line of a spreadsheet's file names: `sep=;`. */
function delimiterOf(text: string): { delimiter: string; start: number } {
  const end = text.indexOf('\n')
  const line = text.slice(0, end === -1 ? text.length : end)
  const named = /^sep=(.)\r?$/.exec(line)?.[1]
  if (named !== undefined) return { delimiter: named, start: line.length + 1 }
  const outside = line.replace(/"[^"]*"/g, '')
  const counts = delimiters.map((delimiter) => outside.split(delimiter).length)
  return { delimiter: delimiters[counts.indexOf(Math.max(...counts))] ?? ',', start: 0 }
}

type Cell = { value: string /** Of the delimiter or line end behind it. */; end: number }

function bareCell(text: string, start: number, delimiter: string): Cell {
  let end = start
  while (end < text.length && text[end] !== delimiter && text[end] !== '\n') end++
  return { value: text.slice(start, end), end }
}

function quotedCell(text: string, start: number, delimiter: string): Cell {
  const parts: string[] = []
  let from = start + 1
  for (;;) {
    const quote = text.indexOf('"', from)
    if (quote === -1) return { value: parts.join('') + text.slice(from), end: text.length }
    parts.push(text.slice(from, quote))
    if (text[quote + 1] !== '"') {
      // What stands behind the closing quote belongs to the cell for most programs.
      const rest = bareCell(text, quote + 1, delimiter)
      return { value: parts.join('') + rest.value, end: rest.end }
    }
    parts.push('"')
    from = quote + 2
  }
}

function oneLine(value: string): string {
  return value.replace(/[\r\n]+/g, ' ').trim()
}
