// How many of the proposed tasks are right, and how many of the tasks that were taken on are proposed. labels.json has
// what one reader took down from the whole transcripts, before seeing what the engine finds: who took on, or was asked,
// to do what after the meeting. What is done in the room, a policy that goes on, a joke and what is withdrawn again do
// not count. From QMSum: the four of test/meetings, and every fifth by name of its validation split.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { settingsDefault } from '../../../src/meetings/meetings/meeting.rules.ts'
import { encodePortion } from '../../../src/summarizer/writing/task.ts'
import { summaryWriter } from '../../../src/summarizer/writing/writer.ts'
import { toProposals } from '../../../src/tasks/proposals/proposal.rules.ts'
import type { Row } from '../row.ts'
import { type Label, matches } from './match.ts'

type Said = { speaker: string; text: string }

const labelled: Record<string, { kind: string; items: Label[] }> = JSON.parse(
  readFileSync(new URL('labels.json', import.meta.url), 'utf8'),
)
const ours = new URL('../../meetings/', import.meta.url)
const missingFolder =
  'Set QMSUM_FOLDER to data/ALL/val of github.com/Yale-LILY/QMSum at 83d7768: seven of the labelled meetings are read from there.'

/** `only`: the meetings whose name contains it. */
export async function actionItems(_rounds: number, only = ''): Promise<Row[]> {
  const names = Object.keys(labelled).filter((name) => name.includes(only))
  const meetings = names.map((name) => ({ name, ...(labelled[name] ?? { kind: '', items: [] }), said: read(name) }))
  const writer = summaryWriter({ workersMax: 1, queueMax: names.length, timeoutMs: 600_000 })
  const rows: Row[] = []
  const total = { kind: '', labels: 0, proposals: 0, right: 0, found: 0 }
  try {
    for (const { name, kind, items, said } of meetings) {
      const proposals = await propose(writer, said)
      const isRight = (found: { title: string; entries: number[] }) => items.some((label) => matches(found, label))
      const counts = {
        kind,
        labels: items.length,
        proposals: proposals.length,
        right: proposals.filter(isRight).length,
        found: items.filter((label) => proposals.some((found) => matches(found, label))).length,
      }
      for (const found of proposals)
        console.log(`${name} ${found.entries.join(',')} ${isRight(found) ? 'right' : 'wrong'}: ${found.title}`)
      for (const label of items.filter((it) => !proposals.some((found) => matches(found, it))))
        console.log(`${name} ${label.entries.join(',')} missed: ${label.who}: ${label.what}`)
      for (const key of ['labels', 'proposals', 'right', 'found'] as const) total[key] += counts[key]
      rows.push(row(name, counts))
    }
  } finally {
    await writer.close()
  }
  return [...rows, row('all', total)]
}

type Counts = { kind: string; labels: number; proposals: number; right: number; found: number }

/** It measures; nothing is promised that could be broken. */
function row(meeting: string, counts: Counts): Row {
  const percent = (part: number, whole: number) => (whole === 0 ? '' : `${Math.round((100 * part) / whole)} %`)
  const precision = percent(counts.right, counts.proposals)
  return { meeting, ...counts, precision, recall: percent(counts.found, counts.labels), broken: '' }
}

/** As for a meeting that ends: by the local engine in a worker, and then as tasks. */
async function propose(writer: ReturnType<typeof summaryWriter>, said: Said[]) {
  const entries = said.map((it) => ({ ...it, timestamp: '00:00:00' }))
  const portions = [encodePortion(entries)]
  const { summaryMode: mode, personality } = settingsDefault
  const { actionItems: items } = await writer.local({ title: 'Meeting', mode, personality, portions })
  return toProposals(
    items.map(({ text, owner, due, citations }) => ({
      text,
      owner: owner ?? null,
      due: due ?? null,
      seqs: citations,
    })),
    entries.map((entry, seq) => ({ ...entry, seq })),
  ).map(({ title, evidence }) => ({ title, entries: evidence.seqs }))
}

/** Four are in the project: test/meetings/NOTICE.md. */
function read(name: string): Said[] {
  const file = new URL(`${name}.json`, ours)
  if (existsSync(file)) return JSON.parse(readFileSync(file, 'utf8')).transcript
  const path = join(process.env['QMSUM_FOLDER'] ?? '', `${name}.json`)
  if (!process.env['QMSUM_FOLDER'] || !existsSync(path)) {
    console.error(`${name} is missing. ${missingFolder}`)
    process.exit(2)
  }
  const said: { speaker: string; content: string }[] = JSON.parse(readFileSync(path, 'utf8')).meeting_transcripts
  return said.map(({ speaker, content }) => ({ speaker, text: content }))
}
