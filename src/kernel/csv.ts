/** One line of a CSV file (RFC 4180); an empty cell is a null. */
export function csvLine(cells: (string | null)[]): string {
  return `${cells.map((cell) => quoted(harmless(cell ?? ''))).join(',')}\r\n`
}

/** A spreadsheet takes what begins so for a formula (OWASP, CSV injection): with an apostrophe before it, for text. */
function harmless(cell: string): string {
  return /^[=+\-@\t\r\n＝＋－＠]/.test(cell) ? `'${cell}` : cell
}

function quoted(cell: string): string {
  return /[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell
}
