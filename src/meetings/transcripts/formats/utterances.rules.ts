/** The pause that separates two utterances of one speaker: the default of Deepgram's `utt_split`. */
const pauseSeconds = 0.8

/** One recognized word. Times are in seconds. */
export type SpokenWord = { speaker: unknown; text: string; start: number; end: number }
/** The words of one speaker without a long pause. */
export type Utterance = Pick<SpokenWord, 'speaker' | 'text' | 'start'>

/** For files that hold only single words. The words must be in their order. */
export function groupIntoUtterances(words: readonly SpokenWord[]): Utterance[] {
  const found: { speaker: unknown; start: number; words: string[] }[] = []
  let before: SpokenWord | undefined
  for (const word of words) {
    const current = found.at(-1)
    const goesOn = before && before.speaker === word.speaker && word.start - before.end < pauseSeconds
    if (current && goesOn) current.words.push(word.text)
    else found.push({ speaker: word.speaker, start: word.start, words: [word.text] })
    before = word
  }
  return found.map(({ words, ...utterance }) => ({ ...utterance, text: words.join(' ') }))
}
