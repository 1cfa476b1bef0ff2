import { summarize } from '../../src/summarizer/summarize.ts'
import type { Summary } from '../../src/summarizer/summary.ts'
import {
  addHits,
  compare,
  filteredMeetings,
  type Hits,
  type Labels,
  languages,
  noHits,
  readLabelled,
  tunedMeetings,
  unseenMeetings,
} from '../../test/meetings/outcomes/labels.ts'
import type { Meeting } from './data.ts'

type Labelled = Pick<Meeting, 'transcript'> & { labels: Labels }
type Measured = { name: string; which: string; decisions: Hits; tasks: Hits }

/** What the engine lists beside what a reader found, in the labelled ones of these meetings and in four other languages. */
export function measureOutcomes(meetings: readonly Meeting[]): string {
  const labelledBy = (found: Record<string, Labels>) =>
    meetings.flatMap(({ name, transcript }) => {
      const labels = found[name]
      return labels ? [{ transcript, labels }] : []
    })
  const rows = [
    ...measure('QMSum, tuned on', labelledBy(tunedMeetings)),
    ...measure('QMSum, partly tuned on', labelledBy(filteredMeetings)),
    ...measure('QMSum, unseen', labelledBy(unseenMeetings)),
    ...languages.flatMap((language) => measure(language, [readLabelled(language)])),
  ]
  const share = (part: number, whole: number) => `${part}/${whole} (${Math.round((100 * part) / Math.max(1, whole))} %)`
  return [
    '\n| meetings | listed | decisions: right | found | tasks: right | found |',
    '|---|---|---|---|---|---|',
    ...rows.map(
      ({ name, which, decisions: d, tasks: t }) =>
        `| ${name} | ${which} | ${share(d.right, d.found)} | ${share(d.seen, d.made)} | ${share(t.right, t.found)} | ${share(t.seen, t.made)} |`,
    ),
  ].join('\n')
}

function measure(name: string, meetings: readonly Labelled[]): Measured[] {
  const summaries = meetings.map(({ transcript, labels }) => ({
    labels,
    summary: summarize({ title: '', transcript, mode: 'short', personality: 'neutral' }),
  }))
  return [
    { which: 'all', isListed: () => true },
    { which: 'sure', isListed: ({ confidence }: Summary['decisions'][number]) => confidence === 'high' },
  ].map(({ which, isListed }) => {
    const compared = summaries.map(({ summary, labels }) =>
      compare(
        { decisions: summary.decisions.filter(isListed), actionItems: summary.actionItems.filter(isListed) },
        labels,
      ),
    )
    const total = (of: 'decisions' | 'tasks') => compared.map((it) => it[of]).reduce(addHits, noHits)
    return { name, which, decisions: total('decisions'), tasks: total('tasks') }
  })
}
