import type { Route } from '../http/route.ts'
import { housekeeping, type JobHandler, type Jobs, jobHandler } from '../jobs/jobs.ts'
import type { Installation } from '../mime/automatic.ts'
import type { EventBus } from '../storage/events.ts'
import { inTenant, type PlatformScope, type Scope, type TenantScope } from '../storage/scope.ts'
import type { MailCommands } from './commands/mail-commands.ts'
import type { Commands, Owner } from './configs/config.rules.ts'
import type { Members } from './members.ts'
import { approvalRoute, retryRoute } from './messages/approve-and-retry.routes.ts'
import { draftRoutes } from './messages/draft.routes.ts'
import { loadReceived } from './receiving/load-received.service.ts'
import type { AnswersForReaders } from './replies/answers.ts'
import { commandService } from './replies/command.service.ts'
import { type DraftDeps, draftService } from './replies/draft.service.ts'
import {
  type ExaminationDeps,
  examination,
  type ReplySettings,
  type SenderDeps,
  senderFinder,
} from './replies/examination.ts'
import { toReceivedMail } from './replies/parsed-mail.ts'
import { recipientChoice } from './replies/recipients.ts'
import { answerMail, type ReplyDeps, replyService } from './replies/reply.service.ts'
import { noticeWriter } from './replies/write-notice.ts'
import { type SimulateDeps, simulateRoute } from './simulate/simulate.routes.ts'
import type { Suppressions } from './suppressions/suppression.service.ts'

export type ReplyModuleDeps = Omit<DraftDeps, 'answerAgain' | 'readSettings' | 'recipients'> &
  Omit<SimulateDeps, 'replies' | 'orders' | 'hostname' | 'readSettings'> &
  Pick<ReplyDeps, 'release' | 'takeOfDay'> &
  SenderDeps & {
    platform: PlatformScope
    members: Pick<Members, 'isMember'>
    /** What users order by mail. */
    commands(): MailCommands
    readSettings(
      scope: TenantScope,
      owner: Owner,
    ): Promise<ReplySettings & { address: string | null; commands: Commands; stored: { localPart: string | null } }>
    events: EventBus
    jobs: Jobs
    suppressions: Suppressions
    /** Tries a failed mail again. False where it has not failed. */
    requeue(tx: TenantScope, messageId: string): Promise<boolean>
    /** The domain of the addresses of this installation. */
    domain: string | null
    answers(): AnswersForReaders
    findVerifiedUser(scope: TenantScope, address: string): Promise<string | null>
  }

export type ReplyModule = {
  routes: Route[]
  jobs: JobHandler[]
  onReceived: ReturnType<typeof replyService>['onReceived']
}

/** Answers to mails, and what people do with them. */
export function replyModule(deps: ReplyModuleDeps): ReplyModule {
  const { platform, events, suppressions, domain } = deps
  const answers: ExaminationDeps['answers'] & ReplyDeps['answers'] = {
    find: (...asked) => deps.answers().find(...asked),
    preview: (...asked) => deps.answers().preview(...asked),
    hold: (...asked) => deps.answers().hold(...asked),
  }
  const installation = installationOf(deps)
  const findSender = senderFinder(deps)
  const writeNotice = noticeWriter(deps)
  const recipients = recipientChoice({ installation, answers, findSender })
  const replies = replyService({
    ...{ ...deps, answers, writeNotice, recipients },
    examine: examination({ ...{ answers, installation, findSender }, findSuppression: suppressions.find }),
    loadReceived: async (scope, id) => {
      const mail = await loadReceived(scope, id, deps)
      return mail && toReceivedMail(mail)
    },
  })
  const orders = commandService({
    ...{ ...deps, installation, writeNotice },
    loadMessage: (scope, id) => loadReceived(scope, id, deps),
  })
  const answerAgain = (tx: TenantScope, messageId: string) => replies.onReceived(tx, { messageId })
  const drafts = draftService({ ...deps, answerAgain, recipients })
  const onErased = (tx: Scope, { tenantId, meetingIds }: { tenantId: string; meetingIds: string[] }) =>
    drafts.quotesErased(inTenant(tx, tenantId), meetingIds)
  events.on('meetings.deleted', onErased)
  events.on('transcript.erased', onErased)
  events.on('org.documents.deleted', (tx, { tenantId, documentIds }) =>
    drafts.quotesErased(inTenant(tx, tenantId), documentIds),
  )
  return {
    routes: [
      ...draftRoutes(drafts),
      approvalRoute({ ...deps, drafts }),
      retryRoute({ ...deps, drafts }),
      simulateRoute({ ...deps, replies, orders, hostname: domain ?? 'localhost' }),
    ],
    jobs: [
      {
        ...jobHandler(answerMail, async (run) => {
          if (!(await orders.carryOut(run))) await replies.answer(run)
        }),
        onExhausted: replies.giveUp,
      },
      housekeeping('email.drafts.discard-old', '45 3 * * *', () => drafts.housekeep(platform)),
    ],
    onReceived: replies.onReceived,
  }
}

/** What belongs to this installation, of any tenant: its addresses, and the Message-IDs that hold a token. */
function installationOf({ domain, tokens }: Pick<ReplyModuleDeps, 'domain' | 'tokens'>): Installation {
  return {
    isOwnAddress: (address) => domain !== null && address.toLowerCase().endsWith(`@${domain}`),
    isOwnMessageId: (id) => tokens.read('reply', /^<([^@<>]{26})@/.exec(id)?.[1] ?? '') !== null,
  }
}
