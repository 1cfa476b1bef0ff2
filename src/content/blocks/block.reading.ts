import { invalidField } from '../../kernel/refusal.ts'
import { renderMarkdown } from '../../text/markup.ts'
import { type BlockTerms, defaultLocale, readLocale, valueProblem } from './block.rules.ts'

/** The locale sent at `path`, `en` when absent. Refuses VALIDATION_ERROR for what is no language tag. */
export function localeOf(text: string | undefined, path: string): string {
  const locale = readLocale(text ?? defaultLocale)
  if (locale !== null) return locale
  throw invalidField(path, { code: 'format', message: 'must be a language tag such as en or pt-BR' })
}

/** Refuses VALIDATION_ERROR a value that is none of its type. */
export function refuseBadValue({ type, value }: BlockTerms, path: string): void {
  const message = valueProblem(type, value)
  if (message !== null) throw invalidField(path, { code: 'value', message: `${message}: the block is of type ${type}` })
}

/** Safe HTML of markdown; null for every other type. */
export async function htmlOf({ type, value }: BlockTerms): Promise<string | null> {
  return type === 'markdown' ? (await renderMarkdown(value as string)).html : null
}
