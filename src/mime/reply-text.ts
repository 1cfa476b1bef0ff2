import { isAttribution, isClosing, isForwardLine, isHeaderBlock, isMobileLine } from './quote-lines.ts'

/** More than a person writes. What lies behind is the mail that is quoted. */
const charsMax = 200_000
/** Each line takes its time: 128,000 empty ones took 60 ms. */
const linesMax = 5_000
/** An attribution is broken into so many lines. */
const attributionLinesMax = 3
/** Behind a closing: name, role, company, phones, addresses. */
const signatureLinesMax = 10
const signatureLineMax = 120
/** Shorter than this, what stands before a closing is a greeting. */
const greetingMax = 12

/**
 * What the sender wrote: without the quoted mail and the signature. Answers between quotes stay. Takes time in proportion to the
 * length, whatever the text is.
 */
export function replyText(text: string): string {
  const lines = text.slice(0, charsMax).replace(/\r\n?/g, '\n').replaceAll('\u00a0', ' ').split('\n', linesMax)
  return withoutSignature(withoutQuotes(lines)).join('\n').trim()
}

function withoutQuotes(lines: readonly string[]): string[] {
  const kept: string[] = []
  for (let index = 0; index < lines.length; index++) {
    const line = lines[index] ?? ''
    if (isQuoted(line)) continue
    if (isForwardLine(line) || isHeaderBlock(lines, index)) return withoutRule(kept)
    const length = attributionLength(lines, index)
    if (length === 0) {
      kept.push(line)
      continue
    }
    index += length - 1
    // Without marks nobody can tell where the quote ends, so it is all that follows.
    if (!isQuoted(nextLine(lines, index + 1))) return kept
  }
  return kept
}

const isQuoted = (line: string): boolean => /^\s{0,3}>/.test(line)

/** How many lines the attribution takes that begins here, as in "On Monday, Ben wrote:"; 0 if none begins. */
function attributionLength(lines: readonly string[], from: number): number {
  if ((lines[from] ?? '').trim() === '') return 0
  let joined = ''
  for (let count = 1; count <= attributionLinesMax; count++) {
    const line = lines[from + count - 1]
    if (line === undefined || line.trim() === '' || isQuoted(line)) return 0
    joined = `${joined} ${line.slice(0, 400)}`
    if (isAttribution(joined)) return count
  }
  return 0
}

/** The next line with words. Looks a few lines ahead, so that empty lines are not read again and again. */
const nextLine = (lines: readonly string[], from: number): string =>
  lines.slice(from, from + 5).find((line) => line.trim() !== '') ?? ''

/** Without the line that Outlook draws above a quote. */
function withoutRule(lines: string[]): string[] {
  const last = lines.findLastIndex((line) => line.trim() !== '')
  return last !== -1 && /^\s{0,3}[_-]{5,}\s*$/.test(lines[last] ?? '') ? lines.slice(0, last) : lines
}

function withoutSignature(lines: readonly string[]): string[] {
  const delimiter = lines.findIndex((line) => /^--\s{0,3}$/.test(line))
  const kept = (delimiter === -1 ? lines : lines.slice(0, delimiter)).filter((line) => !isMobileLine(line))
  const closing = closingIndex(kept)
  const before = closing === -1 ? kept : kept.slice(0, closing)
  return before.join('').trim().length <= greetingMax ? kept : before
}

/** Where "Best regards" stands, if nothing follows but a signature; else -1. */
function closingIndex(lines: readonly string[]): number {
  let following = 0
  let found = -1
  for (let index = lines.length - 1; index > 0 && following <= signatureLinesMax; index--) {
    const line = (lines[index] ?? '').trim()
    if (line === '') continue
    if (isClosing(line)) found = index
    if (line.endsWith('?') || line.length > signatureLineMax) break
    following++
  }
  return found
}
