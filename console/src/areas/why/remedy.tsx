import type { ReactNode } from 'react'
import { atrium } from '../../doors/atrium.ts'
import { ActButton } from '../../parts/act-button.tsx'
import { linkProps } from '../../shell/address.ts'
import { Rich } from '../../words/rich.tsx'
import type { Ids } from './ids.ts'
import { useTenantOf } from './tenant-of.ts'
import { words } from './words.ts'

/** The act that lets a failed check pass, where there is one. Afterwards the checks are asked again. */
export function Remedy({ check, ids }: { check: string; ids: Ids }): ReactNode {
  switch (check) {
    case 'USER_ACTIVE':
      return (
        <ActButton needs="OWNER" act={() => atrium.users.update({ userId: ids.userId, status: 'ACTIVE' })}>
          {words.activateUser}
        </ActButton>
      )
    case 'LICENSE_NOT_EXPIRED':
      return <Extend licenseId={ids.licenseId} />
    case 'LICENSE_USES_LEFT':
      return (
        <ActButton
          needs="OWNER"
          act={() => atrium.licenses.update({ key: ids.licenseId, maxUses: null })}
          confirm={{
            title: words.askRemoveLimit,
            text: words.removeLimitEffect,
          }}
        >
          {words.removeLimit}
        </ActButton>
      )
    case 'TENANT_ACTIVE':
      return <ActivateTenant ids={ids} />
    case 'KEY_ACTIVE':
    case 'PRODUCT_ON_KEY':
      return <p>{words.createAnotherKey}</p>
    case 'LICENSE_NOT_REVOKED':
      return (
        <p>
          <Rich text={words.revokedStays} parts={{ link: (text) => <a {...linkProps('/licenses/new')}>{text}</a> }} />
        </p>
      )
    default:
      return null
  }
}

const daysMore = 30

function Extend({ licenseId }: { licenseId: string }) {
  const expiresAt = () => new Date(Date.now() + daysMore * 86_400_000).toISOString()
  return (
    <ActButton needs="OWNER" act={() => atrium.licenses.update({ key: licenseId, expiresAt: expiresAt() })}>
      {words.extendByDays(daysMore)}
    </ActButton>
  )
}

function ActivateTenant({ ids }: { ids: Ids }) {
  const tenantId = useTenantOf(ids)
  if (!tenantId) return <p>{words.activateTenantThere}</p>
  return (
    <ActButton needs="OWNER" act={() => atrium.tenants.update({ tenantId, status: 'ACTIVE' })}>
      {words.activateTenant}
    </ActButton>
  )
}
