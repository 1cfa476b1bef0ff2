// The sentences of a meeting in, the decisions that were taken and not revoked out.

import { stopWordTest } from '../language/stop-words.ts'
import { stem } from '../language/words.ts'
import type { MeetingRecord, SpokenSentence } from '../sentences/meeting-record.ts'
import type { Confidence, Decision as Listed } from '../summary.ts'
import {
  aboutTheTalk,
  acceptanceCues,
  agreementAsked,
  assentCues,
  changeCue,
  clearAssent,
  conclusionCue,
  conclusiveOpening,
  decidedAlone,
  decidedElsewhere,
  decisionCues,
  finalDecisionCue,
  foreignConclusion,
  foreignFinal,
  formalMotion,
  hypothetical,
  isConclusion,
  motionCarried,
  motionFailed,
  proposalCues,
  reinstatementCue,
  resultAlone,
  retractionCue,
  settledBefore,
  settledCue,
  shortConclusion,
  toldDecision,
  undecidedCue,
  weakOpening,
} from './decision-cues.ts'
import { findRecapped } from './recaps.ts'
import { findResolutions } from './resolutions.ts'
import { findSettledChoices } from './settled-choices.ts'
import { mockPromise } from './task-cues.ts'

export type Decision = Listed & { evidence: SpokenSentence }
/** `at` is the index of the sentence. `replaces` is the decision that this one replaced. */
type DecisionCandidate = Decision & { at: number; replaces?: DecisionCandidate }

/** Verbs and times that fit any decision. Sharing them does not mean that two decisions are about the same matter. */
const genericActs = new Set(
  'agree agreed approve approved back cancel carried change changed decide decided decision final move moved motion propose proposed start use used day week month quarter sprint year time today tomorrow'.split(
    ' ',
  ),
)
/** An acceptance still refers to a proposal up to this many entries later. */
const acceptanceEntriesMax = 2
const resultEntriesMax = 4
/** A debate lies between a motion and its vote. */
const debateEntriesMax = 80
const proposalSentencesMax = 8

/** The decisions that were taken and not revoked, in the order of the meeting. */
export function findDecisions(sentences: readonly SpokenSentence[], record: MeetingRecord): Decision[] {
  const { carried, failed } = findMotions(sentences)
  const found = new Map<number, DecisionCandidate>()
  const add = (at: number, citations: readonly number[], confidence: Confidence) => {
    const evidence = sentences[at]
    if (!evidence) return
    const known = found.get(at)
    const isSure = (confidence === 'high' && !isVague(evidence)) || known?.confidence === 'high'
    const cited = [...new Set([...(known?.citations ?? [evidence.entry]), ...citations])].sort((a, b) => a - b)
    found.set(at, { text: evidence.text, confidence: isSure ? 'high' : 'low', citations: cited, evidence, at })
  }
  for (const [at, entries] of carried) add(at, entries, 'high')
  for (const [at, entries] of findResolutions(sentences)) add(at, entries, 'high')
  for (const at of findRecapped(sentences)) add(at, [], 'high')
  for (const [at, entries] of findSettledChoices(sentences)) add(at, entries, 'high')
  for (const [at, sentence] of sentences.entries()) {
    if (
      isStated(sentence) &&
      !isOfMeetingBefore(sentence, record) &&
      !carried.has(at) &&
      !isVoteResult(sentence, at, carried)
    )
      add(at, [], toldDecision.test(sentence.text) ? 'low' : 'high')
    const proposal = acceptedProposal(sentences, at, failed)
    if (proposal !== null) add(...decisionFromProposal(sentences, proposal, at), 'high')
    const agreed = agreedBefore(sentences, at)
    if (agreed !== null) add(...agreed, 'high')
    const assent = conclusionAssent(sentences, at)
    if (assent !== null) add(at, assent, isClearConclusion(sentences, at) ? 'high' : 'low')
  }
  const inOrder = [...found.values()].sort((a, b) => a.at - b.at)
  const isStop = stopWordTest(record.language)
  const known = new Map<SpokenSentence, Set<string>>()
  const findTerms = (it: SpokenSentence) => {
    const terms = known.get(it) ?? new Set(it.words.filter((word) => !isStop(word) && !genericActs.has(word)).map(stem))
    known.set(it, terms)
    return terms
  }
  return withoutRevoked(withoutEchoes(inOrder, findTerms), { sentences, findTerms })
}

const isStated = ({ text, words, isQuestion, opening }: SpokenSentence) =>
  !isQuestion &&
  words.length >= 4 &&
  !resultAlone.test(text) &&
  !motionFailed.test(text) &&
  !decidedElsewhere.test(text) &&
  !settledBefore.test(`${opening} ${text}`) &&
  !mockPromise.test(opening) &&
  decisionCues.some((cue) => cue.test(text)) &&
  !undecidedCue.test(text) &&
  !hypothetical.test(text)

/** A long meeting begins with the minutes of the one before. */
const isOfMeetingBefore = ({ text, position }: SpokenSentence, { entryCount }: MeetingRecord): boolean =>
  entryCount >= longMeetingEntries && position < 0.1 && /\b(?:decided|agreed|settled)\b/i.test(text)
const longMeetingEntries = 100

/** "We go with that one": nobody who was not there knows what was decided. */
const isVague = ({ text, words }: SpokenSentence) =>
  /^we (?:\w+ )?decided,? (?:because|'cause|that that)/i.test(text) ||
  (words.length <= 9 && /\b(?:it|that|this|them|those|these|one|that (?:concept|idea|thing))$/i.test(text))

/** What all agreed to when they were asked: "A garden party, then. Does everyone agree?" "Agreed." */
function agreedBefore(sentences: readonly SpokenSentence[], at: number): [at: number, citations: number[]] | null {
  const [asked, before] = [sentences[at], sentences[at - 1]]
  if (!asked || !agreementAsked.test(asked.text) || before?.entry !== asked.entry || before.isQuestion) return null
  const reply = findReply(asked, sentences.slice(at + 1, at + 6))
  const isAgreed = reply && (matchesCue(acceptanceCues, reply) || matchesCue(assentCues, reply))
  return isAgreed ? [at - 1, [asked.entry, reply.entry]] : null
}

/** Whether somebody else agreed to a conclusion in so many words, or its own words are final. */
function isClearConclusion(sentences: readonly SpokenSentence[], at: number): boolean {
  const it = sentences[at]
  if (!it) return false
  if (
    settledCue.test(it.text) ||
    foreignFinal.test(it.text) ||
    shortConclusion.test(it.text) ||
    /\bthen$|\bfrom now on\b/i.test(it.text)
  )
    return true
  const answer = findReply(it, sentences.slice(at + 1, at + 8))
  return (
    answer !== undefined &&
    (matchesCue(clearAssent, answer) || matchesCue(acceptanceCues, answer) || foreignConclusion.test(it.text))
  )
}

/** A motion ("I move that ...") passes or fails with the vote on it, however long the debate. */
function findMotions(sentences: readonly SpokenSentence[]): { carried: Map<number, number[]>; failed: Set<number> } {
  const carried = new Map<number, number[]>()
  const failed = new Set<number>()
  let open: number | null = null
  for (const [at, { text, entry, isQuestion }] of sentences.entries()) {
    if (formalMotion.test(text) && !isQuestion) open = at
    else if (open !== null && entry - (sentences[open]?.entry ?? 0) > debateEntriesMax) open = null
    else if (open !== null && motionFailed.test(text)) {
      failed.add(open)
      open = null
    } else if (open !== null && motionCarried.test(text) && !isQuestion) {
      carried.set(open, [entry])
      open = null
    }
  }
  return { carried, failed }
}

/** Whether this only reports the vote on a motion: "The minutes are approved". */
function isVoteResult({ text, entry }: SpokenSentence, at: number, carried: ReadonlyMap<number, number[]>): boolean {
  return motionCarried.test(text) && [...carried].some(([motion, entries]) => motion < at && entries.includes(entry))
}

/**
 * The index of the proposal that this sentence accepts, or null. "Let's ship on Friday." "Agreed." Also "I propose ..."
 * "Seconded." "The motion is carried."
 */
function acceptedProposal(
  sentences: readonly SpokenSentence[],
  at: number,
  failed: ReadonlySet<number>,
): number | null {
  const answer = sentences[at]
  if (!answer || answer.isQuestion || answer.words.length > 12) return null
  const isResult = resultAlone.test(answer.text)
  if (motionFailed.test(answer.text) || !(isResult || acceptanceCues.test(answer.text))) return null
  for (let back = at - 1; back >= 0 && back >= at - proposalSentencesMax; back -= 1) {
    const proposal = sentences[back]
    if (!proposal || answer.entry - proposal.entry > (isResult ? resultEntriesMax : acceptanceEntriesMax)) return null
    if (failed.has(back) || motionFailed.test(proposal.text)) return null
    const isProposal = (proposalCues.test(proposal.text) || isConclusion(proposal)) && !aboutTheTalk.test(proposal.text)
    if (proposal.speaker === answer.speaker || proposal.words.length < 4 || !isProposal) continue
    return hypothetical.test(proposal.text.replace(/^(?:maybe|perhaps) /i, '')) ? null : back
  }
  return null
}

/**
 * The decision in the words of the answer where it has its own, else in the words of the proposal. "What about a
 * raffle?" "I agree. Let's replace the tombola with a raffle."
 */
function decisionFromProposal(
  sentences: readonly SpokenSentence[],
  proposal: number,
  at: number,
): [at: number, citations: number[]] {
  const [proposed, answer, next] = [sentences[proposal], sentences[at], sentences[at + 1]]
  const isOwn = next !== undefined && next.entry === answer?.entry && !next.isQuestion && next.words.length >= 5
  const entries = [proposed?.entry ?? 0, answer?.entry ?? 0]
  return isOwn && (proposalCues.test(next.text) || conclusionCue.test(next.text))
    ? [at + 1, entries]
    : [proposal, entries]
}

/**
 * The entries that assent to a conclusion: "Okay, then we freeze it on Wednesday." "Fine." Null where the sentence is
 * no such conclusion.
 */
function conclusionAssent(sentences: readonly SpokenSentence[], at: number): number[] | null {
  const it = sentences[at]
  if (!it || it.isQuestion || it.words.length < 3 || mockPromise.test(it.opening)) return null
  if (hypothetical.test(it.text) || undecidedCue.test(it.text) || aboutTheTalk.test(it.text)) return null
  if ((settledCue.test(it.text) && it.words.length <= 12) || foreignFinal.test(it.text)) return []
  if (foreignConclusion.test(it.text) || shortConclusion.test(it.text)) {
    const answer = findReply(it, sentences.slice(at + 1, at + 6))
    if (answer && (matchesCue(assentCues, answer) || matchesCue(acceptanceCues, answer))) return [answer.entry]
    if (!shortConclusion.test(it.text)) return null
  }
  if (!conclusionCue.test(it.text) || (it.words.length < 5 && isVague(it))) return null
  const before = sentences[at - 1]
  if (before?.entry === it.entry && decidedAlone.test(before.text)) return []
  const isFinal = /\bthen$|\bfrom now on\b/i.test(it.text)
  // "I agree with Owen. So we push the opening."
  const isOpened =
    conclusiveOpening.test(it.opening) || (before?.entry === it.entry && /\bI agree\b/i.test(before.text))
  if (!isFinal && !isOpened && !weakOpening.test(it.opening)) return null
  const answer = findReply(it, sentences.slice(at + 1, at + 8))
  if (answer && (matchesCue(isFinal || isOpened ? assentCues : clearAssent, answer) || settledCue.test(answer.text)))
    return [answer.entry]
  const agreement = sentences.slice(Math.max(0, at - 4), at).find((before) => isAgreement(before, it))
  if (isOpened && agreement) return [agreement.entry]
  return isFinal && isOpened ? [] : null
}

const matchesCue = (cue: RegExp, { opening, text }: SpokenSentence) =>
  cue.test(`${opening} ${text}`.trim()) || cue.test(text)

function findReply(it: SpokenSentence, later: readonly SpokenSentence[]): SpokenSentence | undefined {
  return later.find(({ speaker, entry }) => speaker !== it.speaker && entry - it.entry <= acceptanceEntriesMax)
}

/** Agreement that comes before the conclusion: "Who is for the fifth floor?" "Alright, I'm in." "Then we take it." */
const isAgreement = (before: SpokenSentence, it: SpokenSentence) =>
  before.speaker !== it.speaker &&
  it.entry - before.entry <= acceptanceEntriesMax &&
  before.words.length <= 6 &&
  !before.isQuestion &&
  matchesCue(assentCues, before)

type Terms = { sentences: readonly SpokenSentence[]; findTerms: (it: SpokenSentence) => Set<string> }

/**
 * Merges a decision with its repetition and keeps the fuller wording. "Then retention will be seven days." "Seven days
 * it is."
 */
function withoutEchoes(decisions: readonly DecisionCandidate[], findTerms: Terms['findTerms']): DecisionCandidate[] {
  const kept: DecisionCandidate[] = []
  for (const it of decisions) {
    const own = findTerms(it.evidence)
    const echoed = kept.findIndex(({ evidence }, index) => {
      if (index < kept.length - echoedMax || it.evidence.entry - evidence.entry > echoEntriesMax) return false
      const others = findTerms(evidence)
      const shared = [...own].filter((term) => others.has(term)).length
      return shared > 1 && shared >= 0.5 * Math.min(own.size, others.size)
    })
    const before = kept[echoed]
    if (!before) kept.push(it)
    else {
      const fuller = own.size > findTerms(before.evidence).size ? it : before
      const citations = [...new Set([...before.citations, ...it.citations])].sort((a, b) => a - b)
      kept[echoed] = { ...fuller, citations }
    }
  }
  return kept.sort((a, b) => a.at - b.at)
}
const echoEntriesMax = 4
/** One entry may hold thousands of conclusions. Each is compared only with the last few. */
const echoedMax = 8

/** Of thousands of decisions only the last ones can still be revoked. */
const openMax = 100

/**
 * Removes decisions that were revoked ("forget the hall") or changed ("we move it to the 9th") later in the meeting.
 */
function withoutRevoked(decisions: readonly DecisionCandidate[], { sentences, findTerms }: Terms): Decision[] {
  const byPlace = new Map(decisions.map((it) => [it.at, it]))
  const final: DecisionCandidate[] = []
  let open: DecisionCandidate[] = []
  for (const [at, sentence] of sentences.entries()) {
    const { text, isQuestion } = sentence
    const taken = byPlace.get(at)
    const shares = (it: DecisionCandidate) => !findTerms(sentence).isDisjointFrom(findTerms(it.evidence))
    const isChange = taken !== undefined && changeCue.test(text) && !formalMotion.test(text)
    if (open.length > 0 && reinstatementCue.test(text)) open = open.filter((it) => !it.replaces || !shares(it.replaces))
    else if (open.length > 0 && (isChange || (!isQuestion && retractionCue.test(text)))) {
      const gone = open.findLast(shares)
      open = open.filter((it) => it !== gone)
      if (gone && taken) taken.replaces = gone
    }
    if (taken && finalDecisionCue.test(text)) open = open.filter((it) => !it.replaces && !shares(it))
    if (taken) open.push(taken)
    if (open.length > openMax) final.push(...open.splice(0, 1))
  }
  return [...final, ...open].map(({ at, confidence, citations, evidence }) => ({
    text: fullText(sentences, at),
    confidence,
    citations,
    evidence,
  }))
}

/**
 * A short sentence about "it" is joined with the next one of the same entry, which says more: "We make it mandatory;
 * every release gets a test".
 */
function fullText(sentences: readonly SpokenSentence[], at: number): string {
  const it = sentences[at]
  const next = sentences[at + 1]
  if (!it || it.words.length > 6 || !/\b(?:it|that|this|them|those|so)\b/i.test(it.text)) return it?.text ?? ''
  const isOwn = next?.entry === it.entry && !next.isQuestion && next.words.length >= 4 && next.words.length <= 24
  return isOwn ? `${it.text}; ${next.text.charAt(0).toLowerCase()}${next.text.slice(1)}` : it.text
}
