import { isId } from '../../kernel/ids.ts'
import { replaceMedia, type Section, type SentSection } from './section.rules.ts'

/** A section in a bundle: without derived content, and with files named by the SHA-256 of their content. */
export type SectionSource = { type: string; content: Record<string, unknown> }

const digestPrefix = 'sha256:'
const digestForm = /^sha256:([0-9a-f]{64})$/

/** @param digests of files by their ids. Unknown files keep their id. */
export function toSource({ type, content }: Section, digests: ReadonlyMap<string, string>): SectionSource {
  const source = replaceMedia(withoutRenderedHtml(type, content), (text) => toDigestName(text, digests))
  return { type, content: source as Record<string, unknown> }
}

export function toDigestName(id: string, digests: ReadonlyMap<string, string>): string {
  const digest = digests.get(id)
  return digest === undefined ? id : digestPrefix + digest
}

/** Removes HTML that was rendered from Markdown (`section-input.ts`). */
function withoutRenderedHtml(type: string, content: Record<string, unknown>): Record<string, unknown> {
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

/** The digest that a text gives in place of a file id; null if it gives none. */
export function parseDigestName(text: string): string | null {
  return digestForm.exec(text)?.[1] ?? null
}

/** Every text in the content that names a file. */
export function listFileNames(content: unknown): string[] {
  const names: string[] = []
  replaceMedia(content, (text) => {
    names.push(text)
    return text
  })
  return names.filter((text) => isId(text) || parseDigestName(text) !== null)
}

/**
 * The sections with ids from `known`: the id of an equal section, else of the first other section of the same type. So
 * editors find the sections of a page again after an import.
 */
export function withKnownIds(sources: SectionSource[], known: { id: string; source: SectionSource }[]): SentSection[] {
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
