import { atrium } from '../../doors/atrium.ts'
import { Field, useValues } from '../../parts/fields.tsx'
import { Form } from '../../parts/form.tsx'
import { ScreenHead } from '../../parts/screen-head.tsx'
import { ShowRequest } from '../../parts/show-request.tsx'
import { useAct } from '../../parts/use-act.ts'
import { navigate } from '../../shell/address.ts'
import { words } from './words.ts'

export function NewTenantScreen() {
  const act = useAct(atrium.tenants.create, ({ tenant }) => navigate(`/tenants/${tenant.id}?tab=keys`))
  const { values, field, set } = useValues({ name: '', slug: '', contactEmail: '' }, act.fieldErrors)
  const name = (value: string) => {
    // Follows the name until somebody gives it another.
    if (values.slug === slugOf(values.name)) set('slug', slugOf(value))
    set('name', value)
  }
  return (
    <>
      <ScreenHead title={words.newTenant} crumbs={[[words.tenants, '/tenants']]} />
      <section className="panel">
        <Form act={act} needs="OWNER" submit={words.createTenant} onSubmit={() => void act.run(values)}>
          <Field label={words.name} {...field('name')} onChange={name} isRequired />
          <Field label={words.slug} {...field('slug')} hint={words.slugHint} isRequired />
          <Field label={words.contactEmail} type="email" {...field('contactEmail')} isRequired />
        </Form>
        <ShowRequest method="tenants.create" input={values} />
      </section>
    </>
  )
}

function slugOf(name: string): string {
  return name
    .toLowerCase()
    .normalize('NFKD')
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 63)
    .replace(/^-|-$/g, '')
}
