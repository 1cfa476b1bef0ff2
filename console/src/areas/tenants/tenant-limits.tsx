import type { Tenant } from '@atrium/sdk/admin'
import { atrium } from '../../doors/atrium.ts'
import { Field, useValues } from '../../parts/fields.tsx'
import { Form } from '../../parts/form.tsx'
import { ShowRequest } from '../../parts/show-request.tsx'
import { useAct } from '../../parts/use-act.ts'
import { words } from './words.ts'

/** Complete by its type: a new limit needs a name here. */
const names: Record<keyof Tenant['limits'], string> = {
  maxUsers: words.users,
  maxApiKeys: words.activeApiKeys,
  maxDevices: words.vpnDevices,
  maxDevicesPerUser: words.devicesOfUser,
  maxActiveSessions: words.openVpnSessions,
  maxMeetings: words.meetings,
  maxOrgs: words.organizations,
  maxOrgMembers: words.membersOfOrganization,
  maxTasks: words.tasksOfOrganization,
  maxDocuments: words.documents,
  maxStorageBytes: words.storedBytes,
  maxIntegrations: words.integrations,
  maxLiveBots: words.liveBots,
  maxMailsPerDay: words.mailsPerDay,
  requestsPerWindow: words.requestsPerWindow,
}
const limits = Object.entries(names) as [name: keyof Tenant['limits'], label: string][]

export function TenantLimits({ tenant }: { tenant: Tenant }) {
  const act = useAct(atrium.tenants.update)
  const errors = Object.fromEntries(
    Object.entries(act.fieldErrors).map(([name, text]) => [name.replace('limits/', ''), text]),
  )
  const initial = Object.fromEntries(limits.map(([name]) => [name, String(tenant.limits[name] ?? '')]))
  const { values, field } = useValues(initial, errors)
  const changed = Object.fromEntries(
    Object.entries(values)
      .filter(([name, value]) => value !== initial[name])
      .map(([name, value]) => [name, value === '' ? null : Number(value)]),
  )
  const input = { tenantId: tenant.id, limits: changed }
  return (
    <section className="panel">
      <p className="dim">{words.limitsHint}</p>
      <Form act={act} needs="OWNER" submit={words.saveLimits} onSubmit={() => void act.run(input)}>
        {limits.map(([name, label]) => (
          <Field key={name} label={label} type="number" {...field(name)} />
        ))}
      </Form>
      <ShowRequest method="tenants.update" input={input} />
    </section>
  )
}
