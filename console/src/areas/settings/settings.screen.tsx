import { Alert } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { atrium } from '../../doors/atrium.ts'
import { Answer } from '../../parts/answer.tsx'
import { FilterField, Filters } from '../../parts/filters.tsx'
import { List } from '../../parts/list.tsx'
import { ScreenHead } from '../../parts/screen-head.tsx'
import { ShowRequest } from '../../parts/show-request.tsx'
import { useFilters } from '../../shell/address.ts'
import { Snapshot } from './snapshot.tsx'

const sources: Record<string, string> = { ENVIRONMENT: 'environment', DATA_FOLDER: 'data folder', DEFAULT: 'default' }

export function SettingsScreen() {
  const [{ q }, change] = useFilters('q')
  const settings = useQuery({ queryKey: ['system.getSettings'], queryFn: () => atrium.system.getSettings() })
  return (
    <>
      <ScreenHead
        title="Settings"
        hint="What is configured, and from where. Settings are read from the environment at the start; change them there."
      />
      <Answer query={settings}>
        {({ version, nodeVersion, settings, warnings }) => (
          <>
            {warnings.map(({ code, message, fix }) => (
              <Alert key={code} className="warning" role="note" color="yellow" variant="light" title={message}>
                {fix}
              </Alert>
            ))}
            <p className="dim">
              Atrium {version} on Node {nodeVersion}
            </p>
            <Filters>
              <FilterField label="Name or meaning" value={q} onChange={(q) => change({ q })} />
            </Filters>
            <List
              label="Settings"
              rows={settings.filter(({ name, meaning }) =>
                `${name} ${meaning}`.toLowerCase().includes(q.toLowerCase()),
              )}
              rowKey={({ name }) => name}
              columns={[
                { title: 'Name', cell: ({ name }) => <span className="mono action">{name}</span> },
                {
                  title: 'Value',
                  cell: ({ value, isSecret, source }) => (
                    <Value value={value} isSet={isSecret && source !== 'DEFAULT'} />
                  ),
                },
                { title: 'From', cell: ({ source }) => sources[source] ?? source },
                { title: 'Meaning', cell: ({ meaning }) => meaning.replaceAll('`', '') },
              ]}
            />
            <Snapshot />
          </>
        )}
      </Answer>
      <ShowRequest method="system.getSettings" />
    </>
  )
}

function Value({ value, isSet }: { value: string | null; isSet: boolean }) {
  if (isSet) return <span className="dim">set, and secret</span>
  return value === null || value === '' ? <span className="dim">none</span> : <span className="mono">{value}</span>
}
