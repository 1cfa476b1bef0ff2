import { answerInWorker } from '../workers/answer-in-worker.ts'
import type { CalendarAnswer, CalendarTask } from './calendar-reader.ts'
import { expandSeries } from './expand-series.ts'
import { readCalendar } from './read-calendar.ts'
import { CalendarUnreadable } from './series.ts'

answerInWorker((task: CalendarTask): CalendarAnswer => {
  try {
    return task.kind === 'read'
      ? { invitations: readCalendar(task.text) }
      : { expansion: expandSeries(task.series, task.span) }
  } catch (error) {
    if (error instanceof CalendarUnreadable) return { unreadable: error.cause }
    throw error
  }
})
