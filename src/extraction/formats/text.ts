import type { FileReader } from './file-reader.ts'
import { decodeUtf8, eachLine } from './utf8.ts'

/** Paragraphs end at empty lines. Their own lines stay lines: they may be verses, addresses or a log. */
export const readText: FileReader = (bytes, { list }) => {
  let lines: string[] = []
  const end = () => {
    if (lines.length === 0) return
    list.add({ kind: 'paragraph', text: lines.join('\n') })
    lines = []
  }
  for (const line of eachLine(decodeUtf8(bytes))) {
    const shown = line.trimEnd()
    if (shown === '') end()
    else lines.push(shown)
  }
  end()
  return { pages: null }
}
