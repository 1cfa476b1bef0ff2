// The sentences of a meeting in, the tasks that somebody promised or was given out, with owner and due date.

import { stopWordTest } from '../language/stop-words.ts'
import type { MeetingRecord, Speaker, SpokenSentence } from '../sentences/meeting-record.ts'
import type { ActionItem } from '../summary.ts'
import { findNamedTasks } from './assignments.ts'
import { dateAlone, deniedTime, dueDatePattern, politeRest, withoutAside } from './due-dates.ts'
import { foreignTasks } from './foreign-tasks.ts'
import { findMentions, type Names, speakerNames } from './names.ts'
import {
  aboutTheTalk,
  acceptsOffer,
  acceptsOrder,
  anyRequest,
  assent,
  assignedTask,
  datedPromise,
  delegated,
  delegation,
  doneAtOnce,
  firmPromise,
  groupOffer,
  groupPlan,
  instruction,
  labelFor,
  labelledTask,
  mildRequest,
  mockPromise,
  need,
  noTask,
  noteRequest,
  offer,
  openNeed,
  openRequest,
  order,
  ownDuty,
  promiseAlone,
  reportedPromise,
  vaguePromise,
} from './task-cues.ts'

/** `taker` is the speaker whose name is `owner`. An owner who did not speak has no `taker`. */
export type Task = ActionItem & { evidence: SpokenSentence; taker?: Speaker }

/**
 * `alone`: a promise that does not name its task. `offer`: counts if somebody asked for it or accepts it. `open`: needs
 * somebody to take it on. `instruction`: given to the person who answers. `mild`: asks the one who spoke last.
 */
type Kind =
  | 'promise'
  | 'alone'
  | 'offer'
  | 'assigned'
  | 'request'
  | 'asked'
  | 'open'
  | 'order'
  | 'labelled'
  | 'instruction'
  | 'mild'
/** `at` is the index of `evidence` among the sentences. */
type Candidate = {
  kind: Kind
  owner?: Speaker
  /** Who has the task, where that person did not speak. */
  absent?: string
  /** Nobody but the order of the conversation shows who has the task, or that it is one. */
  isGuess?: boolean
  due?: string
  evidence: SpokenSentence
  at: number
  citations: number[]
}
type Context = { record: MeetingRecord; names: Names; dueDate: RegExp; isStop: (word: string) => boolean }

/** An answer still refers to a request up to this many entries later. */
const answerEntriesMax = 2
const takenUpEntriesMax = 3
const dateEntriesMax = 3
const addresseeEntriesMax = 4

/** What somebody promised or was given, in the order of the meeting. */
export function findTasks(sentences: readonly SpokenSentence[], record: MeetingRecord): Task[] {
  const { language } = record
  const setting = {
    record,
    names: speakerNames(record),
    dueDate: dueDatePattern(language),
    isStop: stopWordTest(language),
  }
  const candidates = sentences.flatMap((evidence, at) => findCandidate({ evidence, at }, setting) ?? [])
  const named = findNamedTasks(sentences, setting).map((it): Candidate => ({ ...it, kind: 'labelled' }))
  const places = new Set(named.map(({ at }) => at))
  const accepted = acceptedTasks(candidates, { sentences, setting }).filter(({ at }) => !places.has(at))
  const tasks = [...accepted, ...named].sort((a, b) => a.at - b.at)
  addDates(tasks, { sentences, setting })
  return tasks.map(({ kind, evidence, owner, absent, due, citations, isGuess }) => ({
    text: evidence.text,
    ...(owner ? { owner: owner.heading, taker: owner } : absent !== undefined && { owner: absent }),
    ...(due && { due }),
    confidence:
      isGuess || (kind === 'promise' && !due && vaguePromise.test(evidence.text))
        ? ('low' as const)
        : ('high' as const),
    citations: [...new Set(citations)].sort((a, b) => a - b),
    evidence,
  }))
}

/** The speaker who is asked or told to do something in this sentence. */
export function findAssignee(
  text: string,
  { names, language }: { names: Names; language: string },
): Speaker | undefined {
  const foreign = foreignTasks[language.split('-')[0] ?? '']
  return findMentions(text, names).find(
    ({ before, after }) =>
      (foreign ? foreign.request.test(after) || foreign.assigned.test(after) : assignedTask.test(after)) ||
      (delegation.test(before) && delegated.test(after)) ||
      (labelFor.test(before) && after !== ''),
  )?.speaker
}

type SentencePosition = Pick<Candidate, 'evidence' | 'at'>

function findCandidate({ evidence, at }: SentencePosition, setting: Context): Candidate | null {
  const { text, words, entry, speaker, isQuestion } = evidence
  const owner = findAssignee(text, { names: setting.names, language: setting.record.language })
  const date = setting.dueDate.exec(text)
  const due = setting.dueDate.exec(withoutAside(text.replace(deniedTime, '')))?.[0]
  const found = (kind: Kind, whose?: Speaker): Candidate => ({
    kind,
    ...(whose && { owner: whose }),
    ...(due && { due }),
    evidence,
    at,
    citations: [entry],
  })
  if (promiseAlone.test(text) && !isQuestion) return found('alone', speaker)
  if (openRequest.test(text) && !owner && !aboutTheTalk.test(text)) return found('request')
  if (anyRequest.test(text) && !owner && !aboutTheTalk.test(text)) return found('asked')
  if (words.length < 3 || mockPromise.test(evidence.opening)) return null
  if ([noTask, doneAtOnce, reportedPromise].some((cue) => cue.test(text))) return null
  const foreign = foreignTasks[setting.record.language.split('-')[0] ?? '']
  if (foreign?.not.test(text)) return null
  if (owner) {
    const isTalk = isQuestion && aboutTheTalk.test(text)
    return words.length < 4 || isTalk ? null : found(isQuestion || asksFor.test(text) ? 'request' : 'assigned', owner)
  }
  if (foreign) {
    const isPromise = foreign.promise.test(text) || (due !== undefined && foreign.dated.test(text))
    if (isPromise && !isQuestion) return found('promise', speaker)
    return foreign.offer.test(text) && !isQuestion ? found('offer', speaker) : null
  }
  if (instruction.test(text) && !aboutTheTalk.test(text)) return found('instruction')
  if (noteRequest.test(text)) return found('labelled')
  if (mildRequest.test(text) && !aboutTheTalk.test(text)) return found('mild')
  if (groupOffer.test(text) && !isQuestion) return found('offer', speaker)
  if (due && !isQuestion && groupPlan.test(text)) return found('labelled', speaker)
  if (openNeed.test(text)) return found('open')
  if (words.length < 4 || isQuestion) return null
  return findPromise({ evidence, date, setting, found }) ?? (labelledTask.test(text) ? found('labelled') : null)
}
/** Asks by its words, with or without a question mark. */
const asksFor = /\b(?:can|could|would|will) you\b/i

type Reading = {
  evidence: SpokenSentence
  date: RegExpExecArray | null
  setting: Context
  found: (kind: Kind, whose?: Speaker) => Candidate
}

function findPromise({ evidence, date, setting, found }: Reading): Candidate | null {
  const { text, words, speaker } = evidence
  if (order.test(text)) return found('order')
  const firm = firmPromise.exec(text) ?? ownDuty.exec(text)
  // In "It went out on Monday, so I will ..." the day is not that of the promise. Before the promise a day counts only
  // at the start.
  const dated = date ? datedPromise.exec(text) : null
  const isDated = dated !== null && date !== null && (date.index > dated.index || date.index < 3)
  if (firm || isDated)
    return contentWords(words, setting).length < 2 ? found('alone', speaker) : found('promise', speaker)
  return offer.test(text) && contentWords(words, setting).length > 0 ? found('offer', speaker) : null
}

/** Empty for "I'll look into that", which names no task. */
const contentWords = (words: readonly string[], { isStop }: Context) => words.filter((word) => !isStop(word))

type Talk = { sentences: readonly SpokenSentence[]; setting: Context }

/** Keeps promises, requests that somebody took on, and offers that somebody wanted. What nobody took on is no task. */
function acceptedTasks(candidates: readonly Candidate[], talk: Talk): Candidate[] {
  const used = new Set<Candidate>()
  return candidates.flatMap((it, i) => {
    if (used.has(it)) return []
    if (it.kind === 'instruction' || it.kind === 'mild') return [withAddressee(it, talk)]
    if (it.kind === 'promise' || it.kind === 'assigned' || it.kind === 'labelled') {
      const later = it.kind === 'assigned' ? findPromiseFor(it, candidates.slice(i + 1), talk) : undefined
      return [later ? mergeWithPromise(it, later, { used, talk }) : it]
    }
    if (it.kind === 'alone') return taskFromOwnNeed(it, talk)
    if (it.kind === 'offer') {
      const assignment = candidates[i + 1]
      const isAssigned =
        assignment?.kind === 'assigned' && assignment.owner === it.owner && assignment.at - it.at <= answerEntriesMax
      if (isAssigned) used.add(assignment)
      return isAssigned || isWelcome(it, talk) ? [it] : []
    }
    const promise = findPromiseFor(it, candidates.slice(i + 1), talk)
    if (promise) return [mergeWithPromise(it, promise, { used, talk })]
    const taker = findTaker(it, talk)
    if (it.kind === 'order' || it.kind === 'asked') return taker ? [{ ...it, owner: taker.speaker }] : []
    const owner = it.owner ?? (it.kind === 'request' ? (taker?.speaker ?? otherSpeaker(it, talk)) : undefined)
    return owner ? [{ ...it, owner, ...(taker ? {} : { isGuess: true }) }] : []
  })
}

/** An instruction is for the person who answers it, a mild request for the previous speaker. Nobody where all are meant. */
function withAddressee(it: Candidate, { sentences }: Talk): Candidate {
  const { evidence, at, kind } = it
  if (/\b(?:all|both|together|two|three|four|guys|we|me)\b/i.test(evidence.text)) return it
  const near = kind === 'mild' ? sentences.slice(Math.max(0, at - 4), at).reverse() : sentences.slice(at + 1, at + 5)
  const other = near.find(
    ({ speaker, entry }) => speaker !== evidence.speaker && Math.abs(entry - evidence.entry) <= addresseeEntriesMax,
  )
  return other ? { ...it, owner: other.speaker } : it
}

/** The promise that takes up a request, a need or an assignment. */
function findPromiseFor(it: Candidate, later: readonly Candidate[], { setting }: Talk): Candidate | undefined {
  const entriesMax = it.kind === 'open' ? takenUpEntriesMax : answerEntriesMax
  for (const promise of later) {
    const distance = promise.evidence.entry - it.evidence.entry
    if (distance > entriesMax) return undefined
    if (it.kind === 'open' && (promise.kind === 'request' || promise.kind === 'assigned')) return undefined
    const isPromise = promise.kind === 'promise' || promise.kind === 'alone' || promise.kind === 'offer'
    const isByAsker = promise.owner === it.evidence.speaker && !(it.kind === 'open' && distance > 0)
    if (!isPromise || isByAsker || (it.owner && promise.owner !== it.owner)) continue
    const requestWords = contentWords(it.evidence.words, setting)
    const isAbout = contentWords(promise.evidence.words, setting).some((word) => requestWords.includes(word))
    if (promise.kind === 'alone' || isAbout || distance <= 1) return promise
  }
  return undefined
}

/** One task in the words of the promise, or of the request where the promise does not name the task. */
function mergeWithPromise(
  request: Candidate,
  promise: Candidate,
  { used, talk }: { used: Set<Candidate>; talk: Talk },
): Candidate {
  used.add(promise)
  const { due: day = '', evidence, kind } = promise
  const said = contentWords(evidence.words, talk.setting).filter(
    (word) => !day.toLowerCase().includes(word) && !genericDoing.has(word),
  )
  const isFull = kind !== 'alone' && said.length > 1
  const due = promise.due ?? request.due
  return {
    kind: 'promise',
    ...(promise.owner && { owner: promise.owner }),
    ...(due && { due }),
    ...(isFull ? sentenceAt(promise) : sentenceAt(request)),
    citations: [...request.citations, ...promise.citations],
  }
}

/** "I'll do it" in several languages names no task. */
const genericDoing = new Set(
  'faccio farò certo hago haré claro mache erledige übernehme fais ferai occupe tengo'.split(' '),
)

const sentenceAt = ({ evidence, at }: Candidate): SentencePosition => ({ evidence, at })

/**
 * "The team needs a briefing. I'll do that on Tuesday." The need must come just before, from the same speaker, or the
 * promise must have a date and follow what somebody else said.
 */
function taskFromOwnNeed(it: Candidate, { sentences, setting }: Talk): Candidate[] {
  const last = sentences[it.at - 1]
  const isOwn = last?.entry === it.evidence.entry && !last.isQuestion && need.test(last.text)
  const before = isOwn ? last : it.due === undefined ? undefined : whatWasAnswered(it, sentences)
  if (!before) return []
  const due = it.due ?? setting.dueDate.exec(before.text)?.[0]
  return [
    {
      ...it,
      evidence: before,
      at: sentences.indexOf(before),
      citations: [before.entry, ...it.citations],
      ...(due && { due }),
    },
  ]
}

/** What somebody else said shortly before a promise that does not name its task. */
function whatWasAnswered(
  { evidence, at }: Candidate,
  sentences: readonly SpokenSentence[],
): SpokenSentence | undefined {
  return sentences
    .slice(Math.max(0, at - 4), at)
    .findLast(
      ({ speaker, entry, words, isQuestion }) =>
        speaker !== evidence.speaker && evidence.entry - entry <= answerEntriesMax && words.length >= 4 && !isQuestion,
    )
}

/** Who accepts a request by a yes, or an order by "will do". */
function findTaker({ evidence, owner, kind, at }: Candidate, { sentences }: Talk): { speaker: Speaker } | undefined {
  for (let next = at + 1; next < sentences.length; next += 1) {
    const reply = sentences[next]
    if (!reply || reply.entry - evidence.entry > answerEntriesMax) return undefined
    if (reply.speaker === evidence.speaker || (owner && reply.speaker !== owner)) continue
    const said = `${reply.opening} ${reply.text}`.trim()
    if (kind === 'order' ? acceptsOrder.test(reply.text) : assent.test(reply.text) || assent.test(said))
      return { speaker: reply.speaker }
    if (kind === 'order') return undefined
  }
  return undefined
}

function otherSpeaker({ evidence }: Candidate, { setting: { record } }: Talk): Speaker | undefined {
  return record.speakers.length === 2 ? record.speakers.find((it) => it !== evidence.speaker) : undefined
}

function isWelcome({ evidence, at }: Candidate, { sentences }: Talk): boolean {
  let next = at + 1
  while (sentences[next]?.speaker === evidence.speaker) next += 1
  const reply = sentences[next]
  if (!reply || reply.entry - evidence.entry > 1) return false
  return acceptsOffer.test(reply.text) || acceptsOffer.test(reply.opening)
}

/** "When do you need it?" "By Wednesday, please." Gives the date to the last task before it if that has none. */
function addDates(tasks: Candidate[], { sentences, setting }: Talk) {
  let last = 0
  for (const { text, words, entry, id } of sentences) {
    while ((tasks[last + 1]?.evidence.id ?? Number.POSITIVE_INFINITY) <= id) last += 1
    if (words.length > 14) continue
    const due = setting.dueDate.exec(text.replace(deniedTime, ''))?.[0]
    if (!due || !(dateAlone.test(text) || politeRest.test(text.replace(due, '')))) continue
    const task = tasks[last]
    if (!task || task.evidence.id >= id || entry - task.evidence.entry > dateEntriesMax) continue
    if (task.due) continue
    task.due = due
    task.citations.push(entry)
  }
}
