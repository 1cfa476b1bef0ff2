import { List } from '../../parts/list.tsx'
import { Moment } from '../../parts/moment.tsx'
import { Status } from '../../parts/status.tsx'
import { linkProps } from '../../shell/address.ts'
import type { Overview } from './overview.ts'

export function LastChanges({ entries }: { entries: Overview['lastAuditEntries'] }) {
  return (
    <section className="panel" aria-labelledby="last-changes">
      <h2 id="last-changes">Last changes</h2>
      {entries.length === 0 ? (
        <p className="dim">Nothing has been changed yet.</p>
      ) : (
        <List
          label="Last changes"
          rows={entries}
          rowKey={({ id }) => id}
          columns={[
            { title: 'When', cell: ({ at }) => <Moment at={at} /> },
            { title: 'Who', cell: ({ actorLabel }) => actorLabel },
            { title: 'Did', cell: ({ action }) => <span className="mono action">{action}</span> },
            { title: 'To', cell: ({ targetType }) => targetType },
            { title: 'Outcome', cell: ({ outcome }) => <Status value={outcome} /> },
          ]}
        />
      )}
      <p>
        <a {...linkProps('/audit')}>The whole audit log</a>
      </p>
    </section>
  )
}
