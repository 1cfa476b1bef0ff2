import { List } from './list.tsx'
import { words } from './words.ts'

export type DayCount = { day: string; count: number }

const day = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeZone: 'UTC' })
const dayMs = 86_400_000
const height = 100

/** One bar a day, up to `until`, and the same as a table. */
export function DayBars({
  label,
  counts,
  days,
  until,
}: {
  label: string
  counts: DayCount[]
  days: number
  until: Date
}) {
  const byDay = new Map(counts.map(({ day, count }) => [day, count]))
  const shown = Array.from({ length: days }, (_, at) => {
    const name = new Date(until.getTime() - (days - 1 - at) * dayMs).toISOString().slice(0, 10)
    return { day: name, count: byDay.get(name) ?? 0 }
  })
  const highest = Math.max(1, ...shown.map(({ count }) => count))
  const used = shown.filter(({ count }) => count > 0)
  const dayName = (name: string) => day.format(new Date(name))
  return (
    <figure className="bars">
      <svg viewBox={`0 0 ${days} ${height}`} preserveAspectRatio="none" role="img" aria-label={label}>
        {shown.map(({ day, count }, at) => {
          const tall = (count / highest) * height
          return (
            <rect key={day} x={at + 0.1} width={0.8} y={height - tall} height={tall}>
              <title>{`${dayName(day)}: ${count}`}</title>
            </rect>
          )
        })}
      </svg>
      <figcaption>
        {words.daysShown(days, dayName(shown.at(-1)?.day ?? ''), highest)}
        <details>
          <summary>{words.asTable}</summary>
          <List
            label={label}
            rows={used.toReversed()}
            rowKey={({ day }) => day}
            columns={[
              { title: words.dayUtc, cell: ({ day }) => <time dateTime={day}>{dayName(day)}</time> },
              { title: words.count, isNumber: true, cell: ({ count }) => count },
            ]}
          />
        </details>
      </figcaption>
    </figure>
  )
}
