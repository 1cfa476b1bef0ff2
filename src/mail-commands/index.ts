import type { CommandMail, CommandReport, MailCommands } from '../email/index.ts'
import { calendarReader } from '../icalendar/calendar-reader.ts'
import { type CalendarCause, CalendarUnreadable } from '../icalendar/series.ts'
import { housekeeping, type JobHandler, jobHandler } from '../jobs/jobs.ts'
import type { TenantTable } from '../kernel/tenant-table.ts'
import { type PlatformScope, rehearsal, type TenantScope } from '../storage/scope.ts'
import { readCommandFiles } from './command-files.ts'
import { type FileDeps, type FileReport, fileService } from './files/file.service.ts'
import {
  type InvitationDeps,
  type InvitationOutcome,
  invitationService,
  planLater,
} from './invitations/invitation.service.ts'
import { mailCommandTables } from './tenant-tables.ts'

export { sealedInvitations } from './invitations/invitation.rules.ts'

export type MailCommandDeps = Omit<InvitationDeps, 'occurrencesIn'> & FileDeps & { platform: PlatformScope }

export type MailCommandsModule = { commands: MailCommands; jobs: JobHandler[]; tenantTables: TenantTable[] }

/** What users do by mail: invitations and transcripts make meetings, and files become documents. */
export function mailCommands(deps: MailCommandDeps): MailCommandsModule {
  const { readInvitations, occurrencesIn } = calendarReader()
  const invitations = invitationService({ ...deps, occurrencesIn })
  const files = fileService(deps)

  async function prepare(scope: TenantScope, mail: CommandMail, { isRehearsal = false } = {}) {
    const { calendars, transcripts, documents } = await readCommandFiles(mail)
    const steps = [
      ...(await Promise.all(calendars.map((text) => prepareCalendar(scope, mail, text)))).flat(),
      ...(await Promise.all(transcripts.map((file) => prepareTranscript(mail, file)))).flat(),
    ]
    const added = (await files.addDocuments(scope, mail, { files: documents, isRehearsal })).map(fileLine)
    if (steps.length === 0 && added.length === 0) return null
    return async (tx: TenantScope): Promise<CommandReport> => {
      const lines = [...added]
      for (const step of steps) lines.push(await step(tx))
      return { lines: lines.map(({ text }) => text), isNew: lines.some(({ isNew }) => isNew) }
    }
  }

  async function foresee(scope: TenantScope, mail: CommandMail): Promise<CommandReport | null> {
    const carryOut = await prepare(scope, mail, { isRehearsal: true })
    return carryOut && rehearsal(scope, carryOut)
  }

  type Line = { text: string; isNew: boolean }
  type Step = (tx: TenantScope) => Promise<Line>

  async function prepareCalendar(scope: TenantScope, mail: CommandMail, text: string): Promise<Step[]> {
    try {
      const steps: Step[] = []
      for (const invitation of await readInvitations(text)) {
        const run = await invitations.prepare(scope, { ...mail, sender: mail.from }, invitation)
        steps.push(async (tx) => invitationLine(await run(tx)))
      }
      return steps
    } catch (error) {
      if (!(error instanceof CalendarUnreadable)) throw error
      const line = { text: `The invitation was not used: ${unreadable[error.cause]}.`, isNew: true }
      return [async () => line]
    }
  }

  async function prepareTranscript(mail: CommandMail, file: Parameters<typeof files.prepareTranscript>[1]) {
    const run = await files.prepareTranscript(mail, file)
    return run === null ? [] : [async (tx: TenantScope) => fileLine(await run(tx))]
  }

  return {
    commands: { prepare: (scope, mail) => prepare(scope, mail), foresee },
    jobs: [
      jobHandler(planLater, invitations.plan),
      housekeeping('mail-commands.invitations.housekeep', '*/30 * * * *', () => invitations.housekeep(deps.platform)),
    ],
    tenantTables: mailCommandTables,
  }
}

const fileLine = ({ name, result }: FileReport) => ({ text: `${name} ${result}.`, isNew: true })

const unreadable: Record<CalendarCause, string> = {
  MALFORMED: 'its file cannot be read',
  TOO_LARGE: 'its file is too large',
  UNKNOWN_TIME_ZONE: 'its time zone is not known',
  RECURS_TOO_OFTEN: 'it recurs more often than once a day',
  RANGE_NOT_SUPPORTED: 'changes of this and all later occurrences are not supported. Send the whole series again',
}

function invitationLine({ title, outcome, startAt, ...counts }: InvitationOutcome) {
  const name = `“${title}”`
  if (outcome === 'stale')
    return { text: `${name}: a newer invitation arrived earlier, so nothing was changed.`, isNew: true }
  if (outcome === 'same') return { text: `${name}: nothing was changed.`, isNew: false }
  const { created, changed, cancelled } = counts
  const done = [
    ...(created > 0 ? [`${meetings(created)} planned`] : []),
    ...(changed > 0 ? [`${meetings(changed)} changed`] : []),
    ...(cancelled > 0 ? [`${meetings(cancelled)} cancelled`] : []),
  ]
  const next = startAt === null || created + changed === 0 ? '' : ` The next begins at ${utc(startAt)}.`
  const text = done.length === 0 ? 'there is no meeting to plan, change or cancel' : done.join(', ')
  return { text: `${name}: ${text}.${next}`, isNew: true }
}

const meetings = (count: number): string => (count === 1 ? '1 meeting' : `${count} meetings`)
const utc = (iso: string): string => `${iso.slice(0, 10)} ${iso.slice(11, 16)} UTC`
