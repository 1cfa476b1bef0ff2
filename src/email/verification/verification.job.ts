import type { JobKind, JobRun } from '../../jobs/jobs.ts'
import type { Clock } from '../../kernel/clock.ts'
import { errorLine } from '../../kernel/error-line.ts'
import type { ResolveRecords } from '../../mime/authenticity.ts'
import type { Tokens } from '../../mime/mail-token.ts'
import type { MailTransport } from '../../outgoing/smtp-transport.ts'
import { type TenantScope, transaction } from '../../storage/scope.ts'
import type { Configs, EffectiveConfig } from '../configs/config.service.ts'
import { addressDomain } from '../dkim/dkim.rules.ts'
import type { Dkim } from '../dkim/dkim.service.ts'
import { listKeys, markSeen } from '../dkim/dkim.store.ts'
import { type FindAccount, NotSendable, senderAccount } from '../sending/owner-transport.ts'
import { checkDomain } from './dns-checks.ts'
import {
  failed,
  maySend,
  ownershipOf,
  passed,
  roundTripMs,
  type Step,
  type Verification,
  verificationSubject,
  withRoundTrip,
} from './verification.rules.ts'
import { endVerification, findRunningById, saveSteps } from './verification.store.ts'

export const runVerification: JobKind<{ verificationId: string }> = {
  name: 'email.verification.run',
  attemptsMax: 2,
  backoffSeconds: 5,
  timeoutSeconds: 120,
}

export type VerificationJobDeps = {
  clock: Clock
  configs: Pick<Configs, 'readEffective'>
  resolve: ResolveRecords
  tokens: Tokens
  dkim: Pick<Dkim, 'signer'>
  domain: string | null
  /** Throws NotSendable. */
  openTransport(scope: TenantScope, config: EffectiveConfig): MailTransport
  findAccount: FindAccount
  /** Logs in to the mailbox that is read by IMAP. Rejects with what its server said, without secrets. */
  checkMailbox(scope: TenantScope, config: EffectiveConfig): Promise<void>
}

/** Takes the steps, and sends the mail of the round trip as the last of them. Can run twice. */
export function verificationJob(deps: VerificationJobDeps) {
  const { clock, resolve, tokens } = deps

  return async ({ scope, data }: JobRun<{ verificationId: string }>): Promise<void> => {
    if (scope.kind !== 'tenant') throw new Error('A verification belongs to a tenant.')
    const verification = await findRunningById(scope, data.verificationId)
    if (verification === null) return
    const config = await deps.configs.readEffective(scope, verification)
    const steps = [await login(scope, config), ...(await checkOwnDomain(scope, config))]
    const to = await roundTripAddress(scope, config)
    const fail = (cause: Step['cause'], detail: string | null = null) => {
      const all = withRoundTrip(steps, failed('roundTrip', cause, { detail }))
      return endVerification(scope, { id: verification.id, status: 'failed', steps: all, now: clock.now() })
    }
    if (!maySend(steps)) return void (await fail('NOT_SENT', 'A step before it failed.'))
    if (to === null) return void (await fail('NO_ADDRESS', 'Set `inbound.localPart` first.'))
    // Before it is sent: it may arrive at once.
    const waiting: Step = { name: 'roundTrip', result: 'waiting', cause: null, detail: null, record: null }
    const deadline = new Date(clock.now().getTime() + roundTripMs)
    const { id } = verification
    if (!(await saveSteps(scope, { id, steps: withRoundTrip(steps, waiting), deadline }))) return
    try {
      await send(scope, config, { to, verification })
    } catch (error) {
      await fail('NOT_SENT', shownError(config, error))
    }
  }

  async function login(scope: TenantScope, config: EffectiveConfig): Promise<Step> {
    try {
      await deps.openTransport(scope, config).verify()
    } catch (error) {
      if (error instanceof NotSendable) return failed('login', 'NO_TRANSPORT', { detail: error.message })
      return failed('login', 'LOGIN_FAILED', { detail: shownError(config, error) })
    }
    if (config.inbound.kind !== 'imap') return passed('login')
    try {
      await deps.checkMailbox(scope, config)
      return passed('login')
    } catch (error) {
      return failed('login', 'MAILBOX_FAILED', { detail: errorLine(error instanceof Error ? error.message : '') })
    }
  }

  async function checkOwnDomain(scope: TenantScope, config: EffectiveConfig): Promise<Step[]> {
    const { fromAddress } = config.identity
    if (fromAddress === null) return []
    const domain = addressDomain(fromAddress)
    const { ownerId } = config.senderFrom
    const { steps, seen } = await checkDomain(resolve, {
      ...{ domain, transport: config.transport, installation: deps.domain },
      ownership: ownershipOf(scope, { ownerId, domain }),
      keys: await listKeys(scope, { ownerId, domain }),
    })
    await transaction(scope, async (tx) => {
      for (const { selector } of seen) await markSeen(tx, { ownerId, selector, now: clock.now() })
    })
    return steps
  }

  /** Where the mail of the round trip goes. Mailboxes and webhooks of one's own have an address that we know, or that of the sender. */
  async function roundTripAddress(scope: TenantScope, config: EffectiveConfig): Promise<string | null> {
    const { inbound, address, identity, orgId } = config
    if (inbound.kind === 'none') return null
    if (inbound.kind === 'platform') return address
    const account = inbound.kind === 'imap' && inbound.host === null && orgId && (await deps.findAccount(scope, orgId))
    const userName = inbound.userName?.includes('@') ? inbound.userName : null
    return (account ? account.address : userName) ?? identity.fromAddress ?? address
  }

  async function send(
    scope: TenantScope,
    config: EffectiveConfig,
    { to, verification }: { to: string; verification: Verification },
  ): Promise<void> {
    const { identity, senderFrom, address } = config
    const { fromAddress } = identity
    const token = tokens.write('verify', verification.token)
    const from = fromAddress ?? (await senderAccount(scope, config, deps))?.address ?? address ?? to
    const signer = fromAddress && (await deps.dkim.signer(scope, { ownerId: senderFrom.ownerId, fromAddress }))
    await deps.openTransport(scope, config).send({
      from: { name: identity.fromName ?? '', address: from },
      to: { name: '', address: to },
      subject: verificationSubject(token),
      text: 'This mail tests whether your mail settings work. You do not need to answer it.',
      headers: { 'Auto-Submitted': 'auto-generated' },
      ...(signer ? { dkim: signer } : {}),
    })
  }
}

/** What the server of the installation says is for its operator. */
function shownError({ transport }: EffectiveConfig, error: unknown): string {
  if (transport.kind === 'platform') return 'The mail server of the installation does not take mail.'
  return errorLine(error instanceof Error ? error.message : String(error))
}
