import type { LicenseUse } from '@atrium/sdk/admin'
import { useQuery } from '@tanstack/react-query'
import { atrium } from '../../doors/atrium.ts'
import { DayBars, type DayCount } from '../../parts/day-bars.tsx'
import { words } from './words.ts'

const daysShown = 30
/** One question. Of a license that is used more, the chart begins later, and says so. */
const usesMax = 100

/** The uses of the last days. Nothing before the first use. */
export function UsesByDay({ licenseId }: { licenseId: string }) {
  const input = { key: licenseId, limit: usesMax }
  const { data } = useQuery({
    queryKey: ['licenses.listUses', 'byDay', input],
    queryFn: () => atrium.licenses.listUses(input).page(),
  })
  if (!data || data.uses.length === 0) return null
  const isCut = data.pagination.total > data.uses.length
  return (
    <DayBars
      label={isCut ? words.lastUsesByDay(usesMax) : words.usesByDay}
      counts={countByDay(data.uses)}
      days={daysShown}
      until={new Date()}
    />
  )
}

/** What was given back was not used. */
function countByDay(uses: LicenseUse[]): DayCount[] {
  const kept = uses.filter(({ refundedAt }) => refundedAt === null)
  return [...Map.groupBy(kept, ({ usedAt }) => usedAt.slice(0, 10))].map(([day, { length }]) => ({
    day,
    count: length,
  }))
}
