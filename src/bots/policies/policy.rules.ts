export const calendarChoices = ['none', 'mine', 'accepted', 'all'] as const
export type CalendarChoice = (typeof calendarChoices)[number]
