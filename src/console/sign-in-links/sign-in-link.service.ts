import { randomBytes } from 'node:crypto'
import { requireRole } from '../../http/access/admit.ts'
import type { AdminCaller } from '../../http/access/callers.ts'
import type { AdminKeys, Audit } from '../../identity/index.ts'
import type { Clock } from '../../kernel/clock.ts'
import { newId } from '../../kernel/ids.ts'
import type { Page, PageRequest } from '../../kernel/paging.ts'
import { invalidField, notFound } from '../../kernel/refusal.ts'
import { type PlatformScope, transaction } from '../../storage/scope.ts'
import { linkToken, type SignInLink } from './sign-in-link.rules.ts'
import type { NewSignInLink } from './sign-in-link.schema.ts'
import { addSignInLink, listSignInLinks, removeSignInLink } from './sign-in-link.store.ts'

export type SignInLinks = ReturnType<typeof signInLinkService>

export type SignInLinkDeps = {
  clock: Clock
  audit: Audit
  /** Of the admin key of the environment. */
  fingerprint: Buffer
  findAdminKey: AdminKeys['findActive']
}

/** A null id: the admin key of the environment. */
type KeyOfLink = Pick<AdminCaller, 'id' | 'role'>

/** `token`: shown once, in the link. */
export type CreatedLink = SignInLink & { token: string }

/** Links that open the console signed in. Each works once, and only while its admin key is valid. */
export function signInLinkService({ clock, audit, fingerprint, findAdminKey }: SignInLinkDeps) {
  const requireKey = async (tx: PlatformScope, keyId: string, now: Date): Promise<KeyOfLink> => {
    const key = await findAdminKey(tx, keyId, now)
    if (key === null)
      throw invalidField('/body/keyId', { code: 'unknown', message: 'is not the id of an active admin key' })
    return key
  }

  return {
    /** Refuses VALIDATION_ERROR for a key that is not active, and INSUFFICIENT_ROLE for a role above the key's. */
    create: (platform: PlatformScope, admin: KeyOfLink, input: NewSignInLink): Promise<CreatedLink> =>
      transaction(platform, async (tx) => {
        const now = clock.now()
        const { role, expiresInSeconds = 1800 } = input
        const key = input.keyId === undefined ? admin : await requireKey(tx, input.keyId, now)
        requireRole(key, role)
        const { token, tokenHash } = linkToken.create(randomBytes)
        const expiresAt = new Date(now.getTime() + expiresInSeconds * 1000)
        const link = { id: newId(now), role, createdAt: now, expiresAt }
        const keyFingerprint = key.id === null ? fingerprint : null
        await addSignInLink(tx, { ...link, tokenHash, adminKeyId: key.id, keyFingerprint })
        const changes = { role, keyId: key.id, expiresAt }
        await audit(tx, { action: 'signInLink.create', target: { type: 'signInLink', id: link.id }, changes })
        return { ...link, keyId: key.id, usedAt: null, token }
      }),

    /** Newest first, also those that were used or have expired, for a few days. */
    list: (platform: PlatformScope, page: PageRequest): Promise<Page<SignInLink>> => listSignInLinks(platform, page),

    remove: (platform: PlatformScope, id: string): Promise<void> =>
      transaction(platform, async (tx) => {
        const link = await removeSignInLink(tx, id)
        if (link === null) throw notFound()
        const changes = { role: link.role, keyId: link.keyId }
        await audit(tx, { action: 'signInLink.remove', target: { type: 'signInLink', id }, changes })
      }),
  }
}
