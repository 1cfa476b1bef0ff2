import type { RateCounter } from '../http/limits/rate-limit.ts'
import type { Route } from '../http/route.ts'
import type { Audit } from '../identity/index.ts'
import type { HandleIntegrationHint, OwnedConnections } from '../inbound/index.ts'
import { housekeeping, type JobHandler, type Jobs, jobHandler } from '../jobs/jobs.ts'
import type { Clock } from '../kernel/clock.ts'
import type { MeetingHosts } from '../kernel/meeting-links.ts'
import type { Metrics } from '../kernel/metrics.ts'
import type { TenantTable } from '../kernel/tenant-table.ts'
import type { ImportedDocuments } from '../knowledge/index.ts'
import type { ChatAnswers, PlannedMeetings, RecordedMeetings } from '../meetings/index.ts'
import type { OrganizationMembers } from '../organizations/index.ts'
import { withdrawalOf } from '../providers/channels/channel-requests.ts'
import { mappedUrl } from '../providers/provider-endpoints.ts'
import { providerHttp } from '../providers/provider-http.ts'
import { linkReader } from '../providers/provider-links.ts'
import { providers } from '../providers/provider-table.ts'
import { publicAddress } from '../providers/public-address.ts'
import { tokenClient } from '../providers/token-client.ts'
import type { EventBus } from '../storage/events.ts'
import { inTenant, type PlatformScope, type TenantScope } from '../storage/scope.ts'
import type { Secrets } from '../storage/secrets.ts'
import type { LinkedTasks } from '../tasks/index.ts'
import type { LimitCounts, Quotas } from '../usage/index.ts'
import { actionRoutes } from './actions/action.routes.ts'
import { type ActionDeps, actionService } from './actions/action.service.ts'
import { deleteActionsBefore } from './actions/action.store.ts'
import { followRules } from './actions/action-rules.ts'
import { answerSender, askerJob } from './actions/answers.service.ts'
import { contentReader, type ReadMeetingSummary } from './actions/content.ts'
import { sendJob, sendService } from './actions/send.service.ts'
import { appRoutes } from './apps/app.routes.ts'
import { oauthApps } from './apps/app.service.ts'
import { deleteOver } from './connect/authorization.store.ts'
import { browserRoutes } from './connect/browser.routes.ts'
import { browserFlow } from './connect/browser.service.ts'
import { confirmService } from './connect/confirm.service.ts'
import { connectRoutes } from './connect/connect.routes.ts'
import { connectService } from './connect/connect.service.ts'
import { type ReturnDeps, returnService } from './connect/return.service.ts'
import { type OwnerMailDeps, ownerMail } from './integration-mail.ts'
import type { IntegrationSettings } from './integration-settings.ts'
import { checkService } from './integrations/check.service.ts'
import { integrationRoutes } from './integrations/integration.routes.ts'
import { integrationService } from './integrations/integration.service.ts'
import { countIntegrations } from './integrations/integration.store.ts'
import { integrationAccess } from './integrations/integration-access.ts'
import { endWithOwners } from './integrations/owner-removal.ts'
import { type MailAccounts, mailAccounts } from './mail/mail-account.service.ts'
import { providerRoutes } from './providers/provider.routes.ts'
import { grantSecrets } from './sealed-grants.ts'
import { deleteEventsBefore } from './sync/calendar/calendar.store.ts'
import { type CalendarDeps, calendarSync } from './sync/calendar/calendar-sync.service.ts'
import { missedEvents } from './sync/calendar/missed-events.ts'
import { channelKeeper } from './sync/channels/channel.service.ts'
import { deleteChannelsBefore, takeChannels } from './sync/channels/channel.store.ts'
import { importRoutes } from './sync/import/import.routes.ts'
import { forgetDocuments } from './sync/import/import.store.ts'
import { importSync } from './sync/import/import-sync.service.ts'
import { hookService, hooksJob } from './sync/issues/hooks.service.ts'
import type { IssueLink } from './sync/issues/issue.store.ts'
import { followTasks, type IssueLinks, issueLinks } from './sync/issues/issue-links.service.ts'
import { issueSync, readIssueJob } from './sync/issues/issue-sync.service.ts'
import { type PeopleDeps, trackerPeople } from './sync/issues/people.ts'
import { changeReader } from './sync/issues/read-changes.service.ts'
import { issueUpdate } from './sync/issues/update-issue.ts'
import { syncRoutes } from './sync/sync.routes.ts'
import { syncService } from './sync/sync.service.ts'
import { deleteTranscriptsBefore } from './sync/transcripts/transcript.store.ts'
import { transcriptSync } from './sync/transcripts/transcript-sync.service.ts'
import { integrationTables } from './tenant-tables.ts'
import { grantEnd } from './tokens/grant-end.service.ts'
import { idleRefresh } from './tokens/idle-refresh.ts'
import { providerCalls } from './tokens/provider-calls.ts'
import { revocationService, revokeJob } from './tokens/revocation.service.ts'
import { deleteRevocationsBefore } from './tokens/revocation.store.ts'
import { tokenService } from './tokens/token.service.ts'

export { type IntegrationSettings, readIntegrationSettings } from './integration-settings.ts'
export type { MailAccounts } from './mail/mail-account.service.ts'
export type { MailServers } from './mail-servers.ts'
export { sealedGrants } from './sealed-grants.ts'

declare module '../storage/events.ts' {
  interface DomainEvents {
    /** It can be used now, for the first time or again. */
    'integration.connected': { tenantId: string; integrationId: string }
    /** Somebody has changed its features or their settings. */
    'integration.updated': { tenantId: string; integrationId: string }
    'integration.reauth_required': { tenantId: string; integrationId: string }
    /** Emitted while the integration still exists and can be used. */
    'integration.disconnecting': { tenantId: string; integrationId: string }
    'integration.disconnected': { tenantId: string; integrationId: string }
    'integration.action.failed': { tenantId: string; integrationId: string; actionId: string }
  }
}

export type IntegrationsDeps = {
  platform: PlatformScope
  clock: Clock
  audit: Audit
  events: EventBus
  jobs: Jobs
  metrics: Metrics
  secrets: Secrets
  quotas: Quotas
  rateCounter: RateCounter
  members: OrganizationMembers
  meetings: PlannedMeetings
  recordings: RecordedMeetings
  documents: ImportedDocuments
  /** Inbound webhooks that belong to integrations. */
  connections: OwnedConnections
  followAttendance: CalendarDeps['followAttendance']
  meetingHosts: MeetingHosts
  findEmail: OwnerMailDeps['findEmail']
  outbox: OwnerMailDeps['outbox']
  readMeetingSummary: ReadMeetingSummary
  requireMeeting: ActionDeps['requireMeeting']
  findTask: ActionDeps['findTask']
  chatAnswers: ChatAnswers
  linkedTasks: LinkedTasks
  findVerifiedUser: PeopleDeps['findVerifiedUser']
  findCustomDomain: ReturnDeps['findCustomDomain']
}

export type Integrations = {
  routes: Route[]
  jobs: JobHandler[]
  tenantTables: TenantTable[]
  /** What is stored now, of what has limits. */
  limitCounts: LimitCounts
  /** Connected accounts by which mail is sent and fetched. */
  mailAccounts: MailAccounts
  /** A provider says that something has changed. */
  takeHint: HandleIntegrationHint
  /** Takes a delivery about an issue that a task became. Null: it is none. */
  takeIssueHint: IssueLinks['takeHint']
}

const minuteMs = 60_000
const dayMs = 24 * 60 * minuteMs
const actionRetentionMs = 90 * dayMs
const eventDays = 30
/** Providers keep recordings longer than we look back. */
const transcriptDays = 90
/** One that nobody confirms goes after this time. */
const pendingMs = 15 * minuteMs

/** Connections to other services on behalf of users and organizations, and what is done with them. */
export function integrations(given: IntegrationsDeps, settings: IntegrationSettings): Integrations {
  const { platform, clock, events } = given
  const { endpoints } = settings
  const address = publicAddress(settings.publicUrl)
  const ask = providerHttp({ endpoints, metrics: given.metrics })
  const ending = grantEnd({ ...given, tellOwner: ownerMail(given) })
  const base = { ...given, ...ending, ask, address, endpoints, secrets: grantSecrets(given.secrets) }
  const apps = oauthApps({ ...base, installed: settings.apps })
  const client = tokenClient(ask)
  const tokens = tokenService({ ...base, apps, client })
  const { callApi } = providerCalls({ ...base, tokens })
  const access = integrationAccess(given.members)
  const hooks = hookService({ ...base, apps, callApi })
  const { takeWithdrawals } = hooks
  const revocations = revocationService({ ...base, apps, client, takeChannels, withdrawalOf, takeWithdrawals })
  const deps = { ...base, apps, client, tokens, callApi, access, revocations, returns: returnService(given) }
  const service = integrationService(deps)
  const addUpdate = (tx: TenantScope, link: IssueLink): Promise<void> => actions.updateIssue(tx, link)
  const issueDeps = { ...deps, tasks: given.linkedTasks, enqueueHooks: hooks.enqueue, addUpdate }
  const people = trackerPeople({ ...given, isMember: given.linkedTasks.isMember })
  const issues = issueSync({ ...issueDeps, people })
  const links = issueLinks({ ...issueDeps, sync: issues })
  // Before the integrations of their owners end.
  followTasks({ events, links, addUpdate })
  endWithOwners({ events, revocations })
  events.on('org.documents.deleted', (tx, { tenantId, documentIds }) =>
    forgetDocuments(inTenant(tx, tenantId), documentIds),
  )
  const reader = changeReader({ ...deps, sync: issues })
  const transcripts = transcriptSync({ ...deps, askLink: linkReader(ask) })
  const syncs = syncService({
    ...deps,
    features: {
      calendar: calendarSync(deps).sync,
      transcripts: transcripts.sync,
      import: importSync(deps).sync,
      tasks: reader.readChanges,
    },
    channels: channelKeeper(deps),
  })
  const cancelMissed = missedEvents(deps)
  const daysAgo = (days: number) => new Date(clock.now().getTime() - days * dayMs)
  const updateIssue = issueUpdate({ clock, sync: issues })
  const sender = sendService({ ...deps, content: contentReader(given), issues: links, updateIssue })
  const actions = actionService({ ...deps, sender, issues: links })
  followRules({ ...deps, actions, sender })
  const answers = answerSender({ ...deps, actions })
  const over = () => {
    const now = clock.now()
    return deleteOver(platform, { now, before: new Date(now.getTime() - pendingMs) })
  }
  return {
    routes: [
      ...providerRoutes({ address, configuredProviders: apps.configured }),
      ...appRoutes(apps),
      ...connectRoutes({ ...deps, connects: connectService(deps), confirms: confirmService(deps) }),
      ...browserRoutes({
        flow: browserFlow(deps),
        address,
        providerOrigin: (name) => new URL(mappedUrl(endpoints, name, providers[name].authorize.url)).origin,
      }),
      ...actionRoutes(actions),
      ...integrationRoutes({ ...deps, integrations: service, checks: checkService(deps) }),
      ...syncRoutes(syncs),
      ...importRoutes(deps),
    ],
    jobs: [
      { ...jobHandler(revokeJob, revocations.run), onExhausted: revocations.onExhausted },
      ...syncs.handlers,
      jobHandler(sendJob, sender.run),
      jobHandler(askerJob, answers.findAsker),
      housekeeping('integrations.events.miss', '10 * * * *', () => cancelMissed(platform)),
      housekeeping('integrations.events.drop-old', '45 3 * * *', async () => {
        await deleteEventsBefore(platform, daysAgo(eventDays))
        await deleteTranscriptsBefore(platform, daysAgo(transcriptDays))
        await deleteChannelsBefore(platform, clock.now())
      }),
      jobHandler(hooksJob, hooks.run),
      jobHandler(readIssueJob, reader.readIssue),
      housekeeping('integrations.hooks.renew', '11 * * * *', hooks.renewDue),
      housekeeping('integrations.actions.drop-old', '25 3 * * *', () =>
        deleteActionsBefore(platform, new Date(clock.now().getTime() - actionRetentionMs)),
      ),
      housekeeping('integrations.pending.drop-old', '*/5 * * * *', over),
      housekeeping('integrations.tokens.keep-alive', '19 * * * *', idleRefresh({ platform, clock, tokens })),
      housekeeping('integrations.owners.remind', '35 8 * * *', () => ending.remind(platform)),
      housekeeping('integrations.revocations.drop-old', '55 3 * * *', () =>
        deleteRevocationsBefore(platform, new Date(clock.now().getTime() - dayMs)),
      ),
    ],
    tenantTables: integrationTables,
    limitCounts: { tenant: { maxIntegrations: countIntegrations } },
    mailAccounts: mailAccounts({ ...deps, servers: settings.mailServers }),
    takeHint: syncs.takeHint,
    takeIssueHint: links.takeHint,
  }
}
