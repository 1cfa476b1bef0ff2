import { isId } from '../../kernel/ids.ts'
import { pointerToken } from '../../kernel/json-pointer.ts'
import type { FieldError } from '../../kernel/refusal.ts'
import { addressProblem } from '../address.rules.ts'

/** A part of a page as it is stored. `order` counts from 0 without gaps. */
export type Section = { id: string; type: string; content: Record<string, unknown>; order: number }

export type SentSection = { id?: string; type: string; content?: Record<string, unknown>; order?: number }

/** A text inside a value, with the name of its member and its place. Array entries have the name of the array. */
type FoundText = { name: string; pointer: string; text: string }

/** Every text inside a JSON value. */
function findTexts(value: unknown, pointer: string, name = ''): FoundText[] {
  if (typeof value === 'string') return [{ name, pointer, text: value }]
  if (Array.isArray(value)) return value.flatMap((entry, index) => findTexts(entry, `${pointer}/${index}`, name))
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([member, inner]) =>
    findTexts(inner, `${pointer}/${pointerToken(member)}`, member),
  )
}

const linkName = /^(?:link|poster|canonical|ogImage)s?$|(?:href|url|src)s?$/i
const mediaName = /^mediaIds?$|MediaIds?$/
/** All forbidden links in a value. An empty text counts as a link that is not set. */
export function linkFaults(value: unknown, pointer: string): FieldError[] {
  return findTexts(value, pointer).flatMap(({ name, text, pointer: path }) => {
    const message = linkName.test(name) && text !== '' ? addressProblem(text, ['tel:']) : null
    return message === null ? [] : [{ path, code: 'link', message }]
  })
}

/** The texts that name a file, with their places. */
export function findMediaPlaces(value: unknown, pointer: string): { id: string; path: string }[] {
  return findTexts(value, pointer)
    .filter(({ name }) => mediaName.test(name))
    .map(({ text, pointer: path }) => ({ id: text, path }))
}

/** The file ids in a value, each once: in members named `mediaId`, `...MediaId` and their plurals. */
export function findMediaIds(value: unknown): string[] {
  const ids = findTexts(value, '').filter(({ name, text }) => mediaName.test(name) && isId(text))
  return [...new Set(ids.map(({ text }) => text))]
}

/** The value with every file id replaced. */
export function replaceMedia(value: unknown, replace: (text: string, pointer: string) => string): unknown {
  return replaceIn(value, { name: '', pointer: '' }, replace)
}

function replaceIn(
  value: unknown,
  { name, pointer }: { name: string; pointer: string },
  replace: (text: string, pointer: string) => string,
): unknown {
  if (typeof value === 'string') return mediaName.test(name) ? replace(value, pointer) : value
  if (Array.isArray(value))
    return value.map((entry, index) => replaceIn(entry, { name, pointer: `${pointer}/${index}` }, replace))
  if (typeof value !== 'object' || value === null) return value
  const members = Object.entries(value).map(([member, inner]) => {
    const at = { name: member, pointer: `${pointer}/${pointerToken(member)}` }
    return [member, replaceIn(inner, at, replace)]
  })
  return Object.fromEntries(members)
}

/** The products that sections show, each once. */
export function findProductSlugs(sections: Section[]): string[] {
  const slugs = sections.flatMap(({ type, content }) => {
    if (type === 'pricing') return [content['productSlug']]
    return type === 'product_grid' && Array.isArray(content['slugs']) ? content['slugs'] : []
  })
  return [...new Set(slugs.filter((slug) => typeof slug === 'string'))]
}

/** Sorts by `order`, ties by position, and numbers from 0. An entry without `order` uses its position. */
export function sortSections(sections: Section[]): Section[] {
  return sections.toSorted((a, b) => a.order - b.order).map((section, order) => ({ ...section, order }))
}

/** Ids that occur twice in a page: clients could not tell the sections apart. */
export function repeatedIds(sections: ({ id?: string } | null)[], pointer: string): FieldError[] {
  const seen = new Set<string>()
  return sections.flatMap((section, index) => {
    const id = section?.id?.toLowerCase()
    if (id === undefined || !seen.has(id)) {
      if (id !== undefined) seen.add(id)
      return []
    }
    return [{ path: `${pointer}/${index}/id`, code: 'unique', message: 'is the id of another section of the page' }]
  })
}
