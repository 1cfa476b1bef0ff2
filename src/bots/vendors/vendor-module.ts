import { housekeeping, type JobHandler, type Jobs, jobHandler } from '../../jobs/jobs.ts'
import type { IntervalTask } from '../../jobs/schedule.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { Metrics } from '../../kernel/metrics.ts'
import type { BotMeetings } from '../../meetings/index.ts'
import type { AllowedHosts } from '../../outgoing/target-address.ts'
import type { PlatformScope, Scope, TenantScope } from '../../storage/scope.ts'
import type { Secrets } from '../../storage/secrets.ts'
import type { BotTransitions } from '../bots/bot-transitions.ts'
import type { Transcriber } from '../bots/transcriber.ts'
import { deleteForgottenRuns } from './run.store.ts'
import type { Vendors } from './vendor.service.ts'
import { type TakeHint, vendorHints } from './vendor-hint.service.ts'
import { type VendorEndpoints, vendorHttp } from './vendor-http.ts'
import { vendorPollJob } from './vendor-job.ts'
import { vendorOrders } from './vendor-order.service.ts'
import { vendorPoll } from './vendor-poll.service.ts'
import { vendorPollPlanner } from './vendor-poll-planner.service.ts'
import { vendorTranscripts } from './vendor-transcript.service.ts'

export type VendorModuleDeps = {
  platform: PlatformScope
  clock: Clock
  jobs: Jobs
  metrics: Metrics
  secrets: Secrets
  meetings: BotMeetings
  transitions: BotTransitions
  transcriber: Transcriber
  vendors: Vendors
  allowedHosts: AllowedHosts
  vendorEndpoints: VendorEndpoints
  publicUrl: string | null
}

const planSeconds = 2
const runDays = 30
const dayMs = 24 * 3600 * 1000

/** Bots that outside services send: ordering them, following them, and taking over what they heard. */
export function vendorModule(deps: VendorModuleDeps): {
  jobs: JobHandler[]
  intervalTasks: IntervalTask[]
  takeHint: TakeHint
} {
  const { platform, clock } = deps
  const planner = vendorPollPlanner(deps)
  const askAs = vendorHttp({ ...deps, endpoints: deps.vendorEndpoints })
  const orders = vendorOrders(deps)
  const transcripts = vendorTranscripts(deps)
  const { poll, lost } = vendorPoll({ ...deps, askAs, orders, transcripts })
  return {
    jobs: [
      {
        ...jobHandler(vendorPollJob, ({ scope, data }) => poll(tenantScope(scope), data.runId)),
        onExhausted: ({ scope, data, reason }) => lost(tenantScope(scope), (data as { runId: string }).runId, reason),
      },
      housekeeping('bots.vendors.drop-old', '25 4 * * *', () =>
        deleteForgottenRuns(platform, new Date(clock.now().getTime() - runDays * dayMs)),
      ),
    ],
    intervalTasks: [{ name: 'bots.vendors', everySeconds: planSeconds, run: planner.plan }],
    takeHint: vendorHints({ ...deps, planner }),
  }
}

function tenantScope(scope: Scope): TenantScope {
  if (scope.kind !== 'tenant') throw new Error('A vendor is asked in the scope of its tenant.')
  return scope
}
