import { analyse } from '../analysis.ts'
import { renderedSections } from '../compose.ts'
import { headings } from '../detailed.ts'
import { paddingFor } from '../padding.ts'
import { sentenceCounts } from '../sentence-counts.ts'
import { joined } from '../short.ts'
import { summarize } from '../summarize.ts'
import type { Summary, SummaryRequest, SummarySection } from '../summary.ts'
import { countWords } from '../words.ts'
import { type CheckedDraft, checkDraft } from './check-draft.ts'
import type { Draft } from './draft.ts'
import { detailedFromModel } from './model-detailed.ts'
import { modelSentencesMin, shortFromModel } from './model-short.ts'
import type { Written } from './task.ts'
import { sentencesIn, writtenLocally } from './written.ts'

/**
 * The summary of what a model drafted, in the form that the local engine's have: what the transcript bears out of the draft,
 * filled up with the local engine's sentences. Where too little of it holds, it is the local engine's summary.
 */
export function summaryOf(draft: Draft, request: SummaryRequest): Written {
  const local = summarize(request)
  const checked = checkDraft(draft, request)
  const sections = sectionsOf(local, checked, request)
  if (sections === null) return writtenLocally(local)
  const { mode } = local
  const text =
    mode === 'short'
      ? joined(sections.flatMap(({ sentences }) => sentences))
      : renderedSections(sections, [headings.contributions, headings.actions, headings.decisions])
  if (!hasForm(text, mode)) return writtenLocally(local)
  const localTexts = new Set(local.sections.flatMap((it) => it.sentences).map((it) => it.text))
  const all = sections.flatMap((it) => it.sentences)
  const byModel = new Set(all.filter((it) => it.basis === 'speech' && !localTexts.has(it.text)).map((it) => it.text))
  return {
    engine: 'llm',
    mode,
    text,
    sentences: sentencesIn(sections, byModel),
    sentenceCount: all.length,
    wordCount: countWords(text)[0],
    participants: participantsOf(local, checked),
    topics: checked.topics.length > 0 ? checked.topics : local.keywords,
    decisions: orElse(checked.decisions, local.decisions),
    actionItems: orElse(checked.actionItems, local.actionItems),
    questions: orElse(checked.questions, local.questions),
  }
}

function sectionsOf(local: Summary, checked: CheckedDraft, request: SummaryRequest): SummarySection[] | null {
  if (local.mode === 'short') {
    const sentences = shortFromModel(
      local.sections.flatMap((it) => it.sentences),
      checked,
    )
    return sentences && [{ heading: '', sentences }]
  }
  if (checked.sentences.length + checked.contributions.size < modelSentencesMin) return null
  const padding = () => paddingFor(analyse(request))
  return detailedFromModel({ local: local.sections, draft: checked, padding })
}

const orElse = <T>(found: T[], local: T[]) => (found.length > 0 ? found : local)

/** The last word on the promised form, whatever was done before. */
function hasForm(text: string, mode: Written['mode']): boolean {
  const counts = mode === 'short' ? sentenceCounts(text) : countWords(text)
  const [min, max] = mode === 'short' ? [4, 6] : [400, 700]
  return Math.min(...counts) >= min && Math.max(...counts) <= max
}

function participantsOf({ participants }: Summary, { contributions }: CheckedDraft): Summary['participants'] {
  return participants.map((it) => {
    const written = contributions.get(it.speaker)
    return written ? { ...it, contribution: written.text, citations: written.citations } : it
  })
}
