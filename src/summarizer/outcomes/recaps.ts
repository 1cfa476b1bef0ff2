// The sentences of a meeting in, those out in which a speaker sums up what was settled.

import type { SpokenSentence } from '../sentences/meeting-record.ts'
import { hypothetical, recapCue, recapItem, undecidedCue } from './decision-cues.ts'

/** Over so many entries a speaker may go on, while others only assent. */
const entriesMax = 6
const assentWordsMax = 5
const itemsMax = 4
const wordsMin = 6

/** A recap counts only in the last part of a meeting: an earlier one tells of the meeting before. */
const positionMin = 0.4

/** The indexes of the sentences that a recap consists of. */
export function findRecapped(sentences: readonly SpokenSentence[]): number[] {
  return sentences.flatMap((it, at) =>
    it.position >= positionMin && !it.isQuestion && recapCue.test(it.text) ? itemsOf(sentences, at) : [],
  )
}

/** The rest of the speaker's turn and the turns after it, up to a longer turn of somebody else. */
function itemsOf(sentences: readonly SpokenSentence[], from: number): number[] {
  const start = sentences[from]
  const items: number[] = []
  for (let at = from; start && at < sentences.length && items.length < itemsMax; at += 1) {
    const it = sentences[at]
    if (!it || it.entry - start.entry > entriesMax) break
    if (it.speaker !== start.speaker) {
      if (it.words.length > assentWordsMax) break
    } else if (isItem(it)) items.push(at)
  }
  return items
}

const isItem = ({ text, words, isQuestion }: SpokenSentence) =>
  !isQuestion &&
  words.length >= wordsMin &&
  recapItem.test(text) &&
  !undecidedCue.test(text) &&
  !hypothetical.test(text) &&
  !/\b(?:gonna have to|have to|need to|should|could|might|minutes|meeting|lunch|break)\b/i.test(text)
