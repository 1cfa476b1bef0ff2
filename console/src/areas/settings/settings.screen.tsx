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
import { words } from './words.ts'

const sources: Record<string, string> = {
  ENVIRONMENT: words.environment,
  DATA_FOLDER: words.dataFolder,
  DEFAULT: words.default,
}

export function SettingsScreen() {
  const [{ q }, change] = useFilters('q')
  const settings = useQuery({ queryKey: ['system.getSettings'], queryFn: () => atrium.system.getSettings() })
  return (
    <>
      <ScreenHead title={words.settings} hint={words.settingsHint} />
      <Answer query={settings}>
        {({ version, nodeVersion, settings, warnings }) => (
          <>
            {warnings.map(({ code, message, fix }) => (
              <Alert key={code} className="warning" role="note" color="yellow" variant="light" title={message}>
                {fix}
              </Alert>
            ))}
            <p className="dim">{words.versions(version, nodeVersion)}</p>
            <Filters>
              <FilterField label={words.nameOrMeaning} value={q} onChange={(q) => change({ q })} />
            </Filters>
            <List
              label={words.settings}
              rows={settings.filter(({ name, meaning }) =>
                `${name} ${meaning}`.toLowerCase().includes(q.toLowerCase()),
              )}
              rowKey={({ name }) => name}
              columns={[
                { title: words.name, cell: ({ name }) => <span className="mono action">{name}</span> },
                {
                  title: words.value,
                  cell: ({ value, isSecret, source }) => (
                    <Value value={value} isSet={isSecret && source !== 'DEFAULT'} />
                  ),
                },
                { title: words.from, cell: ({ source }) => sources[source] ?? source },
                { title: words.meaning, cell: ({ meaning }) => meaning.replaceAll('`', '') },
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
  if (isSet) return <span className="dim">{words.setAndSecret}</span>
  return value === null || value === '' ? (
    <span className="dim">{words.none}</span>
  ) : (
    <span className="mono">{value}</span>
  )
}
