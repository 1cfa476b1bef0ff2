import type { AuditEntry } from '@atrium/sdk/admin'
import { List } from '../../parts/list.tsx'
import { Moment } from '../../parts/moment.tsx'
import { Status } from '../../parts/status.tsx'

export function AuditList({ entries }: { entries: AuditEntry[] }) {
  if (entries.length === 0) return <p className="dim">Nothing has been changed yet.</p>
  return (
    <List
      label="Audit entries"
      rows={entries}
      rowKey={({ id }) => id}
      columns={[
        { title: 'When', cell: ({ at }) => <Moment at={at} /> },
        { title: 'Who', cell: ({ actor }) => actor.label },
        { title: 'Did', cell: ({ action }) => <span className="mono action">{action}</span> },
        { title: 'To', cell: ({ target, changes }) => <Target type={target.type} id={target.id} changes={changes} /> },
        { title: 'Outcome', cell: ({ outcome }) => <Status value={outcome} /> },
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
          <summary>Changes</summary>
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
