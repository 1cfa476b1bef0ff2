import type { CommandMail } from '../email/index.ts'
import { MailTooComplex } from '../mime/mail-limits.ts'
import type { MailAttachment } from '../mime/parse-mail.ts'
import { readMail } from '../mime/read-mail.ts'

/** Files of a mail that are commands, by what they make. */
export type CommandFiles = {
  calendars: string[]
  transcripts: { name: string; format: 'vtt' | 'srt' | 'json'; bytes: Buffer }[]
  documents: MailAttachment[]
}

// A hostile file takes its worker for 20 s, and the job has two minutes.
const calendarsMax = 4
const calendarBytesMax = 1024 * 1024
const transcriptsMax = 10
/** What comes with `+docs`. */
const docsTag = 'docs'

/** The files of a mail that are commands, as far as the settings allow it. To `+docs` all files are documents. */
export async function readCommandFiles({ tag, attachments, allowed }: CommandMail): Promise<CommandFiles> {
  const none: CommandFiles = { calendars: [], transcripts: [], documents: [] }
  if (tag === docsTag) return allowed.documents ? { ...none, documents: [...attachments] } : none
  return {
    ...none,
    calendars: allowed.invites ? await readCalendars(attachments) : [],
    transcripts: allowed.transcripts ? attachments.flatMap(transcript).slice(0, transcriptsMax) : [],
  }
}

/** A program sends the same invitation as a part and as a file. One that is forwarded as a whole mail is within that mail. */
async function readCalendars(attachments: readonly MailAttachment[]): Promise<string[]> {
  const forwarded = attachments.filter(({ type }) => type === 'message/rfc822').slice(0, calendarsMax)
  const inner = await Promise.all(forwarded.map(({ content }) => attachmentsOf(Buffer.from(content))))
  const files = [...attachments, ...inner.flat()].filter(isCalendar)
  const texts = files.map(({ content }) => Buffer.from(content).toString('utf8'))
  return [...new Set(texts.map((text) => text.replaceAll('\r\n', '\n').trim()))].slice(0, calendarsMax)
}

async function attachmentsOf(bytes: Buffer): Promise<MailAttachment[]> {
  try {
    return (await readMail(bytes)).attachments
  } catch (error) {
    if (error instanceof MailTooComplex) return []
    throw error
  }
}

function isCalendar({ type, filename, content }: MailAttachment): boolean {
  const isNamed = /^(?:text\/calendar|application\/ics)$/i.test(type) || /\.ics$/i.test(filename ?? '')
  return isNamed && content.byteLength <= calendarBytesMax
}

/** By the bytes, or by the name where they do not tell. */
function transcript({ filename, type, content }: MailAttachment): CommandFiles['transcripts'] {
  const bytes = Buffer.from(content)
  const beginning = bytes.toString('utf8', 0, 4096).replace(/^\ufeff/, '')
  const format = transcriptFormat(beginning, `${filename ?? ''} ${type}`.toLowerCase())
  return format === null ? [] : [{ name: filename ?? `transcript.${format}`, format, bytes }]
}

function transcriptFormat(beginning: string, named: string): 'vtt' | 'srt' | 'json' | null {
  if (/^WEBVTT(?:\s|$)/.test(beginning)) return 'vtt'
  if (/^\s{0,100}\d{1,9}\s{1,10}\d{1,3}:\d\d:\d\d[,.]\d{1,3}\s{1,5}-->/.test(beginning)) return 'srt'
  return /\.json /.test(`${named} `) && /^\s{0,100}[[{]/.test(beginning) ? 'json' : null
}
