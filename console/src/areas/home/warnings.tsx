import { useQuery } from '@tanstack/react-query'
import { atrium } from '../../doors/atrium.ts'
import { linkProps } from '../../shell/address.ts'
import { words } from './words.ts'

/** What the settings lack before real people use the service: mail, a public address, a real VPN server. */
export function Warnings() {
  const { data } = useQuery({
    queryKey: ['system.getSettings'],
    queryFn: () => atrium.system.getSettings(),
    // Settings are read at the start of the service.
    staleTime: Number.POSITIVE_INFINITY,
  })
  if (!data || data.warnings.length === 0) return null
  return (
    <section className="panel" aria-labelledby="warnings">
      <h2 id="warnings">{words.warnings}</h2>
      <ul className="attention">
        {data.warnings.map(({ code, message, fix }) => (
          <li key={code}>
            {message} <span className="dim">{fix}</span>
          </li>
        ))}
      </ul>
      <p>
        <a {...linkProps('/settings')}>{words.allSettings}</a>
      </p>
    </section>
  )
}
