/** One line of a CSV file (RFC 4180). A null becomes an empty cell. */
export function csvLine(cells: (string | null)[]): string {
  return `${cells.map((cell) => quoteCell(escapeFormula(cell ?? ''))).join(',')}\r\n`
}

/** A spreadsheet reads a cell that begins like this as a formula (OWASP, CSV injection). An apostrophe makes it text. */
function escapeFormula(cell: string): string {
  return /^[=+\-@\t\r\n＝＋－＠]/.test(cell) ? `'${cell}` : cell
}

function quoteCell(cell: string): string {
  return /[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell
}
