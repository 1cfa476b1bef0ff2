import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { atrium } from '../../doors/atrium.ts'
import { ActButton } from '../../parts/act-button.tsx'
import { Answer } from '../../parts/answer.tsx'
import { Empty } from '../../parts/empty.tsx'
import { FilterChoice, FilterField, Filters } from '../../parts/filters.tsx'
import { Pager } from '../../parts/pager.tsx'
import { ScreenHead } from '../../parts/screen-head.tsx'
import { ShowRequest } from '../../parts/show-request.tsx'
import { useAddress, useFilters } from '../../shell/address.ts'
import { AuditList } from './audit-list.tsx'

const outcomes = [
  ['', 'Any outcome'],
  ['ALLOWED', 'Allowed'],
  ['DENIED', 'Denied'],
] as const

export function AuditScreen() {
  const [{ action, tenantId, targetId, outcome, requestId }, change] = useFilters(
    'action',
    'tenantId',
    'targetId',
    'outcome',
    'requestId',
  )
  const page = Number(useAddress().search.get('page')) || 1
  const input = {
    ...(action && { action }),
    ...(tenantId && { tenantId }),
    ...(targetId && { targetId }),
    ...(requestId && { requestId }),
    ...(outcome && { outcome: outcome as 'ALLOWED' }),
  }
  const entries = useQuery({
    queryKey: ['audit.list', input, page],
    queryFn: () => atrium.audit.list(input).page(page),
  })
  return (
    <>
      <ScreenHead
        title="Audit"
        hint="Who changed what. Each entry seals the one before it, so that none can be changed unseen."
      >
        <VerifyChain />
      </ScreenHead>
      <Filters>
        <FilterField label="Action" value={action} onChange={(action) => change({ action })} />
        <FilterField label="Tenant id" value={tenantId} onChange={(tenantId) => change({ tenantId })} />
        <FilterField label="Target id" value={targetId} onChange={(targetId) => change({ targetId })} />
        <FilterChoice label="Outcome" value={outcome} options={outcomes} onChange={(outcome) => change({ outcome })} />
      </Filters>
      <Answer query={entries}>
        {({ auditLogs, pagination }) =>
          auditLogs.length === 0 ? (
            <Empty>No entry fits. Change the filters, or wait until somebody changes something.</Empty>
          ) : (
            <>
              <AuditList entries={auditLogs} />
              <Pager pagination={pagination} />
            </>
          )
        }
      </Answer>
      <ShowRequest method="audit.list" input={input} />
    </>
  )
}

function VerifyChain() {
  const [verdict, setVerdict] = useState('')
  const verify = async () => {
    let checked = 0
    let fromSeq: number | null = 1
    while (fromSeq !== null) {
      const answer: Awaited<ReturnType<typeof atrium.audit.verify>> = await atrium.audit.verify({ fromSeq })
      checked += answer.checked
      if (!answer.ok) return setVerdict(`Entry ${answer.firstBadSeq} was tampered with (${answer.reason}).`)
      fromSeq = answer.nextSeq
    }
    setVerdict(`All ${checked} entries are as they were written.`)
  }
  return (
    <>
      <span role="status">{verdict}</span>
      <ActButton needs="VIEWER" act={verify}>
        Verify the chain
      </ActButton>
    </>
  )
}
