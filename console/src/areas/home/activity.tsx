import { List } from '../../parts/list.tsx'
import type { Overview } from './overview.ts'
import { words } from './words.ts'

const names: [key: keyof Overview['activity'], title: string][] = [
  ['newTenants', words.newTenants],
  ['newUsers', words.newUsers],
  ['newLicenses', words.newLicenses],
  ['apiCalls', words.apiCalls],
  ['validations', words.licenseValidations],
  ['vpnConnections', words.vpnConnections],
]
const number = new Intl.NumberFormat()

export function Activity({ activity }: { activity: Overview['activity'] }) {
  return (
    <section className="panel" aria-labelledby="activity">
      <h2 id="activity">{words.activity}</h2>
      <List
        label={words.activity}
        rows={names}
        rowKey={([key]) => key}
        columns={[
          { title: words.what, cell: ([, title]) => title },
          { title: words.today, isNumber: true, cell: ([key]) => number.format(activity[key].today) },
          { title: words.lastWeek, isNumber: true, cell: ([key]) => number.format(activity[key].lastWeek) },
        ]}
      />
    </section>
  )
}
