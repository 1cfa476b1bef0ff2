import type { Tenant } from '@atrium/sdk/admin'
import { Fragment } from 'react'
import { atrium } from '../../doors/atrium.ts'
import { Field, useValues } from '../../parts/fields.tsx'
import { Form } from '../../parts/form.tsx'
import { ShowRequest } from '../../parts/show-request.tsx'
import { useAct } from '../../parts/use-act.ts'
import { ColourPreview } from './colour-preview.tsx'

type Branding = NonNullable<Tenant['whitelabelConfig']>

/** Complete by its type, as in the limits. */
const fields: Record<keyof Branding, [label: string, hint: string]> = {
  displayName: ['Displayed name', 'What people read in mails and apps.'],
  primaryColor: ['Colour', 'Such as #2f4fd0.'],
  logoUrl: ['Address of the logo', 'An https address.'],
  faviconUrl: ['Address of the small icon', 'An https address.'],
  supportEmail: ['E-mail of the support', 'Where people ask for help.'],
  supportUrl: ['Page of the support', 'An https address.'],
  customDomain: ['Domain', 'Where the tenant’s own pages are, such as vpn.example.com.'],
  emailFromName: ['Sender of mails', 'The name in front of the address that mails come from.'],
}
const names = Object.keys(fields) as (keyof Branding)[]

export function TenantBranding({ tenant }: { tenant: Tenant }) {
  const act = useAct(atrium.tenants.update)
  const errors = Object.fromEntries(
    Object.entries(act.fieldErrors).map(([name, text]) => [name.replace('whitelabelConfig/', ''), text]),
  )
  const initial = Object.fromEntries(names.map((name) => [name, tenant.whitelabelConfig?.[name] ?? '']))
  const { values, field } = useValues(initial, errors)
  const changed = Object.fromEntries(
    names.filter((name) => values[name] !== initial[name]).map((name) => [name, values[name] || null]),
  )
  const input = { tenantId: tenant.id, whitelabelConfig: changed }
  return (
    <section className="panel">
      <p className="dim">How the tenant appears to its people. Empty fields take what the platform has.</p>
      <Form act={act} needs="OWNER" submit="Save branding" onSubmit={() => void act.run(input)}>
        {names.map((name) => (
          <Fragment key={name}>
            <Field label={fields[name][0]} hint={fields[name][1]} {...field(name)} />
            {name === 'primaryColor' && (
              <ColourPreview colour={values[name] ?? ''} name={values['displayName'] || tenant.name} />
            )}
          </Fragment>
        ))}
      </Form>
      <ShowRequest method="tenants.update" input={input} />
    </section>
  )
}
