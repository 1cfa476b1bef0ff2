// The sentences of a meeting in, the tasks given to several people by name, or to people who did not speak, out.

import { stopWords } from '../language/stop-words.ts'
import type { MeetingRecord, Speaker, SpokenSentence } from '../sentences/meeting-record.ts'
import { foreignTasks } from './foreign-tasks.ts'
import type { Names } from './names.ts'
import { namedObject, namedTask, noTask } from './task-cues.ts'

/** Who has a task: a speaker, or the name of somebody who did not speak. */
type Assignee = { owner: Speaker } | { absent: string }
type NamedTask = Assignee & { evidence: SpokenSentence; at: number; citations: number[]; due?: string }
type Setting = { record: MeetingRecord; names: Names; dueDate: RegExp }

const continuedEntriesMax = 2
const positionMin = 0.01
const anyStopWord = (word: string) => Object.values(stopWords).some((set) => set.has(word.toLowerCase()))

/**
 * "Rama will design the case, Mark the user interface, and Sammy the product evaluation." One task for each name; what
 * continues such a list may stand in the next entry.
 */
export function findNamedTasks(sentences: readonly SpokenSentence[], { record, names, dueDate }: Setting): NamedTask[] {
  const foreign = foreignTasks[record.language.split('-')[0] ?? '']
  const toAssignee = (name: string): Assignee[] => {
    const owner = names.people.get(name.toLowerCase())
    if (owner !== undefined) return [{ owner }]
    return anyStopWord(name) || names.begins.has(name.toLowerCase()) ? [] : [{ absent: name }]
  }
  const found: NamedTask[] = []
  for (const [at, evidence] of sentences.entries()) {
    const { text, isQuestion, entry, speaker, position } = evidence
    // At first somebody tells what the meeting itself is for.
    if (position < positionMin || isQuestion || noTask.test(text) || foreign?.not.test(text)) continue
    const last = found.at(-1)
    const goesOn =
      last !== undefined && last.evidence.speaker === speaker && entry - last.evidence.entry <= continuedEntriesMax
    const due = dueDate.exec(text)?.[0]
    const { first, others } = namesIn(text, { foreign, goesOn })
    const assignees = [...new Set([...first, ...others])].flatMap(toAssignee)
    // A task of one speaker is found by what else the sentence says.
    if (others.length === 0 && assignees.some((it) => 'owner' in it)) continue
    for (const assignee of assignees) found.push({ ...assignee, evidence, at, citations: [entry], ...(due && { due }) })
  }
  return found
}

type Reading = { foreign: (typeof foreignTasks)[string] | undefined; goesOn: boolean }

/** `first`: of whom it is said what they will do. `others`: those of whom it is left out. */
function namesIn(text: string, { foreign, goesOn }: Reading): { first: string[]; others: string[] } {
  if (foreign) {
    const [, name = '', after = ''] = /^(?:(?:und|et|y|e) )?(\p{Lu}\p{Ll}{2,})( .*)$/u.exec(text) ?? []
    return { first: name !== '' && foreign.assigned.test(after) ? [name] : [], others: [] }
  }
  const first = namedTask.exec(text)?.[1]
  if (first === undefined && !goesOn) return { first: [], others: [] }
  const others = text.split(/(?<=,) | (?=and )/u).flatMap((part) => namedObject.exec(part)?.[1] ?? [])
  return { first: first === undefined ? [] : [first], others }
}
