// A language in, the frames of its summaries out: the sentences around what was said.

import { english, type Frames } from './english.ts'
import { french } from './french.ts'
import { german } from './german.ts'
import { italian } from './italian.ts'
import { spanish } from './spanish.ts'

const frames: Readonly<Record<string, Frames>> = { de: german, en: english, es: spanish, fr: french, it: italian }

/** English for any other language: what was said is quoted in its own. @param language a BCP 47 tag */
export const framesFor = (language: string): Frames => frames[language.split('-')[0] ?? ''] ?? english

/** "Ann", "Ann and Ben", "Ann, Ben and 3 others". At most `shown` are named. */
export function joinList(items: readonly string[], { and, others }: Frames, shown = items.length): string {
  const rest = items.length - shown
  if (rest > 1) return `${items.slice(0, shown).join(', ')} ${and} ${others(rest)}`
  if (items.length < 2) return items.join('')
  return `${items.slice(0, -1).join(', ')} ${and} ${items.at(-1)}`
}
