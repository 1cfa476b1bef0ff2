import MarkdownIt, { type Token } from 'markdown-it'
import type { Passage, TocEntry } from '../kernel/markup.ts'
import { Refusal } from '../kernel/refusal.ts'
import { linkSchemes, safeAddress } from './address.ts'
import { headingIds } from './anchor.ts'

/** HTML that is still to be cleaned, and what is read from the text beside it. */
export type Parsed = { html: string; toc: TocEntry[]; passages: Passage[] }

const attributeLengthMax = 1_000_000

const parser = new MarkdownIt({ html: false, linkify: false, typographer: false, maxNesting: 20 })
parser.validateLink = (address) => safeAddress(address, linkSchemes) !== null

export function parse(markdown: string): Parsed {
  const tokens = parser.parse(markdown, {})
  refuseMultiplied(tokens)
  const idOf = headingIds()
  const toc: TocEntry[] = []
  const passages: Passage[] = [{ anchor: null, heading: '', text: '' }]
  const texts: string[][] = [[]]
  for (const [index, token] of tokens.entries()) {
    if (token.type === 'heading_open') {
      const text = plainText(tokens[index + 1])
      const id = idOf(text)
      token.attrSet('id', id)
      toc.push({ id, text, level: Number(token.tag.slice(1)) })
      passages.push({ anchor: id, heading: text, text: '' })
      texts.push([])
    } else if (tokens[index - 1]?.type !== 'heading_open') {
      texts.at(-1)?.push(plainText(token))
    }
    if (token.type === 'th_open' || token.type === 'td_open') alignByAttribute(token)
  }
  return {
    html: parser.renderer.render(tokens, parser.options, {}),
    toc,
    passages: passages
      .map((passage, index) => ({ ...passage, text: (texts[index] ?? []).filter(Boolean).join('\n') }))
      .filter(({ anchor, text }) => anchor !== null || text !== ''),
  }
}

/** A definition of 100,000 characters that 25,000 references name is no text, and would fill the memory as HTML. */
function refuseMultiplied(tokens: Token[]): void {
  let length = 0
  const weigh = (token: Token): void => {
    for (const [, value] of token.attrs ?? []) length += String(value).length
    for (const child of token.children ?? []) weigh(child)
  }
  tokens.forEach(weigh)
  if (length > attributeLengthMax)
    throw new Refusal('VALIDATION_ERROR', { detail: 'The text names long addresses or titles too often.' })
}

/** Of a block of text or of code; empty for all that only opens or closes something. */
function plainText(token: Token | undefined): string {
  if (token === undefined) return ''
  if (token.type === 'fence' || token.type === 'code_block') return token.content.trim()
  if (token.type !== 'inline') return ''
  return (token.children ?? []).map(plainInline).join('').trim()
}

function plainInline({ type, content }: Token): string {
  if (type === 'softbreak' || type === 'hardbreak') return ' '
  return content
}

/** A column's side as an attribute: styles are not kept. */
function alignByAttribute(token: Token): void {
  const side = /text-align:(left|center|right)/.exec(String(token.attrGet('style') ?? ''))?.[1]
  token.attrs = side === undefined ? null : [['align', side]]
}
