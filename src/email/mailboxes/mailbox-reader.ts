import type { Log } from '../../http/server-deps.ts'
import { newId } from '../../kernel/ids.ts'
import { Refusal } from '../../kernel/refusal.ts'
import { loadMailReaders } from '../../mime/load-mail-readers.ts'
import { ImapFailure } from '../../outgoing/imap-mailbox.ts'
import { scopeToTenant } from '../../storage/scope.ts'
import type { MailboxCause } from '../configs/mailbox-health.rules.ts'
import { retryMs } from './mailbox.rules.ts'
import { type ClaimedMailbox, claimDue, recordFailure, release, renewLeases } from './mailbox.store.ts'
import { MailboxFailure } from './mailbox-login.ts'
import { LeaseLost, mailboxSessions, type SessionDeps } from './mailbox-session.ts'

export type ReaderDeps = SessionDeps & {
  log: Pick<Log, 'error'>
  countFailure(cause: MailboxCause): void
}

/** Reads mailboxes until it is closed. */
export type MailboxReader = { close(): Promise<void> }

const tickMs = 5000
/** Several ticks, so that a slow one loses nothing. */
const leaseMs = 30_000
/** Connections that wait for mail. Mailboxes beyond it take turns. */
const connectionsMax = 500
const claimedAtOnce = 20

/** Mailboxes that this process reads. Each is read by one process at a time: that which holds its lease. */
export function mailboxReader(deps: ReaderDeps) {
  const { platform, clock, log } = deps
  const holder = newId(clock.now())
  const sessions = mailboxSessions(deps)
  const running = new Map<string, { abort: AbortController; ended: Promise<void> }>()
  const keyOf = ({ tenantId, ownerId }: Pick<ClaimedMailbox, 'tenantId' | 'ownerId'>) => `${tenantId} ${ownerId}`
  const lease = () => {
    const now = clock.now()
    return { holder, now, until: new Date(now.getTime() + leaseMs) }
  }

  /** Begins to read those that are due. Returns how many. */
  async function begin(isOnce: boolean): Promise<ClaimedMailbox[]> {
    const claimed = await claimDue(platform, { ...lease(), limit: claimedAtOnce })
    for (const mailbox of claimed) {
      const abort = new AbortController()
      const isBrief = isOnce || running.size >= connectionsMax
      const ended = read(mailbox, { signal: abort.signal, isOnce: isBrief }).finally(() =>
        running.delete(keyOf(mailbox)),
      )
      running.set(keyOf(mailbox), { abort, ended })
    }
    return claimed
  }

  async function read(
    claimed: ClaimedMailbox,
    { signal, isOnce }: { signal: AbortSignal; isOnce: boolean },
  ): Promise<void> {
    const scope = scopeToTenant(platform, claimed.tenantId)
    const held = { ownerId: claimed.ownerId, holder }
    try {
      await loadMailReaders()
      let nextLookAt: Date | null = null
      try {
        await sessions.run({ claimed, holder, signal }, isOnce)
      } catch (error) {
        if (!signal.aborted && !(error instanceof LeaseLost)) {
          const { cause, detail } = failureOf(error)
          deps.countFailure(cause)
          const recorded = await recordFailure(scope, { ...held, cause, detail })
          nextLookAt = new Date(clock.now().getTime() + retryMs(cause, recorded?.failures ?? 1))
        }
      }
      await release(scope, { ...held, nextLookAt })
    } catch (error) {
      // The database is away. The lease ends by itself.
      log.error({ error: error instanceof Error ? error.stack : String(error) }, 'a mailbox was not released')
    }
  }

  function failureOf(error: unknown): { cause: MailboxCause; detail: string | null } {
    if (error instanceof MailboxFailure || error instanceof ImapFailure)
      return { cause: error.reason, detail: error.message }
    if (error instanceof Refusal && error.code === 'QUOTA_EXCEEDED')
      return { cause: 'QUOTA_EXCEEDED', detail: error.message }
    log.error({ error: error instanceof Error ? error.stack : String(error) }, 'a mail of a mailbox was not stored')
    return { cause: 'NOT_STORED', detail: null }
  }

  async function tick(): Promise<void> {
    if (running.size > 0) {
      const kept = new Set((await renewLeases(platform, lease())).map(keyOf))
      for (const [key, { abort }] of running) if (!kept.has(key)) abort.abort()
    }
    while ((await begin(false)).length === claimedAtOnce && running.size < connectionsMax);
  }

  /** For tests: reads all that are due, once, to their ends. */
  async function readDue(): Promise<void> {
    while ((await begin(true)).length > 0) await Promise.all([...running.values()].map(({ ended }) => ended))
  }

  function start(): MailboxReader {
    let [isClosed, ticking] = [false, Promise.resolve()]
    const next = () => {
      if (isClosed) return
      ticking = tick()
        .catch((error) => log.error({ error: String(error) }, 'mailboxes could not be looked up'))
        .finally(() => {
          if (!isClosed) timer = setTimeout(next, tickMs)
        })
    }
    let timer = setTimeout(next, 0)
    return {
      close: async () => {
        isClosed = true
        clearTimeout(timer)
        await ticking
        const ending = [...running.values()]
        for (const { abort } of ending) abort.abort()
        await Promise.all(ending.map(({ ended }) => ended))
      },
    }
  }

  return { readDue, start }
}
