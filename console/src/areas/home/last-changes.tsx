import { List } from '../../parts/list.tsx'
import { Moment } from '../../parts/moment.tsx'
import { Status } from '../../parts/status.tsx'
import { linkProps } from '../../shell/address.ts'
import type { Overview } from './overview.ts'
import { words } from './words.ts'

export function LastChanges({ entries }: { entries: Overview['lastAuditEntries'] }) {
  return (
    <section className="panel" aria-labelledby="last-changes">
      <h2 id="last-changes">{words.lastChanges}</h2>
      {entries.length === 0 ? (
        <p className="dim">{words.noChanges}</p>
      ) : (
        <List
          label={words.lastChanges}
          rows={entries}
          rowKey={({ id }) => id}
          columns={[
            { title: words.when, cell: ({ at }) => <Moment at={at} /> },
            { title: words.who, cell: ({ actorLabel }) => actorLabel },
            { title: words.did, cell: ({ action }) => <span className="mono action">{action}</span> },
            { title: words.to, cell: ({ targetType }) => targetType },
            { title: words.outcome, cell: ({ outcome }) => <Status value={outcome} /> },
          ]}
        />
      )}
      <p>
        <a {...linkProps('/audit')}>{words.wholeAuditLog}</a>
      </p>
    </section>
  )
}
