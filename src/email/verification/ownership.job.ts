import type { JobKind, JobRun, Jobs } from '../../jobs/jobs.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { ResolveRecords } from '../../mime/authenticity.ts'
import { readTxt } from '../../mime/name-servers.ts'
import type { EventBus } from '../../storage/events.ts'
import { type PlatformScope, scopeToTenant, transaction } from '../../storage/scope.ts'
import { addressDomain, dkimRecord, holdsKey } from '../dkim/dkim.rules.ts'
import { listKeys, markSeen } from '../dkim/dkim.store.ts'
import { checkOwnership } from './dns-checks.ts'
import { ownershipOf } from './verification.rules.ts'
import { changeSending, listOwnDomains, type OwnDomain } from './verification.store.ts'

/** Looks at a verified domain again. */
const checkOwnDomain: JobKind<Omit<OwnDomain, 'tenantId'>> = {
  name: 'email.ownership.check',
  attemptsMax: 3,
  backoffSeconds: 300,
  timeoutSeconds: 60,
}

export type OwnershipDeps = {
  clock: Clock
  jobs: Jobs
  events: EventBus
  resolve: ResolveRecords
}

const batchRows = 200

/** Daily: a domain that was lost sends nothing until it is found again. Name servers that do not answer change nothing. */
export function ownershipJobs({ clock, jobs, events, resolve }: OwnershipDeps) {
  async function enqueueAll(platform: PlatformScope): Promise<void> {
    for (let last: OwnDomain | null = null; ; ) {
      const page: OwnDomain[] = await listOwnDomains(platform, last, batchRows)
      for (const { tenantId, ...data } of page)
        await jobs.enqueue(scopeToTenant(platform, tenantId), checkOwnDomain, { data, tenantId })
      last = page.at(-1) ?? null
      if (page.length < batchRows) return
    }
  }

  async function check({ scope, data }: JobRun<Omit<OwnDomain, 'tenantId'>>): Promise<void> {
    if (scope.kind !== 'tenant') throw new Error('A domain belongs to a tenant.')
    const { ownerId, fromAddress } = data
    const domain = addressDomain(fromAddress)
    const { result } = await checkOwnership(resolve, { domain, ownership: ownershipOf(scope, { ownerId, domain }) })
    const keys = (await listKeys(scope, { ownerId, domain })).filter(({ seenAt }) => seenAt === null)
    const published = await Promise.all(
      keys.map(async (key) => ({ key, texts: await readTxt(resolve, dkimRecord(key).name) })),
    )
    const change = { ownerId, fromAddress }
    await transaction(scope, async (tx) => {
      for (const { key, texts } of published)
        if (texts.some((text) => holdsKey(text, key.publicKey)))
          await markSeen(tx, { ownerId, selector: key.selector, now: clock.now() })
      if (result === 'failed') return void (await changeSending(tx, { ...change, from: 'verified', to: 'failing' }))
      if (await changeSending(tx, { ...change, from: 'failing', to: 'verified' }))
        await events.emit(tx, 'mail.settings.changed', { tenantId: tx.tenantId })
    })
  }

  return { kind: checkOwnDomain, enqueueAll, check }
}
