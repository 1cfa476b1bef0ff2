import { Button } from '@mantine/core'
import { useState } from 'react'
import { atrium } from '../../doors/atrium.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { Field, useValues } from '../../parts/fields.tsx'
import { Form } from '../../parts/form.tsx'
import { ShowRequest } from '../../parts/show-request.tsx'
import { useAct } from '../../parts/use-act.ts'
import { words } from './words.ts'

type Props = { tenantId: string; onCreated: (secret: string) => void }

export function NewEndpoint(props: Props) {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <div className="filters">
      <Button size="xs" onClick={() => setIsOpen(true)}>
        {words.newEndpoint}
      </Button>
      {isOpen && <NewEndpointDialog {...props} onClose={() => setIsOpen(false)} />}
    </div>
  )
}

function NewEndpointDialog({ tenantId, onCreated, onClose }: Props & { onClose: () => void }) {
  const act = useAct(atrium.webhooks.createEndpoint, ({ secret }) => {
    onCreated(secret)
    onClose()
  })
  const { values, field } = useValues({ url: '', description: '', eventTypes: '' }, act.fieldErrors)
  const eventTypes = values.eventTypes.split(/[\s,]+/).filter((type) => type !== '')
  const input = {
    tenantId,
    url: values.url,
    ...(values.description && { description: values.description }),
    ...(eventTypes.length > 0 && { eventTypes }),
  }
  return (
    <Dialog title={words.newEndpoint} onClose={onClose}>
      <Form
        act={act}
        needs="OWNER"
        submit={words.createEndpoint}
        onCancel={onClose}
        onSubmit={() => void act.run(input)}
      >
        <Field label={words.address} type="url" {...field('url')} placeholder={words.addressExample} isRequired />
        <Field label={words.events} {...field('eventTypes')} hint={words.eventsHint} />
        <Field label={words.description} {...field('description')} hint={words.descriptionHint} />
      </Form>
      <ShowRequest method="webhooks.createEndpoint" input={input} />
    </Dialog>
  )
}
