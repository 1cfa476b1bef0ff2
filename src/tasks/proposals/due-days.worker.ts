import { answerInWorker } from '../../workers/answer-in-worker.ts'
import { readDueDay } from './due-day.ts'
import type { DueDayTask } from './due-days.ts'

answerInWorker(({ texts, meetingDay }: DueDayTask) => texts.map((text) => readDueDay(text, meetingDay)))
