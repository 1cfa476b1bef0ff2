// The sentences of a meeting in, the choices out that people settle while they talk about a thing, by its parts.

import type { SpokenSentence } from '../sentences/meeting-record.ts'
import { aboutTheTalk, acceptanceCues, assentCues, hypothetical } from './decision-cues.ts'

/** An answer refers to what was said up to this many entries before; of several who assent the last may come later. */
const answerEntriesMax = 3
const assentsEntriesMax = 4
const answersMax = 8
const wordsMin = 3
const verdictWordsMax = 14

const elsewhere = 'it\\b|that\\b|this\\b|lunch|dinner|coffee|drinks|a (?:walk|break|drink|coffee|run)'

/** "Wood is out", "hand dynamos are definitely out", "the sample sensor will have to go". */
const verdict =
  /^(?!(?:he|she|it|who|what|there|time|I|you|we|they|each)\b|.*\bpreference\b)(?:[\p{L}-]+ ){1,6}(?:is|are) (?:definitely (?:out|in|gone)|(?:probably |definitely )?the way to go|(?:out|gone|in as well|in)(?: then)?(?:,|$))|^(?:the |that |this )(?:[\p{L}-]+ ){1,4}(?:will have|has|have) to go(?:,|$)|^[\p{L}-]+ definitely (?:in|out)\b/iu
/** "I think we decided on the red one, right?" */
const confirmed =
  /\bwe(?:'ve| have|'re| are)?(?: all)? (?:decided|agreed|agree|settled|chose|chosen|picked) (?:on|for|with|to|that)\b.{4,}/iu
/** "We're going for a titanium back", "I think we should aim at the young". Settled where somebody else says yes. */
const choices: readonly RegExp[] = [
  new RegExp(
    `^we(?:'re| are|'ll| will) (?:\\p{L}+ly |just )?(?:go|going|gonna go) (?:in )?(?:for|with) (?!${elsewhere})`,
    'iu',
  ),
  new RegExp(`\\blet's (?:\\p{L}+ly )?(?:go for|stick to|leave it (?:as|at)) (?!${elsewhere})`, 'iu'),
  /^I (?:think|say|guess) (?:that )?we(?:'ll| will| should| have to| need to) (?:\p{L}+ly )?(?:go (?:for|with)|stick (?:to|with)|aim at|concentrate on|focus on|keep|drop|leave out)\b/iu,
  // "I think we're going to use the regular chip", "I guess we just go with the normal ones".
  /\bI (?:think|guess) (?:that )?we(?:'re| are|'ll| will|'d better)? (?:just |all |still |\p{L}+ly )*(?:gonna |going to |have to |need to )?(?:just |all |\p{L}+ly )*(?:go (?:for|with)|stick (?:to|with)|keep(?: to)?|use|drop|skip|leave out|concentrate on|focus on)\b/iu,
  /^we(?:'re| are) (?:just |only |still )*(?:gonna|going to) (?:just |only |still )*(?:use|go (?:for|with)|stick (?:to|with)|keep|drop|skip|do without)\b/iu,
  // "It looks like we're going for the cheaper one".
  /\b(?:looks|seems|sounds) like we(?:'re| are|'ll| will)? (?:pretty much |just |all |\p{L}+ly )*(?:decided|going for|going with|(?:gonna|going to|going) (?:\p{L}+ly )?(?:to )?(?:go|stick|keep|use|drop|skip|leave|forget|get rid|have|make|do without)\b)/iu,
  /\bwe (?:might|may) as well (?:stick|go) with\b/iu,
  /\bthe (?:only|best|obvious) (?:option|choice|solution) is (?:to )?(?:an? |the )?[\p{L}-]+/iu,
  /^we definitely (?:need|want) (?:a|an|the|some) [\p{L}-]+/iu,
  /^(?:I think )?the (?:[\p{L}-]+ ){1,3}(?:is|are|will be) (?:[\p{L}-]+ ){1,4}then$/iu,
  /^we(?:'re| are) (?:going to|gonna) have (?:a|an|the|two|three) (?!meeting|look|chat|talk|break|discussion|presentation|problem|lunch|go|think|vote|few|lot|hard|while|quick|short|party|question|minute|little|bit|issue)[\p{L}-]+/iu,
  /^instead of (?:[\p{L}-]+ ){1,5}we (?:have|use|take|do)\b/iu,
  // Questions that a yes settles.
  /\bhave we (?:all |already |now )?(?:confirmed|decided|agreed|settled) (?:that|on|to) .{8,}/i,
  /\b(?:everybody|everyone|you all|you guys)(?:'s| is| are|'re)? (?:all )?(?:okay|ok|happy|fine|content) with (?!that$|this$|it$)[\p{L}' -]{3,}$/iu,
  /(?:^|, )are we (?:\p{L}+ly )?going (?:for|with) (?!it$|that$|this$)/iu,
]
/** "So we use a normal battery": settled where two others say yes. */
const use =
  /^we(?:'ll| will)? (?:just |only )?(?:use|take|keep) (?:a|an|the|no|two|three|four|five) [\p{L}-]+|^I think we could just (?:leave|keep|use|take|make) [\p{L}-]+|^(?:and )?I'd prefer the [\p{L}-]+ to be [\p{L}-]+/iu
/** "We will omit the touch screen", "we have to dump our titanium". */
const dropped =
  /^(?:I think )?we(?:'ll| will| have to| had better| must) (?:just )?(?:omit|drop|dump|ditch|scrap|discard|leave out|get rid of|do without) (?!it$|that$|this$|everything)/iu
/** "Okay, so no display": a no agrees with it, too. */
const without =
  /^no (?!(?:problems?|way|ideas?|need|doubt|questions?|wonder|presentations?|thanks?|matter|more|one|worries|offen[cs]e|news|changes?|difference|results?|effects?|luck|chance|time|point|reason|objections?|comments?|answers?|that|this|it|we|I|you|not|but|no)\b)[\p{L}-]+(?: (?!(?:but|or|and|just|if)\b)[\p{L}-]+){0,2}$/iu
const noToo = /^(?:(?:okay|yes|yeah|and|so) )*no\b/i
/** Nobody who was not there knows what it was. */
const vague = /\b(?:respect|way|it|that|this|them|those|these|one|two|three)$/i
const vagueWordsMin = 8

const yes = /^(?:yes|yep|yeah|right|true|exactly|absolutely|definitely|sure|I think so)\b/i
const no = /^(?:no|nah|nope|but|not|never|why|really|I don't|I disagree|hmm)\b/i

/** By the index of the sentence that says what was settled: the entries in which others say yes. */
export function findSettledChoices(sentences: readonly SpokenSentence[]): Map<number, number[]> {
  const found = new Map<number, number[]>()
  for (const [at, it] of sentences.entries()) {
    const text = it.text.replace(/^(?:maybe|perhaps) /i, '')
    const { words, isQuestion, opening } = it
    const isWithout = !isQuestion && without.test(text) && /\b(?:so|then)\b/.test(opening)
    if ((words.length < wordsMin && !isWithout) || hypothetical.test(text) || aboutTheTalk.test(text)) continue
    if (vague.test(text) && words.length < vagueWordsMin) continue
    if (isQuestion && (/\bor\b/i.test(text) || isOtherAsked(it, sentences[at + 1]))) continue
    const isVerdict = words.length <= verdictWordsMax && verdict.test(text)
    const isChoice = isVerdict || choices.some((cue) => cue.test(text)) || (isQuestion && confirmed.test(text))
    const isDropped = !isQuestion && dropped.test(text)
    const isUse = !isQuestion && use.test(text)
    if (!isChoice && !isDropped && !isUse && !isWithout) continue
    const needsTwo = isUse && !isChoice && !isDropped && !isWithout
    const later = sentences.slice(at + 1, at + 1 + answersMax)
    const assents = findAssents(it, later, { entriesMax: needsTwo ? assentsEntriesMax : answerEntriesMax, isWithout })
    const isFinal =
      isDropped || (isVerdict && (/\bdefinitely\b/.test(text) || /\b(?:okay|ok|so|alright)\b/.test(opening)))
    if (assents.length >= (needsTwo ? 2 : 1) || (isFinal && !isQuestion)) found.set(at, assents.slice(0, 1))
  }
  return found
}

/** "Have we decided on a case? Or are we still looking?": a yes may answer either. */
const isOtherAsked = (it: SpokenSentence, next: SpokenSentence | undefined) =>
  next?.speaker === it.speaker && /^or\b/i.test(`${next.opening} ${next.text}`.trim())

/** The entries in which others say yes, one for each of them. Empty where one of them says no. */
function findAssents(
  it: SpokenSentence,
  later: readonly SpokenSentence[],
  { entriesMax, isWithout }: { entriesMax: number; isWithout: boolean },
): number[] {
  const answers = new Map<string, SpokenSentence>()
  for (const answer of later)
    if (answer.speaker !== it.speaker && answer.entry - it.entry <= entriesMax && !answers.has(answer.speaker.name))
      answers.set(answer.speaker.name, answer)
  const all = [...answers.values()]
  const said = ({ opening, text }: SpokenSentence) => `${opening} ${text}`.trim()
  if (!isWithout && all.some((answer) => no.test(said(answer)))) return []
  const agrees = (answer: SpokenSentence) =>
    (isWithout && noToo.test(said(answer))) ||
    [yes, assentCues, acceptanceCues].some((cue) => cue.test(said(answer)) || cue.test(answer.text))
  return all.filter(agrees).map(({ entry }) => entry)
}
