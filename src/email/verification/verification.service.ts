import { randomBytes } from 'node:crypto'
import type { Audit } from '../../identity/index.ts'
import type { Jobs } from '../../jobs/jobs.ts'
import type { Clock } from '../../kernel/clock.ts'
import { newId } from '../../kernel/ids.ts'
import type { Tokens } from '../../mime/mail-token.ts'
import type { EventBus } from '../../storage/events.ts'
import { type PlatformScope, scopeToTenant, type TenantScope, transaction } from '../../storage/scope.ts'
import type { Owner } from '../configs/config.rules.ts'
import type { Configs, EffectiveConfig } from '../configs/config.service.ts'
import { lockConfig } from '../configs/config.store.ts'
import type { Members } from '../members.ts'
import type { Authenticity } from '../message.rules.ts'
import { type EmailUser, managedOwner } from '../owner.ts'
import { getById } from '../reading-access.ts'
import { runVerification } from './verification.job.ts'
import {
  failed,
  maySend,
  passed,
  type Step,
  settingsFingerprint,
  tokenInSubject,
  type Verification,
  withRoundTrip,
} from './verification.rules.ts'
import {
  deleteVerificationsBefore,
  endVerification,
  findVerification,
  insertVerification,
  listOverdue,
  lockRunning,
  saveChecked,
} from './verification.store.ts'

export type VerificationDeps = {
  clock: Clock
  events: EventBus
  jobs: Jobs
  audit: Audit
  members: Members
  configs: Configs
  tokens: Tokens
}

export type Verifications = ReturnType<typeof verificationService>

/** Longer than the steps before the round trip may take, with all attempts. */
const stepsMs = 10 * 60_000
const retentionMs = 90 * 24 * 3600_000

type Target = { user: EmailUser; orgId: string | undefined }

/** Shows that an owner's mails leave, come from its own domain, and that mail to it arrives. */
export function verificationService(deps: VerificationDeps) {
  const { clock, events, jobs, audit, members, configs, tokens } = deps

  /** Begins one, or returns the one that runs for these settings. Refuses NOT_FOUND and INSUFFICIENT_ROLE. */
  const start = (scope: TenantScope, target: Target): Promise<Verification> =>
    transaction(scope, async (tx) => {
      if (target.orgId !== undefined) await members.hold(tx, target.orgId)
      const owner = await managedOwner(members, tx, target)
      const now = clock.now()
      await lockConfig(tx, owner, now)
      const fingerprint = settingsFingerprint(await configs.readEffective(tx, owner))
      const running = await lockRunning(tx, owner.ownerId)
      if (running?.fingerprint.equals(fingerprint) && running.deadline >= now) return running
      if (running !== null) await end(tx, running)
      const verification: Verification = {
        ...{ ...owner, id: newId(now), status: 'running', steps: [], token: randomBytes(10), fingerprint },
        ...{ deadline: new Date(now.getTime() + stepsMs), createdAt: now, endedAt: null },
      }
      await insertVerification(tx, verification)
      await jobs.enqueue(tx, runVerification, { data: { verificationId: verification.id }, tenantId: tx.tenantId })
      await audit(tx, {
        action: 'email.config.verify',
        target: { type: owner.orgId === null ? 'tenant' : 'org', id: owner.ownerId },
      })
      return verification
    })

  /** Refuses NOT_FOUND and INSUFFICIENT_ROLE. */
  async function get(scope: TenantScope, { id, ...target }: Target & { id: string }): Promise<Verification> {
    const { ownerId } = await managedOwner(members, scope, target)
    const find = () => getById(id, (known) => findVerification(scope, { id: known, ownerId }))
    const found = await find()
    if (found.status !== 'running' || found.deadline >= clock.now()) return found
    await endOverdue(scope, ownerId)
    return find()
  }

  const endOverdue = (scope: TenantScope, ownerId: string): Promise<void> =>
    transaction(scope, async (tx) => {
      const running = await lockRunning(tx, ownerId)
      if (running !== null && running.deadline < clock.now()) await end(tx, running)
    })

  /** Ends one whose mail has not come. */
  async function end(tx: TenantScope, { id, steps }: Verification): Promise<void> {
    const last = failed('roundTrip', steps.some(({ name }) => name === 'roundTrip') ? 'NOT_ARRIVED' : 'NOT_SENT')
    await endVerification(tx, { id, status: 'failed', steps: withRoundTrip(steps, last), now: clock.now() })
  }

  type Arrived = { owner: Owner; subject: string; authenticity: Authenticity }

  /** Whether a received mail is one of a round trip, which is not stored. It ends the verification that waits for it. */
  async function arrived(tx: TenantScope, { owner, subject, authenticity }: Arrived): Promise<boolean> {
    const token = tokens.read('verify', tokenInSubject(subject) ?? '')
    if (token === null) return false
    await lockConfig(tx, owner, clock.now())
    const running = await lockRunning(tx, owner.ownerId)
    if (running === null || !running.token.equals(token) || running.deadline < clock.now()) return true
    const detail = `The mail arrived. Its sender counts as ${authenticity} (DMARC).`
    const steps = withRoundTrip(running.steps, passed('roundTrip', { detail }))
    await complete(tx, { running, steps, config: await configs.readEffective(tx, owner) })
    return true
  }

  type Completed = { running: Verification; steps: Step[]; config: EffectiveConfig }

  async function complete(tx: TenantScope, { running, steps, config }: Completed): Promise<void> {
    const { id, ownerId } = running
    const isSame = running.fingerprint.equals(settingsFingerprint(config))
    const all = isSame ? steps : withRoundTrip(steps, failed('roundTrip', 'SETTINGS_CHANGED'))
    const isPassed = isSame && maySend(steps)
    await endVerification(tx, { id, status: isPassed ? 'passed' : 'failed', steps: all, now: clock.now() })
    if (!isPassed) return
    await saveChecked(tx, { ownerId, sending: 'verified', receiving: 'verified' })
    await events.emit(tx, 'mail.settings.changed', { tenantId: tx.tenantId })
  }

  /** Can be interrupted at any point and run on several nodes at once. */
  async function endAllOverdue(platform: PlatformScope): Promise<void> {
    for (const { tenantId, ownerId } of await listOverdue(platform, clock.now()))
      await endOverdue(scopeToTenant(platform, tenantId), ownerId)
  }

  /** The same holds. */
  async function deleteOld(platform: PlatformScope): Promise<void> {
    const before = new Date(clock.now().getTime() - retentionMs)
    while ((await deleteVerificationsBefore(platform, before)) > 0);
  }

  return { start, get, arrived, endAllOverdue, deleteOld }
}
