import { useQuery } from '@tanstack/react-query'
import { atrium } from '../../doors/atrium.ts'
import { Answer } from '../../parts/answer.tsx'
import { Pager } from '../../parts/pager.tsx'
import { ShowRequest } from '../../parts/show-request.tsx'
import { useAddress } from '../../shell/address.ts'
import { AuditList } from '../audit/audit-list.tsx'

export function TenantAudit({ tenantId }: { tenantId: string }) {
  const page = Number(useAddress().search.get('page')) || 1
  const input = { tenantId }
  const entries = useQuery({
    queryKey: ['audit.list', input, page],
    queryFn: () => atrium.audit.list(input).page(page),
  })
  return (
    <>
      <Answer query={entries}>
        {({ auditLogs, pagination }) => (
          <>
            <AuditList entries={auditLogs} />
            <Pager pagination={pagination} />
          </>
        )}
      </Answer>
      <ShowRequest method="audit.list" input={input} />
    </>
  )
}
