export const frequencies = ['off', 'daily', 'weekly'] as const
export type Frequency = (typeof frequencies)[number]

/** When a user gets a digest. `weekday`: of a weekly one, 1 is Monday. */
export type DigestSettings = { frequency: Frequency; timeZone: string; hour: number; weekday: number }

export const defaultDigest: DigestSettings = { frequency: 'off', timeZone: 'UTC', hour: 8, weekday: 1 }

/** A meeting that ended, with the decisions of its summary. */
export type DigestMeeting = { title: string; decisions: string[] }
/** `due`: a day, `YYYY-MM-DD`; null: none. */
export type DigestTask = { title: string; due: string | null }
/** `meetingCount`, `taskCount`: of all, of which the first are listed. */
export type DigestContent = {
  meetings: DigestMeeting[]
  meetingCount: number
  tasks: DigestTask[]
  taskCount: number
}

/** A day in a time zone, with its hour and weekday. */
export type LocalTime = { day: string; hour: number; weekday: number }

const weekdays = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun']

/** What the clock shows in a time zone. Throws RangeError for an unknown one. Takes up to a millisecond. */
export function localTime(timeZone: string, now: Date): LocalTime {
  const parts = new Intl.DateTimeFormat('en-GB', {
    ...{
      timeZone,
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      weekday: 'short',
      hour: '2-digit',
      hourCycle: 'h23',
    },
  }).formatToParts(now)
  const part = (type: string) => parts.find((it) => it.type === type)?.value ?? ''
  const day = `${part('year')}-${part('month')}-${part('day')}`
  return { day, hour: Number(part('hour')), weekday: weekdays.indexOf(part('weekday')) + 1 }
}

/** A digest that could not be made for so long is left out. */
export const lateHoursMax = 4

export const isEmpty = ({ meetingCount, taskCount }: DigestContent): boolean => meetingCount === 0 && taskCount === 0

/** The words of a digest: one paragraph for each part. The titles are by other people, so each is one line. */
export function digestTexts(
  { meetings, meetingCount, tasks, taskCount }: DigestContent,
  { frequency, today }: { frequency: Frequency; today: string },
): { subject: string; paragraphs: string[] } {
  const period = frequency === 'weekly' ? 'week' : 'day'
  const decided = meetings.filter(({ decisions }) => decisions.length > 0)
  const lists: [heading: string, lines: string[], count: number][] = [
    ['Meetings', meetings.map(({ title }) => `- ${title}`), meetingCount],
    ['Decisions', decided.flatMap(({ title, decisions }) => decisions.map((text) => `- ${text} (${title})`)), 0],
    ['Your tasks', tasks.map((task) => taskLine(task, today)), taskCount],
  ]
  const paragraphs = lists.flatMap(([heading, lines, count]) => {
    if (lines.length === 0) return []
    const more = count > lines.length ? [`And ${count - lines.length} more.`] : []
    return [[`${heading}:`, ...lines, ...more].join('\n')]
  })
  return {
    subject: `Your ${period}: ${counted(meetingCount, 'meeting')}, ${counted(taskCount, 'open task')}`,
    paragraphs,
  }
}

const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`

function taskLine({ title, due }: DigestTask, today: string): string {
  if (due === null) return `- ${title}`
  return due < today ? `- ${title} (was due ${due})` : `- ${title} (due ${due})`
}
