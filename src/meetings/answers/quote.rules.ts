import { searchTerms } from './search-terms.rules.ts'

const quoteCharsMax = 300

/** Speech that is safe to show in an answer: one line without markup, addresses or invisible characters. */
function plainText(text: string): string {
  return text
    .replace(/<[^<>]{0,500}>/g, ' ')
    .replace(/!?\[([^[\]]{0,500})\]\([^()]{0,500}\)/g, '$1')
    .replace(/\b(?:https?|ftp|javascript|data|file|mailto):\S*|\bwww\.\S+/gi, '(link)')
    .replace(/[<>`*_#|~\\[\]{}]/g, ' ')
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .trim()
}

export function plainSpeaker(speaker: string): string {
  return plainText(speaker).slice(0, 80).trim() || 'Somebody'
}

/** The part of a text with most words of the question. A long text is cut between words. */
export function bestQuote(text: string, terms: readonly string[], charsMax = quoteCharsMax): string {
  const words = plainText(text).split(' ')
  const termSet = new Set(terms)
  const isHit = words.map((word) => [...searchTerms(word)].some((term) => termSet.has(term)))
  let from = 0
  let size = 0
  let hits = 0
  let best = { from: 0, to: 0, hits: -1 }
  for (const [to, word] of words.entries()) {
    size += word.length + 1
    if (isHit[to]) hits += 1
    for (; size > charsMax && from < to; from++) {
      size -= (words[from] as string).length + 1
      if (isHit[from]) hits -= 1
    }
    if (hits > best.hits || (hits === best.hits && from === best.from)) best = { from, to: to + 1, hits }
  }
  const quote = words.slice(best.from, best.to).join(' ')
  const cut = quote.length > charsMax ? `${[...quote].slice(0, charsMax).join('')}…` : quote
  return `${best.from > 0 ? '… ' : ''}${cut}${best.to < words.length ? ' …' : ''}`
}
