/** Text as PostgreSQL takes it, cut: no NUL, and no half of a character. One row that it refuses would hold up all that are written with it. */
export function storableText(text: string, charactersMax: number): string {
  return text.replaceAll('\0', '').slice(0, charactersMax).toWellFormed()
}
