import { useQuery } from '@tanstack/react-query'
import { atrium } from '../../doors/atrium.ts'
import { Answer } from '../../parts/answer.tsx'
import { Empty } from '../../parts/empty.tsx'
import { FilterField, Filters } from '../../parts/filters.tsx'
import { ScreenHead } from '../../parts/screen-head.tsx'
import { ShowRequest } from '../../parts/show-request.tsx'
import { useFilters } from '../../shell/address.ts'
import { Checks } from './checks.tsx'

/** The address holds ids and never a key: it may be sent to a colleague. */
export function WhyScreen() {
  const [ids, change] = useFilters('keyId', 'product', 'userId', 'licenseId')
  const { keyId, product, userId, licenseId } = ids
  const input = {
    ...(keyId && { keyId }),
    ...(product && { product }),
    ...(userId && { userId }),
    ...(licenseId && { licenseId }),
  }
  const isAsked = Object.keys(input).length > 0
  const verdict = useQuery({
    queryKey: ['system.checkAccess', input],
    queryFn: () => atrium.system.checkAccess(input),
    enabled: isAsked,
  })
  return (
    <>
      <ScreenHead
        title="Why refused?"
        hint="All checks between an API key and the use of a license, in order. Nothing is changed and no use is taken. Open it from a key, a user or a license, or enter their ids."
      />
      <Filters>
        <FilterField label="API key id" value={keyId} onChange={(keyId) => change({ ...ids, keyId })} />
        <FilterField label="Product" value={product} onChange={(product) => change({ ...ids, product })} />
        <FilterField label="User id" value={userId} onChange={(userId) => change({ ...ids, userId })} />
        <FilterField label="License id" value={licenseId} onChange={(licenseId) => change({ ...ids, licenseId })} />
      </Filters>
      {isAsked ? (
        <Answer query={verdict}>{(verdict) => <Checks verdict={verdict} ids={ids} />}</Answer>
      ) : (
        <Empty>Enter at least one id. What is left out is not checked.</Empty>
      )}
      {isAsked && <ShowRequest method="system.checkAccess" input={input} />}
    </>
  )
}
