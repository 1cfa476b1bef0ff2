import { ModelFailure } from '../../ai/model-failure.ts'
import type { TenantModel } from '../../ai/tenant-model.ts'
import type { TenantScope } from '../../storage/scope.ts'
import { sentenceChecker } from '../../summarizer/model/check-sentence.ts'
import { readAnswer } from '../../summarizer/model/draft-answer.ts'
import type { DraftItem } from '../../summarizer/model/draft-item.ts'
import { formatTimestamp } from '../entries/entry.rules.ts'
import type { Citation } from './answer.schema.ts'
import type { AnswerPart, Question } from './answer.ts'
import { answerPrompt } from './answer-prompt.ts'
import type { Ranking } from './entry-ranking.rules.ts'
import { textPart, toCitation } from './local-answer.ts'
import { findPassages, type Passage, readPassages } from './passages.ts'
import { answerTone } from './tone.rules.ts'

type ModelAnswerDeps = { question: Question; ranking: Ranking; model: TenantModel }

/**
 * The answer of a model that was shown the best passages. Each sentence is checked against the passages it cites.
 * `unanswered` where the model found no answer; null where there is no passage to show. Rejects with ModelFailure, also
 * where the passages do not support the answer.
 */
export async function modelAnswer(
  scope: TenantScope,
  { question, ranking, model }: ModelAnswerDeps,
): Promise<AnswerPart[] | 'unanswered' | null> {
  const { meeting, text } = question
  const tone = answerTone(meeting.settings.personality)
  const sent = await findPassages(scope, meeting.id, { ranking, tokensMax: model.inputTokensMax })
  if (sent.length === 0) return null
  const { text: written } = await model.ask(scope, answerPrompt(text, sent, tone.instruction), {
    orgId: meeting.orgId,
    userId: question.userId,
  })
  const items = readAnswer(written)
  if (items === null) throw new ModelFailure('INVALID_OUTPUT')
  if (items.length === 0) return 'unanswered'
  // A model takes seconds. Entries that were erased or replaced meanwhile must not be used.
  const now = await readPassages(scope, meeting.id, { seqs: sent.map(({ seq }) => seq), ranking })
  const parts = checkParts(items, { sent, now, terms: ranking.terms })
  return tone.closing === '' ? parts : [...parts, textPart(`\n${tone.closing}`)]
}

type KnownPassages = { sent: Passage[]; now: Passage[]; terms: readonly string[] }

/**
 * Drops sentences that their passages do not support. A citation that does not exist rejects the whole answer, because
 * the rest cannot be trusted either.
 */
function checkParts(items: DraftItem[], { sent, now, terms }: KnownPassages): AnswerPart[] {
  const bySeq = new Map(now.map((it) => [it.seq, it]))
  const passages = sent.flatMap(({ seq }) => bySeq.get(seq) ?? [])
  const isWhole = passages.length === sent.length
  const isInvented = items.some(({ entries }) => entries.some((n) => n < 1 || n > sent.length))
  if (!isWhole || isInvented) throw new ModelFailure('INVALID_OUTPUT')
  const transcript = passages.map((it) => ({ ...it, timestamp: formatTimestamp(it.offsetSeconds) }))
  const { check } = sentenceChecker({ transcript, title: '' })
  const parts = items.flatMap((item) => {
    const checked = check(item)
    if (checked === null) return []
    const citations = checked.citations.flatMap((index) => toCitation(passages[index] as Passage, terms) ?? [])
    return citations.length === 0 ? [] : [{ text: `${checked.text} ${citationMarks(citations)}`, citations }]
  })
  if (parts.length === 0) throw new ModelFailure('INVALID_OUTPUT')
  return parts.map((it, index) => (index === 0 ? it : { ...it, text: ` ${it.text}` }))
}

function citationMarks(citations: Citation[]): string {
  return citations.map(({ seq }) => `[${seq}]`).join('')
}
