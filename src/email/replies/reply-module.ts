import type { Route } from '../../http/route.ts'
import { housekeeping, type JobHandler, type Jobs, jobHandler } from '../../jobs/jobs.ts'
import type { EventBus } from '../../storage/events.ts'
import { inTenant, type PlatformScope, type TenantScope } from '../../storage/scope.ts'
import type { Installation } from '../automatic/automatic.rules.ts'
import { loadReceived } from '../receiving/load-received.service.ts'
import type { Suppressions } from '../suppressions/suppression.service.ts'
import type { AnswersForReaders } from './answers.ts'
import { approvalRoute } from './approval.routes.ts'
import { draftRoutes } from './draft.routes.ts'
import { type DraftDeps, draftService } from './draft.service.ts'
import { type ExaminationDeps, examination } from './examination.ts'
import { toReceivedMail } from './parsed-mail.ts'
import { answerMail, type ReplyDeps, replyService } from './reply.service.ts'
import { retryRoute } from './retry.routes.ts'
import { type SimulateDeps, simulateRoute } from './simulate.routes.ts'

export type ReplyModuleDeps = Omit<DraftDeps, 'answerAgain'> &
  Omit<SimulateDeps, 'replies' | 'hostname'> &
  Pick<ReplyDeps, 'readSettings' | 'release' | 'takeOfDay'> &
  Pick<ExaminationDeps, 'hasParticipant'> & {
    platform: PlatformScope
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
  const replies = replyService({
    ...{ ...deps, answers },
    examine: examination({ ...deps, answers, installation, findSuppression: suppressions.find }),
    loadReceived: async (scope, id) => {
      const mail = await loadReceived(scope, id, deps)
      return mail && toReceivedMail(mail)
    },
  })
  const answerAgain = (tx: TenantScope, messageId: string) => replies.onReceived(tx, { messageId })
  const drafts = draftService({ ...deps, answerAgain })
  events.on('meetings.deleted', (tx, { tenantId, meetingIds }) =>
    drafts.quotesErased(inTenant(tx, tenantId), meetingIds),
  )
  events.on('org.documents.deleted', (tx, { tenantId, documentIds }) =>
    drafts.quotesErased(inTenant(tx, tenantId), documentIds),
  )
  return {
    routes: [
      ...draftRoutes(drafts),
      approvalRoute({ ...deps, drafts }),
      retryRoute({ ...deps, drafts }),
      simulateRoute({ ...deps, replies, hostname: domain ?? 'localhost' }),
    ],
    jobs: [
      jobHandler(answerMail, replies.answer),
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
