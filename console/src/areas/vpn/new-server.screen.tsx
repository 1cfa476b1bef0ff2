import { atrium } from '../../doors/atrium.ts'
import { Field, useValues } from '../../parts/fields.tsx'
import { Form } from '../../parts/form.tsx'
import { ScreenHead } from '../../parts/screen-head.tsx'
import { ShowRequest } from '../../parts/show-request.tsx'
import { useAct } from '../../parts/use-act.ts'
import { navigate } from '../../shell/address.ts'
import { words } from './words.ts'

export function NewServerScreen() {
  const act = useAct(atrium.vpn.createServer, ({ server }) => navigate(`/vpn/servers/${server.id}`))
  const { values, field } = useValues({ name: '', region: '', publicIp: '', capacity: '250' }, act.fieldErrors)
  const input = { ...values, capacity: Number(values.capacity) }
  return (
    <>
      <ScreenHead title={words.addVpnServer} crumbs={[[words.vpnServers, '/vpn/servers']]} />
      <section className="panel">
        <Form act={act} needs="OWNER" submit={words.addServer} onSubmit={() => void act.run(input)}>
          <Field label={words.name} {...field('name')} placeholder={words.nameExample} isRequired />
          <Field
            label={words.region}
            {...field('region')}
            placeholder={words.regionExample}
            hint={words.regionHint}
            isRequired
          />
          <Field label={words.publicIp} {...field('publicIp')} isRequired />
          <Field label={words.capacity} type="number" {...field('capacity')} hint={words.capacityHint} isRequired />
        </Form>
        <ShowRequest method="vpn.createServer" input={input} />
      </section>
    </>
  )
}
