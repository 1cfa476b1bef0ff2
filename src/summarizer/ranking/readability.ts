// A spoken sentence in, how well it can be understood without the ones around it out.

import { notTopics } from '../language/common-words.ts'
import { stopWords } from '../language/stop-words.ts'
import { acceptanceCues, resultAlone } from '../outcomes/decision-cues.ts'
import { promiseAlone } from '../outcomes/task-cues.ts'
import type { SpokenSentence } from '../sentences/meeting-record.ts'
import { promptInjection } from '../text/prompt-injection.ts'
import { isFluent } from './fluency.ts'
import { logistics } from './sentence-cues.ts'

/**
 * `clear`: can be understood alone. `weak`: needs its neighbours. `fragment`: the last choice.
 */
export type Readability = 'clear' | 'weak' | 'fragment'

const danglingStart =
  /^(?:nah|say|given|something|somebody|kind|sort|well|because|until|whereas|such|it|it's|that|that's|this|these|those|they|they're|they'll|they've|which|when|to|of|for|with|than|as|he|she|he's|she's|there|there's|what|who|where|how|why|like|or|not|except|also|either|yes|no|whether|whatever|same|don't|could|should|did|do|does|are|is|can|would|will|has|have|was|were|am)\b/iu
const openStart = /^(?:since|although|while|so that|in order|just|maybe|even|otherwise|wait)\b/i
/** "If we had a better shape, or more options": a condition without what follows from it. */
const halfCondition = /^(?:if|when|unless)\b(?!.*, (?:then |we|you|it|i|they|there|the|that's|that|what|how|people)\b)/i
/** Tells of the speaker's own doings at this moment. */
const aboutOneself =
  /^(?:I'm (?:just|from|here|\p{Lu})|I was|I just|I finally|I modified|I haven't|I went|I (?:last )?lived|I have (?:one|thinked)|I made|I've made|my name|I am thinking|I worried|really I)\b/u
const brokenEnd =
  /\b(?:the|a|an|and|or|but|of|to|in|on|for|with|that|which|is|are|was|were|be|being|i|we|you|they|he|she|it's|that's|so|if|because|this|my|your|our|their|his|her|like|would|could|should|will|can|have|has|had|at|by|from|not|no|really|very|quite|just|also|maybe|than|then|what|how|when|where|who|why|into|about|these|those|don't|didn't|i'm|we're|they're|as|some|any|other|each|every|more|most|kind|sort|between|through|over|under|think|know|mean|say|guess|does|do|did|hey|anyways?)$/i
const finiteVerb =
  /\b(?:is|are|was|were|am|has|have|had|do|does|did|will|would|can|can't|could|should|must|may|might|need|needs|want|wants|think|[a-z]{3,}ed|[a-z]+n't|[a-z]+'(?:re|ll|ve|m|d)|(?:it|he|she|that|there|here|what|who|how|where|everything|everybody|everyone|nobody|nothing|somebody|thing|let|so|all|one)'s|make|makes|made|went|got|get|gets|let|goes|go|found|said|came|took|use|uses|work|works|means|shows|gives|seems|costs|cost (?:us|you|them|about|too|so|as|a|more|less|only|nearly|almost|around|over|under|up|\d+|\p{L}+ (?:euros?|dollars?|pounds?|percent|hundred|thousand|million))|comes|takes|looks|wants|likes|runs|keeps|helps|says|requires?|includes?|contains?|provides?|suggests?|incurs?|depends?|belongs?|becomes?|became|remains?|allows?|increases?|reduces?|affects?|breaks?|broke|happens?|exists?|starts?|began|ends?|feels?|felt|sounds?|appears?|tends?|lacks?|lasts?|pays?|paid|sells?|sold|buys?|bought|stays?|holds?|held|brings?|brought|leads?|led|follows?|applies|apply|matters?|fits?|sees?|saw|knows?|knew|believes?|hopes?|proposes?|recommends?|supports?|understands?|expects?|prefers?|finds?|built|kept|left (?:the|for|out|it|us|them)|lost|met|sent|spent|thought|told|chose|grew|heard|ran|rose|tried|wrote|give|show|seem|take|look|run|keep|help|(?:i|we|you|they|people|users|who|would|really|don't) like|put|shows?)\b/iu

/** Speaks of what listeners saw or had just heard. */
const pointing =
  /\b(?:over here|right here|this one|that one|these ones?|those ones?|like this|like that|like so|up there|down there|down here|the other one|first one|second one|last one|you see here|as you can see|that thing|this thing|do that|did that|do this|do it|does it|doing that|doing this|what I said|what you said|I was saying|you were saying|you said|I said|just said)\b/i
/** "That we'll each be doing our own ideas", "whether they want it": a clause without its main clause. */
const subordinateStart =
  /^(?:(?:that|(?:in|of|to|for|from|with|on|by) which|meaning|cuz|which|who|whose|whether|than|rather than|so that|such that|as opposed to) |(?:because|although|whereas|until|unless)\b(?!.*,))/i
/** "What's the most annoying thing about it": a question that was written without its mark. */
const unmarkedQuestion = /^(?:what|where|who|how|why)(?:'s| is| are| do| does| did)\b(?!.* (?:is|are) )/i
const infinitive = / to \p{Ll}+/giu
const subordinate =
  /(?:^| )(?:because|'cause|which|who|whose|that|if|when|where|while|although|whereas|what|how|why|whether|than) /i

/** "Much attention on these figures, because ...": no clause but a subordinate one has a verb. */
function isVerbless(text: string): boolean {
  const heads = text.split(/,| then /i).map((part) => part.split(subordinate, 1)[0] ?? '')
  return !heads.some((head) => finiteVerb.test(head.replace(infinitive, ''))) && !instructs.test(text)
}
const instructs =
  /^(?:use|keep|add|make|take|give|let|please|avoid|remove|reduce|increase|imagine|remember|call|send|put)\b/i

/** "Must choose them somehow", "got it working": what was said before names who. */
const missingSubject =
  /^(?:must|should|shall|got|had|find|found|see|flip|want|wants|need|needs|looks?|seems?|thought|going|gonna|trying|having|being|makes?|made|gives?|gave|goes|went|turns|comes|came|means|rank|plus|besides that|else|except|only|then|rather|another|both|each|first of all|second|third|one|two|three|four|some|any|most|many|all|none|same|different|[a-z]+ing|[a-z]+ly [a-z]+ed|[a-z]+ed)\b(?! (?:of (?:the|our|these|those|all) )?\p{L}{4,})|^(?:second|third) (?:we|I)\b/iu
/** A comma right after a function word: something was left out or begun again. */
const heldBack =
  /\b(?:I|I'm|I've|I'll|we|we're|we've|we'll|they're|you're|the|a|an|my|your|our|their|its|is|are|was|were|will|would|could|should|and|or|but|because|just|to|of|not|did|does|with|from|into|at|by|be),/i
/** Tells what the people in the room do at this moment, or plan for the rest of the meeting. */
const aboutTheMeeting =
  /\b(?:(?:this|that|a|the|our|next|last|first|second|final|kick-?off|project) meetings?|come to (?:a |the )?decisions?|(?:I'll|I will|I'd like to) (?:invite|call)|I(?:'ll| will) be \p{L}+ing|share quickly|(?:meet|introduce|get to know) each other|do the opening|(?:present|show) to you|to speak on|project plan|next part|(?:assign|give) you (?:the|a|your)? ?(?:tasks?|assignment)|individual(?:ly)? work|work individually|on the (?:board|screen|table)|in this (?:slide|room)|excel sheet|(?:my|second|first|last) sheet|get acquainted|tool training|(?:twenty|thirty|forty|ten|five|fifteen) minutes?(?: left| time| to)|minutes left|I (?:have|had|got|received|just got) (?:an? )?(?:e-?mail|mail|message)|same mail|I(?:'ll| will) (?:summari[sz]e|tell you|show you|be (?:the|talking|doing|presenting)|read|start|begin|explain|go through)|my (?:role|animal|pet|favou?rite|computer|presentation|slides)|we(?:'re| are) (?:gonna|going to) (?:make a decision|discuss|talk|look at|go (?:over|through)|have|start|decide)|we(?:'ll| will) (?:discuss|talk|take the decision|have a|start|decide|go (?:over|through))|(?:must|need to|have to|should|gotta) (?:reach|make|take) (?:a|the|some|these|those) decisions?|need to decide|what(?:'s| is) (?:next|left)|I(?:'m| am) (?:really )?(?:excited|glad|happy|hungry|sure|sorry|thinking)|I (?:used to|hope|guess|wonder|love|hate|remember|forget|forgot|can't remember|don't remember|didn't know|would say|was thinking|worried)|you (?:mentioned|touched|talked|asked|said|were|told|spoke|pointed)|I(?:'ll| will) ask\b|(?:thank|thanks|congratulat)\p{L}*|Madam Chair|Mr Chair|Mr Speaker|Madam Speaker|honou?rable|my colleague|my question)\b/iu

const pronoun =
  /(?<![\p{L}'])(?:it|it's|it'll|they|they're|they've|they'll|them|their|its|he|he's|she|she's|him|her|his)(?![\p{L}'])/iu
const demonstrative =
  /(?<![\p{L}'])(?:these|those|this|here|that's|that (?=is|was|would|will|could|can|has|does|did|way|sense|case|point|kind|sort|idea|sheet)|(?:of|about|with|for|to|in|from|on|like) that(?= |$)(?! the| we| I| you| they| is)|such)(?![\p{L}'])/iu
/** "It's important to", "this year": refers to nothing that was said. */
const noAnaphor =
  /(?<![\p{L}'])(?:it(?:'s| is| was| would be| might be| makes| takes| will be) (?:\p{L}+ ){0,4}(?:to|that|for|if|when)|this (?:year|week|month|morning|afternoon|company|country|project|product|summer|spring|autumn|winter))(?![\p{L}'])/giu
const carriesMeaning = /[\p{L}\p{N}]{4,}/gu
/** How many names must stand before a word that refers to something, so that it may refer to one of them. */
const namesBefore: readonly (readonly [RegExp, number])[] = [
  [pronoun, 1],
  [demonstrative, 2],
]

/** "I like them because they're sleek": refers to what was said before the sentence. */
function pointsBack(text: string): boolean {
  const plain = text.replace(noAnaphor, (it) => ' '.repeat(it.length))
  return namesBefore.some(([reference, namesMin]) => {
    const at = reference.exec(plain)?.index
    if (at === undefined) return false
    const before = plain.slice(0, at).toLowerCase().match(carriesMeaning) ?? []
    return before.filter((word) => !notTopics.has(word) && !stopWords['en']?.has(word)).length < namesMin
  })
}

const wordsMin = 7
const topicalMin = 2

/** What each of these finds depends on what was said or seen before, or tells only of the people in the room. */
const needsNeighbours = [
  danglingStart,
  pointing,
  missingSubject,
  heldBack,
  aboutTheMeeting,
  openStart,
  halfCondition,
  aboutOneself,
]

/** @param topical the number of different words that can be a topic */
export function readabilityOf(
  it: SpokenSentence,
  { topical, language }: { topical: number; language: string },
): Readability {
  const { text, words, isQuestion, isCut, isBroken, disfluency } = it
  if (words.length < 5 || isCut || isBroken || isQuestion || disfluency > 0.5) return 'fragment'
  if (!isFluent(it, language)) return 'fragment'
  const isEnglish = language.startsWith('en')
  if (isEnglish && (!finiteVerb.test(text) || brokenEnd.test(text) || logistics.test(text))) return 'fragment'
  if (isEnglish && (subordinateStart.test(text) || unmarkedQuestion.test(text))) return 'fragment'
  if (isEnglish && (isVerbless(text) || isLeftOpen(text))) return 'fragment'
  if (isEnglish && (acceptanceCues.test(text) || needsNeighbours.some((cue) => cue.test(text)) || pointsBack(text)))
    return 'weak'
  return words.length < wordsMin || topical < topicalMin ? 'weak' : 'clear'
}

/** "Most are right-handed, so in terms of our target group": what follows was not said. */
const openEnd = /, (?:so|but|because|since|if|when|although)\b([^,]*)$/i
const isLeftOpen = (text: string): boolean => {
  const end = openEnd.exec(text)?.[1]
  return end !== undefined && !finiteVerb.test(end.replace(infinitive, ''))
}

/** Who speaks, and who is spoken to. */
export const speaker = /(?<![\p{L}'])(?:i|me|my)(?!\p{L})/iu
const listener = /(?<![\p{L}'])(?:you|your)(?!\p{L})/iu

/** Whether somebody who was not there understands what is asked. Not what is asked of a person in the room. */
export function isClearQuestion(it: SpokenSentence, language: string): boolean {
  const { text, words, isCut, isBroken, disfluency } = it
  if (isCut || isBroken || disfluency > 0.5 || !isFluent(it, language)) return false
  if (!language.startsWith('en')) return true
  if (words.length < wordsMin || brokenEnd.test(text) || logistics.test(text) || pointing.test(text)) return false
  return !speaker.test(text) && !listener.test(text) && !pointsBack(text) && !subordinateStart.test(text)
}

/** Whether a decision or a task says to somebody who was not there what is to be done. */
export function isClearOutcome({ text, words, isCut, isBroken }: SpokenSentence, language: string): boolean {
  if (isCut || isBroken) return false
  if (!language.startsWith('en')) return true
  const named = words.filter((word) => word.length > 2 && !notTopics.has(word) && !stopWords['en']?.has(word)).length
  if (named < (/\b(?:it|that|this|them|those|these)\b/i.test(text) ? 2 : 1)) return false
  return !(missingSubject.test(text) || subordinateStart.test(text) || logistics.test(text) || pointing.test(text))
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
