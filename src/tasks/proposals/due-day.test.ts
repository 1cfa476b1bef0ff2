import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { readDueDay } from './due-day.ts'

const wednesday = '2026-11-18'

describe('the due day of spoken words', () => {
  for (const [words, day] of [
    ['by Friday', '2026-11-20'],
    ['next Friday', '2026-11-20'],
    ['on Wednesday', '2026-11-25'],
    ['no later than Monday', '2026-11-23'],
    ['next Tuesday afternoon', '2026-11-24'],
    ['today', wednesday],
    ['by the end of the day', wednesday],
    ['this afternoon', wednesday],
    ['tomorrow morning', '2026-11-19'],
    ['in 3 days', '2026-11-21'],
    ['by 14 May', '2027-05-14'],
    ['by the end of May', '2027-05-31'],
    ['by 18 November', wednesday],
    ['2026-12-01', '2026-12-01'],
    ['bis Freitag', '2026-11-20'],
    ['bis zum 3. Februar', '2027-02-03'],
    ['heute noch', wednesday],
    ['avant vendredi', '2026-11-20'],
    ['demain matin', '2026-11-19'],
    ['antes del viernes', '2026-11-20'],
    ['para el 12 de mayo', '2027-05-12'],
  ] as const)
    test(`"${words}", said on a Wednesday, is ${day}`, () => assert.equal(readDueDay(words, wednesday), day))

  for (const words of [
    'soon',
    'next week',
    'within two weeks',
    'by next month',
    'in March',
    'before the June meeting',
    'by the weekend',
    'Friday or Monday',
    'between Monday and Friday',
    'every Friday',
    'last Friday',
    'yesterday',
    'by 17 November 2026',
    'on 26 October',
    'by noon',
    'within an hour',
    '12/05',
    'by June 31',
    'nächste Woche',
    'la semana que viene',
    'avant la fin du mois',
    '',
  ])
    test(`"${words}" is no certain day`, () => assert.equal(readDueDay(words, wednesday), null))

  // As `dayIn` writes them. `scheduledAt` of a meeting may be any year.
  for (const meetingDay of ['13-06-01', '10000-01-01'])
    test(`no words mean a certain day in a meeting of ${meetingDay}`, () => {
      for (const words of ['today', 'tomorrow', 'by Friday', 'by 14 May', '2026-12-01'])
        assert.equal(readDueDay(words, meetingDay), null, words)
    })

  const day = fc
    .date({ min: new Date('2000-01-01'), max: new Date('2100-01-01'), noInvalidDate: true })
    .map((date) => date.toISOString().slice(0, 10))

  test('a weekday is within the seven days after the meeting', () => {
    const names = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday']
    fc.assert(
      fc.property(day, fc.nat(6), (meetingDay, weekday) => {
        const due = new Date(`${readDueDay(`by ${names[weekday]}`, meetingDay)}T00:00:00Z`)
        const days = (due.getTime() - new Date(`${meetingDay}T00:00:00Z`).getTime()) / 86_400_000
        assert.equal(due.getUTCDay(), weekday)
        assert.ok(days >= 1 && days <= 7, `${days} days after ${meetingDay}`)
      }),
    )
  })

  const pieces = ['by ', '1', '2. ', 'Friday', ' or ', 'in ', 'days ', 'of May', '/', '-', '2026', ' a ', 'next ', '２']
  test('any words give null or a real day that is not before the meeting', () => {
    fc.assert(
      fc.property(day, fc.array(fc.oneof(fc.constantFrom(...pieces), fc.string())), (meetingDay, words) => {
        const due = readDueDay(words.join(''), meetingDay)
        if (due === null) return
        assert.equal(new Date(`${due}T00:00:00Z`).toISOString().slice(0, 10), due)
        assert.ok(due >= meetingDay)
      }),
    )
  })

  test('words of any length take no longer than the longest that are read', () => {
    assert.equal(readDueDay('by Friday '.repeat(1_000_000), wednesday), null)
  })
})
