import { randomBytes } from 'node:crypto'
import type { Audit } from '../../identity/index.ts'
import type { Clock } from '../../kernel/clock.ts'
import { yieldPeriodically } from '../../kernel/event-loop.ts'
import { notFound } from '../../kernel/refusal.ts'
import { secretToken } from '../../kernel/secret-token.ts'
import { siteBase } from '../../kernel/site-base.ts'
import type { OrganizationMembers } from '../../organizations/index.ts'
import { type PlatformScope, scopeToTenant, type TenantScope, transaction } from '../../storage/scope.ts'
import { deleteCalendar, findCalendar, listDueTasks, saveCalendar } from './calendar.store.ts'
import { type CalendarEvent, calendarParts } from './icalendar.rules.ts'

export type CalendarDeps = {
  clock: Clock
  audit: Audit
  members: OrganizationMembers
  /** The address of the service in addresses that it gives out. Null: they begin with the path. */
  publicUrl: string | null
}

const addressToken = secretToken('atrcal_')

type User = { id: string }

export type Calendars = ReturnType<typeof calendarService>

export function calendarService({ clock, audit, members, publicUrl }: CalendarDeps) {
  /** A new secret address; an earlier one is dead. Refuses NOT_FOUND. */
  const create = (scope: TenantScope, user: User, orgId: string): Promise<{ url: string }> =>
    transaction(scope, async (tx) => {
      await members.lock(tx, user, { orgId })
      const { token, tokenHash } = addressToken.create(randomBytes)
      await saveCalendar(tx, { orgId, userId: user.id, tokenHash, now: clock.now() })
      await record(tx, user, { orgId, action: 'org.calendar.create' })
      return { url: `${publicUrl === null ? '' : siteBase(publicUrl)}/assistant/v1/calendars/${token}.ics` }
    })

  /** Refuses NOT_FOUND. */
  const remove = (scope: TenantScope, user: User, orgId: string): Promise<void> =>
    transaction(scope, async (tx) => {
      await members.lock(tx, user, { orgId })
      if (!(await deleteCalendar(tx, { orgId, userId: user.id }))) throw notFound()
      await record(tx, user, { orgId, action: 'org.calendar.delete' })
    })

  function record(tx: TenantScope, { id: userId }: User, { orgId, action }: { orgId: string; action: string }) {
    return audit(tx, { action, target: { type: 'org', id: orgId }, changes: { userId } })
  }

  /** The calendar of a secret address, as text. Refuses NOT_FOUND. */
  async function read(platform: PlatformScope, token: string): Promise<string> {
    const tokenHash = addressToken.hash(token)
    const calendar = tokenHash && (await findCalendar(platform, tokenHash))
    if (!calendar) throw notFound()
    return calendarText(calendar.orgName, await listDueTasks(scopeToTenant(platform, calendar.tenantId), calendar))
  }

  return { create, remove, read }
}

/** Yields to other requests: a full calendar takes longer than they may wait. */
export async function calendarText(name: string, events: CalendarEvent[]): Promise<string> {
  const yieldIfDue = yieldPeriodically()
  const parts: string[] = []
  for (const part of calendarParts(name, events)) {
    parts.push(part)
    await yieldIfDue()
  }
  return parts.join('')
}
