/** A piece of text as PDF.js gives it, mostly some words. `transform` is a text matrix: its last numbers are where it begins. */
export type PageItem = { str: string; dir: string; transform: number[]; width: number; height: number }

/** Text on one baseline without a wide gap, in points. `y` grows upwards. */
export type Run = { text: string; x0: number; x1: number; y: number; size: number }

/** The runs of one baseline, from left to right. */
export type Row = { runs: Run[]; y: number; size: number }

type Piece = Run & { isRightToLeft: boolean; hasSpaceBefore: boolean; angle: number }

/** Of a font's size: a wider gap parts columns or cells, a narrower one only letters. */
const runGap = 1
const wordGap = 0.15
/** Baselines of one row differ by less: so do those of superscripts. */
const rowDistance = 0.4

/**
 * The rows of a page from top to bottom. Text that was turned is read in its own direction, behind what has the most common
 * one: a page may be turned as a whole, or have a stamp at its edge.
 */
export function pageRows(items: PageItem[]): Row[][] {
  const pieces = readPieces(items)
  const byAngle = [...Map.groupBy(pieces, ({ angle }) => angle).values()]
  return byAngle.sort((one, other) => totalLength(other) - totalLength(one)).map(rowsOf)
}

function totalLength(pieces: Piece[]): number {
  return pieces.reduce((sum, { text }) => sum + text.length, 0)
}

/** All pieces but blank ones, which PDF.js puts into gaps. */
function readPieces(items: PageItem[]): Piece[] {
  const pieces: Piece[] = []
  let hasSpaceBefore = false
  for (const item of items) {
    if (item.str.trim() === '') {
      hasSpaceBefore ||= item.str !== ''
      continue
    }
    pieces.push({ ...(item.dir === 'ttb' ? verticalPiece(item) : uprightPiece(item)), hasSpaceBefore })
    hasSpaceBefore = false
  }
  return pieces
}

type PieceInPlace = Omit<Piece, 'hasSpaceBefore'>

function uprightPiece({ str, dir, transform, width, height }: PageItem): PieceInPlace {
  const [a = 1, b = 0, , , e = 0, f = 0] = transform.map(finite)
  const angle = ((Math.round(Math.atan2(b, a) / (Math.PI / 2)) % 4) + 4) % 4
  const [x, y] = [[e, f] as const, [f, -e] as const, [-e, -f] as const, [-f, e] as const][angle] ?? [e, f]
  const size = Number.isFinite(height) && height > 0 ? height : 10
  return { text: str, x0: x, x1: x + Math.abs(finite(width)), y, size, angle, isRightToLeft: dir === 'rtl' }
}

/** Beside the four quarter turns. */
const verticalAngle = 4

/** Chinese and Japanese in columns from right to left: turned, a column is a row, and the one to its left the row below. */
function verticalPiece({ str, transform, width, height }: PageItem): PieceInPlace {
  const [e = 0, f = 0] = transform.slice(4).map(finite)
  const text = str.replace(verticalForms, (form) => form.normalize('NFKC'))
  const x1 = -f + Math.abs(finite(height))
  return { text, x0: -f, x1, y: e, size: finite(width) || 10, angle: verticalAngle, isRightToLeft: false }
}

/** Punctuation as it stands in columns. Everywhere else, and in questions, it has other characters. */
const verticalForms = /[\ufe10-\ufe19\ufe30-\ufe48]/g

function finite(number: number): number {
  return Number.isFinite(number) ? number : 0
}

function rowsOf(pieces: Piece[]): Row[] {
  const rows: Piece[][] = []
  let first: Piece | null = null
  for (const piece of pieces.toSorted((one, other) => other.y - one.y)) {
    if (first !== null && first.y - piece.y < rowDistance * Math.max(first.size, piece.size)) rows.at(-1)?.push(piece)
    else {
      rows.push([piece])
      first = piece
    }
  }
  return rows.map(rowOf)
}

function rowOf(pieces: Piece[]): Row {
  const sorted = pieces.sort((one, other) => one.x0 - other.x0)
  const size = sorted.toSorted((one, other) => other.text.length - one.text.length)[0]?.size ?? 10
  const groups: Piece[][] = []
  for (const piece of sorted) {
    const last = groups.at(-1)?.at(-1)
    if (last !== undefined && isDrawnTwice(last, piece)) continue
    if (last === undefined || piece.x0 - last.x1 > runGap * size) groups.push([piece])
    else groups.at(-1)?.push(piece)
  }
  return { runs: groups.map(runOf), y: pieces[0]?.y ?? 0, size }
}

/** Some programs draw a text again a little beside it, to make it bold. */
function isDrawnTwice(one: Piece, other: Piece): boolean {
  return one.text === other.text && Math.abs(one.x0 - other.x0) < 1 && Math.abs(one.y - other.y) < 1
}

function runOf(pieces: Piece[]): Run {
  const isRightToLeft = pieces.filter((piece) => piece.isRightToLeft).length * 2 > pieces.length
  const [first] = pieces
  let text = ''
  let x1 = first?.x1 ?? 0
  for (const piece of pieces) {
    const gap = piece.x0 - x1
    const joint = text !== '' && (piece.hasSpaceBefore || gap > wordGap * piece.size) ? ' ' : ''
    text = isRightToLeft ? piece.text + joint + text : text + joint + piece.text
    x1 = Math.max(x1, piece.x1)
  }
  const longest = pieces.reduce((one, other) => (other.text.length > one.text.length ? other : one))
  return { text: text.replace(/\s+/g, ' ').trim(), x0: first?.x0 ?? 0, x1, y: longest.y, size: longest.size }
}
