import type { Clock } from '../../kernel/clock.ts'
import type { Metering, Use } from '../../usage/index.ts'
import type { AnswerQuestion } from './answer.service.ts'

type MeteredAnswerDeps = {
  clock: Clock
  metering: Pick<Metering, 'countWithin' | 'uncount'>
  answerQuestion: AnswerQuestion
  /** The engine that is asked first. */
  engine: 'local' | 'llm'
}

/** Counts each answer. Above a limit the local engine gives it, which costs nothing. */
export function meteredAnswers({ clock, metering, answerQuestion, engine }: MeteredAnswerDeps): AnswerQuestion {
  return async (scope, question) => {
    const { meeting, userId } = question
    const use: Use = { orgId: meeting.orgId, userId, engine, at: clock.now(), amounts: { asks: 1 } }
    const isWithin = await metering.countWithin(scope, use)
    try {
      const answer = await answerQuestion(scope, question, isWithin ? undefined : 'BUDGET_SPENT')
      if (answer.engine === engine) return answer
      // The model was not asked, or failed.
      await metering.uncount(scope, use)
      await metering.countWithin(scope, { ...use, engine: answer.engine })
      return answer
    } catch (error) {
      await metering.uncount(scope, use)
      throw error
    }
  }
}
