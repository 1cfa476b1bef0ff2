import { useQuery } from '@tanstack/react-query'
import { atrium } from '../../doors/atrium.ts'
import { Answer } from '../../parts/answer.tsx'
import { Empty } from '../../parts/empty.tsx'
import { FilterChoice, FilterField, Filters } from '../../parts/filters.tsx'
import { ScreenHead } from '../../parts/screen-head.tsx'
import { ShowRequest } from '../../parts/show-request.tsx'
import { linkProps, useFilters } from '../../shell/address.ts'
import { Checks } from './checks.tsx'
import { useKeysOf, useTenantOf } from './tenant-of.ts'
import { words } from './words.ts'

/** The address holds ids and never a key: it may be sent to a colleague. */
export function WhyScreen() {
  const [ids, change] = useFilters('keyId', 'product', 'userId', 'licenseId')
  const { product, userId, licenseId } = ids
  const tenantId = useTenantOf(ids)
  const keys = useKeysOf(tenantId)
  // Each request carries an API key. Who came from a user or a license has not chosen one: the first of the tenant.
  const keyId = ids.keyId || (keys?.[0]?.id ?? '')
  const input = {
    ...(keyId && { keyId }),
    ...(product && { product }),
    ...(userId && { userId }),
    ...(licenseId && { licenseId }),
  }
  const verdict = useQuery({
    queryKey: ['system.checkAccess', input],
    queryFn: () => atrium.system.checkAccess(input),
    enabled: keyId !== '',
  })
  const names = keys?.map(({ id, name, keyPrefix }) => [id, `${name} (${keyPrefix}…)`] as const) ?? []
  return (
    <>
      <ScreenHead title={words.whyRefused} hint={words.whyHint} />
      <Filters>
        {names.some(([id]) => id === keyId) ? (
          <FilterChoice
            label={words.apiKey}
            value={keyId}
            options={names}
            onChange={(keyId) => change({ ...ids, keyId })}
          />
        ) : (
          <FilterField label={words.apiKeyId} value={ids.keyId} onChange={(keyId) => change({ ...ids, keyId })} />
        )}
        <FilterField label={words.product} value={product} onChange={(product) => change({ ...ids, product })} />
        <FilterField label={words.userId} value={userId} onChange={(userId) => change({ ...ids, userId })} />
        <FilterField
          label={words.licenseId}
          value={licenseId}
          onChange={(licenseId) => change({ ...ids, licenseId })}
        />
      </Filters>
      {keyId ? (
        <>
          <Answer query={verdict}>{(verdict) => <Checks verdict={verdict} ids={{ ...ids, keyId }} />}</Answer>
          <ShowRequest method="system.checkAccess" input={input} />
        </>
      ) : keys?.length === 0 ? (
        <Empty act={<a {...linkProps(`/tenants/${tenantId}?tab=keys`)}>{words.createKey}</a>}>
          {words.tenantWithoutKey}
        </Empty>
      ) : (
        <Empty>{words.nothingEntered}</Empty>
      )}
    </>
  )
}
