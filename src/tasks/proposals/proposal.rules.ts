import { oneLine } from '../../kernel/one-line.ts'
import type { ActionItem, CitedEntry } from '../../meetings/index.ts'

export type Evidence = { speaker: string; timestamp: string; quote: string; seqs: number[] }

/** What makes a proposal the same one, no matter who summarizes the meeting again. */
export type ProposalKey = { seq: number; place: number }

export type Proposal = ProposalKey & {
  title: string
  ownerName: string | null
  dueText: string | null
  evidence: Evidence
}

export const titleLettersMax = 500
const quoteLettersMax = 1000
const nameLettersMax = 200

/** The proposals of a meeting. An item whose entries were erased meanwhile is none. */
export function toProposals(items: ActionItem[], entries: CitedEntry[]): Proposal[] {
  const bySeq = new Map(entries.map((entry) => [entry.seq, entry]))
  const places = new Map<number, number>()
  return items.flatMap(({ text, owner, due, seqs }) => {
    const seq = Math.max(...seqs)
    const place = places.get(seq) ?? 0
    places.set(seq, place + 1)
    const cited = seqs.flatMap((it) => bySeq.get(it) ?? [])
    const spoken = cited.find((entry) => oneLine(entry.text).includes(text)) ?? cited[0]
    if (spoken === undefined || cited.length < seqs.length) return []
    const { speaker, timestamp } = spoken
    const evidence = { speaker, timestamp, quote: quoteAround(spoken.text, text), seqs }
    return {
      seq,
      place,
      title: shorten(oneLine(text), titleLettersMax),
      ownerName: named(owner),
      dueText: due,
      evidence,
    }
  })
}

const named = (owner: string | null) => (owner === null ? null : shorten(oneLine(owner), nameLettersMax))

/** The stored text of an entry, or the part of a long one that begins with these words. */
function quoteAround(entryText: string, words: string): string {
  const start = entryText.length > quoteLettersMax ? Math.max(0, entryText.indexOf(words)) : 0
  return [...entryText.slice(start)].slice(0, quoteLettersMax).join('')
}

/** Cut at a word, with an ellipsis, if it has more letters. */
export function shorten(text: string, lettersMax: number): string {
  const letters = [...text]
  if (letters.length <= lettersMax) return text
  const cut = letters.slice(0, lettersMax - 1).join('')
  const lastSpace = cut.lastIndexOf(' ')
  return `${lastSpace > cut.length / 2 ? cut.slice(0, lastSpace) : cut}…`
}
