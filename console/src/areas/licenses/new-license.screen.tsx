import type { License } from '@atrium/sdk/admin'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { atrium } from '../../doors/atrium.ts'
import { Answer } from '../../parts/answer.tsx'
import { Choice, Field, useValues } from '../../parts/fields.tsx'
import { Form } from '../../parts/form.tsx'
import { ScreenHead } from '../../parts/screen-head.tsx'
import { SecretBox } from '../../parts/secret-box.tsx'
import { ShowRequest } from '../../parts/show-request.tsx'
import { useAct } from '../../parts/use-act.ts'
import { navigate, useFilters } from '../../shell/address.ts'
import { plans } from './plans.ts'

export function NewLicenseScreen() {
  const [issued, setIssued] = useState<License | null>(null)
  const choices = useQuery({
    queryKey: ['licenses.create', 'choices'],
    queryFn: async () => {
      const [tenants, products] = await Promise.all([
        atrium.tenants.list({ limit: 100 }).page(),
        atrium.catalog.listAllProducts({ limit: 100 }).page(),
      ])
      return { tenants: tenants.tenants, products: products.products }
    },
  })
  return (
    <>
      <ScreenHead title="Issue a license" crumbs={[['Licenses', '/licenses']]} />
      {issued?.key && (
        <SecretBox
          label="License key"
          secret={issued.key}
          hint="Give it to the tenant. Later, an OWNER can read it by the API."
          onKept={() => navigate(`/licenses/${issued.id}`)}
        />
      )}
      <Answer query={choices}>
        {({ tenants, products }) =>
          issued === null && (
            <section className="panel">
              <LicenseForm
                tenants={tenants.map(({ id, name, slug }) => [id, `${name} (${slug})`])}
                products={products.map(({ slug, name }) => [slug, name])}
                onIssued={setIssued}
              />
            </section>
          )
        }
      </Answer>
    </>
  )
}

type Options = (readonly [string, string])[]

function LicenseForm({
  tenants,
  products,
  onIssued,
}: {
  tenants: Options
  products: Options
  onIssued: (license: License) => void
}) {
  const [{ tenantId }] = useFilters('tenantId')
  const act = useAct(atrium.licenses.create, ({ license }) => onIssued(license))
  const initial = {
    tenantId: tenantId || (tenants[0]?.[0] ?? ''),
    product: products[0]?.[0] ?? '',
    plan: 'PRO',
    maxUses: '',
    expiresAt: '',
    label: '',
  }
  const { values, field } = useValues(initial, act.fieldErrors)
  const input = {
    tenantId: values.tenantId,
    product: values.product,
    plan: values.plan as License['plan'],
    ...(values.maxUses && { maxUses: Number(values.maxUses) }),
    // The end of the day, where the person is.
    ...(values.expiresAt && { expiresAt: new Date(`${values.expiresAt}T23:59:59`).toISOString() }),
    ...(values.label && { label: values.label }),
  }
  return (
    <>
      <Form act={act} needs="OWNER" submit="Issue license" onSubmit={() => void act.run(input)}>
        <Choice label="Tenant" {...field('tenantId')} options={tenants} />
        <Choice label="Product" {...field('product')} options={products} />
        <Choice
          label="Plan"
          {...field('plan')}
          options={plans}
          hint="Sets uses and duration, unless you give others."
        />
        <Field label="Uses" type="number" {...field('maxUses')} hint="Empty: what the plan allows." />
        <Field label="Expires on" type="date" {...field('expiresAt')} hint="Empty: as the plan says." />
        <Field label="Label" {...field('label')} hint="For you, such as an order number." />
      </Form>
      <ShowRequest method="licenses.create" input={input} />
    </>
  )
}
