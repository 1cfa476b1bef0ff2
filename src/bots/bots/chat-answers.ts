import type { JobKind, Jobs } from '../../jobs/jobs.ts'
import type { Clock } from '../../kernel/clock.ts'
import { newId } from '../../kernel/ids.ts'
import { Refusal } from '../../kernel/refusal.ts'
import type { BotMeetings } from '../../meetings/index.ts'
import { type Scope, type TenantScope, transaction } from '../../storage/scope.ts'
import { type Bot, isTranscribing } from '../bot.rules.ts'
import { countMessages, deleteQuestion, findQuestion, insertCommand } from '../command-queue/command.store.ts'
import { findBot } from './bot.store.ts'
import type { BotTransitions } from './bot-transitions.ts'

type Asked = { botId: string; questionId: string }

/** The question is kept beside the bot and not here, so that `!forget` erases it. */
export const chatAnswerJob: JobKind<Asked> = {
  name: 'bots.chat.answer',
  attemptsMax: 2,
  backoffSeconds: 2,
  timeoutSeconds: 60,
  order: 'key',
}

const answersPerMinute = 10
const messageLengthMax = 500

export type ChatAnswers = ReturnType<typeof chatAnswers>

type Deps = { clock: Clock; jobs: Jobs; meetings: BotMeetings; transitions: BotTransitions }

/** Answers to those who ask a bot by its name, from its meeting alone. */
export function chatAnswers({ clock, jobs, meetings, transitions }: Deps) {
  /** A job answers, because that may ask a language model. */
  async function ask(tx: TenantScope, bot: Bot, text: string): Promise<void> {
    if (!isListening(bot)) return
    const createdAt = clock.now()
    const id = newId(createdAt)
    const question = text.replace(/^\s*@?/, '').slice(0, messageLengthMax)
    await insertCommand(tx, {
      botId: bot.id,
      id,
      kind: 'question',
      reason: null,
      text: question,
      byUser: null,
      createdAt,
    })
    const data = { botId: bot.id, questionId: id }
    await jobs.enqueue(tx, chatAnswerJob, { data, tenantId: tx.tenantId, key: bot.id })
  }

  /** Says nothing where the question was erased meanwhile, or the bot has left. */
  async function answer(scope: Scope, { botId, questionId }: Asked): Promise<void> {
    if (scope.kind !== 'tenant') throw new Error('A bot belongs to a tenant.')
    const bot = await findBot(scope, botId)
    const question = await findQuestion(scope, { botId, id: questionId })
    if (bot === null || question === null) return
    const text = isListening(bot) ? await answerTo(scope, bot, question) : null
    await transaction(scope, async (tx) => {
      const locked = await transitions.lock(tx, botId)
      const isOpen = await deleteQuestion(tx, { botId, id: questionId })
      if (locked === null || !isOpen || text === null || !isListening(locked.bot)) return
      const since = new Date(clock.now().getTime() - 60_000)
      if ((await countMessages(tx, { botId, by: 'bot', since })) >= answersPerMinute) return
      await transitions.command(tx, locked.bot, { kind: 'message', text: text.slice(0, messageLengthMax) })
    })
  }

  /** Null: it is refused, for example because too many ask. The user who asked for the bot may read the meeting. */
  async function answerTo(scope: TenantScope, bot: Bot, text: string): Promise<string | null> {
    if (bot.requestedBy === null) return null
    try {
      return await meetings.answer(scope, { userId: bot.requestedBy, meetingId: bot.meetingId, text })
    } catch (error) {
      if (error instanceof Refusal) return null
      throw error
    }
  }

  return { ask, answer }
}

const isListening = (bot: Bot): boolean => bot.status === 'in_meeting' && isTranscribing(bot)
