import { useQuery } from '@tanstack/react-query'
import { atrium } from '../../doors/atrium.ts'
import { ActButton } from '../../parts/act-button.tsx'
import { linkProps, navigate } from '../../shell/address.ts'
import { Rich } from '../../words/rich.tsx'
import { words } from './words.ts'

const slug = 'sample-northwind'

/** A tenant to look around in. It is made by ordinary operations, and erasing that tenant takes all of it away. */
export function SampleData() {
  const found = useQuery({
    queryKey: ['tenants.list', 'sample'],
    queryFn: async () => (await atrium.tenants.list({ q: slug, limit: 1 }).page()).tenants,
  }).data
  if (found === undefined) return null
  const sample = found.find((tenant) => tenant.slug === slug)
  if (sample)
    return (
      <p>
        <Rich
          text={words.sampleDataIsThere}
          parts={{ tenant: () => <a {...linkProps(`/tenants/${sample.id}`)}>{sample.name}</a> }}
        />
      </p>
    )
  const make = async () => {
    // Also the SDK for applications, which nothing else of the console needs.
    const { makeSampleTenant } = await import('./sample-tenant.ts')
    navigate(`/tenants/${await makeSampleTenant(slug)}`)
  }
  return (
    <div className="aside">
      <p>{words.sampleDataHint}</p>
      <ActButton needs="OWNER" act={make}>
        {words.addSampleData}
      </ActButton>
    </div>
  )
}
