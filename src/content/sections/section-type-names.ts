import { closestMatch } from '../../kernel/closest-match.ts'
import type { FieldError } from '../../kernel/refusal.ts'
import type { Section } from './section.rules.ts'
import { type SectionType, sectionTypes } from './section.types.ts'

const knownNames = Object.keys(sectionTypes)
const plainNames = new Map(knownNames.map((name) => [withoutMarks(name), name]))

/** Null for a type of the client's own. */
export function knownType(name: string): SectionType | null {
  return Object.hasOwn(sectionTypes, name) ? (sectionTypes[name] ?? null) : null
}

/**
 * The known type that a name was probably meant to be: `hero` for `Hero`, `rich_text` for `richText`, `gallery` for
 * `galery`. Null for a name that is far from all of them, and for one with a digit, such as `hero2`, which is chosen.
 */
export function meantType(name: string): string | null {
  const plain = withoutMarks(name)
  const same = plainNames.get(plain)
  if (same !== undefined || /\d/.test(name)) return same ?? null
  const near = closestMatch(plain, [...plainNames.keys()])
  return near !== null && isTypo(plain, near) ? (plainNames.get(near.word) ?? null) : null
}

/** In a short word one letter makes another word (`mode`, `code`), so there it must be the order or a final s. */
function isTypo(plain: string, { word, distance }: { word: string; distance: number }): boolean {
  if (distance > 1) return distance === 2 && word.length >= 8
  return word.length >= 6 || isPlural(plain, word) || [...plain].sort().join() === [...word].sort().join()
}

function isPlural(a: string, b: string): boolean {
  return `${a}s` === b || a === `${b}s`
}

function withoutMarks(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]/g, '')
}

/** Sections whose type is not known, which is allowed. `pointer` is the place of the list in the answer. */
export function unknownTypeWarnings(sections: Section[], pointer: string): FieldError[] {
  return sections.flatMap(({ type }, index) =>
    knownType(type) === null ? [{ path: `${pointer}/${index}/type`, code: 'unknown', message: warningText }] : [],
  )
}

const warningText = `is not a known section type, so its content was stored without checks. Known types are ${knownNames.join(', ')}`
