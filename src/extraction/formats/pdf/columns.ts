import type { Row, Run } from './page-runs.ts'

/** Columns beside each other, read one after another. */
const depthMax = 3
const bins = 200
/** Lines that each column has at least. */
const linesMin = 4
/** Of text in columns, not of tables: lines are mostly full, and are not single words or numbers. */
const fillMin = 0.55
const lettersMin = 15

/** The rows in reading order, as one list for each stretch of a column: nothing continues from one list to the next as a line. */
export function readingOrder(rows: Row[], depth = 0): Row[][] {
  const gutter = depth < depthMax ? findGutter(rows) : null
  if (gutter === null) return rows.length === 0 ? [] : [rows]
  const order: Row[][] = []
  for (const { isZone, rows: part } of splitZones(rows, gutter)) {
    if (!isZone) order.push(part)
    else for (const side of bothSides(part, gutter)) order.push(...readingOrder(side, depth + 1))
  }
  return order
}

/** A blank strip between two columns. */
type Gutter = { x0: number; x1: number }

/** The strip that parts the most rows into columns, or null. Titles and pictures above or below may lie across it. */
function findGutter(rows: Row[]): Gutter | null {
  if (rows.length < linesMin) return null
  let best: { gutter: Gutter; lines: number } | null = null
  for (const gutter of candidateGutters(rows)) {
    const lines = splitZones(rows, gutter)
      .filter(({ isZone }) => isZone)
      .reduce((sum, zone) => sum + zone.rows.length, 0)
    if (lines > (best?.lines ?? 0)) best = { gutter, lines }
  }
  return best?.gutter ?? null
}

/** Strips that few runs cover, where many lie on both sides. */
function candidateGutters(rows: Row[]): Gutter[] {
  const runs = rows.flatMap((row) => row.runs)
  const { left, right } = extent(runs)
  const width = (right - left) / bins
  if (!(width > 0) || !Number.isFinite(width)) return []
  const covered = coverage(runs, { left, width })
  const few = Math.max(1, Math.max(...covered) * 0.3)
  const found: Gutter[] = []
  let start: number | null = null
  for (let bin = 0; bin <= bins; bin++) {
    const isBlank = bin < bins && (covered[bin] ?? 0) <= few
    if (isBlank) start ??= bin
    else if (start !== null) {
      if (start > bins / 10 && bin < bins - bins / 10) found.push({ x0: left + start * width, x1: left + bin * width })
      start = null
    }
  }
  return found
}

/** How many runs lie over each bin, counted at the ends of the runs. */
function coverage(runs: Run[], { left, width }: { left: number; width: number }): number[] {
  const changes = new Array<number>(bins + 2).fill(0)
  for (const { x0, x1 } of runs) {
    const [first, last] = [x0, x1].map((x) => Math.min(bins - 1, Math.max(0, Math.floor((x - left) / width)))) as [
      number,
      number,
    ]
    changes[first] = (changes[first] ?? 0) + 1
    changes[last + 1] = (changes[last + 1] ?? 0) - 1
  }
  let count = 0
  return changes.slice(0, bins).map((change) => {
    count += change
    return count
  })
}

type Zone = { isZone: boolean; rows: Row[] }

/** Stretches of rows that no run crosses the gutter in and that are text on both sides; and what is between them. */
function splitZones(rows: Row[], gutter: Gutter): Zone[] {
  const middle = (gutter.x0 + gutter.x1) / 2
  const stretches: Zone[] = []
  for (const row of rows) {
    const isZone = row.runs.every(({ x0, x1 }) => x1 <= middle || x0 >= middle)
    const last = stretches.at(-1)
    if (last?.isZone === isZone) last.rows.push(row)
    else stretches.push({ isZone, rows: [row] })
  }
  return stretches.map((stretch) => {
    return { isZone: stretch.isZone && bothSides(stretch.rows, gutter).every(isTextColumn), rows: stretch.rows }
  })
}

/** In the order in which they are read: Arabic and Hebrew begin on the right. */
function bothSides(rows: Row[], { x0, x1 }: Gutter): Row[][] {
  const middle = (x0 + x1) / 2
  const side = (isOn: (run: Run) => boolean) =>
    rows.map((row) => ({ ...row, runs: row.runs.filter(isOn) })).filter(({ runs }) => runs.length > 0)
  const sides = [side((run) => run.x1 <= middle), side((run) => run.x1 > middle)]
  return isRightToLeft(rows) ? sides.reverse() : sides
}

function isRightToLeft(rows: Row[]): boolean {
  const texts = rows.flatMap(({ runs }) => runs.map(({ text }) => text))
  return texts.filter((text) => /[\u0590-\u08ff]/.test(text)).length * 2 > texts.length
}

function isTextColumn(rows: Row[]): boolean {
  if (rows.length < linesMin) return false
  const lines = rows.map(({ runs }) => {
    return {
      x0: runs[0]?.x0 ?? 0,
      x1: runs.at(-1)?.x1 ?? 0,
      letters: runs.reduce((sum, { text }) => sum + text.length, 0),
    }
  })
  const { left, right } = extent(lines)
  const fill = median(lines.map(({ x0, x1 }) => (x1 - x0) / (right - left || 1)))
  return fill >= fillMin && median(lines.map(({ letters }) => letters)) >= lettersMin
}

/** From the leftmost to the rightmost point. A page may have a million places: too many for the arguments of a call. */
export function extent(places: { x0: number; x1: number }[]): { left: number; right: number } {
  return {
    left: places.reduce((least, { x0 }) => Math.min(least, x0), Number.POSITIVE_INFINITY),
    right: places.reduce((most, { x1 }) => Math.max(most, x1), Number.NEGATIVE_INFINITY),
  }
}

export function median(numbers: number[]): number {
  const sorted = numbers.toSorted((one, other) => one - other)
  return sorted[Math.floor(sorted.length / 2)] ?? 0
}
