import type { Row } from './page-runs.ts'

/** So many rows at the top and at the bottom of a page may be its header and footer. */
const edgeRows = 2
const textLengthMax = 200
/** On so many pages, at least, something is repeated. */
const repeatedPagesMin = 3

const pageNumber = /^(?:page |seite |p\. ?)?[-–—]? ?(?:#|[ivxlc]{1,8})(?: ?(?:\/|of|von) ?#)? ?[-–—]?$/i

/** The rows of each page without page numbers, and without headers and footers of many pages, but on the first of them. */
export function withoutPageEdges(pages: Row[][]): Row[][] {
  const counts = new Map<string, number>()
  for (const rows of pages)
    for (const key of new Set(rows.filter((_, index) => isAtEdge(index, rows)).map(edgeKey)))
      counts.set(key, (counts.get(key) ?? 0) + 1)
  const shown = new Set<string>()
  return pages.map((rows) =>
    rows.filter((row, index) => {
      const key = isAtEdge(index, rows) ? edgeKey(row) : ''
      if (key === '' || (counts.get(key) ?? 0) < repeatedPagesMin) return true
      const isFirst = !shown.has(key) && !pageNumber.test(key)
      shown.add(key)
      return isFirst
    }),
  )
}

function isAtEdge(index: number, { length }: Row[]): boolean {
  return index < edgeRows || index >= length - edgeRows
}

/** Headers count their pages, so all numbers are alike. Empty for a row that is too long for a header. */
function edgeKey({ runs }: Row): string {
  const text = runs.map((run) => run.text).join(' ')
  return text.length > textLengthMax ? '' : text.replace(/\d+/g, '#')
}
