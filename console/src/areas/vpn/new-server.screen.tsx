import { atrium } from '../../doors/atrium.ts'
import { Field, useValues } from '../../parts/fields.tsx'
import { Form } from '../../parts/form.tsx'
import { ScreenHead } from '../../parts/screen-head.tsx'
import { ShowRequest } from '../../parts/show-request.tsx'
import { useAct } from '../../parts/use-act.ts'
import { navigate } from '../../shell/address.ts'

export function NewServerScreen() {
  const act = useAct(atrium.vpn.createServer, ({ server }) => navigate(`/vpn/servers/${server.id}`))
  const { values, field } = useValues({ name: '', region: '', publicIp: '', capacity: '250' }, act.fieldErrors)
  const input = { ...values, capacity: Number(values.capacity) }
  return (
    <>
      <ScreenHead title="Add a VPN server" crumbs={[['VPN servers', '/vpn/servers']]} />
      <section className="panel">
        <Form act={act} needs="OWNER" submit="Add server" onSubmit={() => void act.run(input)}>
          <Field label="Name" {...field('name')} placeholder="fra-1" isRequired />
          <Field label="Region" {...field('region')} placeholder="eu-central" hint="What people choose." isRequired />
          <Field label="Public IP address" {...field('publicIp')} isRequired />
          <Field
            label="Capacity"
            type="number"
            {...field('capacity')}
            hint="How many devices it may have."
            isRequired
          />
        </Form>
        <ShowRequest method="vpn.createServer" input={input} />
      </section>
    </>
  )
}
