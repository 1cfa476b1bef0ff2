import type { Input } from '@atrium/sdk/admin'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { atrium } from '../../doors/atrium.ts'
import { ActButton } from '../../parts/act-button.tsx'
import { Answer } from '../../parts/answer.tsx'
import { Empty } from '../../parts/empty.tsx'
import { FilterChoice, FilterDate, FilterField, Filters } from '../../parts/filters.tsx'
import { Pager } from '../../parts/pager.tsx'
import { saveFile } from '../../parts/save-file.ts'
import { ScreenHead } from '../../parts/screen-head.tsx'
import { ShowRequest } from '../../parts/show-request.tsx'
import { useAddress, useFilters } from '../../shell/address.ts'
import { AuditList } from './audit-list.tsx'
import { VerifyChain } from './verify-chain.tsx'
import { words } from './words.ts'

const outcomes = [
  ['', words.anyOutcome],
  ['ALLOWED', words.allowed],
  ['DENIED', words.denied],
] as const

export function AuditScreen() {
  const [{ action, tenantId, actorId, targetId, outcome, requestId, from, to }, change] = useFilters(
    'action',
    'tenantId',
    'actorId',
    'targetId',
    'outcome',
    'requestId',
    'from',
    'to',
  )
  const page = Number(useAddress().search.get('page')) || 1
  const input = {
    ...(action && { action }),
    ...(tenantId && { tenantId }),
    ...(actorId && { actorId }),
    ...(targetId && { targetId }),
    // Whole days, where the person is.
    ...(from && { from: new Date(`${from}T00:00:00`).toISOString() }),
    ...(to && { to: new Date(`${to}T23:59:59.999`).toISOString() }),
    ...(requestId && { requestId }),
    ...(outcome && { outcome: outcome as 'ALLOWED' }),
  }
  const entries = useQuery({
    queryKey: ['audit.list', input, page],
    queryFn: () => atrium.audit.list(input).page(page),
  })
  return (
    <>
      <ScreenHead title={words.audit} hint={words.auditHint}>
        <SaveAsCsv input={input} />
      </ScreenHead>
      <Filters>
        <FilterField label={words.action} value={action} onChange={(action) => change({ action })} />
        <FilterField label={words.tenantId} value={tenantId} onChange={(tenantId) => change({ tenantId })} />
        <FilterField label={words.actorId} value={actorId} onChange={(actorId) => change({ actorId })} />
        <FilterField label={words.targetId} value={targetId} onChange={(targetId) => change({ targetId })} />
        <FilterChoice
          label={words.outcome}
          value={outcome}
          options={outcomes}
          onChange={(outcome) => change({ outcome })}
        />
        <FilterDate label={words.from} value={from} onChange={(from) => change({ from })} />
        <FilterDate label={words.to} value={to} onChange={(to) => change({ to })} />
      </Filters>
      <Answer query={entries}>
        {({ auditLogs, pagination }) =>
          auditLogs.length === 0 ? (
            <Empty>{words.noEntries}</Empty>
          ) : (
            <>
              <AuditList entries={auditLogs} />
              <Pager pagination={pagination} />
            </>
          )
        }
      </Answer>
      <ShowRequest method="audit.list" input={input} />
      <VerifyChain />
    </>
  )
}

function SaveAsCsv({ input }: { input: Input<'listAuditLogs'> }) {
  const [note, setNote] = useState('')
  const save = async () => {
    const csv = (await atrium.call('listAuditLogs', { ...input, format: 'csv' }, { timeoutMs: 120_000 })) as string
    saveFile(`audit-${new Date().toISOString().slice(0, 10)}.csv`, csv)
    setNote(words.savedAsCsv)
  }
  return (
    <>
      <span role="status" className="dim">
        {note}
      </span>
      <ActButton needs="VIEWER" act={save}>
        {words.saveAsCsv}
      </ActButton>
    </>
  )
}
