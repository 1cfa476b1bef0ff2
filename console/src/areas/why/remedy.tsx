import type { ReactNode } from 'react'
import { atrium } from '../../doors/atrium.ts'
import { ActButton } from '../../parts/act-button.tsx'
import { linkProps } from '../../shell/address.ts'
import type { Ids } from './checks.tsx'
import { useTenantOf } from './tenant-of.ts'

/** The act that lets a failed check pass, where there is one. Afterwards the checks are asked again. */
export function Remedy({ check, ids }: { check: string; ids: Ids }): ReactNode {
  switch (check) {
    case 'USER_ACTIVE':
      return (
        <ActButton needs="OWNER" act={() => atrium.users.update({ userId: ids.userId, status: 'ACTIVE' })}>
          Activate the user
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
            title: 'Remove the limit of uses?',
            text: 'The license can then be used without a limit until it expires.',
          }}
        >
          Remove the limit of uses
        </ActButton>
      )
    case 'TENANT_ACTIVE':
      return <ActivateTenant ids={ids} />
    case 'KEY_ACTIVE':
    case 'PRODUCT_ON_KEY':
      return <p>Create another key for the tenant, with the product on it.</p>
    case 'LICENSE_NOT_REVOKED':
      return (
        <p>
          A revoked license stays revoked. <a {...linkProps('/licenses/new')}>Issue another</a>.
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
      {`Extend by ${daysMore} days from today`}
    </ActButton>
  )
}

function ActivateTenant({ ids }: { ids: Ids }) {
  const tenantId = useTenantOf(ids)
  if (!tenantId) return <p>Activate the tenant on its screen.</p>
  return (
    <ActButton needs="OWNER" act={() => atrium.tenants.update({ tenantId, status: 'ACTIVE' })}>
      Activate the tenant
    </ActButton>
  )
}
