/** Replaces runs of spaces and line ends by one space. */
export function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim()
}
