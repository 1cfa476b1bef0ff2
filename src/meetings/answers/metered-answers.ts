import type { Metering } from '../../usage/index.ts'
import type { AnswerQuestion } from './answer.service.ts'

type MeteredAnswerDeps = {
  metering: Pick<Metering, 'countAnswer'>
  answerQuestion: AnswerQuestion
  /** The engine that is asked first. */
  engine: 'local' | 'llm'
}

/** Counts each answer. Above a limit the local engine gives it, which costs nothing. */
export const meteredAnswers =
  ({ metering, answerQuestion, engine }: MeteredAnswerDeps): AnswerQuestion =>
  (scope, question) =>
    metering.countAnswer(scope, { orgId: question.meeting.orgId, userId: question.userId, engine }, (isWithin) =>
      answerQuestion(scope, question, isWithin ? undefined : 'BUDGET_SPENT'),
    )
