import type { Input, License } from '@atrium/sdk/admin'
import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { atrium } from '../../doors/atrium.ts'
import { Answer } from '../../parts/answer.tsx'
import { Choice, Field, useValues } from '../../parts/fields.tsx'
import { Form } from '../../parts/form.tsx'
import { saveFile } from '../../parts/save-file.ts'
import { ScreenHead } from '../../parts/screen-head.tsx'
import { SecretBox } from '../../parts/secret-box.tsx'
import { ShowRequest } from '../../parts/show-request.tsx'
import { useAct } from '../../parts/use-act.ts'
import { navigate, useFilters } from '../../shell/address.ts'
import { TermFields, useTerms } from './license-terms.tsx'
import { words } from './words.ts'

export function NewLicenseScreen() {
  const [issued, setIssued] = useState<License[]>([])
  const [first] = issued
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
      <ScreenHead title={words.issueALicense} crumbs={[[words.licenses, '/licenses']]} />
      {first && (
        <SecretBox
          label={words.licenseKeys(issued.length)}
          secret={issued.map(({ key }) => key).join('\n')}
          hint={words.licenseKeyUse}
          onKept={() => navigate(issued.length === 1 ? `/licenses/${first.id}` : '/licenses')}
        >
          {issued.length > 1 && (
            <Button size="xs" variant="default" onClick={() => saveFile('licenses.csv', keyFile(issued))}>
              {words.saveAsCsv}
            </Button>
          )}
        </SecretBox>
      )}
      <Answer query={choices}>
        {({ tenants, products }) =>
          issued.length === 0 && (
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

const countMax = 100

function LicenseForm({
  tenants,
  products,
  onIssued,
}: {
  tenants: Options
  products: Options
  onIssued: (licenses: License[]) => void
}) {
  const [{ tenantId }] = useFilters('tenantId')
  const act = useAct(async ({ count, ...input }: { count: number } & Input<'createLicense'>) => {
    const made: License[] = []
    try {
      for (let number = 0; number < count; number += 1) made.push((await atrium.licenses.create(input)).license)
    } catch (error) {
      // Those that exist are shown: their keys would be lost.
      if (made.length === 0) throw error
    }
    onIssued(made)
  })
  const { values, field } = useValues(
    { tenantId: tenantId || (tenants[0]?.[0] ?? ''), product: products[0]?.[0] ?? '', count: '1' },
    act.fieldErrors,
  )
  const { field: termField, terms } = useTerms({ plan: 'PRO', maxUses: '', expiresOn: '', label: '' }, act.fieldErrors)
  const input = { tenantId: values.tenantId, product: values.product, ...terms }
  const count = Math.min(countMax, Math.max(1, Math.floor(Number(values.count)) || 1))
  return (
    <>
      <Form
        act={act}
        needs="OWNER"
        submit={words.issueLicenses(count)}
        onSubmit={() => void act.run({ ...input, count })}
      >
        <Choice label={words.tenant} {...field('tenantId')} options={tenants} />
        <Choice label={words.product} {...field('product')} options={products} />
        <TermFields field={termField} none={{ uses: words.usesByPlan, expires: words.expiryByPlan }} />
        <Field label={words.howMany} type="number" {...field('count')} hint={words.howManyHint(countMax)} />
      </Form>
      <ShowRequest method="licenses.create" input={input} />
    </>
  )
}

function keyFile(licenses: License[]): string {
  return `id,key,label\n${licenses.map(({ id, key, label }) => `${id},${key},"${(label ?? '').replaceAll('"', '""')}"\n`).join('')}`
}
