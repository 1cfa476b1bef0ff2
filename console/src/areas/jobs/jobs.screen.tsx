import type { Job } from '@atrium/sdk/admin'
import { atrium } from '../../doors/atrium.ts'
import { ActButton } from '../../parts/act-button.tsx'
import { Empty } from '../../parts/empty.tsx'
import { FilterChoice, FilterField, Filters } from '../../parts/filters.tsx'
import { Moment } from '../../parts/moment.tsx'
import { PagedList } from '../../parts/paged-list.tsx'
import { ScreenHead } from '../../parts/screen-head.tsx'
import { ShowRequest } from '../../parts/show-request.tsx'
import { Status } from '../../parts/status.tsx'
import { useFilters } from '../../shell/address.ts'
import { words } from './words.ts'

const states = [
  ['', words.anyState],
  ['dead', words.dead],
  ['failed', words.failedJob],
  ['queued', words.queued],
  ['active', words.running],
] as const

export function JobsScreen() {
  const [filters, change] = useFilters('kind', 'state')
  const { kind, state } = filters
  const input = { ...(kind && { kind }), ...(state && { state: state as Job['state'] }) }
  return (
    <>
      <ScreenHead title={words.jobs} hint={words.jobsHint}>
        {kind && (
          <ActButton
            needs="OWNER"
            act={() => atrium.jobs.retryAll({ kind })}
            confirm={{ title: words.retryAllOf(kind), text: words.retryAllEffect }}
          >
            {words.retryThisKind}
          </ActButton>
        )}
      </ScreenHead>
      <Filters>
        <FilterField label={words.kind} value={kind} onChange={(kind) => change({ ...filters, kind })} />
        <FilterChoice
          label={words.state}
          value={state}
          options={states}
          onChange={(state) => change({ ...filters, state })}
        />
      </Filters>
      <PagedList
        label={words.jobs}
        queryKey={['jobs.list', input]}
        list={() => atrium.jobs.list(input)}
        rows={({ jobs }) => jobs}
        rowKey={({ id }) => id}
        empty={<Empty>{words.noJobs}</Empty>}
        columns={[
          { title: words.kind, cell: ({ kind }) => <span className="mono">{kind}</span> },
          { title: words.state, cell: ({ state }) => <Status value={state} /> },
          {
            title: words.attempts,
            isNumber: true,
            cell: ({ attempts, attemptsMax }) => words.attemptsOf(attempts, attemptsMax),
          },
          { title: words.lastError, cell: ({ error }) => error ?? <span className="dim">{words.none}</span> },
          { title: words.runs, cell: ({ runAt }) => <Moment at={runAt} /> },
          { title: words.actions, cell: (job) => <JobActs job={job} /> },
        ]}
      />
      <ShowRequest method="jobs.list" input={input} />
    </>
  )
}

function JobActs({ job: { id: jobId, state } }: { job: Job }) {
  if (state !== 'dead') return <span className="dim">{words.none}</span>
  return (
    <ActButton needs="OWNER" act={() => atrium.jobs.retry({ jobId })}>
      {words.retry}
    </ActButton>
  )
}
