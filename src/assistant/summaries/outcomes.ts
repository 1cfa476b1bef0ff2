import { injection } from './cues.ts'
import { stopWords } from './language-words.ts'
import {
  acceptanceCues,
  assignedTask,
  datedPromise,
  decisionCues,
  deniedTime,
  dueDate,
  firmPromise,
  labelledTask,
  noTask,
  proposalCues,
  resultAlone,
  undecided,
} from './outcome-cues.ts'
import type { MeetingRecord, Speaker, Spoken } from './record.ts'
import type { ActionItem, Decision, Question } from './summary.ts'

/** Each with the sentence it stands on. */
export type Outcomes = {
  decisions: (Decision & { evidence: Spoken })[]
  actionItems: (ActionItem & { evidence: Spoken })[]
  questions: (Question & { evidence: Spoken })[]
}

const kept = 40
/** An acceptance this many entries after a proposal still speaks of it. */
const acceptanceEntriesMax = 2
const resultEntriesMax = 4
const wordsMax = 40

/** What was decided, taken on and asked, on explicit words alone; `record` is read once. */
export function outcomesOf(record: MeetingRecord): Outcomes {
  const sentences = record.sentences.filter(({ text, words }) => words.length <= wordsMax && !injection.test(text))
  return {
    decisions: withoutRepeats([...statedDecisions(sentences), ...acceptedProposals(sentences)]).slice(0, kept),
    actionItems: withoutRepeats(actionItemsIn(sentences, record)).slice(0, kept),
    questions: withoutRepeats(questionsIn(sentences, namesOf(record))).slice(0, kept),
  }
}

function withoutRepeats<T extends { evidence: Spoken; text: string }>(items: T[]): T[] {
  const seen = new Set<string>()
  return items
    .toSorted((a, b) => a.evidence.id - b.evidence.id)
    .filter(({ text }) => {
      const key = text.toLowerCase()
      return !seen.has(key) && seen.add(key)
    })
}

function statedDecisions(sentences: readonly Spoken[]): Outcomes['decisions'] {
  return sentences
    .filter(
      ({ text, words, isQuestion }) => !isQuestion && words.length >= 4 && !resultAlone.test(text) && isDecision(text),
    )
    .map((evidence) => ({ text: evidence.text, citations: [evidence.entry], evidence }))
}
const isDecision = (text: string) => decisionCues.some((cue) => cue.test(text)) && !undecided.test(text)

/** "Let's ship on Friday." "Agreed." And: "I propose ..." "Seconded." "The motion is carried." */
function acceptedProposals(sentences: readonly Spoken[]): Outcomes['decisions'] {
  const found = new Map<number, Outcomes['decisions'][number]>()
  for (const [at, answer] of sentences.entries()) {
    const isResult = resultAlone.test(answer.text)
    if (answer.isQuestion || answer.words.length > 12 || !(isResult || acceptanceCues.test(answer.text))) continue
    for (let back = at - 1; back >= 0 && back >= at - 8; back -= 1) {
      const proposal = sentences[back]
      if (!proposal || answer.entry - proposal.entry > (isResult ? resultEntriesMax : acceptanceEntriesMax)) break
      if (proposal.speaker === answer.speaker || proposal.words.length < 4 || !proposalCues.test(proposal.text))
        continue
      const known = found.get(proposal.id)
      const citations = [...(known?.citations ?? [proposal.entry]), answer.entry]
      found.set(proposal.id, { text: proposal.text, citations: [...new Set(citations)], evidence: proposal })
      break
    }
  }
  return [...found.values()]
}

function actionItemsIn(sentences: readonly Spoken[], record: MeetingRecord): Outcomes['actionItems'] {
  const named = namesOf(record)
  const found = sentences.flatMap((evidence) => {
    const { text, words, entry, speaker } = evidence
    if (words.length < 4 || noTask.test(text) || contentOf(words).length < 2) return []
    const isDated = dueDate.test(text)
    const due = dueDate.exec(text.replace(deniedTime, ''))?.[0]
    const owner = assigneeIn(text, named)
    const isPromise = !evidence.isQuestion && (isDated ? datedPromise.test(text) : firmPromise.test(text))
    if (!owner && !isPromise && !labelledTask.test(text)) return []
    const whose = owner?.label ?? (isPromise ? speaker.label : undefined)
    return [{ text, ...(whose && { owner: whose }), ...(due && { due }), citations: [entry], evidence }]
  })
  return found.filter((request, i) => !found.slice(i + 1, i + 3).some((promise) => takesUp(promise, request)))
}

/** "Ann, will you write the forecast?" "I will write the forecast by May": one task, in the words of who took it. */
function takesUp(promise: Outcomes['actionItems'][number], request: Outcomes['actionItems'][number]): boolean {
  const asked = contentOf(request.evidence.words)
  return (
    request.evidence.isQuestion &&
    promise.owner === request.owner &&
    promise.evidence.entry - request.evidence.entry <= acceptanceEntriesMax &&
    contentOf(promise.evidence.words).filter((word) => asked.includes(word)).length > 1
  )
}

/** "I'll look into that" names no task. */
const contentOf = (words: readonly string[]) => words.filter((word) => !stopWords['en']?.has(word))

/** How people are called: by their whole name or its first word, where only one of them has it. */
function namesOf({ speakers }: MeetingRecord): Map<string, Speaker> {
  const names = new Map<string, Speaker | null>()
  for (const speaker of speakers) {
    for (const name of new Set([speaker.label, speaker.label.split(' ')[0] ?? ''])) {
      const key = name.toLowerCase()
      if (key.length > 1) names.set(key, names.has(key) ? null : speaker)
    }
  }
  return new Map([...names].filter((it): it is [string, Speaker] => it[1] !== null))
}

/** Who is asked or said to do it: a name, then words such as "will send". */
function assigneeIn(text: string, names: Map<string, Speaker>): Speaker | undefined {
  const words = text.split(' ')
  let at = 0
  for (const [i, word] of words.entries()) {
    for (const size of [2, 1]) {
      const name = words
        .slice(i, i + size)
        .join(' ')
        .replace(/[,:]$/, '')
      const speaker = names.get(name.toLowerCase())
      if (speaker && /^\p{Lu}/u.test(word) && assignedTask.test(text.slice(at + name.length).replace(':', ',')))
        return speaker
    }
    at += word.length + 1
  }
  return undefined
}

const unclear =
  /^(?:(?:is|are|was|does|do|did|can|could|should|will|would|has|have) )?(?:it|that|this|they|he|she|there|those|these)\b/i
const smallTalk =
  /\b(?:can you hear|hear me|how are you|any(?: other)? questions|see my screen|ready|everybody|everyone here|what do you think|next slide|do you want to (?:start|go)|who wants? to|shall we start)\b/i

/** Questions with a subject of their own that stand for themselves; a request to somebody is a task. */
function questionsIn(sentences: readonly Spoken[], names: Map<string, Speaker>): Outcomes['questions'] {
  return sentences
    .filter(
      ({ isQuestion, words, text }) =>
        isQuestion &&
        words.length >= 5 &&
        words.length <= 30 &&
        !smallTalk.test(text) &&
        !unclear.test(text) &&
        !assigneeIn(text, names),
    )
    .map((evidence) => ({ text: evidence.text, speaker: evidence.speaker.name, citations: [evidence.entry], evidence }))
}
