// Words like "by Friday" and the day of a meeting in, the one day that they mean out.

import type { ParsedComponents, ParsedResult } from 'chrono-node'
import { casual as german } from 'chrono-node/de'
import { casual as english } from 'chrono-node/en'
import { casual as spanish } from 'chrono-node/es'
import { casual as french } from 'chrono-node/fr'
import { laterDay } from '../../kernel/period.ts'

/** Longer words name no day. The time that chrono takes grows with the square of this. */
const lettersMax = 80

/** What may stand around a day without changing which one is meant. */
const harmless =
  /^(?:[ ,.]|(?<!\p{L})(?:by|before|until|till|no|later|than|on|the|of|at|noon|night|morning|afternoon|evening|latest|bis|zum|am|vor|spätestens|noch|früh|vormittag|mittag|nachmittag|abend|avant|le|pour|d'ici|jusqu'à|au|matin|midi|soir|antes|del?|para|hasta|el|la|por|mismo|mañana|tarde|noche)(?!\p{L}))*$/iu

/** What chrono reads as a day although it is none, or one that is over. */
const vague =
  /(?<!\p{L})(?:last|past|previous|weekend|wochenende|week-end|semana|letzte[nmrs]?|vergangene[nmrs]?|vorige[nmrs]?|dernier|passée?|pasad[oa])(?!\p{L})/iu

/** The day of the meeting itself. chrono takes such a time that has passed for one of the next day. */
const sameDay =
  /^(?:by |before |until )?(?:(?:the )?end of (?:the |this )?day|eod|cob|close of business|this (?:morning|afternoon|evening)|ce (?:matin|soir)|cet après-midi|esta (?:tarde|noche))$/iu

/** Days before the year 1000 are written in other ways elsewhere, and no meeting was held then. */
const meetingDayForm = /^[1-9]\d{3}-/

/** chrono takes a day without a year that has just passed for the one of next year. */
const futureDaysMax = 300

/**
 * The day that spoken words mean, or null where they mean no certain one. A weekday is the next one after the meeting.
 * Words that two languages read differently mean no certain day.
 * @param meetingDay the day of the meeting where its organization is, `YYYY-MM-DD`; in other years none is certain
 */
export function readDueDay(text: string, meetingDay: string): string | null {
  const words = text.trim()
  if (words.length > lettersMax || vague.test(words) || !meetingDayForm.test(meetingDay)) return null
  if (sameDay.test(words)) return meetingDay
  // chrono counts in the time zone of the process. No change of the clock there moves noon to another day.
  const reference = new Date(`${meetingDay}T12:00:00`)
  const days = new Set(
    [english, german, spanish, french].flatMap((language) => {
      const results = language.parse(words, reference, { forwardDate: true })
      return results.length === 0 ? [] : [certainDay(words, results, meetingDay)]
    }),
  )
  const [day = null] = days
  return days.size === 1 ? day : null
}

function certainDay(words: string, [result, ...others]: ParsedResult[], meetingDay: string): string | null {
  if (result === undefined || others.length > 0 || result.end) return null
  const rest = `${words.slice(0, result.index)} ${words.slice(result.index + result.text.length)}`
  if (!harmless.test(rest)) return null
  const { start } = result
  const day = isWeekday(start) ? nextWeekday(start.get('weekday') ?? 0, meetingDay) : statedDay(result, meetingDay)
  return day !== null && day >= meetingDay ? day : null
}

const isWeekday = (start: ParsedComponents) => start.isCertain('weekday') && !start.isCertain('day')

function nextWeekday(weekday: number, meetingDay: string): string {
  const days = (weekday - new Date(`${meetingDay}T12:00:00Z`).getUTCDay() + 6) % 7
  return laterDay(meetingDay, days + 1)
}

function statedDay({ start }: ParsedResult, meetingDay: string): string | null {
  if (!start.isCertain('day') || !start.isCertain('month')) return null
  const tags = start.tags()
  // "12/05" is in May or in December.
  if (tags.has('parser/SlashDateFormatParser')) return null
  // "In two weeks" is about then; "in three days" is that day, and then chrono knows its weekday.
  if (tags.has('result/relativeDate') && !start.isCertain('weekday')) return null
  const [year, month, day] = [start.get('year') ?? 0, start.get('month') ?? 0, start.get('day') ?? 0]
  const two = (value: number) => String(value).padStart(2, '0')
  if (year > 9999) return null
  const stated = `${String(year).padStart(4, '0')}-${two(month)}-${two(day)}`
  return start.isCertain('year') || stated < laterDay(meetingDay, futureDaysMax) ? stated : null
}
