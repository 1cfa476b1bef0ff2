import { List } from '../../parts/list.tsx'
import type { Overview } from './overview.ts'

const names: [key: keyof Overview['activity'], title: string][] = [
  ['newTenants', 'New tenants'],
  ['newUsers', 'New users'],
  ['newLicenses', 'New licenses'],
  ['apiCalls', 'API calls'],
  ['validations', 'License validations'],
  ['vpnConnections', 'VPN connections'],
]
const number = new Intl.NumberFormat()

export function Activity({ activity }: { activity: Overview['activity'] }) {
  return (
    <section className="panel" aria-labelledby="activity">
      <h2 id="activity">Activity</h2>
      <List
        label="Activity"
        rows={names}
        rowKey={([key]) => key}
        columns={[
          { title: 'What', cell: ([, title]) => title },
          { title: 'Today', isNumber: true, cell: ([key]) => number.format(activity[key].today) },
          { title: 'Last week', isNumber: true, cell: ([key]) => number.format(activity[key].lastWeek) },
        ]}
      />
    </section>
  )
}
