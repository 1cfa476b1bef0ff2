// The sentences of a meeting in, the tasks given to people who are named but did not speak under that name out.

import { stopWords } from '../language/stop-words.ts'
import type { MeetingRecord, SpokenSentence } from '../sentences/meeting-record.ts'
import { foreignTasks } from './foreign-tasks.ts'
import type { Names } from './names.ts'
import { namedObject, namedTask, noTask } from './task-cues.ts'

type NamedTask = { absent: string; evidence: SpokenSentence; at: number; citations: number[]; due?: string }
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
  const isAbsent = (name: string) => !anyStopWord(name) && !names.begins.has(name.toLowerCase())
  const found: NamedTask[] = []
  for (const [at, evidence] of sentences.entries()) {
    const { text, isQuestion, entry, speaker, position } = evidence
    // At first somebody tells what the meeting itself is for.
    if (position < positionMin || isQuestion || noTask.test(text) || foreign?.not.test(text)) continue
    const last = found.at(-1)
    const goesOn =
      last !== undefined && last.evidence.speaker === speaker && entry - last.evidence.entry <= continuedEntriesMax
    const due = dueDate.exec(text)?.[0]
    for (const name of namesIn(text, { foreign, goesOn }).filter(isAbsent))
      found.push({ absent: name, evidence, at, citations: [entry], ...(due && { due }) })
  }
  return found
}

type Reading = { foreign: (typeof foreignTasks)[string] | undefined; goesOn: boolean }

function namesIn(text: string, { foreign, goesOn }: Reading): string[] {
  if (foreign) {
    const [, name = '', after = ''] = /^(?:(?:und|et|y|e) )?(\p{Lu}\p{Ll}{2,})( .*)$/u.exec(text) ?? []
    return name !== '' && foreign.assigned.test(after) ? [name] : []
  }
  const first = namedTask.exec(text)?.[1]
  if (first === undefined && !goesOn) return []
  const rest = text.split(/(?<=,) | (?=and )/u).flatMap((part) => namedObject.exec(part)?.[1] ?? [])
  return [...new Set([...(first === undefined ? [] : [first]), ...rest])]
}
