import { isId } from '../../kernel/ids.ts'
import type { FieldError } from '../../kernel/refusal.ts'
import { addressProblem } from '../address.rules.ts'

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

const linkName = /^(?:link|poster|canonical|ogImage)s?$|(?:href|url|src)s?$/i
const mediaName = /^mediaIds?$|MediaIds?$/
/** Links that a page must not have, wherever they stand. An empty one is a link that is not set. */
export function linkFaults(value: unknown, pointer: string): FieldError[] {
  return textsIn(value, pointer).flatMap(({ name, text, pointer: path }) => {
    const message = linkName.test(name) && text !== '' ? addressProblem(text, ['tel:']) : null
    return message === null ? [] : [{ path, code: 'link', message }]
  })
}

/** The files that a value names, each once: members called `mediaId`, `...MediaId` and their plurals. */
export function mediaIdsIn(value: unknown): string[] {
  const ids = textsIn(value, '').filter(({ name, text }) => mediaName.test(name) && isId(text))
  return [...new Set(ids.map(({ text }) => text))]
}

/** The same value with other texts where files are named. */
export function withMedia(value: unknown, replace: (text: string, pointer: string) => string): unknown {
  return replaced(value, { name: '', pointer: '' }, replace)
}

function replaced(
  value: unknown,
  { name, pointer }: { name: string; pointer: string },
  replace: (text: string, pointer: string) => string,
): unknown {
  if (typeof value === 'string') return mediaName.test(name) ? replace(value, pointer) : value
  if (Array.isArray(value))
    return value.map((entry, index) => replaced(entry, { name, pointer: `${pointer}/${index}` }, replace))
  if (typeof value !== 'object' || value === null) return value
  const members = Object.entries(value).map(([member, inner]) => {
    const at = { name: member, pointer: `${pointer}/${escaped(member)}` }
    return [member, replaced(inner, at, replace)]
  })
  return Object.fromEntries(members)
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
export function repeatedIds(sections: Section[], pointer: string): FieldError[] {
  const seen = new Set<string>()
  return sections.flatMap(({ id }, index) => {
    if (!seen.has(id)) {
      seen.add(id)
      return []
    }
    return [{ path: `${pointer}/${index}/id`, code: 'unique', message: 'is the id of another section of the page' }]
  })
}
