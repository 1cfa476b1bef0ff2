/** Shortens a text and makes it valid for PostgreSQL: no NUL, no half of a surrogate pair. One invalid row would fail all rows of its statement. */
export function storableText(text: string, charactersMax: number): string {
  return text.replaceAll('\0', '').slice(0, charactersMax).toWellFormed()
}
