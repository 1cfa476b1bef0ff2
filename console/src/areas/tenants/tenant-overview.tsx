import { isCode, type Tenant } from '@atrium/sdk/admin'
import { atrium } from '../../doors/atrium.ts'
import { ActButton } from '../../parts/act-button.tsx'
import { Facts } from '../../parts/facts.tsx'
import { Field, useValues } from '../../parts/fields.tsx'
import { Form } from '../../parts/form.tsx'
import { Moment } from '../../parts/moment.tsx'
import { saveFile } from '../../parts/save-file.ts'
import { ShowRequest } from '../../parts/show-request.tsx'
import { useAct } from '../../parts/use-act.ts'
import { navigate } from '../../shell/address.ts'
import { words } from './words.ts'

export function TenantOverview({ tenant }: { tenant: Tenant }) {
  return (
    <>
      <section className="panel" aria-label={words.facts}>
        <Facts
          facts={{
            [words.slug]: <span className="mono">{tenant.slug}</span>,
            [words.id]: <span className="mono">{tenant.id}</span>,
            [words.products]: tenant.products.join(', ') || words.none,
            [words.created]: <Moment at={tenant.createdAt} />,
            [words.changed]: <Moment at={tenant.updatedAt} />,
          }}
        />
      </section>
      <EditTenant tenant={tenant} />
      <EndTenant tenant={tenant} />
    </>
  )
}

function EditTenant({ tenant }: { tenant: Tenant }) {
  const act = useAct(atrium.tenants.update)
  const { values, field } = useValues({ name: tenant.name, contactEmail: tenant.contactEmail }, act.fieldErrors)
  const input = { tenantId: tenant.id, ...values }
  return (
    <section className="panel" aria-labelledby="edit-tenant">
      <h2 id="edit-tenant">{words.nameAndContact}</h2>
      <Form act={act} needs="OWNER" submit={words.save} onSubmit={() => void act.run(input)}>
        <Field label={words.name} {...field('name')} isRequired />
        <Field label={words.contactEmail} type="email" {...field('contactEmail')} isRequired />
      </Form>
      <ShowRequest method="tenants.update" input={input} />
    </section>
  )
}

function EndTenant({ tenant: { id: tenantId, slug, status } }: { tenant: Tenant }) {
  const isSuspended = status === 'SUSPENDED'
  const save = async () => {
    const file = (await atrium.tenants.export({ tenantId }, { timeoutMs: 600_000 })) as Blob
    saveFile(`${slug}.jsonl.gz`, file)
  }
  const erase = async () => {
    const input = { tenantId, confirm: slug }
    try {
      await atrium.tenants.erase(input)
    } catch (error) {
      // Only a suspended tenant is erased. Not suspended before: whoever does not confirm changes nothing.
      if (!isCode(error, 'STATE_CONFLICT')) throw error
      await atrium.tenants.update({ tenantId, status: 'SUSPENDED' })
      await atrium.tenants.erase(input)
    }
    navigate('/tenants')
  }
  return (
    <section className="panel" aria-labelledby="end-tenant">
      <h2 id="end-tenant">{words.suspendExportErase}</h2>
      <div className="head-acts">
        <ActButton
          needs="OWNER"
          act={() => atrium.tenants.update({ tenantId, status: isSuspended ? 'ACTIVE' : 'SUSPENDED' })}
          {...(isSuspended
            ? {}
            : {
                confirm: {
                  title: words.suspendTenant(slug),
                  text: words.suspendTenantEffect,
                },
              })}
        >
          {isSuspended ? words.activate : words.suspend}
        </ActButton>
        <ActButton needs="OWNER" act={save}>
          {words.export}
        </ActButton>
        <ActButton
          needs="OWNER"
          isDangerous
          act={erase}
          confirm={{
            title: words.eraseTenant(slug),
            text: words.eraseTenantEffect,
            name: slug,
          }}
        >
          {words.erase}
        </ActButton>
      </div>
    </section>
  )
}
