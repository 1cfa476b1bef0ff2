import type { Tenant } from '@atrium/sdk/admin'
import { Fragment } from 'react'
import { atrium } from '../../doors/atrium.ts'
import { Field, useValues } from '../../parts/fields.tsx'
import { Form } from '../../parts/form.tsx'
import { ShowRequest } from '../../parts/show-request.tsx'
import { useAct } from '../../parts/use-act.ts'
import { ColourPreview } from './colour-preview.tsx'
import { words } from './words.ts'

type Branding = NonNullable<Tenant['whitelabelConfig']>

/** Complete by its type, as in the limits. */
const fields: Record<keyof Branding, [label: string, hint: string]> = {
  displayName: [words.displayedName, words.displayedNameHint],
  primaryColor: [words.colour, words.colourHint],
  logoUrl: [words.logo, words.addressHint],
  faviconUrl: [words.smallIcon, words.addressHint],
  supportEmail: [words.supportEmail, words.supportEmailHint],
  supportUrl: [words.supportPage, words.addressHint],
  customDomain: [words.domain, words.domainHint],
  emailFromName: [words.senderOfMails, words.senderOfMailsHint],
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
      <p className="dim">{words.brandingHint}</p>
      <Form act={act} needs="OWNER" submit={words.saveBranding} onSubmit={() => void act.run(input)}>
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
