import { isId } from '../../kernel/ids.ts'
import type { Fault } from '../../kernel/refusal.ts'

/** A part of a page as it is stored. `order` counts from 0 without gaps. */
export type Section = { id: string; type: string; content: Record<string, unknown>; order: number }

export type SentSection = { id?: string; type: string; content?: Record<string, unknown>; order?: number }

/** A text somewhere inside a value: the member that holds it, and where. Entries of an array bear the array's name. */
type FoundText = { name: string; pointer: string; text: string }

/** Every text inside a JSON value. */
function textsIn(value: unknown, pointer: string, name = ''): FoundText[] {
  if (typeof value === 'string') return [{ name, pointer, text: value }]
  if (Array.isArray(value)) return value.flatMap((entry, index) => textsIn(entry, `${pointer}/${index}`, name))
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([member, inner]) => textsIn(inner, `${pointer}/${escaped(member)}`, member))
}

/** RFC 6901 section 3. */
function escaped(member: string): string {
  return member.slice(0, 64).replaceAll('~', '~0').replaceAll('/', '~1')
}

const linkName = /^(?:href|url|src|link|poster|canonical|ogImage)$|(?:Href|Url|Src)$/
const mediaName = /^mediaIds?$|MediaIds?$/
const linkSchemes = new Set(['http:', 'https:', 'mailto:', 'tel:'])

/** Read as a browser reads it (WHATWG URL), so that no tab or newline hides a scheme. */
function isSafeLink(text: string): boolean {
  const base = 'https://relative.invalid'
  return URL.canParse(text, base) && linkSchemes.has(new URL(text, base).protocol)
}

/** Links that a page must not have, wherever they stand: a visitor's browser would run them. */
export function linkFaults(value: unknown, pointer: string): Fault[] {
  return textsIn(value, pointer)
    .filter(({ name, text }) => linkName.test(name) && !isSafeLink(text))
    .map(({ pointer: path }) => ({
      path,
      code: 'link',
      message: 'must be an http, https, mailto or tel address, or one relative to the site',
    }))
}

/** The files that a value names, each once: members called `mediaId`, `...MediaId` and their plurals. */
export function mediaIdsIn(value: unknown): string[] {
  const ids = textsIn(value, '').filter(({ name, text }) => mediaName.test(name) && isId(text))
  return [...new Set(ids.map(({ text }) => text))]
}

/** The products that sections show, each once. */
export function productSlugsIn(sections: Section[]): string[] {
  const slugs = sections.flatMap(({ type, content }) => {
    if (type === 'pricing') return [content['productSlug']]
    return type === 'product_grid' && Array.isArray(content['slugs']) ? content['slugs'] : []
  })
  return [...new Set(slugs.filter((slug) => typeof slug === 'string'))]
}

/** In the order that was asked for, ties by their place, and numbered anew. An entry without `order` counts by its place. */
export function inOrder(sections: Section[]): Section[] {
  return sections.toSorted((a, b) => a.order - b.order).map((section, order) => ({ ...section, order }))
}

/** The same id twice in a page: a client could not tell the two apart. */
export function repeatedIds(sections: Section[], pointer: string): Fault[] {
  const seen = new Set<string>()
  return sections.flatMap(({ id }, index) => {
    if (!seen.has(id)) {
      seen.add(id)
      return []
    }
    return [{ path: `${pointer}/${index}/id`, code: 'unique', message: 'is the id of another section of the page' }]
  })
}
