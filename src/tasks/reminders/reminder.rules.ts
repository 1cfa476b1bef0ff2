import { dayIn } from '../tasks/task.rules.ts'

/** When reminders are sent, in the organization's time zone. After noon nobody wants the morning's mail. */
const firstHour = 8
const lastHour = 11

/** The day in a time zone if it is the time for reminders there, else null. Takes up to a millisecond. */
export function morningDay(timeZone: string, now: Date): string | null {
  const hour = Number(new Intl.DateTimeFormat('en-GB', { timeZone, hour: '2-digit', hourCycle: 'h23' }).format(now))
  return hour >= firstHour && hour <= lastHour ? dayIn(timeZone, now) : null
}
