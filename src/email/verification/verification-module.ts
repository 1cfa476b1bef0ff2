import type { Route } from '../../http/route.ts'
import { housekeeping, type JobHandler, jobHandler } from '../../jobs/jobs.ts'
import type { PlatformScope } from '../../storage/scope.ts'
import { type OwnershipDeps, ownershipJobs } from './ownership.job.ts'
import { runVerification, type VerificationJobDeps, verificationJob } from './verification.job.ts'
import { verificationRoutes } from './verification.routes.ts'
import { type VerificationDeps, type Verifications, verificationService } from './verification.service.ts'

type Deps = VerificationDeps & VerificationJobDeps & OwnershipDeps & { platform: PlatformScope }

export type VerificationModule = { routes: Route[]; jobs: JobHandler[]; arrived: Verifications['arrived'] }

/** Shows that the settings of mail work, and that a domain is the owner's, now and each day. */
export function verificationModule(deps: Deps): VerificationModule {
  const { platform } = deps
  const verifications = verificationService(deps)
  const ownership = ownershipJobs(deps)
  return {
    routes: verificationRoutes(verifications),
    jobs: [
      jobHandler(runVerification, verificationJob(deps)),
      jobHandler(ownership.kind, ownership.check),
      housekeeping('email.verifications.end', '* * * * *', () => verifications.endAllOverdue(platform)),
      housekeeping('email.verifications.drop-old', '55 3 * * *', () => verifications.deleteOld(platform)),
      housekeeping('email.ownership.check-all', '20 5 * * *', () => ownership.enqueueAll(platform)),
    ],
    arrived: verifications.arrived,
  }
}
