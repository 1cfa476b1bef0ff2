import type { JobRun } from '../../jobs/jobs.ts'
import type { Clock } from '../../kernel/clock.ts'
import { Refusal } from '../../kernel/refusal.ts'
import { automaticCause, type Installation } from '../../mime/automatic.ts'
import { type TenantScope, transaction } from '../../storage/scope.ts'
import type { CommandReport, MailCommands } from '../commands/mail-commands.ts'
import type { Commands, Owner } from '../configs/config.rules.ts'
import type { Members } from '../members.ts'
import type { ReceivedMessage } from '../receiving/received-message.ts'
import { asksToStop } from '../suppressions/suppression.rules.ts'
import { replySubject, signed } from './answer-text.rules.ts'
import type { ReplySettings } from './examination.ts'
import { readParts } from './parsed-mail.ts'
import type { ForeseenReply } from './reply.service.ts'
import { lockUnprocessed, saveProcessed } from './reply.store.ts'
import type { Trace, TraceLine } from './trace.rules.ts'
import type { WriteNotice } from './write-notice.ts'

export type CommandDeps = {
  clock: Clock
  installation: Installation
  members: Pick<Members, 'isMember'>
  loadMessage(scope: TenantScope, id: string): Promise<ReceivedMessage | null>
  readSettings(scope: TenantScope, owner: Owner): Promise<ReplySettings & { commands: Commands }>
  commands(): MailCommands
  writeNotice: WriteNotice
}

export type Orders = ReturnType<typeof commandService>

/** Carries out what users order by mail. */
export function commandService(deps: CommandDeps) {
  const { installation, members, loadMessage, writeNotice } = deps

  /** False: the mail is no command, and is to be answered. Can run twice for a mail: it is carried out once. */
  async function carryOut({ scope, data: { messageId } }: JobRun<{ messageId: string }>): Promise<boolean> {
    if (scope.kind !== 'tenant') throw new Error('A mail belongs to a tenant.')
    const message = await loadMessage(scope, messageId)
    const ordered = message && (await orderedBy(scope, message))
    if (!ordered) return false
    const { mail, isProgram } = ordered
    const finish = (work: (tx: TenantScope) => Promise<CommandReport>) =>
      transaction(scope, async (tx) => {
        if (!(await lockUnprocessed(tx, messageId))) return
        const report = await work(tx)
        const trace = traceOf(await confirm(tx, { message, report, isProgram }))
        await saveProcessed(tx, {
          ...{ id: messageId, outcome: 'command', cause: 'COMMAND', trace, replyText: '' },
          automatic: isProgram ? 'AUTO_SUBMITTED' : null,
        })
      })
    try {
      const work = await deps.commands().prepare(scope, mail)
      if (work === null) return false
      await finish(work)
    } catch (error) {
      const report = refused(error)
      await finish(async () => report)
    }
    return true
  }

  /** What would happen to a mail that is a command; null: it is none. Changes nothing. */
  async function foresee(scope: TenantScope, message: ReceivedMessage): Promise<ForeseenReply | null> {
    const ordered = await orderedBy(scope, message)
    if (ordered === null) return null
    const { mail, isProgram } = ordered
    const report = await deps.commands().foresee(scope, mail).catch(refused)
    if (report === null) return null
    const silence = silenceAbout(report, isProgram)
    if (silence !== null) return { trace: traceOf(silence), draft: null }
    const { identity } = await deps.readSettings(scope, message)
    const draft = {
      ...{ to: mail.from, subject: replySubject(message.subject) },
      text: signed(confirmation(report), identity.signature),
    }
    return { trace: traceOf(null), draft }
  }

  /** Null: a mail that is no command, whatever its files are. */
  async function orderedBy(scope: TenantScope, message: ReceivedMessage) {
    const { authenticity, senderUserId: userId, from, isStranger, attachments, orgId, ownerId, text } = message
    if (authenticity !== 'pass' || userId === null || from === null || isStranger || attachments.length === 0)
      return null
    const { commands: allowed } = await deps.readSettings(scope, message)
    if (!allowed.invites && !allowed.transcripts && !allowed.documents) return null
    if (asksToStop(text)) return null
    if (orgId !== null && !(await members.isMember(scope, { orgId, userId }))) return null
    const address = from.address.toLowerCase()
    const parts = readParts(message, address)
    const cause = automaticCause({ ...message, ...parts }, installation)
    // Calendar servers send the invitations of people with this mark.
    const isProgram = cause === 'AUTO_SUBMITTED' && isGenerated(message)
    if (cause !== null && !isProgram) return null
    const { tag, subject } = message
    return { mail: { ...{ ownerId, orgId, userId, tag, subject, attachments, allowed }, from: address }, isProgram }
  }

  type Confirming = { message: ReceivedMessage; report: CommandReport; isProgram: boolean }

  /** Says what was done, once. Null: it was said; else why not. */
  async function confirm(tx: TenantScope, { message, report, isProgram }: Confirming): Promise<string | null> {
    const silence = silenceAbout(report, isProgram)
    if (silence !== null) return silence
    const isSent = await writeNotice(tx, { message, text: confirmation(report), purpose: 'REPLY' })
    return isSent ? null : 'As many answers as may be sent by themselves were sent.'
  }

  return { carryOut, foresee }
}

/** Why nothing is said about what was done; null: it is. */
function silenceAbout({ isNew }: CommandReport, isProgram: boolean): string | null {
  if (!isNew) return 'The same came before, and was confirmed then.'
  return isProgram ? 'A program has sent it, so it is not answered.' : null
}

const confirmation = ({ lines }: CommandReport): string =>
  ['This was done:', '', ...lines.map((line) => `- ${line}`)].join('\n')

/** Throws what is no refusal, and what passes by itself: the job is tried again. */
function refused(error: unknown): CommandReport {
  if (!(error instanceof Refusal) || error.code === 'UNAVAILABLE') throw error
  return { lines: [`Nothing was done: ${error.message}`], isNew: true }
}

const isGenerated = ({ headers }: ReceivedMessage): boolean =>
  headers.every(([name, value]) => name !== 'auto-submitted' || /^\s*auto-generated\b/i.test(value))

function traceOf(unconfirmed: string | null): Trace {
  const passed = (step: TraceLine['step'], detail: string): TraceLine => ({
    step,
    result: 'passed',
    cause: null,
    detail,
  })
  const detail = unconfirmed === null ? 'It was confirmed by mail.' : `It was not confirmed by mail. ${unconfirmed}`
  return [
    passed('parsed', 'The mail could be read.'),
    passed('authentic', 'The domain of the sender confirms the mail.'),
    passed('addressed', 'It was sent to an address of this installation.'),
    passed('threaded', 'The sender belongs to the conversation.'),
    passed('allowed', 'The sender is a user, and the settings allow the command.'),
    { step: 'mode', result: 'passed', cause: 'COMMAND', detail: `The command in the mail was carried out. ${detail}` },
  ]
}
