export const calendarChoices = ['none', 'mine', 'accepted', 'all'] as const
export type CalendarChoice = (typeof calendarChoices)[number]

/** What the owner of a calendar has to do with an event. */
export type Attendance = {
  isOrganizer: boolean
  response: 'accepted' | 'declined' | 'open'
  participants: number
}

type Wish = { calendar: CalendarChoice; minimumParticipants: number; excludeWords: readonly string[] }

/** Whether a bot is sent to a meeting of a calendar. None goes to a meeting that was declined. */
export function isWanted(
  { calendar, minimumParticipants, excludeWords }: Wish,
  { title, attendance }: { title: string; attendance: Attendance },
): boolean {
  const { isOrganizer, response, participants } = attendance
  if (response === 'declined' || participants < minimumParticipants) return false
  if (excludeWords.some((word) => hasWord(title, word))) return false
  switch (calendar) {
    case 'none':
      return false
    case 'mine':
      return isOrganizer
    case 'accepted':
      return isOrganizer || response === 'accepted'
    case 'all':
      return true
  }
}

/** Whole words, whatever their case: `art` is not in "Start". */
function hasWord(title: string, word: string): boolean {
  const text = title.toLowerCase()
  const wanted = word.trim().toLowerCase()
  if (wanted === '') return false
  for (let at = text.indexOf(wanted); at !== -1; at = text.indexOf(wanted, at + 1))
    if (!isLetter(text[at - 1]) && !isLetter(text[at + wanted.length])) return true
  return false
}

const isLetter = (sign: string | undefined): boolean => sign !== undefined && /[\p{L}\p{N}]/u.test(sign)
