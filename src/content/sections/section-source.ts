import { isId } from '../../kernel/ids.ts'
import { type Section, type SentSection, withMedia } from './section.rules.ts'

/** A section as a bundle has it: nothing that is made of the rest, and files by the SHA-256 of their content. */
export type SectionSource = { type: string; content: Record<string, unknown> }

const digestPrefix = 'sha256:'
const digestForm = /^sha256:([0-9a-f]{64})$/

/** @param digests of files by their ids. A file that is not known keeps its id. */
export function sourceOf({ type, content }: Section, digests: ReadonlyMap<string, string>): SectionSource {
  const source = withMedia(withoutMade(type, content), (text) => namedByDigest(text, digests))
  return { type, content: source as Record<string, unknown> }
}

export function namedByDigest(id: string, digests: ReadonlyMap<string, string>): string {
  const digest = digests.get(id)
  return digest === undefined ? id : digestPrefix + digest
}

/** HTML that is rendered of Markdown (`section-reading.ts`). */
function withoutMade(type: string, content: Record<string, unknown>): Record<string, unknown> {
  if (type === 'rich_text') return without(content, 'html')
  if (type !== 'faq' || !Array.isArray(content['items'])) return content
  return { ...content, items: content['items'].map((item: unknown) => (isObject(item) ? without(item, 'html') : item)) }
}

function without(value: Record<string, unknown>, name: string): Record<string, unknown> {
  const { [name]: _, ...rest } = value
  return rest
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The digest that a text names instead of a file's id; null where it names none. */
export function digestIn(text: string): string | null {
  return digestForm.exec(text)?.[1] ?? null
}

/** Every text of a content that names a file. */
export function fileNamesIn(content: unknown): string[] {
  const names: string[] = []
  withMedia(content, (text) => {
    names.push(text)
    return text
  })
  return names.filter((text) => isId(text) || digestIn(text) !== null)
}

/**
 * The sections to be read again (`readSections`), with the ids of those that say the same in `known`, or else stand for
 * the first other of their type: whoever edits a page finds its sections again.
 */
export function identified(sources: SectionSource[], known: { id: string; source: SectionSource }[]): SentSection[] {
  const free = new Set(known)
  const take = (isMatch: (candidate: (typeof known)[number]) => boolean): string | undefined => {
    const match = free.values().find(isMatch)
    if (match !== undefined) free.delete(match)
    return match?.id
  }
  const texts = new Map(known.map((one) => [one, JSON.stringify(one.source)]))
  const same = sources.map((source) => {
    const text = JSON.stringify(source)
    return take((one) => texts.get(one) === text)
  })
  return sources.map((source, index) => {
    const id = same[index] ?? take((one) => one.source.type === source.type)
    return id === undefined ? source : { ...source, id }
  })
}
