import type { Metrics } from '../kernel/metrics.ts'
import type { AnswerQuestion } from './answers/answer.service.ts'
import type { SummaryWritten } from './summaries/summary.service.ts'

/** From a short meeting with the local engine to the longest deadline of a model. */
const secondsBounds = [0.01, 0.03, 0.1, 0.3, 1, 3, 10, 30, 100]

/** Counts and times the summaries and answers of each engine, and the reasons for falling back to the local one. */
export function meetingMetrics(metrics: Metrics) {
  const summaries = metrics.counter({
    name: 'summaries_written_total',
    help: 'Summaries written, by engine. Stored summaries are not counted again. fallback_reason: why the configured model did not write it.',
    labels: ['mode', 'engine', 'fallback_reason'],
  })
  const summarySeconds = metrics.histogram({
    name: 'summary_duration_seconds',
    help: 'Time from reading the transcript until the summary is stored.',
    labels: ['mode', 'engine'],
    bounds: secondsBounds,
  })
  const answers = metrics.counter({
    name: 'answers_total',
    help: 'Questions about meetings answered, by engine. fallback_reason: why the configured model did not answer.',
    labels: ['engine', 'fallback_reason'],
  })
  const answerSeconds = metrics.histogram({
    name: 'answer_duration_seconds',
    help: 'Time to answer a question, without waiting for its turn.',
    labels: ['engine'],
    bounds: secondsBounds,
  })

  return {
    recordSummary: ({ mode, engine, fallbackReason, seconds }: SummaryWritten): void => {
      summaries(mode, engine, fallbackReason ?? '').add()
      summarySeconds(mode, engine).observe(seconds)
    },
    measureAnswers:
      (answer: AnswerQuestion): AnswerQuestion =>
      async (scope, question) => {
        const startedMs = performance.now()
        const answered = await answer(scope, question)
        answers(answered.engine, answered.fallbackReason ?? '').add()
        answerSeconds(answered.engine).observe((performance.now() - startedMs) / 1000)
        return answered
      },
  }
}
