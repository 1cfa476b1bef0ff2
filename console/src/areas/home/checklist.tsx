import { linkProps } from '../../shell/address.ts'
import { useSession } from '../../shell/session-context.ts'
import type { Overview } from './overview.ts'
import { SampleData } from './sample-data.tsx'

type Step = { title: string; hint: string; to: string; isDone: boolean }

/** What a new installation needs, worked out from what is there. Gone once all is done. */
export function Checklist({
  counts,
}: {
  counts: Pick<Overview['counts'], 'tenants' | 'users' | 'licenses' | 'devices'>
}) {
  const { keyId } = useSession()
  const steps: Step[] = [
    {
      title: 'Create a tenant',
      hint: 'A customer, with an API key for its application.',
      to: '/tenants/new',
      // Every installation has one built in.
      isDone: counts.tenants > 1,
    },
    {
      title: 'Issue a license',
      hint: 'What the tenant may use, and for how long.',
      to: '/licenses/new',
      isDone: counts.licenses > 0,
    },
    {
      title: 'Let somebody register',
      hint: 'With the API key of the tenant: its Keys tab shows a request that works.',
      to: '/tenants',
      isDone: counts.users > 0,
    },
    {
      title: 'Connect a device',
      hint: 'A user registers one through the application, and opens its file or QR code in WireGuard.',
      to: '/vpn/servers',
      isDone: counts.devices > 0,
    },
    {
      title: 'Use an admin key of your own',
      hint: 'So that the audit log says who did what. Then sign in with it.',
      to: '/access',
      isDone: keyId !== null,
    },
  ]
  if (steps.every(({ isDone }) => isDone)) return null
  return (
    <section className="panel" aria-labelledby="first-steps">
      <h2 id="first-steps">First steps</h2>
      <ol className="steps">
        {steps.map(({ title, hint, to, isDone }) => (
          <li key={title} data-done={isDone}>
            {isDone ? <span>{title} (done)</span> : <a {...linkProps(to)}>{title}</a>}
            <p>{hint}</p>
          </li>
        ))}
      </ol>
      <SampleData />
    </section>
  )
}
