import { type Check, schemaCheck } from '../../http/validation.ts'
import { newId } from '../../kernel/ids.ts'
import type { MarkupRenderer } from '../../kernel/markup.ts'
import { explainedFaultsMax, type FieldError, Refusal, refuseFields } from '../../kernel/refusal.ts'
import { markup as plainMarkup } from '../../text/markup.ts'
import { linkFaults, repeatedIds, type Section, type SentSection, sortSections } from './section.rules.ts'
import { knownType, meantType } from './section-type-names.ts'

type Content = Record<string, unknown>

/**
 * Prepares sections for storage: checks them by type, checks links, adds ids, sorts them, and makes Markdown and HTML safe.
 * `pointer` is their place in the request. Refuses VALIDATION_ERROR with the place of every fault.
 */
export async function readSections(
  sent: SentSection[],
  pointer: string,
  { now, markup = plainMarkup }: { now: Date; markup?: MarkupRenderer },
): Promise<Section[]> {
  refuseFields(await sectionFaults(sent, pointer))
  const sections = sent.map(({ id, type, content = {}, order }, index) => ({
    id: id?.toLowerCase() ?? newId(now),
    type,
    content,
    order: order ?? index,
  }))
  const safe: Section[] = []
  for (const section of sortSections(sections)) safe.push({ ...section, content: await safeContent(section, markup) })
  return safe
}

/** What is wrong with sections by their types and links. A null is a section that its schema refuses. */
export async function sectionFaults(sent: (SentSection | null)[], pointer: string): Promise<FieldError[]> {
  const faults = repeatedIds(sent, pointer)
  for (const [index, section] of sent.entries()) {
    if (section === null) continue
    const place = `${pointer}/${index}/content`
    const { type, content = {} } = section
    faults.push(...nameFaults(type, `${pointer}/${index}/type`))
    faults.push(...(await contentFaults({ type, content }, place)), ...linkFaults(content, place))
    if (faults.length >= explainedFaultsMax) break
  }
  return faults
}

/** A type that looks like a slip would be stored unchecked, and no client would show it. */
function nameFaults(type: string, path: string): FieldError[] {
  const meant = knownType(type) === null ? meantType(type) : null
  return meant === null ? [] : [{ path, code: 'unknown', message: `is not a known type; did you mean "${meant}"?` }]
}

const checks = new WeakMap<object, Check>()

async function contentFaults(
  { type, content }: Pick<Section, 'type' | 'content'>,
  pointer: string,
): Promise<FieldError[]> {
  const known = knownType(type)
  if (known === null) return []
  const check = checks.get(known) ?? schemaCheck(known.content, 'body')
  checks.set(known, check)
  const faults = await check(content).then(
    () => [],
    (error: unknown) => {
      if (!(error instanceof Refusal)) throw error
      return (error.options.errors ?? []).map((fault) => ({ ...fault, path: fault.path.replace('/body', pointer) }))
    },
  )
  const { oneOf } = known
  if (oneOf === undefined || oneOf.some((name) => content[name] !== undefined)) return faults
  return [
    ...faults,
    { path: `${pointer}/${oneOf[0]}`, code: 'required', message: `or ${oneOf.slice(1).join(', ')} is required` },
  ]
}

/** Renders Markdown and cleans HTML of known types, safe for any page. Unknown types stay as they are. */
async function safeContent({ type, content }: Section, markup: MarkupRenderer): Promise<Content> {
  if (knownType(type) === null) return content
  if (type === 'rich_text')
    return { ...(await cleanContent(content, markup)), html: await renderText(content['markdown'], markup) }
  const clean = await cleanContent(content, markup)
  if (type !== 'faq') return clean
  const items: Content[] = []
  for (const item of clean['items'] as Content[])
    items.push({ ...item, html: await renderText(item['answer'], markup) })
  return { ...clean, items }
}

async function renderText(markdown: unknown, { renderMarkdown }: MarkupRenderer): Promise<string> {
  return (await renderMarkdown(String(markdown))).html
}

/** The content with every member named `html` cleaned, at any depth. */
async function cleanContent(content: Content, markup: MarkupRenderer): Promise<Content> {
  const clean: Content = {}
  for (const [name, value] of Object.entries(content)) {
    clean[name] =
      name === 'html' && typeof value === 'string' ? await markup.cleanHtml(value) : await cleanValue(value, markup)
  }
  return clean
}

async function cleanValue(value: unknown, markup: MarkupRenderer): Promise<unknown> {
  if (Array.isArray(value)) return Promise.all(value.map((entry) => cleanValue(entry, markup)))
  return typeof value === 'object' && value !== null ? cleanContent(value as Content, markup) : value
}
