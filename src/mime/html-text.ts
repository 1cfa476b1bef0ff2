import { createRequire } from 'node:module'
import { once } from '../kernel/once.ts'

/**
 * Loaded with the first mail. By `require`, as sanitize-html loads it: an `import` of it that is still under way makes that
 * `require` fail.
 */
export const loadHtmlParser = once(() => createRequire(import.meta.url)('htmlparser2') as typeof import('htmlparser2'))

const blocks = new Set(
  [
    'p',
    'div',
    'br',
    'hr',
    'h1',
    'h2',
    'h3',
    'h4',
    'h5',
    'h6',
    'ul',
    'ol',
    'li',
    'dl',
    'dt',
    'dd',
    'pre',
    'table',
    'tr',
  ].concat([
    'blockquote',
    'section',
    'article',
    'header',
    'footer',
    'main',
    'aside',
    'address',
    'center',
    'form',
    'fieldset',
  ]),
)
/** What nobody sees who reads the mail. */
const unseen = new Set(
  [
    'script',
    'style',
    'head',
    'title',
    'template',
    'noscript',
    'select',
    'textarea',
    'svg',
    'math',
    'object',
    'iframe',
  ].concat(['audio', 'video', 'canvas']),
)
const hiding =
  /display\s{0,9}:\s{0,9}none|mso-hide\s{0,9}:\s{0,9}all|visibility\s{0,9}:\s{0,9}hidden|font-size\s{0,9}:\s{0,9}0(?![.\d])/i

/** No mail of a person is deeper. The parser takes time that grows with the depth for each element that is closed. */
const depthMax = 400
const charsAtOnce = 16 * 1024

/**
 * The text of a mail in HTML, as its reader sees it. Quotes get `> `, as in mails of plain text. Nothing is loaded: addresses
 * of links and images are not even looked at. What is nested too deeply is left out, with all that follows.
 */
export function htmlText(html: string): string {
  const lines = lineWriter()
  let depth = 0
  let unseenFrom = 0
  const parser = new (loadHtmlParser().Parser)(
    {
      onopentag(name, attributes) {
        depth++
        if (unseenFrom === 0 && isUnseen(name, attributes)) unseenFrom = depth
        if (unseenFrom > 0) return
        if (blocks.has(name)) lines.end()
        if (name === 'blockquote') lines.quote(1)
        if (name === 'li') lines.add('- ')
        if (name === 'td' || name === 'th') lines.add(' ')
      },
      onclosetag(name) {
        if (unseenFrom === 0 && blocks.has(name)) lines.end()
        if (unseenFrom === 0 && name === 'blockquote') lines.quote(-1)
        if (depth === unseenFrom) unseenFrom = 0
        depth--
      },
      ontext(text) {
        if (unseenFrom === 0) lines.add(text)
      },
    },
    { decodeEntities: true },
  )
  for (let from = 0; from < html.length && depth <= depthMax; from += charsAtOnce)
    parser.write(html.slice(from, from + charsAtOnce))
  return lines.text()
}

function isUnseen(name: string, { hidden, style }: Record<string, string>): boolean {
  return unseen.has(name) || hidden !== undefined || (style !== undefined && hiding.test(style.slice(0, 2000)))
}

/** White space is one space, and empty lines are left out but one between paragraphs. */
function lineWriter() {
  const lines: string[] = []
  let parts: string[] = []
  let quotes = 0

  function end(): void {
    const line = parts
      .join('')
      .replace(/[\s\u200b\ufeff]+/g, ' ')
      .trim()
    parts = []
    if (line !== '') lines.push(`${'>'.repeat(Math.min(quotes, 9))}${quotes > 0 ? ' ' : ''}${line}`)
    else if (lines.length > 0 && lines.at(-1) !== '') lines.push('')
  }

  return {
    add: (text: string) => void parts.push(text),
    end,
    quote(change: 1 | -1) {
      end()
      quotes = Math.max(0, quotes + change)
    },
    text(): string {
      end()
      return lines.join('\n').trim()
    },
  }
}
