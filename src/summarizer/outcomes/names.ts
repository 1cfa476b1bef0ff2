// The speakers of a meeting and a sentence in, the speakers named in the sentence out.

import type { MeetingRecord, Speaker } from '../sentences/meeting-record.ts'

/** Names in lower case that identify one speaker. `begins` holds their first words. */
export type Names = { people: ReadonlyMap<string, Speaker>; begins: ReadonlySet<string> }

const titles = ['mr', 'mrs', 'ms', 'dr', 'prof', 'herr', 'frau', 'señor', 'señora', 'monsieur', 'madame']

/**
 * A speaker is known by the whole name, its first word, its last word after a title, or an office ("the clerk"). A last
 * word alone may be another's: "the user interface designer" is not the industrial designer.
 */
export function speakerNames({ speakers }: MeetingRecord): Names {
  const names = new Map<string, Speaker | null>()
  for (const speaker of speakers) {
    for (const name of nameForms(speaker.label.toLowerCase())) {
      if (name.length > 1) names.set(name, names.has(name) ? null : speaker)
    }
  }
  const people = new Map([...names].filter((it): it is [string, Speaker] => it[1] !== null))
  return { people, begins: new Set([...people.keys()].map((name) => name.split(' ')[0] ?? '')) }
}

function nameForms(label: string): Set<string> {
  const words = label.split(' ')
  const last = words.at(-1) ?? ''
  // "Speaker 2" is not called "2".
  if (!/^\p{L}{2,}$/u.test(last)) return new Set([label, words.length > 1 ? '' : label])
  if (roles.test(last)) return new Set([label])
  const office = words.length > 1 ? `the ${words[0]}` : ''
  return new Set([label, words[0] ?? '', office, ...titles.map((title) => `${title} ${last}`)])
}

/** Names of what somebody does, not of a person: their first words are no names. */
const roles = /^(?:designer|manager|expert|interface|director|lead|engineer|officer|assistant|analyst|marketing)$/

const endOfName = /[,:]$/

/** A speaker named in a sentence, with the text before and after the name. */
export type Mention = { speaker: Speaker; before: string; after: string }

const afterRole = /^ (?:designer|manager|expert)\b/i

/** Names begin with a capital, unless the speaker's own name is written without. "The industrial designer" is a role. */
export function findMentions(text: string, { people, begins }: Names): Mention[] {
  const words = text.split(' ')
  const found: Mention[] = []
  let at = 0
  for (const [i, word] of words.entries()) {
    const sizes = begins.has(word.replace(endOfName, '').toLowerCase()) ? [3, 2, 1] : []
    for (const size of sizes) {
      const name = words
        .slice(i, i + size)
        .join(' ')
        .replace(endOfName, '')
      const speaker = people.get(name.toLowerCase())
      const isRole = size > 1 && roles.test(name.split(' ').at(-1)?.toLowerCase() ?? '')
      const isWritten = /^\p{Lu}|^the$/u.test(word) || isRole || !/\p{Lu}/u.test(speaker?.label ?? '')
      if (!speaker || !isWritten) continue
      found.push({
        speaker,
        before: text.slice(0, at),
        after: text
          .slice(at + name.length)
          .replace(':', ',')
          .replace(afterRole, ''),
      })
      break
    }
    at += word.length + 1
  }
  return found
}
