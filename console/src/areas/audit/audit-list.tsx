import type { AuditEntry } from '@atrium/sdk/admin'
import { List } from '../../parts/list.tsx'
import { Moment } from '../../parts/moment.tsx'
import { Status } from '../../parts/status.tsx'
import { words } from './words.ts'

export function AuditList({ entries }: { entries: AuditEntry[] }) {
  if (entries.length === 0) return <p className="dim">{words.noChanges}</p>
  return (
    <List
      label={words.auditEntries}
      rows={entries}
      rowKey={({ id }) => id}
      columns={[
        { title: words.when, cell: ({ at }) => <Moment at={at} /> },
        { title: words.who, cell: ({ actor }) => actor.label },
        { title: words.did, cell: ({ action }) => <span className="mono action">{action}</span> },
        {
          title: words.to,
          cell: ({ target, changes }) => <Target type={target.type} id={target.id} changes={changes} />,
        },
        { title: words.outcome, cell: ({ outcome }) => <Status value={outcome} /> },
      ]}
    />
  )
}

function Target({ type, id, changes }: { type: string; id: string | null; changes: AuditEntry['changes'] }) {
  const changed = Object.entries(changes ?? {})
  return (
    <>
      {type} {id && <span className="mono dim">{id}</span>}
      {changed.length > 0 && (
        <details className="changes">
          <summary>{words.changes}</summary>
          <dl>
            {changed.map(([name, value]) => (
              <div key={name}>
                <dt>{name}</dt>
                <dd className="mono">{changeText(value)}</dd>
              </div>
            ))}
          </dl>
        </details>
      )}
    </>
  )
}

/** `before → after` where the log has both. */
function changeText(value: unknown): string {
  if (typeof value === 'object' && value !== null && 'from' in value && 'to' in value) {
    return `${JSON.stringify(value.from)} → ${JSON.stringify(value.to)}`
  }
  return JSON.stringify(value)
}
