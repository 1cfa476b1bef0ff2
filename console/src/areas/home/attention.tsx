import { Moment } from '../../parts/moment.tsx'
import { linkProps } from '../../shell/address.ts'
import { Rich } from '../../words/rich.tsx'
import type { Overview } from './overview.ts'
import { words } from './words.ts'

type Props = { endpoints: Overview['failingEndpoints']; licenses: Overview['endingLicenses'] }

/** What somebody should look at soon. Nothing: it is not shown. */
export function Attention({ endpoints, licenses }: Props) {
  if (endpoints.total + licenses.total === 0) return null
  return (
    <section className="panel" aria-labelledby="attention">
      <h2 id="attention">{words.needsAttention}</h2>
      <ul className="attention">
        {licenses.licenses.map(({ id, tenantId, tenantName, product, expiresAt }) => (
          <li key={id}>
            <Rich
              text={words.endingLicense}
              parts={{
                license: () => <a {...linkProps(`/licenses/${id}`)}>{words.licenseFor(product)}</a>,
                tenant: () => <a {...linkProps(`/tenants/${tenantId}`)}>{tenantName}</a>,
                moment: () => <Moment at={expiresAt} />,
              }}
            />
          </li>
        ))}
        {endpoints.endpoints.map(({ id, tenantId, tenantName, urlHint, failingSince }) => (
          <li key={id}>
            <Rich
              text={words.failingEndpoint}
              parts={{
                endpoint: () => <span className="mono">{urlHint}</span>,
                tenant: () => <a {...linkProps(`/tenants/${tenantId}`)}>{tenantName}</a>,
                moment: () => <Moment at={failingSince} />,
              }}
            />
          </li>
        ))}
      </ul>
      {endpoints.endpoints.length + licenses.licenses.length < endpoints.total + licenses.total && (
        <p className="dim">
          {words.more(endpoints.total + licenses.total - endpoints.endpoints.length - licenses.licenses.length)}
        </p>
      )}
    </section>
  )
}
