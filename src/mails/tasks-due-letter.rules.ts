import type { DueTask, LetterTexts, MailContent, Paragraph } from './mail.rules.ts'

/**
 * A reminder. Other members of the organization wrote its words, so each task is one line, and the link for ending the
 * reminders comes last.
 */
export function tasksDueTexts(
  { orgName, today, tasks, count }: NonNullable<MailContent['tasksDue']>,
  { brand, unsubscribeUrl }: { brand: string; unsubscribeUrl: string | null },
): LetterTexts {
  const groups: [heading: string, tasks: DueTask[]][] = [
    ['Overdue', tasks.filter(({ due }) => due < today)],
    ['Due today', tasks.filter(({ due }) => due === today)],
    ['Due tomorrow', tasks.filter(({ due }) => due > today)],
  ]
  const lists = groups.flatMap(([heading, inGroup]): Paragraph[] =>
    inGroup.length === 0 ? [] : [{ text: [`${heading}:`, ...inGroup.map((task) => listLine(task, today))].join('\n') }],
  )
  const more = count - tasks.length
  return {
    subject: `${count === 1 ? '1 task is' : `${count} tasks are`} due in ${orgName}`,
    paragraphs: [
      { text: `You have tasks in ${orgName} at ${brand} that are due soon or overdue:` },
      ...lists,
      ...(more > 0 ? [{ text: `And ${more} more.` }] : []),
      ...ending(unsubscribeUrl),
    ],
  }
}

function listLine({ title, due }: DueTask, today: string): string {
  return due < today ? `- ${title} (${due})` : `- ${title}`
}

function ending(unsubscribeUrl: string | null): Paragraph[] {
  if (unsubscribeUrl === null)
    return [{ text: 'To stop these mails, switch off the notifications of the organization.' }]
  return [{ text: 'Stop these mails:' }, { text: unsubscribeUrl, as: 'link' }]
}
