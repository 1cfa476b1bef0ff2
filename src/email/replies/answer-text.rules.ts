import { oneLine } from '../../kernel/one-line.ts'

/** A quote of an answer, with what it is taken from. */
export type MailQuote = {
  kind: 'document' | 'meeting'
  itemId: string
  title: string
  quote: string
  page: number | null
  speaker: string | null
  timestamp: string | null
}

/** `text`: as a model wrote it. Null: the quotes themselves. */
export type MailPart = { text: string | null; quotes: readonly MailQuote[] }

const nothingFound = 'I looked through what you may read and found nothing that answers this.'
const opening = 'This is what I found:'

/** The text of an answer: each sentence with the numbers of what it rests on, and what that is. */
export function answerText(parts: readonly MailPart[], signature: string | null): string {
  if (parts.length === 0) return signed(nothingFound, signature)
  const sources: MailQuote[] = []
  const number = (quote: MailQuote): number => {
    const known = sources.findIndex((it) => isSame(it, quote))
    return (known === -1 ? sources.push(quote) - 1 : known) + 1
  }
  const sentences = parts.map(({ text, quotes }) => {
    const marks = [...new Set(quotes.map(number))].map((n) => `[${n}]`).join('')
    return `${text === null ? quoted(quotes[0]?.quote ?? '') : line(text)} ${marks}`
  })
  const list = sources.map((source, index) => `[${index + 1}] ${sourceLine(source)}`)
  return signed([opening, '', sentences.join('\n\n'), '', ...list].join('\n'), signature)
}

/** Between a text and its signature is an empty line, and the mark by which programs know it. */
export function signed(text: string, signature: string | null): string {
  return signature === null || signature.trim() === '' ? text : `${text}\n\n-- \n${signature.trimEnd()}`
}

const isSame = (a: MailQuote, b: MailQuote): boolean =>
  a.itemId === b.itemId && a.quote === b.quote && a.timestamp === b.timestamp

/** A document or a transcript must not begin a header, a signature or a quote of a mail. */
const line = (text: string): string => oneLine(text.replace(/[\p{Cc}\p{Cf}]+/gu, ' '))
const quoted = (text: string): string => `“${line(text)}”`

function sourceLine({ kind, title, page, speaker, timestamp, quote }: MailQuote): string {
  if (kind === 'document') return page === null ? line(title) : `${line(title)}, page ${page}`
  return `${line(title)}, ${line(speaker ?? '')} (${timestamp ?? ''}): ${quoted(quote)}`
}

/** Answers a conversation under its subject. */
export function replySubject(subject: string): string {
  const shown = line(subject).slice(0, 900) || '(no subject)'
  return /^(?:re|aw|sv|vs|antw|ref|回复|答复)\s{0,3}[:：]/i.test(shown) ? shown : `Re: ${shown}`
}

const questionLettersMax = 1000
const questionsMax = 3
/** Shorter than this, a text says nothing without its subject. */
const shortText = 30

/**
 * The question of a mail: its sentences with a question mark, or else all of it. Other words, such as a greeting, would have to be
 * answered, too. The subject counts where it opens a conversation and the text is short.
 */
export function questionOf({
  subject,
  replyText,
  opensThread,
}: {
  subject: string
  replyText: string
  opensThread: boolean
}): string {
  const text = line(replyText)
  const questions = text
    .split(/(?<=[.!?？。])/)
    .filter((sentence) => /[^?？][?？]$/.test(sentence))
    .slice(0, questionsMax)
    .map((sentence) => sentence.slice(-questionLettersMax))
  const whole = opensThread && text.length < shortText ? `${subject} ${text}` : text
  const asked = questions.length > 0 ? questions.join(' ') : whole
  return [...asked.trim().slice(0, 2 * questionLettersMax)].slice(0, questionLettersMax).join('').toWellFormed()
}
