import { Moment } from '../../parts/moment.tsx'
import { linkProps } from '../../shell/address.ts'
import type { Overview } from './overview.ts'

type Props = { endpoints: Overview['failingEndpoints']; licenses: Overview['endingLicenses'] }

/** What somebody should look at soon. Nothing: it is not shown. */
export function Attention({ endpoints, licenses }: Props) {
  if (endpoints.total + licenses.total === 0) return null
  return (
    <section className="panel" aria-labelledby="attention">
      <h2 id="attention">Needs attention</h2>
      <ul className="attention">
        {licenses.licenses.map(({ id, tenantId, tenantName, product, expiresAt }) => (
          <li key={id}>
            The <a {...linkProps(`/licenses/${id}`)}>license for {product}</a> of{' '}
            <a {...linkProps(`/tenants/${tenantId}`)}>{tenantName}</a> ends <Moment at={expiresAt} />.
          </li>
        ))}
        {endpoints.endpoints.map(({ id, tenantId, tenantName, urlHint, failingSince }) => (
          <li key={id}>
            <span className="mono">{urlHint}</span> of <a {...linkProps(`/tenants/${tenantId}`)}>{tenantName}</a> has
            not taken events since <Moment at={failingSince} />.
          </li>
        ))}
      </ul>
      {endpoints.endpoints.length + licenses.licenses.length < endpoints.total + licenses.total && (
        <p className="dim">
          And {endpoints.total + licenses.total - endpoints.endpoints.length - licenses.licenses.length} more.
        </p>
      )}
    </section>
  )
}
