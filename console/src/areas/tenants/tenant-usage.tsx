import type { Quota } from '@atrium/sdk/admin'
import { useQuery } from '@tanstack/react-query'
import { atrium } from '../../doors/atrium.ts'
import { Answer } from '../../parts/answer.tsx'
import { List } from '../../parts/list.tsx'
import { Moment } from '../../parts/moment.tsx'
import { ShowRequest } from '../../parts/show-request.tsx'

const number = new Intl.NumberFormat()

export function TenantUsage({ tenantId }: { tenantId: string }) {
  const input = { tenantId }
  const quotas = useQuery({
    queryKey: ['usage.listTenantQuotas', input],
    queryFn: () => atrium.usage.listTenantQuotas(input),
  })
  return (
    <>
      <Answer query={quotas}>
        {({ quotas }) => (
          <List
            label="Usage"
            rows={quotas}
            rowKey={({ meter, window }) => `${meter} ${window}`}
            columns={[
              { title: 'Meter', cell: (quota) => meterName(quota) },
              { title: 'Used', isNumber: true, cell: ({ used }) => number.format(used) },
              { title: 'Limit', isNumber: true, cell: ({ limit }) => (limit === null ? 'none' : number.format(limit)) },
              { title: 'Share', cell: (quota) => <Share quota={quota} /> },
              {
                title: 'Starts again',
                cell: ({ resetsAt }) => <Moment at={resetsAt} none="never: it counts what is there" />,
              },
            ]}
          />
        )}
      </Answer>
      <ShowRequest method="usage.listTenantQuotas" input={input} />
    </>
  )
}

function Share({ quota: { meter, used, limit } }: { quota: Quota }) {
  if (limit === null) return <span className="dim">no limit</span>
  const share = limit === 0 ? 100 : Math.min(100, (used / limit) * 100)
  return (
    <>
      <meter
        className="share"
        min={0}
        max={100}
        high={80}
        value={share}
        aria-label={`Used share of ${wordsOf(meter)}`}
      />{' '}
      {Math.round(share)} %
    </>
  )
}

/** With its unit, unless the name says it. */
function meterName({ meter, unit }: Quota): string {
  const words = wordsOf(meter)
  return words.includes(unit) ? words : `${words} (${unit})`
}

/** `documentPages` as `Document pages`. */
function wordsOf(meter: string): string {
  const words = meter.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
  return words.charAt(0).toUpperCase() + words.slice(1)
}
