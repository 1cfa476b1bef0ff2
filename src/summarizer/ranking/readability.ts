// A spoken sentence in, how well it can be understood without the ones around it out.

import { acceptanceCues, resultAlone } from '../outcomes/decision-cues.ts'
import { promiseAlone } from '../outcomes/task-cues.ts'
import type { SpokenSentence } from '../sentences/meeting-record.ts'
import { promptInjection } from '../text/prompt-injection.ts'
import { isFluent } from './fluency.ts'
import { logistics } from './sentence-cues.ts'

/** `alone`: can be quoted anywhere. `weak`: only where nothing better is there. `fragment`: the last choice. */
export type Readability = 'alone' | 'weak' | 'fragment'

const danglingStart =
  /^(?:given|something|somebody|kind|sort|well|because|until|whereas|such|it|it's|that|that's|this|these|those|they|they're|they'll|they've|which|when|to|of|for|with|than|as|he|she|he's|she's|there|there's|what|who|where|how|why|like|or|not|except|also|either|yes|no|whether|whatever|same|don't|could|should|did|do|does|are|is|can|would|will|has|have|was|were|am)\b/iu
const openStart = /^(?:since|although|while|so that|in order|just|maybe|even)\b/i
/** "If we had a better shape, or more options": a condition without what follows from it. */
const halfCondition = /^(?:if|when|unless)\b(?!.*, (?:then |we|you|it|i|they|there|the|that's|that|what|how|people)\b)/i
/** Tells of the speaker's own doings at this moment. */
const aboutOneself =
  /^(?:I'm (?:just|from|here|\p{Lu})|I was|I just|I finally|I modified|I haven't|I went|I (?:last )?lived|I have (?:one|thinked)|I made|I've made|my name|I am thinking|I worried|really I)\b/u
const loose =
  /\b(?:sort of|kind of|sorta|kinda|you know|i mean|or something|stuff|thingy|or whatever|gonna have to|and so on|blah|whichever|thinked|wanna|gotta)\b/i
const brokenEnd =
  /\b(?:the|a|an|and|or|but|of|to|in|on|for|with|that|which|is|are|was|were|be|being|i|we|you|they|he|she|it's|that's|so|if|because|this|my|your|our|their|his|her|like|would|could|should|will|can|have|has|had|at|by|from|not|no|really|very|quite|just|also|maybe|than|then|what|how|when|where|who|why|into|about|these|those|don't|didn't|i'm|we're|they're|as|some|any|other|each|every|more|most|kind|sort|between|through|over|under|think|know|mean|say|guess|does|do|did)$/i
const finiteVerb =
  /\b(?:is|are|was|were|am|has|have|had|do|does|did|will|would|can|can't|could|should|must|may|might|need|needs|want|wants|think|[a-z]{3,}ed|[a-z]+n't|[a-z]+'(?:s|re|ll|ve|m|d)|make|makes|made|went|got|get|gets|let|goes|go|found|said|came|took|use|uses|work|works|means|shows|gives|seems|costs?|comes|takes|looks|wants|likes|runs|keeps|helps|says)\b/i
/** Speaks of what listeners saw or had just heard. */
const pointing =
  /\b(?:over here|right here|this one|that one|these ones?|those ones?|like this|like that|like so|up there|down there|down here|the other one|first one|second one|last one|you see here|as you can see|that thing|this thing|do that|did that|do this|do it|does it|doing that|doing this|what I said|what you said|I was saying|you were saying|you said|I said|just said)\b/i
const vague = /\b(?:thing|things|stuff|something|somehow|whatever|anything)\b/gi

const wordsMin = 8
const wordsMax = 32
const topicalMin = 3

/** @param topical the number of different words that can be a topic */
export function readabilityOf(
  it: SpokenSentence,
  { topical, language }: { topical: number; language: string },
): Readability {
  const { text, words, isQuestion, isCut, disfluency } = it
  if (words.length < 5 || isCut || isQuestion || disfluency > 0.5) return 'fragment'
  if (!isFluent(it, language)) return 'fragment'
  const isEnglish = language.startsWith('en')
  if (isEnglish && (!finiteVerb.test(text) || brokenEnd.test(text) || logistics.test(text))) return 'fragment'
  if (words.length < wordsMin || words.length > wordsMax || topical < topicalMin || disfluency > 0.3) return 'weak'
  if (!isEnglish) return 'alone'
  if (danglingStart.test(text) || acceptanceCues.test(text) || pointing.test(text)) return 'weak'
  if (openStart.test(text) || halfCondition.test(text) || aboutOneself.test(text) || loose.test(text)) return 'weak'
  // Longer sentences, and those that only instruct somebody, must name more.
  if (topical < (words.length > 14 || /^(?:you|I|let's)\b/i.test(text) ? topicalMin + 1 : topicalMin)) return 'weak'
  return (text.match(vague)?.length ?? 0) > 1 ? 'weak' : 'alone'
}

/** "The motion is carried", "sounds good, let's do that": says nothing without the sentence before it. */
const isBareAnswer = (text: string, words: readonly string[]) =>
  resultAlone.test(text) ||
  promiseAlone.test(text) ||
  (words.length <= 6 && (acceptanceCues.test(text) || /\bworks for me$/i.test(text)))

/** Only leads to the next point. */
const agendaMove =
  /^(?:next(?: (?:one|up|item|point|topic|thing))?[,:]|(?:next|first|second|third|last) (?:item|point|topic|thing|question)\b|item \w+\b|(?:erster|zweiter|dritter|nächster|letzter) punkt|punkt \w+,|(?:primer|segundo|último|próximo) punto|(?:premier|deuxième|dernier) (?:sujet|point)|pasamos a|empezamos con)/i

/** Says nothing about the subject of the meeting. */
const smallTalk =
  /^(?:(?:sorry|please|no|yes|okay|ok|oh|perfect|great),? )*(?:(?:you )?go ahead|let(?:'s| us) (?:start|begin|get started|go|move on)|(?:that )?sounds (?:good|great|fine|right)(?: to me)?|i(?: am|'m) (?:back|here)|i (?:think i )?(?:was|am) (?:still )?on mute|i dropped off.{0,20}|(?:could|can) you (?:please )?mute.{0,30}|(?:many )?thank(?:s| you).{0,30}|(?:talk to|see) you.{0,20})$/i

const greeting =
  /^(?:guten (?:morgen|tag|abend)|hallo|moin|herzlich willkommen|good (?:morning|afternoon|evening)|welcome)\b|^(?:dann )?(?:war(?:'s| es) das|das war(?:'s| es))\b|\b(?:guten start in die|schönes wochenende|schönen (?:tag|abend|feierabend))\b/i
const figures = /\b\d{2,}|\d[.,]\d|\b(?:percent|million|thousand|hundred|twenty|thirty|forty|fifty|ninety)\b/i

/** Whether a sentence may be quoted at all. */
export function isUsable({ text, words, isQuestion, isWhole }: SpokenSentence, language: string): boolean {
  if (!isWhole) return false
  if (words.length < (isQuestion ? 4 : 3) || promptInjection.test(text) || isBareAnswer(text, words)) return false
  if (words.length <= 9 && (smallTalk.test(text) || agendaMove.test(text))) return false
  if (words.length <= 16 && greeting.test(text) && !figures.test(text)) return false
  return !language.startsWith('en') || !/^[^a-z]*$/i.test(text)
}
