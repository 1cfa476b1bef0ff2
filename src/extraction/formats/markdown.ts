import type { Token } from 'markdown-it'
import type { BlockList } from '../block-list.ts'
import type { FileReader } from './file-reader.ts'
import { addHtml } from './html.ts'
import { decodeUtf8 } from './utf8.ts'

/** Deeper lists and quotes are read as text of this depth. */
const nestingMax = 50

/** Headings, paragraphs, list items, table rows and code; of raw HTML its text, and of links and images what is shown. */
export const readMarkdown: FileReader = async (bytes, { list }) => {
  const { default: MarkdownIt } = await import('markdown-it')
  const parser = new MarkdownIt({ html: true, linkify: false, typographer: false, maxNesting: nestingMax })
  const { frontMatter, body } = splitFrontMatter(decodeUtf8(bytes))
  list.add({ kind: 'paragraph', text: frontMatter })
  addTokens(parser.parse(body, {}), list)
  return { pages: null }
}

/** Fields in YAML between two lines of dashes: Markdown would take them for a heading. */
function splitFrontMatter(text: string): { frontMatter: string; body: string } {
  const start = /^---[ \t]{0,20}\r?\n/.exec(text)?.[0].length
  const end = start === undefined ? -1 : text.indexOf('\n---', start)
  if (start === undefined || end === -1 || end > 10_000) return { frontMatter: '', body: text }
  return { frontMatter: text.slice(start, end), body: text.slice(end + '\n---'.length) }
}

function addTokens(tokens: Token[], list: BlockList): void {
  let listDepth = 0
  let headingLevel: number | null = null
  let row: string[] | null = null
  for (const { type, tag, content, children } of tokens) {
    if (type === 'list_item_open') listDepth++
    else if (type === 'list_item_close') listDepth--
    else if (type === 'heading_open') headingLevel = Number(tag.slice(1))
    else if (type === 'heading_close') headingLevel = null
    else if (type === 'tr_open') row = []
    else if (type === 'tr_close') {
      list.add({ kind: 'table-row', text: row?.filter(Boolean).join(' | ') ?? '' })
      row = null
    } else if (type === 'fence' || type === 'code_block') list.add({ kind: 'paragraph', text: content })
    else if (type === 'html_block') addHtml(content, list)
    else if (type === 'inline') {
      const text = inlineText(children ?? [])
      if (row !== null) row.push(text.replaceAll('\n', ' ').trim())
      else if (headingLevel !== null) list.add({ kind: 'heading', level: headingLevel, text })
      else list.add({ kind: listDepth > 0 ? 'list-item' : 'paragraph', text })
    }
  }
}

function inlineText(tokens: Token[]): string {
  return tokens.map(tokenText).join('')
}

function tokenText({ type, content, children }: Token): string {
  switch (type) {
    case 'softbreak':
      return ' '
    case 'hardbreak':
      return '\n'
    case 'image':
      return inlineText(children ?? [])
    case 'html_inline':
      return /^<br\b/i.test(content) ? '\n' : ''
    default:
      return content
  }
}
