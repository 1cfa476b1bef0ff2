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

const states = [
  ['', 'Any state'],
  ['dead', 'Dead: all attempts failed'],
  ['failed', 'Failed: tried again'],
  ['queued', 'Queued'],
  ['active', 'Running'],
] as const

export function JobsScreen() {
  const [filters, change] = useFilters('kind', 'state')
  const { kind, state } = filters
  const input = { ...(kind && { kind }), ...(state && { state: state as Job['state'] }) }
  return (
    <>
      <ScreenHead
        title="Jobs"
        hint="Work in the background that is not finished: mails, webhooks, erasures, documents."
      >
        {kind && (
          <ActButton
            needs="OWNER"
            act={() => atrium.jobs.retryAll({ kind })}
            confirm={{ title: `Retry all dead jobs of ${kind}?`, text: 'Each gets all its attempts again.' }}
          >
            Retry this kind
          </ActButton>
        )}
      </ScreenHead>
      <Filters>
        <FilterField label="Kind" value={kind} onChange={(kind) => change({ ...filters, kind })} />
        <FilterChoice
          label="State"
          value={state}
          options={states}
          onChange={(state) => change({ ...filters, state })}
        />
      </Filters>
      <PagedList
        label="Jobs"
        queryKey={['jobs.list', input]}
        list={() => atrium.jobs.list(input)}
        rows={({ jobs }) => jobs}
        rowKey={({ id }) => id}
        empty={<Empty>No job fits. Finished jobs leave this list.</Empty>}
        columns={[
          { title: 'Kind', cell: ({ kind }) => <span className="mono">{kind}</span> },
          { title: 'State', cell: ({ state }) => <Status value={state} /> },
          { title: 'Attempts', isNumber: true, cell: ({ attempts, attemptsMax }) => `${attempts} of ${attemptsMax}` },
          { title: 'Last error', cell: ({ error }) => error ?? <span className="dim">none</span> },
          { title: 'Runs', cell: ({ runAt }) => <Moment at={runAt} /> },
          { title: 'Actions', cell: (job) => <JobActs job={job} /> },
        ]}
      />
      <ShowRequest method="jobs.list" input={input} />
    </>
  )
}

function JobActs({ job: { id: jobId, state } }: { job: Job }) {
  if (state !== 'dead') return <span className="dim">none</span>
  return (
    <ActButton needs="OWNER" act={() => atrium.jobs.retry({ jobId })}>
      Retry
    </ActButton>
  )
}
