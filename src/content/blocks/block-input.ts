import { type FieldRule, type Fitting, ruleFor } from '../../kernel/field-rules.ts'
import { invalidField } from '../../kernel/refusal.ts'
import { renderMarkdown } from '../../text/markup.ts'
import { type BlockContentFields, defaultLocale, readLocale, valueProblem } from './block.rules.ts'
import type { BlockContent } from './block.schema.ts'

/** The locale in canonical form, `en` when absent. Refuses VALIDATION_ERROR at `path` for anything but a language tag. */
export function readLocaleAt(text: string | undefined, path: string): string {
  const locale = readLocale(text ?? defaultLocale)
  if (locale !== null) return locale
  throw invalidField(path, { code: 'format', message: 'must be a language tag such as en or pt-BR' })
}

/** Refuses VALIDATION_ERROR if the value does not fit the block's type. */
export function refuseBadValue({ type, value }: Pick<BlockContentFields, 'type' | 'value'>, path: string): void {
  const message = valueProblem(type, value)
  if (message !== null) throw invalidField(path, { code: 'value', message: `${message}: the block is of type ${type}` })
}

/** Rules of a block, and of a change that names the type and the value. */
export function blockRules({ type, value }: Fitting<BlockContent>): FieldRule[] {
  return [
    ruleFor(type, (known) => (value === undefined ? undefined : refuseBadValue({ type: known, value }, '/body/value'))),
  ]
}

/** The safe HTML of a markdown block; null for every other type. */
export async function renderedHtml({ type, value }: BlockContentFields): Promise<string | null> {
  return type === 'markdown' ? (await renderMarkdown(value as string)).html : null
}
