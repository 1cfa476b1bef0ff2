import { randomBytes } from 'node:crypto'
import type { AdminRole } from '../../http/access/access.ts'
import type { AdminCaller, BrowserSession } from '../../http/access/callers.ts'
import { adminActor } from '../../http/access/grants.ts'
import type { Audit } from '../../identity/index.ts'
import { newId } from '../../kernel/ids.ts'
import type { Page, PageRequest } from '../../kernel/paging.ts'
import { notFound, Refusal } from '../../kernel/refusal.ts'
import { type PlatformScope, transaction } from '../../storage/scope.ts'
import type { KeyHolder } from '../key-holder.rules.ts'
import { linkToken } from '../sign-in-links/sign-in-link.rules.ts'
import { consumeSignInLink } from '../sign-in-links/sign-in-link.store.ts'
import {
  activityStepSeconds,
  confirmationSeconds,
  type StoredBrowserSession,
  secondsAfter,
  sessionLifetimeSeconds,
  sessionSecret,
} from './browser-session.rules.ts'
import { toBrowserSession } from './browser-session.schema.ts'
import {
  addBrowserSession,
  confirmBrowserSession,
  endBrowserSession,
  findBrowserSession,
  findBrowserSessionById,
  listBrowserSessions,
  noteActivity,
} from './browser-session.store.ts'
import { type SignInGuardDeps, signInGuard } from './sign-in-guard.ts'

export type BrowserSessions = ReturnType<typeof browserSessionService>

export type BrowserSessionDeps = SignInGuardDeps & {
  audit: Audit
  /** Of the admin key of the environment. */
  fingerprint: Buffer
}

type Holder = KeyHolder & { role: AdminRole; keyName: string; signInLinkId: string | null }

/** `secret`: for the cookie. */
type SignedIn = { session: StoredBrowserSession; secret: string }

/** Administrators who are signed in to the console. A session lives and dies with the admin key it depends on. */
export function browserSessionService({ audit, fingerprint, ...deps }: BrowserSessionDeps) {
  const { clock } = deps
  const guard = signInGuard(deps)
  const moment = (now = clock.now()) => ({ now, fingerprint })

  const open = async (tx: PlatformScope, holder: Holder, now: Date): Promise<SignedIn> => {
    const { role, keyName, signInLinkId, adminKeyId, keyFingerprint } = holder
    const { token: secret, tokenHash: secretHash } = sessionSecret.create(randomBytes)
    const stored = {
      id: newId(now),
      role,
      signInLinkId,
      ip: tx.caller.ip,
      createdAt: now,
      expiresAt: secondsAfter(now, sessionLifetimeSeconds),
      // A person who has a link got it just now from somebody with a key.
      confirmedUntil: signInLinkId === null ? null : secondsAfter(now, confirmationSeconds),
    }
    await addBrowserSession(tx, { ...stored, secretHash, adminKeyId, keyFingerprint })
    const signedIn = { ...tx, caller: { ...tx.caller, actor: adminActor({ id: adminKeyId, label: keyName }) } }
    const target = { type: 'browserSession', id: stored.id }
    await audit(signedIn, { action: 'browserSession.create', target, changes: { role, signInLinkId } })
    return { session: { ...stored, keyId: adminKeyId, keyName, lastActiveAt: now }, secret }
  }

  const requireLive = async (platform: PlatformScope, id: string): Promise<StoredBrowserSession> => {
    const session = await findBrowserSessionById(platform, id, moment())
    if (session === null) throw new Refusal('SESSION_INVALID')
    return session
  }

  return {
    /** The session of a cookie; null if it is none, or over. Anything but a poll starts the idle time again. */
    find: async (platform: PlatformScope, secret: string, isPoll: boolean): Promise<BrowserSession | null> => {
      const secretHash = sessionSecret.hash(secret)
      if (secretHash === null) return null
      const now = clock.now()
      const session = await findBrowserSession(platform, secretHash, moment(now))
      if (session === null) return null
      if (!isPoll && session.lastActiveAt <= secondsAfter(now, -activityStepSeconds))
        await noteActivity(platform, session.id, now)
      return toBrowserSession(session)
    },

    /** Refuses INVALID_CREDENTIALS, and RATE_LIMITED after too many wrong keys. */
    signInWithKey: async (platform: PlatformScope, adminKey: string): Promise<SignedIn> => {
      const { id, label, role } = await guard.requireAdmin(platform, adminKey)
      const keyFingerprint = id === null ? fingerprint : null
      const holder = { role, keyName: label, adminKeyId: id, keyFingerprint, signInLinkId: null }
      return transaction(platform, (tx) => open(tx, holder, clock.now()))
    },

    /** Uses the link up. Used, expired and unknown links are refused alike. */
    signInWithLink: async (platform: PlatformScope, link: string): Promise<SignedIn> => {
      const tokenHash = linkToken.hash(link.trim()) // people copy it from a terminal
      const signedIn =
        tokenHash &&
        (await transaction(platform, async (tx) => {
          const now = clock.now()
          const consumed = await consumeSignInLink(tx, tokenHash, moment(now))
          return consumed && open(tx, { ...consumed, signInLinkId: consumed.id }, now)
        }))
      if (signedIn === null) throw await guard.countFailure(platform)
      return signedIn
    },

    get: requireLive,

    /** Allows sensitive operations for a while. Takes the session's own key, or any OWNER's. */
    confirm: async (
      platform: PlatformScope,
      session: BrowserSession,
      adminKey: string,
    ): Promise<StoredBrowserSession> => {
      const admin: AdminCaller = await guard.requireAdmin(platform, adminKey)
      if (admin.id !== session.admin.id && admin.role !== 'OWNER')
        throw new Refusal('INSUFFICIENT_ROLE', {
          detail: 'Confirm with the key of this session, or with that of an OWNER.',
        })
      return transaction(platform, async (tx) => {
        const { id } = session
        await confirmBrowserSession(tx, id, secondsAfter(clock.now(), confirmationSeconds))
        const changes = { confirmedBy: { id: admin.id, name: admin.label } }
        await audit(tx, { action: 'browserSession.confirm', target: { type: 'browserSession', id }, changes })
        return requireLive(tx, id)
      })
    },

    /** Those that are signed in now, newest first. */
    list: (platform: PlatformScope, page: PageRequest): Promise<Page<StoredBrowserSession>> =>
      listBrowserSessions(platform, page, moment()),

    /** Ends a session, one's own or another. Refuses NOT_FOUND also for one that is over. */
    end: (platform: PlatformScope, id: string): Promise<void> =>
      transaction(platform, async (tx) => {
        const now = clock.now()
        const session = await findBrowserSessionById(tx, id, moment(now))
        if (session === null || !(await endBrowserSession(tx, id, now))) throw notFound()
        const { role, keyId } = session
        await audit(tx, {
          action: 'browserSession.end',
          target: { type: 'browserSession', id },
          changes: { role, keyId },
        })
      }),
  }
}
