import { generateKeyPair } from 'node:crypto'
import { promisify } from 'node:util'
import type { Audit } from '../../identity/index.ts'
import { type RandomBytes, randomBase32 } from '../../kernel/checksum.ts'
import type { Clock } from '../../kernel/clock.ts'
import { Refusal } from '../../kernel/refusal.ts'
import { type TenantScope, transaction } from '../../storage/scope.ts'
import type { Secrets } from '../../storage/secrets.ts'
import { lockConfig } from '../configs/config.store.ts'
import type { Members } from '../members.ts'
import { type EmailUser, managedOwner } from '../owner.ts'
import { addressDomain, type DkimKey, keyContext } from './dkim.rules.ts'
import { insertKey, listKeys } from './dkim.store.ts'

type DkimDeps = {
  clock: Clock
  secrets: Pick<Secrets, 'seal' | 'open'>
  audit: Audit
  random: RandomBytes
  members: Members
}

/** What signs a mail. */
export type Signer = { domainName: string; keySelector: string; privateKey: string }

export type NewKeyPair = { publicKey: string; privateKey: string }

export type Dkim = ReturnType<typeof dkimService>

/** Takes some 100 ms of another thread. */
export async function generateKeys(): Promise<NewKeyPair> {
  const { publicKey, privateKey } = await promisify(generateKeyPair)('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'der' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  })
  return { publicKey: publicKey.toString('base64'), privateKey }
}

/** The keys of an owner's own domain. Nobody ever sees their private parts. */
export function dkimService({ clock, secrets, audit, random, members }: DkimDeps) {
  /** Stores a key beside the one that signs. Refuses NOT_FOUND, INSUFFICIENT_ROLE and STATE_CONFLICT. */
  const add = (
    scope: TenantScope,
    target: { user: EmailUser; orgId: string | undefined },
    { publicKey, privateKey }: NewKeyPair,
  ): Promise<DkimKey> =>
    transaction(scope, async (tx) => {
      if (target.orgId !== undefined) await members.hold(tx, target.orgId)
      const owner = await managedOwner(members, tx, target)
      const now = clock.now()
      const { fromAddress } = (await lockConfig(tx, owner, now)).settings.identity ?? {}
      if (!fromAddress)
        throw new Refusal('STATE_CONFLICT', {
          detail: 'Mails are signed here for a domain of your own: set `identity.fromAddress` first.',
        })
      const { ownerId } = owner
      const selector = `atrium-${randomBase32(8, random).toLowerCase()}`
      const key: DkimKey = {
        ...{ ownerId, selector, publicKey, seenAt: null, createdAt: now },
        domain: addressDomain(fromAddress),
        privateKeySealed: secrets.seal(privateKey, keyContext({ tenantId: tx.tenantId, ownerId, selector })),
      }
      await insertKey(tx, key)
      await audit(tx, {
        action: 'email.config.dkim',
        target: { type: owner.orgId === null ? 'tenant' : 'org', id: ownerId },
        changes: { selector },
      })
      return key
    })

  /** What signs mails of this address. Null: no key whose record was found. */
  async function signer(
    scope: TenantScope,
    { ownerId, fromAddress }: { ownerId: string; fromAddress: string },
  ): Promise<Signer | null> {
    const domain = addressDomain(fromAddress)
    const key = (await listKeys(scope, { ownerId, domain })).find(({ seenAt }) => seenAt !== null)
    if (key === undefined) return null
    const { selector } = key
    const privateKey = secrets.open(key.privateKeySealed, keyContext({ tenantId: scope.tenantId, ownerId, selector }))
    return { domainName: domain, keySelector: selector, privateKey }
  }

  return { add, signer }
}
