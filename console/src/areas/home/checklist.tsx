import { linkProps } from '../../shell/address.ts'
import { useSession } from '../../shell/session-context.ts'
import type { Overview } from './overview.ts'
import { SampleData } from './sample-data.tsx'
import { words } from './words.ts'

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
      title: words.createTenant,
      hint: words.createTenantHint,
      to: '/tenants/new',
      // Every installation has one built in.
      isDone: counts.tenants > 1,
    },
    {
      title: words.issueALicense,
      hint: words.issueLicenseHint,
      to: '/licenses/new',
      isDone: counts.licenses > 0,
    },
    {
      title: words.letSomebodyRegister,
      hint: words.letSomebodyRegisterHint,
      to: '/tenants',
      isDone: counts.users > 0,
    },
    {
      title: words.connectDevice,
      hint: words.connectDeviceHint,
      to: '/vpn/servers',
      isDone: counts.devices > 0,
    },
    {
      title: words.ownAdminKey,
      hint: words.ownAdminKeyHint,
      to: '/access',
      isDone: keyId !== null,
    },
  ]
  if (steps.every(({ isDone }) => isDone)) return null
  return (
    <section className="panel" aria-labelledby="first-steps">
      <h2 id="first-steps">{words.firstSteps}</h2>
      <ol className="steps">
        {steps.map(({ title, hint, to, isDone }) => (
          <li key={title} data-done={isDone}>
            {isDone ? <span>{words.done(title)}</span> : <a {...linkProps(to)}>{title}</a>}
            <p>{hint}</p>
          </li>
        ))}
      </ol>
      <SampleData />
    </section>
  )
}
