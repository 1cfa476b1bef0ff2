/** A mark that opens a quotation, with the marks that close it: “English”, „German“, «French», »reversed«, ”Swedish”. */
const closing = new Map([
  ['“', '”'],
  ['„', '“”'],
  ['«', '»'],
  ['»', '«'],
  ['”', '”'],
  ['「', '」'],
  ['"', '"'],
])

/**
 * What a text has in quotation marks, without the outer marks. A quotation that is not closed reaches to the end. Single marks
 * are left out: they are apostrophes, too.
 */
export function findQuotations(text: string): string[] {
  const found: string[] = []
  const open: string[] = []
  let start = 0
  for (let at = 0; at < text.length; at += 1) {
    const mark = text[at] ?? ''
    const closesWith = closing.get(mark)
    if (open.at(-1)?.includes(mark)) {
      open.pop()
      if (open.length === 0) found.push(text.slice(start, at))
    } else if (closesWith !== undefined) {
      if (open.length === 0) start = at + 1
      open.push(closesWith)
    }
  }
  return open.length === 0 ? found : [...found, text.slice(start)]
}
