import type { Quota } from '@atrium/sdk/admin'
import { useQuery } from '@tanstack/react-query'
import { atrium } from '../../doors/atrium.ts'
import { Answer } from '../../parts/answer.tsx'
import { List } from '../../parts/list.tsx'
import { Moment } from '../../parts/moment.tsx'
import { ShowRequest } from '../../parts/show-request.tsx'
import { words } from './words.ts'

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
            label={words.usage}
            rows={quotas}
            rowKey={({ meter, window }) => `${meter} ${window}`}
            columns={[
              { title: words.meter, cell: ({ meter }) => words.meters[meter] },
              { title: words.used, isNumber: true, cell: ({ used }) => number.format(used) },
              {
                title: words.limit,
                isNumber: true,
                cell: ({ limit }) => (limit === null ? words.none : number.format(limit)),
              },
              { title: words.share, cell: (quota) => <Share quota={quota} /> },
              {
                title: words.startsAgain,
                cell: ({ resetsAt }) => <Moment at={resetsAt} none={words.neverStartsAgain} />,
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
  if (limit === null) return <span className="dim">{words.noLimit}</span>
  const share = limit === 0 ? 100 : Math.min(100, (used / limit) * 100)
  return (
    <>
      <meter
        className="share"
        min={0}
        max={100}
        high={80}
        value={share}
        aria-label={words.usedShareOf(words.meters[meter])}
      />{' '}
      {Math.round(share)} %
    </>
  )
}
