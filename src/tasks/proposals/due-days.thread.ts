import { answerInWorker } from '../../kernel/worker-pool.ts'
import { readDueDay } from './due-day.ts'
import type { DueDayTask } from './due-days.ts'

answerInWorker(({ texts, meetingDay }: DueDayTask) => texts.map((text) => readDueDay(text, meetingDay)))
