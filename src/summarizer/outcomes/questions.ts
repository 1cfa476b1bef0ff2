// The sentences of a meeting in, the questions that nobody answered out.

import type { MeetingRecord, SpokenSentence } from '../sentences/meeting-record.ts'
import { questionWords } from '../sentences/sentences.ts'
import type { Question } from '../summary.ts'
import { speakerNames } from './names.ts'
import { openRequest } from './task-cues.ts'
import { findAssignee } from './tasks.ts'

export type OpenQuestion = Question & { evidence: SpokenSentence }

const unclearSubject =
  /^(?:(?:is|are|was|does|do|did|can|could|should|will|would|has|have) )?(?:it|that|this|they|he|she|there|those|these)\b/i
const smallTalk =
  /\b(?:can you hear|hear me|how are you|any(?: other)? (?:questions|comments|objections|blockers|business)|anything else|see my screen|ready|everybody|everyone here|what do you think|next slide|do you want to (?:start|go)|who wants? to|shall we start|can I (?:raise|say|ask|add|start)|do I have a (?:motion|second)|does that make sense|you know what|haben alle|sind alle|noch fragen|estamos todos|on commence)\b/i
/** A reply that does not answer the question. */
const noAnswer =
  /(?<!\p{L})(?:don't know|not sure|no idea|good question|depends|we'll see|have to (?:ask|check|find out|clarify|look)|need to (?:ask|check|find out|clarify)|I'll (?:ask|check|find out|look|come back)|let me (?:check|ask|find out)|can't (?:tell|say)|cannot say|who knows|leave (?:that|it) open|no opinion|don't have an? (?:opinion|answer)|decide (?:that|it|this) (?:later|next)|let's (?:see|ask|park|leave|find out)|cross that bridge|weiß (?:ich )?nicht|noch nicht|klären|keine ahnung|no (?:lo )?sé|todavía no|ni idea|pas encore|on verra|je ne sais pas|aucune idée)(?!\p{L})/iu
const answerEntriesMax = 2
/** "Who owns the budget?" is complete. Other short questions depend on what was said before. */
const wordsMin = (text: string) => (/(?:^|, )(?:who|when|where|which|wer|wann|wo) /i.test(text) ? 4 : 5)

/** Questions that can be understood alone and got no answer. A request to somebody is a task instead. */
export function findOpenQuestions(sentences: readonly SpokenSentence[], record: MeetingRecord): OpenQuestion[] {
  const names = speakerNames(record)
  const { language } = record
  const isEnglish = language.startsWith('en')
  return sentences.flatMap((evidence, at) => {
    const { isQuestion, words, text, speaker, entry } = evidence
    if (
      !isQuestion ||
      words.length < wordsMin(text) ||
      words.length > 30 ||
      smallTalk.test(text) ||
      unclearSubject.test(text)
    )
      return []
    if (isEnglish && !questionWords.test(text)) return []
    if (openRequest.test(text) || findAssignee(text, { names, language }) || isAnswered(sentences, at)) return []
    return [{ text, speaker: speaker.name, citations: [entry], evidence }]
  })
}

/**
 * A statement of somebody else in the next entries is an answer, unless it says "I don't know" or the like. A
 * counter-question is none.
 */
function isAnswered(sentences: readonly SpokenSentence[], at: number): boolean {
  const question = sentences[at]
  let answers = 0
  for (let next = at + 1; question && next < sentences.length && answers < 3; next += 1) {
    const reply = sentences[next]
    if (!reply || reply.entry - question.entry > answerEntriesMax) break
    if (reply.speaker === question.speaker) {
      if (answers > 0) break
      continue
    }
    if (noAnswer.test(`${reply.opening} ${reply.text}`)) return false
    if (!reply.isQuestion) answers += 1
  }
  return answers > 0
}
