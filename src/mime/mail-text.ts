import { cleanText } from '../kernel/clean-text.ts'
import { htmlText } from './html-text.ts'
import type { ParsedMail } from './parse-mail.ts'

const textLengthMax = 200_000

/** The text of a mail, or of its HTML where it has none. */
export function mailText({ text, html }: Pick<ParsedMail, 'text' | 'html'>): string {
  return cleanText(text?.trim() ? text : html === null ? '' : htmlText(html), textLengthMax)
}
