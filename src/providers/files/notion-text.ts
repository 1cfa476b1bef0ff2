import { fieldAt, listAt, textAt } from '../answer-fields.ts'

const starts: Record<string, string> = {
  heading_1: '# ',
  heading_2: '## ',
  heading_3: '### ',
  bulleted_list_item: '- ',
  numbered_list_item: '1. ',
  quote: '> ',
  callout: '> ',
}

/** A block of a page as a line of Markdown; null: it has no text of its own. https://developers.notion.com/reference/block */
export function blockLine(block: unknown): string | null {
  const type = textAt(block, 'type') ?? ''
  if (type === 'divider') return '---'
  if (type === 'child_page') return textAt(block, type, 'title')
  if (type === 'table_row')
    return listAt(block, type, 'cells')
      .map((cell) => textOf(cell))
      .join(' | ')
  const text = textOf(fieldAt(block, type, 'rich_text'))
  if (text === '') return null
  if (type === 'code') return `\`\`\`\n${text}\n\`\`\``
  if (type === 'to_do') return `- [${fieldAt(block, type, 'checked') === true ? 'x' : ' '}] ${text}`
  return `${starts[type] ?? ''}${text}`
}

/** The title of a page, whatever its property is called. */
export function pageTitle(page: unknown): string {
  const properties = Object.values((fieldAt(page, 'properties') ?? {}) as Record<string, unknown>)
  const title = properties.find((it) => textAt(it, 'type') === 'title') ?? fieldAt(page, 'properties', 'title')
  return textOf(fieldAt(title, 'title') ?? title)
}

function textOf(richText: unknown): string {
  const parts = Array.isArray(richText) ? richText : []
  return parts.map((it) => textAt(it, 'plain_text') ?? textAt(it, 'text', 'content') ?? '').join('')
}
