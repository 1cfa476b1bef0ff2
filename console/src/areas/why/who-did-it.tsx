import type { AuditEntry } from '@atrium/sdk/admin'
import { useQuery } from '@tanstack/react-query'
import { atrium } from '../../doors/atrium.ts'
import { Moment } from '../../parts/moment.tsx'
import { linkProps } from '../../shell/address.ts'
import { Rich } from '../../words/rich.tsx'
import type { Ids } from './ids.ts'
import { useTenantOf } from './tenant-of.ts'
import { words } from './words.ts'

type Thing = 'key' | 'tenant' | 'user' | 'license'

/** What is behind a failed check: the thing, the acts that may have done it, and for changes the member that was changed. */
const causes: Record<string, { of: Thing; acts: string[]; member?: string }> = {
  KEY_ACTIVE: { of: 'key', acts: ['apiKey.revoke', 'apiKey.rotate', 'apiKey.create'] },
  PRODUCT_ON_KEY: { of: 'key', acts: ['apiKey.create'] },
  TENANT_ACTIVE: { of: 'tenant', acts: ['tenant.suspend', 'tenant.delete'] },
  USER_ACTIVE: { of: 'user', acts: ['user.suspend'] },
  LICENSE_PRODUCT: { of: 'license', acts: ['license.create'] },
  LICENSE_NOT_REVOKED: { of: 'license', acts: ['license.revoke'] },
  LICENSE_NOT_EXPIRED: { of: 'license', acts: ['license.update', 'license.create'], member: 'expiresAt' },
  LICENSE_USES_LEFT: { of: 'license', acts: ['license.update', 'license.create'], member: 'maxUses' },
}
/** Beyond these somebody looks for it in the log. */
const entriesMax = 100

/** The last act that fits the failed check, with who did it and when. */
export function WhoDidIt({ check, ids }: { check: string; ids: Ids }) {
  const cause = causes[check]
  const tenantId = useTenantOf(ids)
  const targets: Record<Thing, string | undefined> = {
    key: ids.keyId,
    tenant: tenantId,
    user: ids.userId,
    license: ids.licenseId,
  }
  const targetId = (cause && targets[cause.of]) ?? ''
  const { data: entry } = useQuery({
    queryKey: ['why', 'cause', check, targetId],
    queryFn: async () => {
      const { auditLogs } = await atrium.audit.list({ targetId, limit: entriesMax }).page()
      return auditLogs.find((each) => cause && fits(each, cause)) ?? null
    },
    enabled: targetId !== '',
  })
  if (!entry) return null
  return (
    <p>
      <Rich
        text={words.doneBy}
        parts={{
          actor: () => <strong>{entry.actor.label}</strong>,
          moment: () => <Moment at={entry.at} />,
          action: () => (
            <a {...linkProps(`/audit?targetId=${targetId}`)} className="mono">
              {entry.action}
            </a>
          ),
        }}
      />
    </p>
  )
}

function fits(
  { action, outcome, changes }: AuditEntry,
  { acts, member }: { acts: string[]; member?: string },
): boolean {
  const isChange = action.endsWith('.update')
  return outcome === 'ALLOWED' && acts.includes(action) && (!isChange || !member || member in (changes ?? {}))
}
